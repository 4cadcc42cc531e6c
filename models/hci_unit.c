/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_param.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The value of a unit is mul / div base units. */
struct unit {
    const char *name;
    int type;
    uint64_t mul, div;
};

#define KB 1000ULL
#define MB (1000 * KB)
#define GB (1000 * MB)
#define TB (1000 * GB)
#define KIB 1024ULL
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)
#define TIB (1024 * GIB)

static const struct unit units[] = {
    { "ns", HCI_TIME, 1, 1 },
    { "us", HCI_TIME, KB, 1 },
    { "ms", HCI_TIME, MB, 1 },
    { "s", HCI_TIME, GB, 1 },
    { "\xc2\xb5s", HCI_TIME, KB, 1 }, /* micro sign */
    { "\xce\xbcs", HCI_TIME, KB, 1 }, /* Greek mu */
    { "min", HCI_TIME, 60 * GB, 1 },
    { "h", HCI_TIME, 3600 * GB, 1 },
    { "B", HCI_BYTES, 1, 1 },
    { "kB", HCI_BYTES, KB, 1 },
    { "MB", HCI_BYTES, MB, 1 },
    { "GB", HCI_BYTES, GB, 1 },
    { "TB", HCI_BYTES, TB, 1 },
    { "KiB", HCI_BYTES, KIB, 1 },
    { "MiB", HCI_BYTES, MIB, 1 },
    { "GiB", HCI_BYTES, GIB, 1 },
    { "TiB", HCI_BYTES, TIB, 1 },
    { "B/s", HCI_RATE, 1, 1 },
    { "kB/s", HCI_RATE, KB, 1 },
    { "MB/s", HCI_RATE, MB, 1 },
    { "GB/s", HCI_RATE, GB, 1 },
    { "TB/s", HCI_RATE, TB, 1 },
    { "KiB/s", HCI_RATE, KIB, 1 },
    { "MiB/s", HCI_RATE, MIB, 1 },
    { "GiB/s", HCI_RATE, GIB, 1 },
    { "bit/s", HCI_RATE, 1, 8 },
    { "kbit/s", HCI_RATE, KB, 8 },
    { "Mbit/s", HCI_RATE, MB, 8 },
    { "Gbit/s", HCI_RATE, GB, 8 },
    { "Tbit/s", HCI_RATE, TB, 8 },
};
#define NUNITS (sizeof units / sizeof units[0])

/* What people write and what they may have meant: never accepted, because b
 * and B differ by eight and a size is no rate. */
struct slip {
    int type;
    const char *written, *reason, *meant;
};

static const struct slip slips[] = {
    { HCI_RATE, "b", "bits without \"per second\"", "bit/s" },
    { HCI_RATE, "kb", "kilobits without \"per second\"", "kbit/s" },
    { HCI_RATE, "Mb", "megabits without \"per second\"", "Mbit/s" },
    { HCI_RATE, "Gb", "gigabits without \"per second\"", "Gbit/s" },
    { HCI_RATE, "kbit", "kilobits without \"per second\"", "kbit/s" },
    { HCI_RATE, "Mbit", "megabits without \"per second\"", "Mbit/s" },
    { HCI_RATE, "Gbit", "gigabits without \"per second\"", "Gbit/s" },
    { HCI_RATE, "Mb/s", "not a unit here (b and B are easily confused)", "Mbit/s" },
    { HCI_RATE, "Gb/s", "not a unit here (b and B are easily confused)", "Gbit/s" },
    { HCI_RATE, "Mbps", "not a unit here (b and B are easily confused)", "Mbit/s" },
    { HCI_RATE, "Gbps", "not a unit here (b and B are easily confused)", "Gbit/s" },
    { HCI_RATE, "kB", "an amount, not a rate", "kB/s" },
    { HCI_RATE, "MB", "an amount, not a rate", "MB/s" },
    { HCI_RATE, "GB", "an amount, not a rate", "GB/s" },
    { HCI_RATE, "MiB", "an amount, not a rate", "MiB/s" },
    { HCI_RATE, "GiB", "an amount, not a rate", "GiB/s" },
    { HCI_BYTES, "b", "bits, sizes are in bytes", "B" },
    { HCI_BYTES, "kb", "kilobits, sizes are in bytes", "kB" },
    { HCI_BYTES, "Mb", "megabits, sizes are in bytes", "MB" },
    { HCI_BYTES, "Gb", "gigabits, sizes are in bytes", "GB" },
    { HCI_BYTES, "Tb", "terabits, sizes are in bytes", "TB" },
    { HCI_BYTES, "K", "ambiguous (1000 or 1024)", "KiB" },
    { HCI_BYTES, "M", "ambiguous (1000 or 1024)", "MiB" },
    { HCI_BYTES, "G", "ambiguous (1000 or 1024)", "GiB" },
    { HCI_BYTES, "T", "ambiguous (1000 or 1024)", "TiB" },
    { HCI_BYTES, "k", "ambiguous (1000 or 1024)", "KiB" },
    { HCI_BYTES, "KB", "ambiguous (1000 or 1024)", "kB" },
};
#define NSLIPS (sizeof slips / sizeof slips[0])

