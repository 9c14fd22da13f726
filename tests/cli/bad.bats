#!/usr/bin/env bats
# Command lines and inputs that are refused: exit 2, one line that names what is wrong, nothing else anywhere.

load helpers

setup() {
    work=$BATS_TEST_TMPDIR/work
    mkdir -p "$work"
}

@test "numbers are whole words in range" {
    for value in 0 -5 +5 8k 1e3 0x10 1.5 ' 5' '5 ' nan 99999999999999999999 18446744073709551617 4294967297 1048577; do
        refuses "got '$value'" --n "$value"
        refuses --n --n "$value" --output "$work/out.json"
    done
}

@test "lists of sizes are not empty and neither are their items" {
    for value in '' ',' '5,' '5,,6' ',5' '5;6' 5:6 ::; do
        refuses --n --n "$value" -o "$work/out.json"
    done
}

@test "ranges go up in steps" {
    refuses "is empty" --n 9:8:1
    refuses "step 0" --n 1:9:0
    refuses start:stop:step --n 1:9
    refuses start:stop:step --n 1:9:1:1
    refuses step --n 1:9:-1
    refuses 1..1048576 --n 0:9:1
    refuses 4096 --n 1:1048576:1
}

@test "unknown names come with a suggestion" {
    refuses "did you mean 'ltm-r'" --strategy ltmr
    refuses "did you mean 'ltm-r'" --strategy bb,ltmr
    refuses "known: bb" --strategy nonsense
    refuses "empty name" --strategy bb,,rb
    refuses --strategy --strategy ''
    refuses "did you mean 'edm" --workload edm5
    refuses --workload -w dummy,
    refuses "did you mean 'ltm-i'" --baseline lmt-i
    refuses "did you mean 'cuda'" --engine cud
    refuses "did you mean '--strategy'" --strateggy bb
}

@test "blocks have 1 to 1024 threads" {
    for value in 0 33 64x32 16x x16 16X16 2x2x2x2 1x1x128 -16 '' 4294967296x4294967296; do
        refuses --block --block "$value" -o "$work/out.json"
    done
}

@test "tiles and cut-offs" {
    refuses --tile --tile 0
    refuses --tile --tile 16x16
    refuses "no multiple" -s ltm --block 16 --tile 24
    refuses "no tiles but the block" -s rb --block 16 --tile 32
    refuses --cutoff --cutoff 0
}

@test "choices" {
    refuses "auto|cuda|cpu" --engine gpu
    refuses "packed|full" --layout dense
    refuses "full|none" --verify some
    refuses "warm|cold" --cache hot
    refuses "grid|persistent" --schedule persistant
    refuses "json|jsonl|csv|table" --format xml
    refuses "auto|always|never" --color sometimes
    refuses "strategies|workloads" --list things
    refuses "map|grid" --show=tree
    refuses json --list --format csv
    refuses UUID --device one
    refuses --device --device -1
    refuses UUID --device GPU-123
}

@test "counts, times and seeds" {
    refuses --samples --samples 0
    refuses --samples --samples 51.0
    refuses --warmup --warmup -1
    refuses --warmup --warmup ''
    refuses --max-time --max-time 0
    refuses --max-time --max-time inf
    refuses --max-time --max-time 1e9
    refuses --timeout --timeout 1h
    refuses --seed --seed -1
    refuses --seed --seed 18446744073709551616
    refuses --threads --threads 0
    refuses --steps --steps 1e2
    refuses --rule --rule 233
    refuses --density --density 1.01
}

@test "shards" {
    for value in 3/3 3 0/0 -1/3 1/3/5 /3 3/ auto; do
        refuses --shard --shard "$value"
    done
}

@test "arguments and options that do not exist" {
    refuses 8192 8192
    refuses 8192 --n 5 8192
    refuses ltm -- ltm
    refuses --nonsense --nonsense
    refuses "short for several" --s 5
    refuses -x -x
    refuses --n --n
    refuses "takes no value" --dry-run=yes
    refuses "only one" --list --dry-run
}

@test "combinations that cannot work, asked for by name" {
    refuses "exactly one run" --dump "$work/d.npy" -s bb,ltm -w edm4
    refuses "exactly one run" --dump "$work/d.npy" -s ltm -w edm4 -n 5,6
    refuses "no output of its own" --dump "$work/d.npy" -s ltm -w dummy
    refuses "takes no input" --input tests/data/iris.csv -s ltm -w dummy
    refuses "persistent" --schedule persistent -s rb
    refuses "persistent" --schedule persistent -s dp
    refuses "--layout full" --layout full -w dummy
    refuses "different files" --input "$work/a.npy" --dump "$work/a.npy"
    refuses "1920" --engine cpu -s ltm -n 30737 --block 16
    refuses "three sides" -s ltm --block 8x8x8
}

@test "options that nothing selected can use" {
    refuses "--memory: no selected workload takes it; these do: life" -w edm1 --memory strip
    refuses "--memory: no selected workload" -w gol --memory halo
    refuses "--cell: no selected workload takes it; these do: life" -w dummy,edm4 --cell u8
    refuses "--steps: no selected workload takes it; these do: gol, life" -w edm1 --steps 3
    refuses "--rule: no selected workload takes it; these do: gol, life" -w edm1 --rule 2333
    refuses "--density: no selected workload takes it; these do: gol, life" -w write --density 0.5 -o "$work/out.json"
    refuses "--domain square: edm1" -w edm1 --domain square
    refuses "--cutoff: no selected strategy takes it; these do: dp" -s bb,ltm --cutoff 8
    refuses "--every is about" -s bb -w gol --every 3
}

