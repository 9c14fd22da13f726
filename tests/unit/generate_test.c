/* generate_test.c - the generator, against docs/workloads.md at the ends of its range. The oracle has the inputs. */
#include "test.h"

#include "workloads/generate.h"

static const struct {
    uint64_t seed, stream, index, bits;
    float value;
} known[] = {
    {1u, 0, 0, 0x5e41ab087439611eu, 377.0f / 1024.0f},
    {1u, 3, 1000, 0x24494a34d5c8f496u, 145.0f / 1024.0f},
    {18446744073709551615u, 1, 30719, 0x1c7b89fad22f8164u, 113.0f / 1024.0f},
};

TEST(values_are_the_documented_ones)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const uint64_t bits = td_random_bits(known[i].seed, known[i].stream, known[i].index);
        const float value = td_random_float(known[i].seed, known[i].stream, known[i].index);
        assert_true(bits == known[i].bits);
        assert_true(value == known[i].value);
    }
}