static const char *example(int type)
{
    return type == HCI_TIME ? "30 us" : type == HCI_BYTES ? "4 KiB" : "10 Gbit/s";
}

struct number { /* digits / 10^scale */
    unsigned __int128 digits;
    unsigned scale;
};

/* Reads a non-negative decimal. Returns the text behind it, NULL if malformed. */
static const char *read_number(const char *p, struct number *n)
{
    unsigned seen = 0;
    int dot = 0;
    *n = (struct number){ 0, 0 };
    for (; isdigit((unsigned char)*p) || (*p == '.' && !dot); p++) {
        if (*p == '.') {
            dot = 1;
            continue;
        }
        if (++seen > 20 || n->scale == 12)
            return NULL;
        n->digits = n->digits * 10 + (unsigned)(*p - '0');
        n->scale += (unsigned)dot;
    }
    return seen ? p : NULL;
}

static int no_unit(int type, const char *number, int len, const char *unit, char *why, size_t size)
{
    for (size_t i = 0; i < NSLIPS; i++)
        if (slips[i].type == type && strcmp(slips[i].written, unit) == 0) {
            snprintf(why, size, "\"%.*s%s\": %s is %s, did you mean \"%.*s %s\"?", len, number, unit,
                     unit, slips[i].reason, len, number, slips[i].meant);
            return -1;
        }
    struct hci_nearest near;
    char hint[96];
    hci_nearest_begin(&near, unit);
    for (size_t i = 0; i < NUNITS; i++)
        if (units[i].type == type)
            hci_nearest_offer(&near, units[i].name);
    snprintf(why, size, "unknown unit \"%.24s\"%s", unit,
             near.best ? hci_nearest_hint(&near, hint, sizeof hint) : "");
    if (!near.best)
        snprintf(why, size, "unknown unit \"%.24s\", write e.g. \"%s\"", unit, example(type));
    return -1;
}

int hci_unit_parse(int type, const char *text, uint64_t *out, char *why, size_t size)
{
    struct number n;
    char unit[64];
    const char *start = text + strspn(text, " "), *p = read_number(start, &n);
    if (!p) {
        snprintf(why, size, "\"%.40s\" is no %s number with a unit, write e.g. \"%s\"", text,
                 *start == '-' ? "non-negative" : "decimal", example(type));
        return -1;
    }
    int len = (int)(p - start);
    p += strspn(p, " ");
    snprintf(unit, sizeof unit, "%s", p);
    for (size_t k = strlen(unit); k && unit[k - 1] == ' '; k--)
        unit[k - 1] = 0;
    if (!unit[0]) {
        snprintf(why, size, "\"%.40s\" has no unit, write e.g. \"%s\"", text, example(type));
        return -1;
    }
    size_t i = 0;
    while (i < NUNITS && (units[i].type != type || strcmp(units[i].name, unit) != 0))
        i++;
    if (i == NUNITS)
        return no_unit(type, start, len, unit, why, size);
    unsigned __int128 div = units[i].div;
    for (unsigned k = 0; k < n.scale; k++)
        div *= 10;
    unsigned __int128 v = (n.digits * units[i].mul + div / 2) / div;
    if (v >= UINT64_MAX) { /* HCI_AUTO is no amount */
        snprintf(why, size, "\"%.40s\" is too large", text);
        return -1;
    }
    *out = (uint64_t)v;
    return 0;
}

/* v in this unit, exactly, with at most four decimals; "" if that cannot be. */
static void write_number(uint64_t v, const struct unit *u, char *buf, size_t size)
{
    unsigned __int128 scaled = (unsigned __int128)v * 10000;
    buf[0] = 0;
    if (scaled % u->mul || (v < u->mul && u->mul != 1))
        return;
    uint64_t frac = (uint64_t)(scaled / u->mul % 10000);
    snprintf(buf, size, "%llu.%04u", (unsigned long long)(v / u->mul), (unsigned)frac);
    size_t n = strlen(buf);
    while (buf[n - 1] == '0')
        buf[--n] = 0;
    if (buf[n - 1] == '.')
        buf[n - 1] = 0;
}

char *hci_unit_format(int type, uint64_t v, char *buf, size_t size)
{
    const struct unit *best = NULL;
    char number[40], shortest[40] = "";
    for (size_t i = 0; i < NUNITS; i++) {
        const struct unit *u = &units[i];
        if (u->type != type || u->div != 1 || (unsigned char)u->name[0] > 0x7f)
            continue;
        write_number(v, u, number, sizeof number);
        size_t n = strlen(number), m = strlen(shortest);
        if (!n || (best && (n > m || (n == m && u->mul < best->mul))))
            continue;
        best = u;
        memcpy(shortest, number, n + 1);
    }
    snprintf(buf, size, "%s %s", shortest, best ? best->name : "");
    return buf;
}
