/* digest_test.c - 128-bit XXH3 as published by its author, and digests made with it. */
#include "test.h"

#include <string.h>

#include "engine/core/digest.h"

/* The output of xxh128sum; the function is final since version 0.8. */
TEST(published_vectors)
{
    static const char *const cases[][2] = {{"", "99aa06d3014798d86001c324468d497f"},
                                           {"a", "a96faf705af16834e6c632b61e964e1f"},
                                           {"abc", "06b05ab6733a618578af5f94892f3950"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[TD_DIGEST_SIZE];
        td_digest_text(td_digest_of(cases[i][0], strlen(cases[i][0])), text);
        assert_string_equal(text, cases[i][1]);
    }
}

TEST(every_piece_and_every_cut_counts)
{
    const td_digest none = {0};
    const td_digest ab_c = td_digest_word(td_digest_word(none, "ab"), "c");
    assert_true(td_digest_is(ab_c, td_digest_more(td_digest_more(none, "ab", 2), "c", 1)));
    assert_false(td_digest_is(ab_c, td_digest_word(td_digest_word(none, "a"), "bc")));
    assert_false(td_digest_is(ab_c, td_digest_word(td_digest_word(none, "xb"), "c")));
    assert_false(td_digest_is(ab_c, td_digest_word(none, "c")));
    assert_false(td_digest_is((td_digest){1, 2}, (td_digest){1, 3}));
    assert_false(td_digest_is((td_digest){1, 2}, (td_digest){0, 2}));
}
