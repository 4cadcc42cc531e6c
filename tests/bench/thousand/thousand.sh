#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A thousand layouts that all pass `check`, story 1's seven jobs on each:
# 3 nodes with 2 copies, 5 with 2 and 3 x 5 drives x 1 to 4 of them x 4 networks x 5 sizes of
# controller VM = 1,200 points. More arguments go to hcisim sweep:
#   HCISIM=build/hcisim tests/bench/thousand/thousand.sh -j 2 -o thousand.h5
#   tests/bench/thousand/thousand.sh --sample 8 -j 1 --csv
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) || exit
root=$here/../../..
export HCISIM_CONFIGS=${HCISIM_CONFIGS:-$root/configs}
exec "${HCISIM:-$root/build/hcisim}" sweep "$here/nodes3-rf2.cfg" "${JOBS:-$root/configs/jobs/story1.fio}" \
    --vary "layout=$here/nodes3-rf2.cfg,$here/nodes5-rf2.cfg,$here/nodes5-rf3.cfg" \
    --vary device=samsung-990pro-2tb,samsung-980pro-1tb,samsung-pm9a3-1.92t,optane-p4800x-375g,hpe-lk1600geymv \
    --vary drives=1..4 --vary 'nic=10 Gbit/s,25 Gbit/s,40 Gbit/s,100 Gbit/s' --vary vcpus=6..14:2 \
    --precision 2 "$@"
