#!/usr/bin/env bats
# The compiler makes vectors of the cpu engine's loops over cells. Without them, results are the same, but later.

# FUNCTION INSTRUCTION COUNT: the loops over cells in a function, by an instruction that each has once
loops='
    cells_edm1 vsqrtps 2
    cells_edm4 vsqrtps 2
    cells_write vmov[a-z0-9]* 2
    cells_accumulate vpaddd 2
    cells_write3 vmov[a-z0-9]* 1
    cells_triplet vsqrtpd 1
    cells_life_.*_u32 vpaddd 1
    cells_blur_.* vaddps 1'

@test "the loops over cells are vectors" {
    command -v objdump >/dev/null || skip "no objdump"
    code=$BATS_TEST_TMPDIR/code
    objdump -d --no-show-raw-insn "${TRIBENCH%/*}/engine/cpu/kernels/kernels.o" >"$code"
    grep -q '<cells_edm1.arch_x86_64_v4>:' "$code" || skip "not built for AVX-512"
    while read -r function instruction count; do
        found=$(awk -v from="<${function}[.]arch_x86_64_v4>:" -v what="$instruction .*%zmm" '
            />:$/ { inside = $0 ~ from }
            inside && $0 ~ what { found++ }
            END { print found + 0 }' "$code")
        [ "$found" -ge "$count" ] || { echo "$function: $found of $count loops are vectors" && false; }
    done < <(sed '/^$/d' <<<"$loops")
}
