/* processors_test.c - caches, governor, turbo and the limits of memory, from a folder laid out like the kernel's. */
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/host.h"

static char folder[] = "/tmp/tribench_processors_XXXXXX"; /* of the case under way */

static void begin(void)
{
    memcpy(strchr(folder, '\0') - 6, "XXXXXX", 6);
    assert_non_null(mkdtemp(folder));
}

static void end(void)
{
    char line[64];
    snprintf(line, sizeof line, "rm -r %s", folder);
    assert_int_equal(system(line), 0); /* NOLINT(cert-env33-c): a name of our own */
}

/* Writes a file, and makes the folders above it. NULL: there is no such file. */
static void put(const char *name, const char *text)
{
    char line[512];
    snprintf(line, sizeof line, "mkdir -p $(dirname %s/%s) && echo %s >%s/%s", folder, name, text,
             folder, name);
    assert_int_equal(text != NULL ? system(line) : 0, 0); /* NOLINT(cert-env33-c): likewise */
}

/* A cache as "core index level cores size". */
static void put_cache(const char *cache)
{
    static const char *const facts[] = {"level", "shared_cpu_list", "size"};
    int core = 0, index = 0;
    char texts[3][16], name[64];
    assert_int_equal(
        sscanf(cache, "%d %d %15s %15s %15s", &core, &index, texts[0], texts[1], texts[2]), 5);
    for (int f = 0; f < 3; f++) {
        snprintf(name, sizeof name, "cpu%d/cache/index%d/%s", core, index, facts[f]);
        put(name, texts[f]);
    }
}

TEST(what_the_kernel_says_is_known_and_a_shared_cache_counts_once)
{
    enum { KIB = 1 << 10, MIB = 1 << 20 };
    static const struct {
        int cores, cache_bytes;
        const char *caches[6], *governor, *turbo_file, *turbo_text;
        int turbo;
    } cases[] = {
        {1, 0, {NULL}, "", NULL, NULL, -1},
        {1,
         512 * KIB + 4 * MIB,
         {"0 0 1 0 32K", "0 1 2 0 512K", "0 2 3 0-1 4M"},
         .governor = "",
         .turbo = -1},
        {2,
         1536 * KIB + 4 * MIB,
         {"0 0 1 0 32K", "0 1 2 0 524288", "0 2 3 0-1 4M", "1 0 1 1 32K", "1 1 2 1 1024K",
          "1 2 3 0,1 900M"},
         .governor = "",
         .turbo = -1},
        {1, 0, {NULL}, "schedutil", "cpufreq/boost", "1", 1},
        {1, 0, {NULL}, "schedutil", "cpufreq/boost", "0", 0},
        {1, 0, {NULL}, "performance", "intel_pstate/no_turbo", "0", 1},
        {1, 0, {NULL}, "performance", "intel_pstate/no_turbo", "1", 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        td_environment e = {0};
        begin();
        for (size_t c = 0; c < 6 && cases[i].caches[c] != NULL; c++) {
            put_cache(cases[i].caches[c]);
        }
        put("cpu0/cpufreq/scaling_governor", cases[i].governor);
        put(cases[i].turbo_file, cases[i].turbo_text);
        td_describe_processors(folder, &e);
        end();
        assert_string_equal(e.cpu_governor, cases[i].governor);
        assert_int_equal(e.cpu_turbo, cases[i].turbo);
        if (cases[i].cores <= sysconf(_SC_NPROCESSORS_CONF)) {
            assert_int_equal(e.cpu_cache_bytes, cases[i].cache_bytes);
        }
    }
}

TEST(control_groups_limit_what_is_free)
{
    static const struct {
        const char *groups, *files[4][2];
        uint64_t left;
    } cases[] = {
        {"0::/a/b", {{"a/b/memory.max", "max"}, {"a/b/memory.current", "400"}}, 1000},
        {"0::/a/b", {{"a/b/memory.max", "700"}, {"a/b/memory.current", "400"}}, 300},
        {"0::/a/b", {{"a/memory.max", "700"}, {"a/memory.current", "800"}}, 0},
        {"0::/elsewhere", {{"memory.max", "700"}, {"memory.current", "400"}}, 300},
        {"0::/a",
         {{"a/memory.max", "700"},
          {"a/memory.current", "400"},
          {"a/memory.stat", "inactive_file 150"}},
         450},
        {"4:memory:/a",
         {{"memory/a/memory.limit_in_bytes", "700"}, {"memory/a/memory.usage_in_bytes", "100"}},
         600},
        {"5:pids:/a", {{"a/memory.max", "700"}, {"a/memory.current", "100"}}, 1000},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char line[64];
        uint64_t left = 1000;
        begin();
        put("list", cases[i].groups);
        for (size_t f = 0; f < 4 && cases[i].files[f][0] != NULL; f++) {
            put(cases[i].files[f][0], cases[i].files[f][1]);
        }
        snprintf(line, sizeof line, "%s/list", folder);
        td_limit_to_groups(line, folder, &left);
        assert_int_equal(left, cases[i].left);
        end();
    }
}

TEST(a_host_is_crowded_by_more_processes_than_cores_or_by_those_that_wait)
{
    static const struct {
        const char *loadavg, *pressure;
        bool crowded;
    } cases[] = {{"0.00 9.00 9.00 1/900 12345", "some avg10=1.50 avg60=99.00", false},
                 {"9999.5 0.00 0.00 1/900 12345", "some avg10=0.00 avg60=0.00", true},
                 {"0.00 0.00 0.00 9999/9999 12345", "some avg10=0.00 avg60=0.00", false},
                 {"0.00 0.00 0.00 1/900 12345", "some avg10=80.25 avg60=0.00", true},
                 {"0.00 0.00 0.00 1/900 12345", NULL, false}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        begin();
        put("loadavg", cases[i].loadavg);
        put("pressure/cpu", cases[i].pressure);
        td_core_use use = {0};
        assert_int_equal(td_host_is_crowded(folder, &use), cases[i].crowded);
        assert_int_equal(td_host_is_crowded(folder, &use), cases[i].crowded);
        end();
    }
}

TEST(no_more_is_free_than_the_kernel_says)
{
    uint64_t ours = 0;
    td_error error;
    unsigned long long kib = 0;
    char line[128];
    FILE *file = fopen("/proc/meminfo", "re");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL &&
           sscanf(line, "MemAvailable: %llu", &kib) != 1) {
    }
    fclose(file);
    assert_int_equal(td_host_free_memory(NULL, &ours, &error), TD_OK);
    assert_true(ours > 0 &&
                (double)ours < 1.3 * 1024.0 * (double)kib); /* others free memory, too */
}
