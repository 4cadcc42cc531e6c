/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_verbs.h: the list of verbs of the hcisim command.
 *
 * A verb is one function and one line here: name, function, one-line help. The
 * function gets argv with argv[0] = "hcisim VERB", prints results on stdout and
 * everything else on stderr, and returns an exit status (enum sim_code).
 */
#ifndef ANA_VERBS_H
#define ANA_VERBS_H

#define ANA_VERBS(X) \
    X("run", ana_run_main, "simulate a job file on a layout") \
    X("check", ana_check_main, "apply a layout's rules: space, write log shares, what fails") \
    X("explain", ana_explain_main, "one I/O step by step, and which station caps the IOPS") \
    X("devices", ana_devices_main, "the catalogue of drives, and their queue-depth curves") \
    X("sweep", ana_sweep_main, "simulate many variants of a layout: table, Pareto front, knee") \
    X("merge", ana_merge_main, "put the parts of a sweep together") \
    X("diff", ana_diff_main, "two layouts under common random numbers: the difference, with interval") \
    X("compare", ana_compare_main, "simulated beside measured, and what is wrong with the measurement") \
    X("calibrate", ana_calibrate_main, "fit parameters to measurements, with the error on jobs left out") \
    X("report", ana_report_main, "one HTML page about a run, several runs, or a measurement") \
    X("jobs", ana_showjobs_main, "show what a fio job file comes to, without simulating") \
    X("cmdhelp", ana_cmdhelp_main, "explain the options of job files") \
    X("help", ana_help_main, "list the verbs, or show one verb's options")

#define X(name, function, help) int function(int argc, char **argv);
ANA_VERBS(X)
#undef X

#endif
