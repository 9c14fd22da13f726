/* digest_test.c - FNV-1a as its authors publish it: their vectors, http://www.isthe.com/chongo/tech/comp/fnv/ */
#include "test.h"

#include "engine/core/digest.h"

static void published_vectors(void **state)
{
    (void)state;
    assert_true(td_digest_more(TD_DIGEST_64, "", 0) == 0xcbf29ce484222325u);
    assert_true(td_digest_more(TD_DIGEST_64, "a", 1) == 0xaf63dc4c8601ec8cu);
    assert_true(td_digest_more(TD_DIGEST_64, "foobar", 6) == 0x85944171f73967e8u);
    assert_true(td_digest_32("", 0) == 0x811c9dc5u);
    assert_true(td_digest_32("a", 1) == 0xe40c292cu);
    assert_true(td_digest_32("foobar", 6) == 0xbf9cf968u);
}

static void a_word_ends(void **state)
{
    const uint64_t one = td_digest_word(td_digest_word(TD_DIGEST_64, "ab"), "c");
    (void)state;
    assert_true(one != td_digest_word(td_digest_word(TD_DIGEST_64, "a"), "bc"));
    assert_true(one == td_digest_more(TD_DIGEST_64, "ab\0c", 5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_vectors),
        cmocka_unit_test(a_word_ends),
    };
    return cmocka_run_group_tests_name("digest", tests, NULL, NULL);
}
