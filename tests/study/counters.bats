#!/usr/bin/env bats
# study/counters, with an ncu that counts the same for every kernel.

setup() {
    counters=$PWD/study/counters
    cd "$BATS_TEST_TMPDIR" || return
    mkdir bin
    cat >bin/ncu <<'END'
#!/usr/bin/env bash
echo "$*" >>called
cat <<'CSV'
==PROF==
"ID","Metric Name","Metric Unit","Metric Value"
"0","gpu__time_duration.sum","ns","1,024"
"0","smsp__thread_inst_executed.sum","inst","67117056"
CSV
END
    chmod +x bin/ncu
    PATH=$PWD/bin:$PATH
}

@test "the kernels of a run are counted, and what they take per cell" {
    "$counters" some.csv ./program
    [ "$(wc -l <some.csv)" -eq "$(($(wc -l <called) + 1))" ]
    grep -qE '^dummy,bb,,8192,1024.0,.*,67117056.0,2.0,' some.csv
    grep -qE -- '-k regex:td_.* ./program --verify none -s bb -w life -n 1600 --set domain=square --memory halo' called
}