@test "outputs that cannot be written are refused before the first run" {
    refuses --output --engine cpu -o "$work/no/such/folder.json"
    refuses --output --engine cpu -o "$work"
    refuses --dump --engine cpu -s ltm -w edm4 -n 64 --dump "$work/no/such/folder.npy"
    refuses --output --engine cpu -o ''
}

@test "a folder that nobody may write to" {
    refuses --output --engine cpu -o /proc/out.json
    refuses --dump --engine cpu -s ltm -w edm4 -n 64 --dump /proc/out.npy
}

@test "a folder that this user may not write to" {
    [ "$(id -u)" -ne 0 ] || skip "root may write everywhere"
    chmod a-w "$work"
    refuses --output --engine cpu -o "$work/out.json"
}

@test "inputs that are not there or not what they should be" {
    refuses --input --engine cpu -w edm4 --input "$work/none.csv"
    refuses --input --engine cpu -w edm4 --input "$BATS_TEST_TMPDIR"
    printf '1,2,3,4\n' >"$BATS_TEST_TMPDIR/data.txt"
    refuses --input --engine cpu -w edm4 --input "$BATS_TEST_TMPDIR/data.txt"
}

refuses_csv() { # EXPECTED CONTENT
    printf '%b' "$2" >"$BATS_TEST_TMPDIR/bad.csv"
    refuses "$1" --engine cpu -s ltm -w edm2 --input "$BATS_TEST_TMPDIR/bad.csv" --output "$work/out.json"
}

@test "a bad CSV is refused with line and column" {
    refuses_csv 'line 2, column 2' '1,2\n3,x\n'
    refuses_csv 'line 3' '1,2\n3,4\n5\n'
    refuses_csv 'line 2' '1,2\n3,4,5\n'
    refuses_csv 'line 1, column 2' '1,nan\n'
    refuses_csv 'line 1, column 1' 'inf,1\n'
    refuses_csv 'line 2, column 1' '1,2\n,4\n'
    refuses_csv 'line 1, column 1' '1e99,2\n'
    refuses_csv --input ''
    refuses_csv --input 'a,b\n'
}

refuses_npy() { # EXPECTED NUMPY-EXPRESSION
    "$PYTHON" -c 'import sys, numpy as np; np.save(sys.argv[1], eval(sys.argv[2]))' "$BATS_TEST_TMPDIR/bad.npy" "$2"
    refuses "$1" --engine cpu -s ltm -w edm2 --input "$BATS_TEST_TMPDIR/bad.npy" --output "$work/out.json"
}

@test "a .npy of the wrong kind is refused with the reason" {
    refuses_npy dtype 'np.ones((4, 2), "<i8")'
    refuses_npy big-endian 'np.ones((4, 2), ">f4")'
    refuses_npy shape 'np.ones((2, 4), "<f4")'
    refuses_npy shape 'np.ones(3, "<f4")'
    refuses_npy rows 'np.ones((0, 2), "<f4")'
    refuses_npy 'row 1, column 1' 'np.array([[1, 2], [3, np.nan]], "<f4")'
    refuses_npy 'row 0, column 0' 'np.array([[np.inf, 2]], "<f4")'
}

@test "a .npy that was cut off is refused" {
    "$PYTHON" -c 'import sys, numpy as np; np.save(sys.argv[1], np.ones((4, 2), "<f4"))' "$BATS_TEST_TMPDIR/cut.npy"
    truncate -s -3 "$BATS_TEST_TMPDIR/cut.npy"
    refuses --input --engine cpu -s ltm -w edm2 --input "$BATS_TEST_TMPDIR/cut.npy"
    printf '\x93NUMPY' >"$BATS_TEST_TMPDIR/cut.npy"
    refuses --input --engine cpu -s ltm -w edm2 --input "$BATS_TEST_TMPDIR/cut.npy"
}

@test "--n beside an input has to be its size" {
    refuses --n --engine cpu -s ltm -w edm4 --input tests/data/iris.csv -n 100
}

@test "a resume file that is no result" {
    echo 'not json' >"$BATS_TEST_TMPDIR/bad.jsonl"
    refuses --resume --engine cpu --resume "$BATS_TEST_TMPDIR/bad.jsonl"
    refuses --resume --engine cpu --resume "$BATS_TEST_TMPDIR"
}

@test "a pattern whose rule lets nothing live" {
    printf 'x = 3, y = 1, rule = B0/S0\n3o!\n' >"$BATS_TEST_TMPDIR/p.rle"
    refuses "has the rule 0000" -w life -s bb -n 16 --input "$BATS_TEST_TMPDIR/p.rle"
    run_tribench -q --engine cpu --samples 1 -w life -s bb -n 16 --rule 2333 --input "$BATS_TEST_TMPDIR/p.rle"
    expect_status 0
    refuses "tribench: --input holds a pattern of" -w life -s bb -n 2 --rule 2333 --input "$BATS_TEST_TMPDIR/p.rle"
}
