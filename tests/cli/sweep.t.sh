# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# The verbs sweep and merge from outside: equal files from threads, ranks,
# shards and after kills; refused layouts; the knee; bad input in one line.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"
export HCISIM_CONFIGS=$ROOT/configs
OPTANE=$ROOT/configs/layouts/story1-optane.cfg
BASE=$ROOT/configs/layouts/story1-baseline.cfg

layout() { # FILE DISK-DEVICE
    cat >"$TMP/$1" <<TEXT
name = "one disk";
platform: { kind = "native"; };
nodes = ( { disks = ( { device = "$2"; role = "data"; } ); } );
guests = ( { node = 0; vdisks = 1; } );
TEXT
}

job() { # FILE RW RUNTIME [LINE]
    printf '[r]\nrw=%s\nbs=4k\niodepth=8\nioengine=libaio\ndirect=1\nsize=1g\nruntime=%s\ntime_based\n%s\n' \
        "$2" "$3" "${4:-}" >"$TMP/$1"
}

layout ideal.cfg ideal-100us
layout md1.cfg ideal-md1
job read.fio randread 100ms
job write.fio randwrite 100ms

# 24 points, half of them refused, devices from the catalogue.
GRID=(sweep "$OPTANE" write.fio --vary rf=2,3 --vary 'log_device=@nvme+plp'
      --vary 'job.iodepth=1..8:x2')

same() { # FILE FILE: byte for byte, and to h5diff
    cmp "$TMP/$1" "$TMP/$2" && h5diff "$TMP/$1" "$TMP/$2"
}

test_that "a grid gives one row a point with its bottleneck, refused layouts with their reason"
run "${GRID[@]}" -j 1 -o one.h5
expect_status 0
expect_stdout '^24 of 24 points: 12 done, 12 refused$'
expect_stdout '^12 +3 .*refused: rule NX2: .*at least 5 nodes'
expect_stdout '^0 +2 +optane-900p-280g +1 .* r  .* us +[0-9.]+ % +unresolved +- +latency: '
check "the journal is gone" test ! -e "$TMP/one.h5.journal"

test_that "the file does not depend on the number of threads"
run "${GRID[@]}" -j 2 -o two.h5
expect_status 0
check "equal files" same one.h5 two.h5

test_that "three ranks of MPI give the file of one process"
mpi=$("$HCISIM" help >/dev/null && command -v mpirun)
if [[ -z $mpi ]] || ! ldd "$HCISIM" | grep -q libmpi; then
    skip "no MPI here"
else
    # Open MPI leaks what it needs once; that is not ours to find.
    run_cmd env ASAN_OPTIONS=detect_leaks=0 mpirun --allow-run-as-root --oversubscribe -n 3 "$HCISIM" "${GRID[@]}" -o ranks.h5
    expect_status 0
    check "equal files" same one.h5 ranks.h5
    run_cmd env ASAN_OPTIONS=detect_leaks=0 mpirun --allow-run-as-root --oversubscribe -n 2 "$HCISIM" "${GRID[@]}" -o no/such.h5
    check "a path that cannot be written ends all ranks" test "$status" != 0
    expect_stderr 'hcisim: no/such.h5: cannot write'
fi

test_that "four shards merged give the file of one process"
for i in 1 2 3 4; do
    run "${GRID[@]}" --shard "$i/4" -o "part$i"
    expect_status 0
done
run merge -o merged.h5 part3 part1 part4 part2
expect_status 0
check "equal files" same one.h5 merged.h5

test_that "merge names missing points and refuses parts of another sweep"
run merge -o m.h5 part1 part2 part4
expect_status 1
expect_oneline
expect_stderr 'points are missing, the first is 2'
expect_no_file m.h5
run sweep ideal.cfg read.fio --vary job.iodepth=1,2 --shard 1/1 -o other
run merge part1 other
expect_status 2
expect_oneline
expect_stderr 'other: is a part of another sweep than part1'
run merge read.fio
expect_status 2
expect_stderr 'read.fio: is no journal of a sweep'

