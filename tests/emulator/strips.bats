#!/usr/bin/env bats
# Automata that stage nothing, where N is large: strips whose cells all lie inside of the domain go by with fewer tests
# and cuts, and there are none of them where N is small.

load helpers

@test "strips: those inside of the triangle and of the square, with a launch of fewer generations at the end" {
    local memory cell
    for memory in strip four-generation; do
        for cell in u32 u8 bit; do
            verified 1 -s bb -w life -n 1300 --steps 5 --memory "$memory" --cell "$cell"
            [ "$cell" = u32 ] || verified 1 -s bb -w gol -n 1300 --steps 5 --memory "$memory" --cell "$cell"
        done
    done
    verified 1 -s bb -w blur -n 1300 --steps 2 --memory strip
    for cell in u8 bit; do
        verified 1 -s bb -w life -n 1300 --steps 4 --memory four-generation --cell "$cell" --domain square
        verified 1 -s bb -w life -n 1300 --steps 1 --memory strip --cell "$cell" --domain square
    done
}
