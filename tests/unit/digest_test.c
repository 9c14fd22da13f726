/* digest_test.c - 128-bit XXH3 as published by its author, and digests made with it. */
#include "test.h"

#include <string.h>

#include "engine/core/digest.h"

static bool reads(td_digest digest, const char *expected)
{
    char text[TD_DIGEST_SIZE];
    td_digest_text(digest, text);
    return strcmp(text, expected) == 0;
}

/* The output of xxh128sum; the function is final since version 0.8. */
static void published_vectors(void **state)
{
    (void)state;
    assert_true(reads(td_digest_of("", 0), "99aa06d3014798d86001c324468d497f"));
    assert_true(reads(td_digest_of("a", 1), "a96faf705af16834e6c632b61e964e1f"));
    assert_true(reads(td_digest_of("abc", 3), "06b05ab6733a618578af5f94892f3950"));
}

static void every_piece_and_every_cut_counts(void **state)
{
    const td_digest none = {0};
    const td_digest ab_c = td_digest_word(td_digest_word(none, "ab"), "c");
    (void)state;
    assert_true(td_digest_is(ab_c, td_digest_more(td_digest_more(none, "ab", 2), "c", 1)));
    assert_false(td_digest_is(ab_c, td_digest_word(td_digest_word(none, "a"), "bc")));
    assert_false(td_digest_is(ab_c, td_digest_word(td_digest_word(none, "xb"), "c")));
    assert_false(td_digest_is(ab_c, td_digest_word(none, "c")));
    assert_false(td_digest_is((td_digest){1, 2}, (td_digest){1, 3}));
    assert_false(td_digest_is((td_digest){1, 2}, (td_digest){0, 2}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_vectors),
        cmocka_unit_test(every_piece_and_every_cut_counts),
    };
    return cmocka_run_group_tests_name("digest", tests, NULL, NULL);
}
