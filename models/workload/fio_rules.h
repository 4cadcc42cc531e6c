/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fio_rules.h: the options whose values have a grammar of their own.
 *
 * Each reads s->value into s->conf or complains. Values written as
 * read,write,trim lists follow fio: a missing trailing part repeats the last
 * one given, an empty part leaves its direction alone.
 */
#ifndef FIO_RULES_H
#define FIO_RULES_H

#include "fio_options.h"

void hci_fio_rule_rw(struct hci_fio_setting *s);            /* randrw, read:8k */
void hci_fio_rule_bsrange(struct hci_fio_setting *s);       /* 1k-4k,8k-16k */
void hci_fio_rule_bssplit(struct hci_fio_setting *s);       /* 4k/10:64k/90,... */
void hci_fio_rule_distribution(struct hci_fio_setting *s);  /* zipf:1.2, zoned:50/5:50/95 */
void hci_fio_rule_filename(struct hci_fio_setting *s);
void hci_fio_rule_name(struct hci_fio_setting *s);
void hci_fio_rule_filesize(struct hci_fio_setting *s);      /* 4k or 4k-8k */
void hci_fio_rule_file_service(struct hci_fio_setting *s);  /* roundrobin:4 */
void hci_fio_rule_startdelay(struct hci_fio_setting *s);    /* 5 or 5-10 */
void hci_fio_rule_percentiles(struct hci_fio_setting *s);
void hci_fio_rule_latency_percentile(struct hci_fio_setting *s);
void hci_fio_rule_steadystate(struct hci_fio_setting *s);   /* iops_slope:0.3% */
void hci_fio_rule_engine(struct hci_fio_setting *s);
void hci_fio_rule_rwmixwrite(struct hci_fio_setting *s);
void hci_fio_rule_buffered(struct hci_fio_setting *s);
void hci_fio_rule_fallocate(struct hci_fio_setting *s);
void hci_fio_rule_zonemode(struct hci_fio_setting *s);
void hci_fio_rule_direct(struct hci_fio_setting *s);
void hci_fio_rule_kb_base(struct hci_fio_setting *s);

/* The class of an engine (enum hci_engine_class), or -1 when it is unknown or
 * refused; *why then says so. */
int hci_fio_engine_class(const char *name, const char **why);

#endif
