/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_devices.h"

#include "ana_emit.h"
#include "hci_kind.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *iface(const struct ana_drive *d)
{
    const struct hci_param *row = hci_device_common_params;
    while (strcmp(row->key, "iface") != 0)
        row++;
    return row->names[d->conf.common.iface];
}

/* ---- text ---- */

/* Decimal places of thousands per second that leave something to see. */
static int places(double per_s)
{
    return per_s >= 1000 || per_s <= 0 ? 1 : 3;
}

void ana_devices_table(FILE *f, const struct ana_drive *d, unsigned n)
{
    fprintf(f, "%-20s %-7s %9s %-5s %-4s %9s %9s %10s %-7s %10s %-7s %10s %7s\n", "device", "kind",
            "GB", "iface", "PLP", "read us", "write us", "read k/s", "by", "write k/s", "by",
            "flush us", "EUR");
    for (unsigned i = 0; i < n; i++, d++) {
        const struct hci_device_common *c = &d->conf.common;
        fprintf(f, "%-20s %-7s %9.0f %-5s %-4s %9.1f %9.1f %10.*f %-7s %10.*f %-7s %10.1f ",
                d->conf.name, d->conf.ops->k.name, (double)c->raw_bytes / 1e9, iface(d),
                c->plp ? "yes" : "no", d->read_us, d->write_us, places(d->read_per_s),
                d->read_per_s / 1e3, d->read_by, places(d->write_per_s), d->write_per_s / 1e3,
                d->write_by, (double)c->flush_ns / 1e3);
        if (c->price_eur > 0)
            fprintf(f, "%7.0f\n", c->price_eur);
        else
            fprintf(f, "%7s\n", "-");
    }
    fputs("4 KiB random, the drive alone: latency at depth 1, and caps with the part that sets "
          "them; writes\nwith a full buffer and an SLC cache that is not spent.\n",
          f);
}

static void value_text(const struct hci_param *row, const void *conf, char *buf, size_t size)
{
    if (row->type == HCI_NUMBER) /* for people: not to the last bit */
        snprintf(buf, size, "%.6g",
                 *(const double *)(const void *)((const char *)conf + row->offset));
    else
        hci_param_format(row, conf, buf, size);
}

static void rows(FILE *f, const struct hci_param *row, const struct hci_prov *pv, const void *conf)
{
    char value[256];
    for (; row->key; row++, pv++) {
        value_text(row, conf, value, sizeof value);
        fprintf(f, "  %-18s %s", row->key, value);
        if (!pv->file || pv->source[0])
            fprintf(f, "%*s %s", 22 - (int)strlen(value) > 0 ? 22 - (int)strlen(value) : 0, "",
                    pv->file ? hci_confidence_names[pv->confidence] : "default");
        if (pv->file && pv->source[0])
            fprintf(f, ": %s", pv->source);
        if (pv->file && pv->low)
            fprintf(f, " (%s to %s)", pv->low, pv->high);
        fputc('\n', f);
    }
}

void ana_devices_detail(FILE *f, const struct ana_drive *d)
{
    fprintf(f, "\n%s\n%s\n", d->conf.common.vendor_name, d->conf.ops->k.doc);
    rows(f, hci_device_common_params, d->conf.common_prov, &d->conf.common);
    rows(f, d->conf.ops->k.params, d->conf.prov, d->conf.conf);
}

static void error_text(double simulated, double published, char *buf, size_t size)
{
    if (published > 0)
        snprintf(buf, size, "%+.1f %%", ana_curve_error(simulated, published));
    else
        snprintf(buf, size, "-");
}

static void points_text(FILE *f, const struct ana_curves *c, int use)
{
    double sum2 = 0, worst = 0;
    unsigned n = 0;
    for (unsigned i = 0; i < c->npoints; i++) {
        const struct ana_point *p = &c->points[i];
        const struct ana_simulated *s = &c->simulated[i];
        char iops[32], mean[32];
        if (p->use != use)
            continue;
        double off = fabs(ana_curve_error(s->kiops, p->kiops));
        error_text(s->kiops, p->kiops, iops, sizeof iops);
        error_text(s->mean_us, p->mean_us, mean, sizeof mean);
        fprintf(f,
                "%-9s %-9s %6" PRIu64 " %-9s %4" PRIu64 " %5" PRIu64
                " %10.1f %10.1f %9s %10.1f %10.1f %9s  %s\n",
                ana_use_name(use), p->rw, p->bytes, p->engine, p->jobs, p->depth, p->kiops,
                s->kiops, iops, p->mean_us, s->mean_us, mean, p->source);
        sum2 += off * off;
        worst = off > worst ? off : worst;
        n++;
    }
    if (n)
        fprintf(f, "%-9s %u point%s, IOPS off by %.1f %% rms, %.1f %% at worst\n",
                ana_use_name(use), n, n == 1 ? "" : "s", sqrt(sum2 / n), worst);
}

