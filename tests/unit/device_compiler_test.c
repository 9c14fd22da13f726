/* device_compiler_test.c - kernels of workloads from files: their source, and compiling it. Needs no GPU. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/core/own.h"
#include "engine/compile/device_compiler.h"
#include "engine/cuda/own_source.h"

enum { MOST_BYTES = 16 << 20 };

static char root[PATH_MAX], folder[] = "/tmp/device_compiler_XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return realpath(".", root) != NULL && mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[PATH_MAX];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

/* The content of a file, followed by a 0. */
static char *contents_of(const char *path, size_t *bytes)
{
    char *contents = calloc(1, MOST_BYTES);
    FILE *file = fopen(path, "rb");
    *bytes = file != NULL && contents != NULL ? fread(contents, 1, MOST_BYTES - 1, file) : 0;
    if (file != NULL) {
        fclose(file);
    }
    return contents;
}

/* ---- the generated source and its cubin ---- */

typedef struct example {
    const char *id;
    const char *file; /* in the tree; NULL: the file with `text` */
    const char *text;
    td_workload workload;
    bool has_check;
} example;

static const td_tiles few_registers = {.multiple = 1, .most = 64, .registers = 40};

static const td_sum no_sum;

static const example plane = {"edm4", "workloads/edm.h", NULL, {.dimension = 2}, true};
static const example solid = {"write3", "workloads/write3.h", NULL, {.dimension = 3}, true};
static const example rbf = {"rbf", "examples/rbf.h", NULL, {.dimension = 2}, false};
static const example pairs = {"pairs", "examples/pairs.h", NULL, {.dimension = 2}, false};
static const example halves = {"halves", "examples/halves.h", NULL, {.dimension = 2}, false};
static const example jaccard = {"jaccard", "examples/jaccard.h", NULL, {.dimension = 2}, true};
static const example sum = {"sum",
                            NULL,
                            "#include \"layout3.h\"\n"
                            "TD_FN double td_sum_cell(const td_data *data, uint32_t x, uint32_t y, "
                            "uint32_t z)\n{\n    return data->n + x * y * z;\n}\n",
                            {.dimension = 3, .sum = &no_sum},
                            false};
static const example tiled = {
    "tiled",
    NULL,
    "#include <math.h>\n#include <string.h>\n#include \"layout.h\"\n"
    "#ifdef __CUDACC__\n#include <cuda_fp16.h>\n#endif\n"
    "TD_FN void td_tiled_cell(const td_data *data, uint32_t row, uint32_t col)\n"
    "{\n    *(float *)td_cell_4(data, row, col) = sqrtf((float)row);\n}\n"
    "#ifdef __CUDACC__\n"
    "__device__ inline void td_tiled_tile(const td_data &data, td_work_tile tile)\n"
    "{\n    td_tiled_cell(&data, tile.y * tile.side + threadIdx.y, tile.x * tile.side);\n}\n"
    "#endif\n",
    {.dimension = 2, .tiles = &few_registers},
    false};

/*
 * Wants every kind of kernel of the workload's dimension: under every map, or under the baseline's, since no map knows
 * what it is for.
 */
static void want_all(const td_workload *workload, bool every_map, bool has_check, bool *wanted)
{
    const bool flat = workload->dimension == 2, has_tiles = workload->tiles != NULL;
    memset(wanted, 0, TD_KERNEL_PLACES * sizeof *wanted);
    for (uint32_t s = 0; s < td_strategy_count; s++) {
        const td_strategy *strategy = td_strategies[s];
        if (strategy->dimension != workload->dimension || strategy->tree != NULL ||
            !(every_map || strategy == td_strategy_baseline(workload->dimension))) {
            continue;
        }
        wanted[td_kernel_place(TD_ANY_CELLS, s)] = wanted[td_kernel_place(TD_LOOPS, s)] = true;
        wanted[td_kernel_place(TD_PACKED_CELLS, s)] = flat;
        wanted[td_kernel_place(TD_PART_CELLS, s)] = flat && strategy->unit == TD_MAPS_BLOCKS;
        wanted[td_kernel_place(TD_EIGHT_PACKED, s)] = !flat;
        wanted[td_kernel_place(TD_EIGHT_FULL, s)] = !flat;
    }
    wanted[td_kernel_place(TD_RECTANGLE, 0)] = flat;
    wanted[td_kernel_place(TD_RECTANGLE_LOOPS, 0)] = flat;
    wanted[td_kernel_place(TD_DYNAMIC, 0)] = true;
    wanted[td_kernel_place(TD_TILES, 0)] = has_tiles;
    wanted[td_kernel_place(TD_PERSISTENT_TILES, 0)] = has_tiles;
    wanted[td_kernel_place(TD_DYNAMIC_TILES, 0)] = has_tiles;
    wanted[td_kernel_place(TD_CHECK_CELLS, 0)] = has_check;
    wanted[td_kernel_place(TD_PLAIN_CELLS, 0)] = !has_check && workload->sum == NULL;
}

/* The number of wanted kernels that are missing from a cubin, which has their symbols as text. */
static size_t count_missing(const td_workload *workload, const bool *wanted, const char *cubin)
{
    size_t bytes = 0, missing = 0;
    char *contents = contents_of(cubin, &bytes);
    for (uint32_t place = 0; place < TD_KERNEL_PLACES; place++) {
        char symbol[TD_OWN_SYMBOL_SIZE];
        if (wanted[place]) {
            td_own_symbol(workload, place, symbol);
            missing += memmem(contents, bytes, symbol, strlen(symbol) + 1) == NULL;
        }
    }
    free(contents);
    return missing;
}

static bool write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    const bool written = file != NULL && fputs(text, file) >= 0;
    return file != NULL && fclose(file) == 0 && written;
}