test_that "killed ten times at random moments, --resume ends with the file of an uninterrupted run"
KILLED=(sweep "$OPTANE" write.fio --vary 'log_device=@nvme+plp' --vary job.iodepth=1..32:1 --set job.runtime=100ms -j 1)
run "${KILLED[@]}" -o whole.h5
expect_status 0
# Points in a journal and the file each left in full/; those noted before are the same files.
cat >"$TMP/points.py" <<'TEXT'
import os, struct, sys
journal, results, noted = sys.argv[1:]
data = open(journal, "rb").read() if os.path.exists(journal) else b""
at, seen = 33 + struct.unpack_from("<Q", data, 17)[0] if len(data) >= 33 else len(data), []
while at + 24 <= len(data):
    point, size = struct.unpack_from("<QQ", data, at)
    at += 24 + size
    if at <= len(data):
        seen.append(point)
assert len(seen) == len(set(seen)), "a point stands in the journal twice"
inode = lambda n: os.stat(f"{results}/point-{n}.h5").st_ino
before = dict(map(int, line.split()) for line in open(noted)) if os.path.exists(noted) else {}
for point, ino in before.items():
    assert not data or point in seen, f"point {point} is lost"
    assert inode(point) == ino, f"point {point} was done again"
with open(noted, "w") as f:
    for point in seen or before:
        f.write(f"{point} {inode(point)}\n")
print(len(seen))
TEXT
kills=0
for ((i = 0; i < 40 && kills < 10; i++)); do
    (cd "$TMP" && exec "$HCISIM" "${KILLED[@]}" -o killed.h5 --results full-k --resume) >"$TMP/out" 2>"$TMP/err" &
    pid=$!
    sleep "0.$((RANDOM % 2))$((RANDOM % 10))$((RANDOM % 10))"
    [[ -e $TMP/killed.h5 ]] || { kill -KILL "$pid" 2>/dev/null && kills=$((kills + 1)); }
    wait "$pid" 2>/dev/null
    run_cmd "$PYTHON" points.py killed.h5.journal full-k noted
    expect_status 0
    [[ ! -e $TMP/killed.h5 ]] || rm -rf "$TMP/killed.h5" "$TMP/full-k" "$TMP/noted" # too soon: anew
done
check "ten kills hit a running sweep: $kills" test "$kills" = 10
run "${KILLED[@]}" -o killed.h5 --results full-k --resume
expect_status 0
run_cmd "$PYTHON" points.py killed.h5.journal full-k noted
expect_status 0
check "equal files" same whole.h5 killed.h5
check "the journal is gone" test ! -e "$TMP/killed.h5.journal"

test_that "a journal with a torn end loses that point only, one of another sweep is refused"
run "${GRID[@]}" --shard 1/1 -o torn.h5.journal
expect_status 0
truncate -s -5 "$TMP/torn.h5.journal"
run "${GRID[@]}" -o torn.h5
expect_status 2
expect_oneline
expect_stderr 'torn.h5.journal: holds an unfinished sweep: --resume'
run "${GRID[@]}" --seed 2 -o torn.h5 --resume
expect_status 2
expect_stderr 'torn.h5.journal: belongs to another sweep'
for other in --precision=3 --precision=0 --reps=2; do
    run "${GRID[@]}" "$other" -o torn.h5 --resume
    expect_status 2
    expect_oneline
    expect_stderr 'torn.h5.journal: belongs to another sweep'
done
run "${GRID[@]}" -o torn.h5 --resume
expect_status 0
expect_stderr 'note: [0-9]+ points are done already'
check "equal files" same one.h5 torn.h5

test_that "an interrupt keeps finished points and says how to go on"
job hour.fio randwrite 3600
(cd "$TMP" && exec "$HCISIM" sweep ideal.cfg hour.fio --vary job.iodepth=1..64 -j 2 -o int.h5) \
    >"$TMP/out" 2>"$TMP/err" &
