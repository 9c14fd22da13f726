/* shards_test.c - a sweep in parts for several machines, and the expected cost of its groups. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "command.h"

/* Every run is in one shard, together with the runs that it is compared with. Shards of different sweeps in one folder
 * must not be taken for parts of one: those of one sweep have a digest in common. */
TEST(shards_partition_the_groups)
{
    static const char line[] = "-s ltm,rb,bb -w dummy,edm1 -n 64:320:64";
    command whole;
    make_ok(line, &whole);
    unsigned found[64] = {0};
    td_digest digest = {0};
    assert_int_equal(whole.sweep.run_count, 30);
    for (uint32_t part = 0; part < 4; part++) {
        command c;
        make_ok(line, &c);
        td_sweep_shard(&c.sweep, part, 4);
        size_t runs = 0;
        for (size_t g = 0; g < c.sweep.group_count; g++) {
            const td_group *group = &c.sweep.groups[g];
            assert_ptr_equal(group->runs, c.sweep.runs + runs);
            assert_int_equal(group->count, 3);
            for (size_t i = 0; i < group->count; i++) {
                for (size_t k = 0; k < whole.sweep.run_count; k++) {
                    found[k] += strcmp(whole.sweep.runs[k].key, group->runs[i].key) == 0;
                }
            }
            runs += group->count;
        }
        assert_int_equal(runs, c.sweep.run_count);
        assert_int_equal(c.sweep.shard.runs, 30);
        digest = part == 0 ? c.sweep.shard.digest : digest;
        assert_true(td_digest_is(c.sweep.shard.digest, digest));
        done(&c);
    }
    for (size_t k = 0; k < whole.sweep.run_count; k++) {
        assert_int_equal(found[k], 1);
    }
    done(&whole);
}

/* A shard that is expected to take twice as long as the mean wastes half of a cluster. */
TEST(shards_are_expected_to_take_about_as_long)
{
    static const char line[] = "-s bb,ltm-r,rb -w dummy,edm1,edm4 -n 1024:30720:1024";
    for (uint32_t count = 2; count <= 16; count += 7) {
        double all = 0.0, most = 0.0;
        for (uint32_t part = 0; part < count; part++) {
            command c;
            double cost = 0.0;
            make_ok(line, &c);
            td_sweep_shard(&c.sweep, part, count);
            for (size_t g = 0; g < c.sweep.group_count; g++) {
                cost += td_group_cost_s(&c.sweep.groups[g], &c.options.protocol);
            }
            all += cost;
            most = fmax(most, cost);
            done(&c);
        }
        assert_true(most < 1.5 * all / count);
    }
}

static double cost_of(const char *line)
{
    command c;
    make_ok(line, &c);
    const double cost = td_group_cost_s(&c.sweep.groups[0], &c.options.protocol);
    done(&c);
    return cost;
}

TEST(larger_groups_cost_more)
{
    assert_true(cost_of("-s bb -w edm1 -n 30720") > 2.0 * cost_of("-s bb -w edm1 -n 8192"));
    assert_true(cost_of("-s bb,rb -w edm1 -n 8192") > 1.5 * cost_of("-s bb -w edm1 -n 8192"));
    assert_true(cost_of("-s bb -w life -n 2048 --steps 100") >
                cost_of("-s bb -w life -n 2048 --steps 1"));
    assert_true(cost_of("-s bb -n 30720 --max-time 1") < 0.5 * cost_of("-s bb -n 30720"));
    assert_true(cost_of("-s bb -n 64 --max-time 1000") <= cost_of("-s bb -n 64 --max-time 10"));
}

/* A change in any run, including the first and the last, changes the sweep's digest. */
TEST(sweeps_that_differ_in_one_run_differ_in_their_digest)
{
    static const char *const lines[] = {"-s bb,ltm,rb -n 64",
                                        "-s ltm,rb -n 64 --baseline none",
                                        "-s bb-t,ltm,rb -n 64 --baseline none",
                                        "-s bb,ltm-n,rb -n 64",
                                        "-s bb,ltm,rb-b -n 64",
                                        "-s bb,ltm -n 64"};
    enum { LINES = sizeof lines / sizeof lines[0] };
    td_digest digests[LINES];
    for (size_t i = 0; i < LINES; i++) {
        command c;
        make_ok(lines[i], &c);
        td_sweep_shard(&c.sweep, 0, 1);
        digests[i] = c.sweep.shard.digest;
        done(&c);
        for (size_t k = 0; k < i; k++) {
            if (td_digest_is(digests[k], digests[i])) {
                fail_msg("'%s' and '%s' have one digest", lines[k], lines[i]);
            }
        }
    }
}

TEST(a_shard_beyond_the_runs_is_empty)
{
    command c;
    make_ok("-s bb -n 64", &c);
    td_sweep_shard(&c.sweep, 3, 4);
    assert_int_equal(c.sweep.run_count + c.sweep.group_count, 0);
    done(&c);
}