/* Kernels of the example compile. */
static void compiles(void **state)
{
    const example *e = *state;
    char id[16], path[2 * PATH_MAX], cubin[PATH_MAX];
    bool wanted[TD_KERNEL_PLACES];
    td_device_compiler compiler;
    td_error error = {""};
    snprintf(path, sizeof path, "%s/%s", e->file != NULL ? root : folder,
             e->file != NULL ? e->file : "own.h");
    snprintf(cubin, sizeof cubin, "%s/%s.cubin", folder, e->id);
    snprintf(id, sizeof id, "%s", e->id);
    const td_own own = {.id = id, .path = path, .headers = root, .has_check = e->has_check};
    td_workload workload = e->workload;
    workload.own = &own;
    want_all(&workload, e == &plane || e == &solid, e->has_check, wanted);
    const bool ready = e->text == NULL || write_file(path, e->text);
    if (td_device_compiler_find(&compiler, &error) != TD_OK) {
        print_message("%s\n", error.text);
        skip();
    }
    char *text = td_own_source(&workload, wanted);
    const td_device_unit unit = {text, "own.cu", root, 9, 0};
    const td_status status = td_device_compile(&compiler, &unit, cubin, &error);
    const size_t missing = count_missing(&workload, wanted, cubin);
    td_device_compiler_close(&compiler);
    free(text);
    if (status != TD_OK) {
        print_message("%s\n", error.text);
    }
    assert_true(ready);
    assert_int_equal(status, TD_OK);
    assert_int_equal(missing, 0);
}

static void nothing_is_compiled_that_nobody_asked_for(void **state)
{
    const td_own own = {.id = "mine", .path = "/mine.h"};
    const td_workload workload = {.dimension = 2, .own = &own};
    bool wanted[TD_KERNEL_PLACES] = {false};
    (void)state;
    wanted[td_kernel_place(TD_PACKED_CELLS, TD_STRATEGY_ltm_r)] = true;
    char *text = td_own_source(&workload, wanted);
    const bool as_expected =
        strcmp(text,
               "#include \"engine/cuda/kernels/own_kernels.cuh\"\n#include \"/mine.h\"\n"
               "__global__ void mine_ltm_r_packed(const td_launch launch, const td_data data, "
               "const uint32_t strategy)\n"
               "{\n    td_run_block<td_ltm_r_map, td_mine_cell, true>(launch, data, "
               "strategy);\n}\n") == 0;
    free(text);
    assert_true(as_expected);
}

/* NVRTC keeps memory until the process ends, but is closed earlier, so the leak cannot be attributed to it. */
#ifdef __SANITIZE_ADDRESS__
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}
#endif

/* ---- a fake NVRTC, at the place where pip would install it ---- */

static const char below[] = "lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib";

static bool install_fake(void)
{
    char command[6 * PATH_MAX], self[PATH_MAX] = "";
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) {
        return false;
    }
    *strstr(self, "/tests/unit/") = '\0';
    snprintf(
        command, sizeof command,
        "mkdir -p '%s/%s' && cd '%s/%s' && cp '%s/tests/fake/libnvrtc.so.12' . && "
        "mkdir -p ../../cuda_runtime/include && touch ../../cuda_runtime/include/cuda_fp16.h && "
        "mkdir -p '%s/bin' && ln -s /bin/true '%s/bin/python3'",
        folder, below, folder, below, self, folder, folder);
    return system(command) == 0;
}

static void a_compiler_in_a_virtual_environment_is_found_and_used(void **state)
{
    const char *const options[] = {"-std=c++20", NULL};
    char cubin[PATH_MAX], bin[PATH_MAX], *before = strdup(getenv("PATH"));
    size_t bytes = 0;
    td_error error = {""};
    (void)state;
    assert_true(install_fake());
    snprintf(bin, sizeof bin, "%s/bin", folder);
    snprintf(cubin, sizeof cubin, "%s/fake.cubin", folder);
    setenv("PATH", bin, 1);
    td_nvrtc *nvrtc = td_nvrtc_open(NULL);
    setenv("PATH", before, 1);
    free(before);
    assert_non_null(nvrtc);
    assert_string_equal(td_nvrtc_name(nvrtc), "NVRTC 12.99");
    assert_int_equal(td_nvrtc_compile(nvrtc, "#error shown\n", "fake.cu", options, cubin, &error),
                     TD_USAGE);
    assert_int_equal(access(cubin, F_OK), -1);
    const td_device_compiler compiler = {.nvrtc = nvrtc};
    const td_device_unit broken = {"#error shown\n", "fake.cu", root, 9, 0};
    assert_int_equal(td_device_compile(&compiler, &broken, cubin, &error), TD_USAGE);
    assert_non_null(strstr(error.text, "in the order of workloads/workload.h"));
    assert_int_equal(td_nvrtc_compile(nvrtc, "cuda_fp16.h", "fake.cu", options, cubin, &error),
                     TD_OK);
    td_nvrtc_close(nvrtc);
    char *contents = contents_of(cubin, &bytes);
    const bool is_whole = bytes == sizeof "cuda_fp16.h" && strcmp(contents, "cuda_fp16.h") == 0;
    free(contents);
    assert_true(is_whole);
}

#define COMPILES(example)                                                                          \
    {                                                                                              \
#example "_compiles", compiles, NULL, NULL, (void *)(uintptr_t)&example                    \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_compiled_that_nobody_asked_for),
        COMPILES(plane),
        COMPILES(solid),
        COMPILES(rbf),
        COMPILES(pairs),
        COMPILES(halves),
        COMPILES(jaccard),
        COMPILES(sum),
        COMPILES(tiled),
        cmocka_unit_test(a_compiler_in_a_virtual_environment_is_found_and_used),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
