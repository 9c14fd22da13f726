/* rle_fuzz.c - any bytes as a Golly pattern. */
#include "engine/io/rle.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    td_pattern pattern = {0};
    td_error error = {""};
    memcpy(text, data, size);
    text[size] = '\0';
    const td_status status = td_rle_parse(text, size, "fuzz.rle", &pattern, &error);
    expect_sentence(status, &error);
    expect(status == TD_OK || pattern.cells == NULL, "what is rejected leaves no pattern");
    if (status == TD_OK) {
        expect(pattern.width >= 1 && pattern.height >= 1, "a pattern has cells");
        expect(pattern.rule <= 9999, "a rule has four digits");
        for (size_t i = 0; i < (size_t)pattern.width * pattern.height; i++) {
            expect(pattern.cells[i] <= 1, "cells are alive or dead");
        }
    }
    td_pattern_free(&pattern);
    free(text);
    return 0;
}
