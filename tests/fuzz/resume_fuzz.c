/* resume_fuzz.c - any bytes as the jsonl file of an earlier sweep. */
#include "fuzz.h"
#include "run/resume.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = as_file(data, size);
    if (path == NULL) {
        return 0;
    }
    td_run run = {.key = "cpu/cover/ltm-r/n4"}; /* the corpus has it */
    td_sweep sweep = {.runs = &run, .run_count = 1};
    size_t counts[2] = {0, 0};
    for (int verified = 0; verified < 2; verified++) {
        td_options options = {.resume = path, .protocol.verify = verified == 1};
        td_done_set done = {0};
        td_error error = {""};
        const td_status status = td_done_mark(&options, &sweep, &done, &error);
        expect_sentence(status, &error);
        expect(status == TD_OK || done.count == 0, "nothing is done of a file that is rejected");
        counts[verified] = done.count;
        td_done_free(&done);
    }
    expect(counts[1] <= counts[0], "asking for more leaves no more done");
    return 0;
}