pid=$!
sleep 0.7
check "the sweep is under way" kill -INT "$pid"
wait "$pid"
status=$?
expect_status 130
expect_stderr 'points are done; --resume continues'
check "a journal is there" test -s "$TMP/int.h5.journal"

test_that "the knee of a closed queue is the closed form's, within one step, in at most 10 points"
# One server of 100 us: N in flight wait N * 100 us, so 256 is the last below 25.65 ms.
RAMP=(sweep md1.cfg read.fio --set job.runtime=1s --set job.ramp_time=100ms --vary job.iodepth=1..400)
run "${RAMP[@]}" --until 'mean<25.65ms'
expect_status 0
points=$(sed -n 's/ points simulated$//p' "$TMP/out")
knee=$(sed -n 's/^knee: job.iodepth = \([0-9]*\) .*/\1/p' "$TMP/out")
check "at most 10 points: ${points:-none}" test "${points:-99}" -le 10
check "within one step of 256: ${knee:-none}" test "${knee:-0}" -ge 255 -a "${knee:-0}" -le 257

test_that "the knee is what the whole ramp shows"
run "${RAMP[@]}" --csv
expect_status 0
check "400 points" test "$(wc -l <"$TMP/out")" = 401
full=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i }
    NR > 1 && $c["mean_ns"] < 25650000 { k = $c["job.iodepth"] } END { print k }' "$TMP/out")
check "ramp: ${full:-none}, bisection: ${knee:-none}" test "${full:-1}" = "${knee:-2}"

test_that "the knee of rate-limited clients is that of M/M/1, within one step"
# Poisson arrivals of 100/s a client at a server of 100 us: p99 = ln(100) / (10000/s - rate),
# below 5 ms up to 9079/s: 90 clients.
layout mm1.cfg ideal-mm1
printf '%s\n' '[vm]' rw=randread bs=4k ioengine=libaio direct=1 size=1g time_based runtime=20 ramp_time=1 \
    iodepth=4096 rate_iops=100 rate_process=poisson group_reporting >"$TMP/vm.fio"
run sweep mm1.cfg vm.fio --vary job.numjobs=1..99 --until 'p99<5ms' --precision 0
expect_status 0
points=$(sed -n 's/ points simulated$//p' "$TMP/out")
knee=$(sed -n 's/^knee: job.numjobs = \([0-9]*\) .*/\1/p' "$TMP/out")
check "at most 10 points: ${points:-none}" test "${points:-99}" -le 10
check "within one step of 90: ${knee:-none}" test "${knee:-0}" -ge 89 -a "${knee:-0}" -le 91

test_that "a limit nothing meets is the answer no"
run sweep ideal.cfg read.fio --vary job.iodepth=1..8 --until 'mean<1us'
expect_status 1
expect_stdout '^knee: no value meets mean<1us'

test_that "CSV has one line a point and job, with names a spreadsheet takes"
run sweep ideal.cfg read.fio --vary job.iodepth=1,2 --vary 'nodes.[0].disks.[0].device=@ideal' --csv
expect_status 0
check "a head and 10 lines" test "$(wc -l <"$TMP/out")" = 11
expect_stdout '^point,status,job.iodepth,nodes\.\[0\]\.disks\.\[0\]\.device,price_eur,'
expect_stdout '^0,done,1,ideal-100us,0,'

test_that "h5py reads the table: numbers as numbers, units, refused rows"
cat >"$TMP/read.py" <<'TEXT'
import sys
import h5py
f = h5py.File(sys.argv[1])
t = f["table"]
assert f.attrs["schema"] == "hcisim-sweep/1"
assert len(t.attrs["units"]) == len(t.dtype.names)
assert t.dtype["rf"].kind == "f" and t.dtype["log_device"].kind == "S"
refused = t[t["status"] == b"refused"]
assert len(refused) and all(refused["rf"] == 3) and all(b"NX2" in r for r in refused["reason"])
done = t[t["status"] == b"done"]
assert (done["iops"] > 0).all() and (done["price_eur"] > 0).all()
print(len(t), len(done))
TEXT
run_cmd "$PYTHON" read.py one.h5
expect_status 0

