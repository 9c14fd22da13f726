/* processors_test.c - caches, governor and turbo, from a folder laid out like the kernel's. */
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/host.h"
#include "files.h"

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/tribench_processors_XXXXXX");
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state)
{
    char line[128];
    (void)state;
    snprintf(line, sizeof line, "rm -r %s", folder);
    return system(line); /* NOLINT(cert-env33-c): a name of our own */
}

/* Writes a file and makes the folders above it. */
static void put(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (char *slash = strchr(path + strlen(folder) + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void put_cache(int core, int index, const char *level, const char *cores, const char *size)
{
    const char *const facts[] = {"level", "shared_cpu_list", "size"};
    const char *const texts[] = {level, cores, size};
    for (int f = 0; f < 3; f++) {
        char name[64];
        snprintf(name, sizeof name, "cpu%d/cache/index%d/%s", core, index, facts[f]);
        put(name, texts[f]);
    }
}

static void what_the_kernel_does_not_say_is_unknown(void **state)
{
    td_environment e = {0};
    (void)state;
    td_describe_processors(folder, &e);
    assert_int_equal(e.cpu_cache_bytes, 0);
    assert_string_equal(e.cpu_governor, "");
    assert_int_equal(e.cpu_turbo, -1);
}

/* The second core has a cache of another size. Its entry for a shared cache is not counted again. */
static void a_cache_is_counted_once(void **state)
{
    td_environment e = {0};
    (void)state;
    put_cache(0, 0, "1\n", "0\n", "32K\n");
    put_cache(0, 1, "2\n", "0\n", "512K\n");
    put_cache(0, 2, "3\n", "0-1\n", "4M\n");
    td_describe_processors(folder, &e);
    assert_int_equal(e.cpu_cache_bytes, (512 << 10) + (4 << 20));
    if (sysconf(_SC_NPROCESSORS_CONF) > 1) {
        put_cache(1, 0, "1\n", "1\n", "32K\n");
        put_cache(1, 1, "2\n", "1\n", "1024K\n");
        put_cache(1, 2, "3\n", "0,1\n", "900M\n");
        td_describe_processors(folder, &e);
        assert_int_equal(e.cpu_cache_bytes, (1536 << 10) + (4 << 20));
    }
}

static void governor_and_turbo_are_the_kernels_words(void **state)
{
    static const struct {
        const char *file, *text;
        int turbo;
    } cases[] = {{"cpufreq/boost", "1\n", 1},
                 {"cpufreq/boost", "0\n", 0},
                 {"intel_pstate/no_turbo", "0\n", 1},
                 {"intel_pstate/no_turbo", "1\n", 0}};
    (void)state;
    put("cpu0/cpufreq/scaling_governor", "schedutil\n");
    for (size_t i = 0; i < COUNT(cases); i++) {
        td_environment e = {0};
        put(cases[i].file, cases[i].text);
        td_describe_processors(folder, &e);
        assert_string_equal(e.cpu_governor, "schedutil");
        assert_int_equal(e.cpu_turbo, cases[i].turbo);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_the_kernel_does_not_say_is_unknown, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_cache_is_counted_once, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(governor_and_turbo_are_the_kernels_words, make_folder,
                                        remove_folder),
    };
    return cmocka_run_group_tests_name("processors", tests, NULL, NULL);
}
