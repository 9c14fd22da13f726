#!/usr/bin/env bats
# study/scaling: its commands, and the merge of its files into one document.

@test "strong scaling keeps N, weak scaling the cells of a rank" {
    run study/scaling --dry-run --ranks 1,2,4 --launcher "srun -n" -o out -- --workload edm4 --n 1000 --samples 5
    [ "$status" -eq 0 ]
    tribench="$PWD/tribench --ranks --workload edm4 --samples 5 --n"
    expected="srun -n 1 $tribench 1000 --format jsonl --output out/strong-1.jsonl
srun -n 2 $tribench 1000 --format jsonl --output out/strong-2.jsonl
srun -n 4 $tribench 1000 --format jsonl --output out/strong-4.jsonl
srun -n 2 $tribench 1414 --format jsonl --output out/weak-2.jsonl
srun -n 4 $tribench 2000 --format jsonl --output out/weak-4.jsonl"
    [ "$output" = "$expected" ]
}

@test "in a Slurm job the ranks are srun's, elsewhere mpirun's" {
    SLURM_JOB_ID=1 run study/scaling --dry-run --ranks 1 --kind strong -- --n 100
    [[ $output == "srun --kill-on-bad-exit=1 -n 1 $PWD/tribench "* ]]
    SLURM_JOB_ID='' run study/scaling --dry-run --ranks 1 --kind strong -- --n 100
    [[ $output == "mpirun -n 1 $PWD/tribench "* ]]
}

@test "a command line that makes no sense ends with status 2" {
    for arguments in "--ranks 2,4 -- --n 100" "--ranks 1,x -- --n 100" \
        "-- --n 1,2" "--" "--kind fast -- --n 100" "--no"; do
        # shellcheck disable=SC2086  # words
        run study/scaling $arguments
        [ "$status" -eq 2 ] || { echo "$arguments: $status" && return 1; }
    done
}

@test "files are merged, what they hold is not measured again, and names are those of the folder it is called in" {
    scaling=$PWD/study/scaling tribench=${TRIBENCH:-$PWD/tribench}
    cd "$BATS_TEST_TMPDIR"
    ln -s "$tribench" program
    # a launcher for a build without MPI, too: one process that is no rank
    cat >launch <<'END'
#!/usr/bin/env bash
echo "$1" >>launched
shift
words=()
for word in "$@"; do [ "$word" = --ranks ] || words+=("$word"); done
exec "${words[@]}"
END
    chmod +x launch
    for _ in 1 2; do
        "$scaling" --tribench ./program --ranks 1,2 --launcher ./launch -o out -- --quiet --engine cpu --threads 1 \
            --strategy ltm-i --workload cover --n 50 --samples 1 --warmup 0 || [ -s out/scaling.json ]
    done
    [ "$(cat launched)" = $'1\n2\n2\n1\n2\n2' ]
    [ "$(grep -c '"type":"run"' out/strong-2.jsonl)" -eq 2 ]
    grep -q '"runs"' out/scaling.json
}
