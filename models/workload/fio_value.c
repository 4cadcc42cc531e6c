/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fio_value.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *hci_fio_fault_text(int fault)
{
    static const char *const text[] = {
        [HCI_FIO_OK] = "is fine",
        [HCI_FIO_EMPTY] = "is empty",
        [HCI_FIO_NOT_A_NUMBER] = "is not a number",
        [HCI_FIO_FRACTION] =
            "has a fraction, which fio would drop together with the unit; use a smaller unit",
        [HCI_FIO_BLANK] = "has a blank inside, where fio would stop reading",
        [HCI_FIO_LIST] = "is a list, and this option takes one value",
        [HCI_FIO_JUNK] = "has something behind the number that is no unit (comments start with # "
                         "or ;, units are k m g t p)",
        [HCI_FIO_UNIT] = "has an unknown time unit, which fio would read as microseconds; units "
                         "are us ms s m h d",
        [HCI_FIO_RANGE] = "is too large",
    };
    return text[fault];
}

/* Reads sign and digits; moves *s behind them. */
static int digits(const char **s, bool hex_too, struct hci_fio_number *out, bool *hex)
{
    const char *p = *s;
    uint64_t v = 0;
    *hex = false;
    if (*p == '+' || *p == '-')
        out->negative = *p++ == '-';
    if (!*p)
        return HCI_FIO_EMPTY;
    if (hex_too && p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && isxdigit((unsigned char)p[2])) {
        *hex = true;
        p += 2;
    }
    uint64_t base = *hex ? 16 : 10;
    const char *first = p;
    for (; *hex ? isxdigit((unsigned char)*p) : isdigit((unsigned char)*p); p++) {
        uint64_t d = isdigit((unsigned char)*p) ? (uint64_t)(*p - '0')
                                                : (uint64_t)(tolower((unsigned char)*p) - 'a') + 10;
        if (v > (UINT64_MAX - d) / base)
            return HCI_FIO_RANGE;
        v = v * base + d;
    }
    if (p == first)
        return HCI_FIO_NOT_A_NUMBER;
    out->value = v;
    *s = p;
    return HCI_FIO_OK;
}

/* Why the text behind a number cannot be its unit. */
static int bad_tail(const char *p, int otherwise)
{
    if (*p == '.')
        return HCI_FIO_FRACTION;
    if (*p == ',' || *p == ':' || *p == '-')
        return HCI_FIO_LIST;
    if (isspace((unsigned char)*p)) {
        while (isspace((unsigned char)*p))
            p++;
        return isalpha((unsigned char)*p) && strlen(p) < 5 ? HCI_FIO_BLANK : HCI_FIO_JUNK;
    }
    return isalpha((unsigned char)*p) ? otherwise : HCI_FIO_JUNK;
}

/* Power of the suffix letter, 0 when it is none. */
static unsigned letter_power(char c)
{
    const char *all = "kmgtp", *at = c ? strchr(all, tolower((unsigned char)c)) : NULL;
    return at ? (unsigned)(at - all) + 1 : 0;
}

static int byte_suffix(const char *p, unsigned kb_base, struct hci_fio_number *out)
{
    if (!*p || strcasecmp(p, "b") == 0)
        return HCI_FIO_OK;
    if (strcmp(p, "%") == 0 || strcmp(p, "%%") == 0) {
        out->percent = true;
        return HCI_FIO_OK;
    }
    if (strcasecmp(p, "z") == 0) {
        out->zones = true;
        return HCI_FIO_OK;
    }
    unsigned power = letter_power(*p);
    if (!power)
        return bad_tail(p, HCI_FIO_JUNK);
    uint64_t base = kb_base;
    if (strcasecmp(p + 1, "ib") == 0) {
        base = kb_base == 1024 ? 1000 : 1024;
        out->binary_suffix = true;
    } else if (strcasecmp(p + 1, "i") == 0) {
        out->binary_suffix = true;
    } else if (p[1] && strcasecmp(p + 1, "b") != 0) {
        return HCI_FIO_JUNK;
    }
    for (; power; power--) {
        if (out->value > UINT64_MAX / base)
            return HCI_FIO_RANGE;
        out->value *= base;
    }
    return HCI_FIO_OK;
}

int hci_fio_bytes(const char *s, unsigned kb_base, struct hci_fio_number *out)
{
    bool hex;
    memset(out, 0, sizeof *out);
    int rc = digits(&s, true, out, &hex);
    if (rc)
        return rc;
    if (hex)
        return *s ? HCI_FIO_JUNK : HCI_FIO_OK;
    return byte_suffix(s, kb_base, out);
}

int hci_fio_time(const char *s, uint64_t unit_ns, struct hci_fio_number *out)
{
    static const struct {
        const char *name;
        uint64_t ns;
    } units[] = {
        { "us", SIM_US }, { "usec", SIM_US },    { "ms", SIM_MS },        { "msec", SIM_MS },
        { "s", SIM_S },   { "m", 60 * SIM_S },   { "h", 3600 * SIM_S },   { "d", 86400 * SIM_S },
    };
    bool hex;
    uint64_t ns = 0;
    memset(out, 0, sizeof *out);
    int rc = digits(&s, false, out, &hex);
    if (rc)
        return rc;
    if (!*s)
        ns = unit_ns;
    for (size_t i = 0; !ns && i < sizeof units / sizeof units[0]; i++)
        if (strcasecmp(s, units[i].name) == 0)
            ns = units[i].ns;
    if (!ns)
        return bad_tail(s, HCI_FIO_UNIT);
    if (out->value > INT64_MAX / ns)
        return HCI_FIO_RANGE;
    out->value *= ns;
    return HCI_FIO_OK;
}

int hci_fio_decimal(const char *s, double *out)
{
    unsigned ndigits = 0, npoints = 0;
    if (!*s)
        return HCI_FIO_EMPTY;
    for (const char *p = s + (*s == '+' || *s == '-'); *p; p++) {
        if (*p == '.')
            npoints++;
        else if (isdigit((unsigned char)*p))
            ndigits++;
        else
            return ndigits ? bad_tail(p, HCI_FIO_JUNK) : HCI_FIO_NOT_A_NUMBER;
    }
    if (!ndigits || npoints > 1)
        return HCI_FIO_NOT_A_NUMBER;
    if (ndigits > 300)
        return HCI_FIO_RANGE;
    *out = strtod(s, NULL);
    return HCI_FIO_OK;
}

char hci_fio_part(const char **s, const char *seps, char *buf, size_t size)
{
    size_t n = strcspn(*s, seps), keep = n < size ? n : size - 1;
    memcpy(buf, *s, keep);
    buf[keep] = '\0';
    char sep = (*s)[n];
    *s = sep ? *s + n + 1 : NULL;
    return sep;
}
