#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads a result file the way a user would, checks what docs/output.md
promises and prints the main figures, one a line."""
import sys

import h5py
import numpy as np

KINDS = ("read", "write", "trim", "sync")


def check(ok, what):
    if not ok:
        sys.exit("not as documented: " + what)


def has_units(name, obj):
    if isinstance(obj, h5py.Dataset) and obj.shape != ():
        check("units" in obj.attrs, name + " has no units")
        if obj.dtype.names:
            check(len(obj.attrs["units"]) == len(obj.dtype.names), name + " lacks a unit")


def direction(job, name):
    d = job[name]
    ios = int(d.attrs["ios"])
    for hist in ("slat", "clat", "lat") if name != "sync" else ("lat",):
        counts = d[hist]
        check(counts.shape == (1856,), "bins of " + hist)
        edges = counts.dims[0]["lower edge of the bin"]
        check(np.array_equal(edges[...], job["bin_lower_ns"][...]), "scale of " + hist)
        check(int(counts[...].sum()) == ios, "sum of " + hist)
        top = edges[...][np.nonzero(counts[...])[0].max()]
        check(top <= d.attrs[hist + "_max_ns"], "largest of " + hist)
    parts = d["breakdown"][...]
    total = float(parts["wait_ns"].sum() + parts["service_ns"].sum())
    mean = float(d.attrs["lat_mean_ns"])
    if name != "sync":
        check(abs(total - mean) <= 1e-6 * mean, "breakdown sums to the mean")
    pct = d["percentiles"][...]
    check(bool((np.diff(pct["percent"]) > 0).all()), "ascending percentiles")
    check(bool((pct["lat_lo_ns"] <= pct["lat_ns"]).all()), "lower limits")
    check(bool((pct["lat_ns"] <= pct["lat_hi_ns"]).all()), "upper limits")
    print(job.name, name, "ios", ios, "bytes", d.attrs["bytes"], "mean %.3f" % mean,
          "resolved", int(pct["resolved"].sum()), "of", len(pct), "rows", len(d["series"]) if "series" in d else 0)


def main():
    with h5py.File(sys.argv[1], "r") as f:
        check(f.attrs["schema"] == "hcisim-result/1", "schema")
        f.visititems(has_units)
        print("seed", f.attrs["seed"], "hash %016x" % f.attrs["hash"])
        print("layout", f["layout"].asstr()[()].splitlines()[0])
        print("jobfile", f["jobfile"].asstr()[()].splitlines()[0])
        for row in f["assumptions"]["text"] if "assumptions" in f else ():
            print("assumed", row.decode())
        for name in ("version", "revision", "command_line", "date", "host", "cpu_s"):
            check(name in f["provenance"].attrs, "provenance " + name)
        for job in f["jobs"].values():
            print(job.name, "bottleneck", job.attrs["bottleneck"] or "-")
            for name in KINDS:
                if name in job:
                    direction(job, name)
            for row in job["resources"][...] if "resources" in job else ():
                print(job.name, row["station"].decode(), "%.2f" % row["utilisation"])
            for name, ds in job["state/series"].items():
                print(job.name, name, ds.attrs["units"], ds[...].tolist())
            for row in job["state/counters"][...] if "counters" in job["state"] else ():
                print(job.name, row["name"].decode(), row["value"], row["unit"].decode())


main()
