/* options_fuzz.c - any words as a command line, one per line of the input. */
#include "engine/options/options.h"
#include "fuzz.h"

enum { WORDS = 24 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *argv[WORDS + 2] = {"tribench"};
    char *text = malloc(size + 1);
    int argc = 1;
    td_options options;
    td_error error = {""};
    memcpy(text, data, size);
    text[size] = '\0';
    if (strlen(text) == size) { /* no word holds a NUL */
        for (char *word = text; word != NULL && argc <= WORDS; argc++) {
            argv[argc] = strsep(&word, "\n");
        }
        argv[argc] = NULL;
        const td_status status = td_options_parse(argc, argv, &options, &error);
        expect_sentence(status, &error);
        expect(status == TD_OK || status == TD_USAGE || status == TD_UNAVAILABLE,
               "a command line is accepted or rejected");
        if (status == TD_OK && options.action == TD_ACTION_RUN) {
            expect(options.n.count >= 1, "there are sizes");
            for (size_t i = 0; i < options.n.count; i++) {
                expect(options.n.shapes[i].x >= 1 && options.n.shapes[i].x <= 1048576,
                       "sizes are in range");
            }
            expect(options.protocol.samples >= 1, "there are samples");
            expect(options.shard_count == 0 || options.shard_index < options.shard_count,
                   "a shard is one of them");
        }
        td_options_free(&options);
    }
    free(text);
    return 0;
}
