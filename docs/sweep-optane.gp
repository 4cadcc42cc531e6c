# SPDX-License-Identifier: GPL-3.0-or-later
# The plot of docs/sweep.md: gnuplot -e "csv='q.csv'" docs/sweep-optane.gp >docs/sweep-optane.svg
if (!exists("csv")) csv = "q.csv"
set terminal svg size 1080,380 font "sans,11" background "white"
set datafile separator ","
set multiplot layout 1,2
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.85 border -1
set boxwidth 0.9
set grid ytics
set key outside top center horizontal
set yrange [0:*]
set xtics nomirror
set lmargin 8
set bmargin 4
# "layout / drives" beside the value of COLUMN, in the order of the points
rows(job, flush, speed, column) = sprintf("<awk -F, '$11 == \"%s\" && $5 == \"%s\" && $6 == \"%s\" && $7 == 2 { \
    l = $3 ~ /optane/ ? \"installed\" : $3 ~ /hoped/ ? \"log only\" : \"none\"; \
    printf \"%%s,%%s,%%s\\n\", l, $4 ~ /990/ ? \"990 PRO\" : \"PM9A3\", $%d }' %s", job, flush, speed, column, csv)
set title "4 KiB random writes at depth 32, RF 2, 10 Gbit/s"
set ylabel "IOPS, thousands"
plot for [f in "none batched per_write"] rows("rand-write-4k", f, "10 Gbit/s", 12) \
    using ($3 / 1e3):xtic(strcol(1)."\n".strcol(2)) title "log\\_flush ".(f eq "per_write" ? "per\\_write" : f)
set title "1 MiB sequential writes, RF 2, no log flush"
set ylabel "MB/s"
set yrange [0:*]
plot for [s in "10 25 100"] rows("seq-write-1m", "none", s." Gbit/s", 13) \
    using ($3 / 1e6):xtic(strcol(1)."\n".strcol(2)) title s." Gbit/s"