void ana_devices_curves(FILE *f, const struct ana_curves *c)
{
    fputs("\nSimulated, 4 KiB random, no host\n", f);
    fprintf(f, "%6s %12s %12s %12s %12s\n", "depth", "read k/s", "mean us", "write k/s", "mean us");
    for (unsigned i = 0; i < ANA_DEPTHS; i++)
        fprintf(f, "%6u %12.1f %12.1f %12.1f %12.1f\n", 1u << i, c->read[i].kiops,
                c->read[i].mean_us, c->write[i].kiops, c->write[i].mean_us);
    if (c->npoints == 0) {
        fputs("\nNo published point of this drive is known.\n", f);
        return;
    }
    fputs("\nPublished points, simulated under their own conditions (fit: something was solved "
          "from the point,\nits agreement proves nothing; held-out: nothing was)\n",
          f);
    fprintf(f, "%-9s %-9s %6s %-9s %4s %5s %10s %10s %9s %10s %10s %9s  %s\n", "use", "rw", "bytes",
            "engine", "jobs", "depth", "k/s", "simulated", "error", "mean us", "simulated", "error",
            "source");
    for (int use = ANA_USE_FIT; use <= ANA_USE_NOT_MET; use++)
        points_text(f, c, use);
}

/* ---- JSON ---- */

static void drive_json(struct ana_emit *o, const struct ana_drive *d)
{
    const struct hci_device_common *c = &d->conf.common;
    ana_emit_open(o, NULL, '{');
    ana_emit_str(o, "device", d->conf.name);
    ana_emit_str(o, "vendor_name", c->vendor_name);
    ana_emit_str(o, "kind", d->conf.ops->k.name);
    ana_emit_u64(o, "raw_bytes", c->raw_bytes);
    ana_emit_str(o, "iface", iface(d));
    ana_emit_u64(o, "plp", c->plp);
    ana_emit_f64(o, "read_us", d->read_us);
    ana_emit_f64(o, "write_us", d->write_us);
    ana_emit_f64(o, "read_per_s", d->read_per_s);
    ana_emit_str(o, "read_capped_by", d->read_by);
    ana_emit_f64(o, "write_per_s", d->write_per_s);
    ana_emit_str(o, "write_capped_by", d->write_by);
    ana_emit_u64(o, "flush_ns", c->flush_ns);
    ana_emit_f64(o, "price_eur", c->price_eur);
    ana_emit_close(o, '}');
}

static void depth_json(struct ana_emit *o, const char *rw, unsigned depth,
                       const struct ana_simulated *s)
{
    ana_emit_open(o, NULL, '{');
    ana_emit_str(o, "rw", rw);
    ana_emit_u64(o, "depth", depth);
    ana_emit_f64(o, "kiops", s->kiops);
    ana_emit_f64(o, "mean_us", s->mean_us);
    ana_emit_close(o, '}');
}

static void point_json(struct ana_emit *o, const struct ana_point *p, const struct ana_simulated *s)
{
    ana_emit_open(o, NULL, '{');
    ana_emit_str(o, "use", ana_use_name(p->use));
    ana_emit_str(o, "rw", p->rw);
    ana_emit_u64(o, "bytes", p->bytes);
    ana_emit_str(o, "engine", p->engine);
    ana_emit_u64(o, "jobs", p->jobs);
    ana_emit_u64(o, "depth", p->depth);
    ana_emit_f64(o, "kiops", p->kiops);
    ana_emit_f64(o, "simulated_kiops", s->kiops);
    ana_emit_f64(o, "error_percent", ana_curve_error(s->kiops, p->kiops));
    if (p->mean_us > 0) {
        ana_emit_f64(o, "mean_us", p->mean_us);
        ana_emit_f64(o, "mean_error_percent", ana_curve_error(s->mean_us, p->mean_us));
    }
    ana_emit_f64(o, "simulated_mean_us", s->mean_us);
    ana_emit_f64(o, "tolerance_percent", p->tolerance);
    ana_emit_str(o, "source", p->source);
    ana_emit_close(o, '}');
}

void ana_devices_json(FILE *f, const struct ana_drive *d, unsigned n, const struct ana_curves *c)
{
    struct ana_emit o = {.f = f};
    ana_emit_open(&o, NULL, '{');
    ana_emit_str(&o, "schema", "hcisim-devices/1");
    ana_emit_open(&o, "devices", '[');
    for (unsigned i = 0; i < n; i++)
        drive_json(&o, &d[i]);
    ana_emit_close(&o, ']');
    if (c) {
        ana_emit_open(&o, "curve", '[');
        for (unsigned i = 0; i < ANA_DEPTHS; i++) {
            depth_json(&o, "randread", 1u << i, &c->read[i]);
            depth_json(&o, "randwrite", 1u << i, &c->write[i]);
        }
        ana_emit_close(&o, ']');
        ana_emit_open(&o, "published", '[');
        for (unsigned i = 0; i < c->npoints; i++)
            point_json(&o, &c->points[i], &c->simulated[i]);
        ana_emit_close(&o, ']');
    }
    ana_emit_close(&o, '}');
    fputc('\n', f);
}