cell() { # COLUMN: of the first point in $TMP/out
    awk -F, -v want="$1" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i } NR == 2 { print $c[want] }' "$TMP/out"
}

test_that "a point's row says what run says of that layout, simulated whole, in part or in replications"
job steady.fio randwrite 4s
job steady4.fio randwrite 4s
sed -i 's/iodepth=8/iodepth=4/' "$TMP/steady4.fio"
for how in --precision=0 --precision=2 --reps=3; do
    run sweep "$OPTANE" steady.fio --vary job.iodepth=4 --csv "$how"
    expect_status 0
    iops=$(cell iops)
    mean=$(cell mean_ns)
    half=$(cell mean_half_ns)
    part=$(cell simulated)
    [[ $how = --precision=0 ]] && check "all of it: $part" test "$part" = 1
    [[ $how = --precision=2 ]] && check "cut: $part" awk -v p="$part" 'BEGIN { exit !(p > 0 && p < 0.5) }'
    [[ $how = --reps=3 ]] && how="--reps=3 --precision=2"
    # shellcheck disable=SC2086 # words
    run run "$OPTANE" steady4.fio --output-format=json ${how/--precision=0/}
    expect_status 0
    alone=$(jq -r '[.jobs[0].write.iops, .simulator.jobs[0].intervals.write.lat_mean_ns.estimate,
        (.simulator.jobs[0].intervals.write.lat_mean_ns | (.hi - .lo) / 2)] | @tsv' "$TMP/out")
    check "$how: sweep $iops $mean $half, run $alone" awk -v a="$iops $mean $half" -v b="$alone" 'BEGIN {
        n = split(a, x, " "); m = split(b, y, " ")
        for (i = 1; i <= 3; i++) bad += !(x[i] > 0 && (x[i] / y[i] - 1)^2 < (i < 3 ? 1e-8 : 1e-4))
        exit n != 3 || m != 3 || bad }'
done

test_that "the interval of reads and writes together lies between those of a part and none"
job mix.fio randrw 500ms
run sweep ideal.cfg mix.fio --vary job.iodepth=4 --csv
expect_status 0
check "mean +- $(cell mean_half_ns), p99 +- $(cell p99_half_ns)" awk -v m="$(cell mean_half_ns)" -v p="$(cell p99_half_ns)" \
    -v mean="$(cell mean_ns)" 'BEGIN { exit !(m > 0 && m < mean / 10 && p > 0 && p < mean) }'

test_that "prices can be given, and the Pareto front leaves the dearer and slower out"
run sweep "$BASE" read.fio --vary "layout=$BASE,$OPTANE" --price optane-900p-280g=1000 --price node=700 \
    --pareto price,p99 --set job.runtime=500ms
expect_status 0
expect_stdout '^Pareto front, price against p99: [12] of 2 points'
expect_stdout ' 5850 '
run sweep "$BASE" read.fio --vary rf=2 --price optane-900p=1
expect_status 2
expect_stderr "no device 'optane-900p'; nearest: optane-900p-280g"

test_that "a percentile with too few samples beyond it is marked and ranks nothing"
run sweep ideal.cfg read.fio --vary job.iodepth=1,8 --set job.runtime=100ms --pareto price,p99
expect_status 0
expect_stdout '^Pareto front, price against p99: 0 of 2 points'
expect_stdout '^1 .* us +([0-9.]+ %|-) +unresolved '
run sweep ideal.cfg read.fio --vary job.iodepth=1,8 --set job.runtime=100ms --csv
expect_stdout ',reason,unresolved$'
expect_stdout ',p99_ns p99_9_ns p99_99_ns read_p99_ns$'
run sweep ideal.cfg read.fio --vary job.iodepth=1..8 --set job.runtime=100ms --until 'p99<1s'
check "no knee by what is not known" test "$(grep -c '^knee: job.iodepth = 8' "$TMP/out")" = 0
run sweep ideal.cfg read.fio --sensitivity 20% --set job.runtime=20ms
expect_status 1
expect_stderr 'too few I/Os for it, simulate longer'

