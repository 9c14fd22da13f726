/* resume_fuzz.c - any bytes as the jsonl file of an earlier sweep. */
#include "fuzz.h"
#include "run/resume.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = as_file(data, size);
    if (path == NULL) {
        return 0;
    }
    /* A key longer than any input of the fuzzer, so no line can have it. */
    char no_such_key[1 << 15];
    memset(no_such_key, 'k', sizeof no_such_key - 1);
    no_such_key[sizeof no_such_key - 1] = '\0';
    size_t counts[2] = {0, 0};
    for (int verified = 0; verified < 2; verified++) {
        td_done_set *done = NULL;
        td_error error = {""};
        const td_status status = td_done_load(path, verified == 1, &done, &error);
        expect_sentence(status, &error);
        expect((status == TD_OK) == (done != NULL), "a set is there where the file was read");
        counts[verified] = td_done_count(done);
        expect(size >= sizeof no_such_key || !td_done_contains(done, no_such_key),
               "what is not there is not done");
        td_done_free(done);
    }
    expect(counts[1] <= counts[0], "asking for more leaves no more done");
    return 0;
}