test_that "the sensitivity of an ideal disk is its latency, and little else"
run sweep ideal.cfg read.fio --sensitivity 20% --sort mean --set job.runtime=20ms
expect_status 0
expect_stdout '^devices\.\[ideal-100us\]\.read_latency +-19\.[0-9]*% +\+19\.[0-9]*%'
check "it comes first" grep -A2 '^mean of' "$TMP/out" -q
check "it is the first input" test "$(sed -n '3s/ .*//p' "$TMP/out")" = 'devices.[ideal-100us].read_latency'

test_that "a sample takes as many points as asked, the same every time"
run sweep ideal.cfg read.fio --vary job.iodepth=1..64 --vary job.bs=4k..64k:x2 --sample 6 --set job.runtime=10ms --csv
expect_status 0
check "6 lines and the head" test "$(wc -l <"$TMP/out")" = 7
cp "$TMP/out" "$TMP/first"
run sweep ideal.cfg read.fio --vary job.iodepth=1..64 --vary job.bs=4k..64k:x2 --sample 6 --set job.runtime=10ms --csv -j 1
check "the same lines" cmp "$TMP/first" "$TMP/out"

test_that "full results of the points are kept on demand"
run sweep ideal.cfg read.fio --vary job.iodepth=1,2 --results full
expect_status 0
check "a result file a point" test -s "$TMP/full/point-0.h5" -a -s "$TMP/full/point-1.h5"

test_that "slips are refused in one line with the nearest name"
slip() { # STDERR-REGEX ARGUMENT...
    local want=$1
    shift
    run sweep ideal.cfg read.fio "$@"
    expect_status 2
    expect_oneline
    expect_stderr "$want"
}
slip 'nothing to vary'
slip 'nodse.*did you mean nodes' --vary nodse=1,2
slip 'iodeph.*did you mean iodepth' --vary job.iodeph=1,2
slip 'no section "x"' --vary job.x.iodepth=1,2
slip '@nvm; nearest: @nvme' --vary 'nodes.[0].disks.[0].device=@nvm'
slip "p98.*nearest: p99" --vary job.iodepth=1,2 --until 'p98<5ms'
slip 'unit of time' --vary job.iodepth=1,2 --until 'p99<5'
slip 'ascending' --vary job.iodepth=2,1 --until 'p99<5ms'
slip 'needs a step' --vary job.bs=4k..64k
slip 'more than 10000000 points' --vary job.iodepth=1..100000 --vary job.bs=512..100000
slip 'p99@x: no job .x.; there is r' --vary job.iodepth=1,2 --sort p99@x
slip 'p99@x: no job .x.; there is r' --vary job.iodepth=1,2 --until 'p99@x<5ms'
slip 'iops@rr: no job .rr.; nearest: r' --vary job.iodepth=1,2 --pareto price,iops@rr
slip 'new/point-1.h5: is where --results puts a point' --vary job.iodepth=1,2 --results new -o new/point-1.h5
slip 'nodes.\[-1\].cores: \[-1\] is out of range' --vary 'nodes.[-1].cores=1,2'
slip 'nodes.\[x\].cores: the list has no names' --vary 'nodes.[x].cores=1,2'
slip 'aliases.x: aliases are the layout file' --vary job.iodepth=1,2 --set aliases.x=1
slip 'precision wants percent from 0.1 to 50, or 0' --vary job.iodepth=1,2 --precision 0.01
slip 'reps wants a number from 1' --vary job.iodepth=1,2 --reps 0
slip 'would overwrite the layout' --vary job.iodepth=1,2 -o ideal.cfg
run sweep ideal.cfg read.fio --vary job.iodepth=1,2 -o /dev/full
expect_status 3
expect_stderr '^hcisim: /dev/full: cannot write: No space left on device$'
check "/dev/full is a device" test -c /dev/full

end_tests
