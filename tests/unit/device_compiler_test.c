/* device_compiler_test.c - kernels of workloads from files: their source, and compiling it. Needs no GPU. */
#include "files.h"

#include "engine/core/own.h"
#include "engine/compile/device_compiler.h"
#include "engine/cuda/own_source.h"

enum { MOST_BYTES = 16 << 20 };

static char root[PATH_MAX];

static int find_root(void **state)
{
    (void)state;
    return realpath(".", root) != NULL ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[PATH_MAX];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", scratch_directory());
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

static const example examples[] = {
    {"edm4", "workloads/edm.h", NULL, {.dimension = 2}, true},
    {"write3", "workloads/write3.h", NULL, {.dimension = 3}, true},
    {"rbf", "examples/rbf.h", NULL, {.dimension = 2}, false},
    {"pairs", "examples/pairs.h", NULL, {.dimension = 2}, false},
    {"halves", "examples/halves.h", NULL, {.dimension = 2}, false},
    {"jaccard", "examples/jaccard.h", NULL, {.dimension = 2}, true},
    {"gram", "examples/gram.h", NULL, {.dimension = 2, .tiles = &few_registers}, true},
    {"softmax",
     "examples/softmax.h",
     NULL,
     {.dimension = 2, .tiles = &few_registers, .traits = {.by_rows = true}},
     true},
    {"sum",
     NULL,
     "#include \"layout3.h\"\n"
     "TD_FN double td_sum_cell(const td_data *data, uint32_t x, uint32_t y, uint32_t z)\n"
     "{\n    return data->n + x * y * z;\n}\n",
     {.dimension = 3, .sum = &no_sum},
     false},
    {"tiled",
     NULL,
     "#include <math.h>\n#include <string.h>\n#include \"layout.h\"\n"
     "#ifdef __CUDACC__\n#include <cuda_fp16.h>\n#endif\n"
     "TD_FN void td_tiled_cell(const td_data *data, uint32_t row, uint32_t col)\n"
     "{\n    *(float *)td_cell_4(data, row, col) = sqrtf((float)row);\n}\n"
     "#ifdef __CUDACC__\n"
     "__device__ inline void td_tiled_tile(const td_data &data, td_work_tile tile)\n"
     "{\n    extern __shared__ float rows[];\n    rows[threadIdx.y] = 1.0f;\n"
     "    td_tiled_cell(&data, tile.y * tile.side + threadIdx.y, tile.x * tile.side);\n}\n"
     "#endif\n",
     {.dimension = 2, .tiles = &few_registers},
     false}};

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
static size_t count_missing(const td_own_kernels *of, const bool *wanted, const char *cubin)
{
    size_t bytes = 0, missing = 0;
    char *contents = contents_of(cubin, &bytes);
    for (uint32_t place = 0; place < TD_KERNEL_PLACES; place++) {
        char symbol[TD_OWN_SYMBOL_SIZE];
        if (wanted[place]) {
            td_own_symbol(of, place, symbol);
            missing += memmem(contents, bytes, symbol, strlen(symbol) + 1) == NULL;
        }
    }
    free(contents);
    return missing;
}

static void compile_all(const td_device_compiler *compiler, const td_own_kernels *of,
                        const bool *wanted)
{
    const char *cubin = scratch("cubin");
    td_error error = {""};
    char *text = td_own_source(of, wanted);
    const td_device_unit unit = {text, "own.cu", root, 9, 0};
    const td_status status = td_device_compile(compiler, &unit, cubin, &error);
    const size_t missing = count_missing(of, wanted, cubin);
    free(text);
    if (status != TD_OK || missing > 0)
        fail_msg("%s: %zu kernels are missing: %s",
                 of->workload != NULL ? of->workload->name : "a map", missing, error.text);
}

/* Kernels of an example compile: the two built-in workloads under every map. */
static void compile_one(const td_device_compiler *compiler, const example *e)
{
    char id[16], path[2 * PATH_MAX];
    bool wanted[TD_KERNEL_PLACES];
    snprintf(path, sizeof path, "%s/%s", root, e->file);
    snprintf(id, sizeof id, "%s", e->id);
    if (e->text != NULL) {
        snprintf(path, sizeof path, "%s", scratch_file("own.h", e->text, strlen(e->text)));
    }
    const td_own own = {.id = id, .path = path, .headers = root, .has_check = e->has_check};
    td_workload workload = e->workload;
    workload.own = &own;
    workload.name = id;
    want_all(&workload, e < &examples[2], e->has_check, wanted);
    compile_all(compiler, &(td_own_kernels){&workload, NULL}, wanted);
}

TEST(every_kind_of_kernel_compiles)
{
    td_device_compiler compiler;
    td_error error = {""};
    if (td_device_compiler_find(&compiler, &error) != TD_OK) {
        print_message("%s\n", error.text);
        skip();
    }
    for (size_t i = 0; i < COUNT(examples); i++)
        compile_one(&compiler, &examples[i]);
    td_device_compiler_close(&compiler);
}

/* ---- a map from a file ---- */

static void want_of_map(const td_workload *w, const td_strategy *map, bool *wanted)
{
    const bool flat = map->dimension == 2;
    memset(wanted, 0, TD_KERNEL_PLACES * sizeof *wanted);
    if (w == NULL) {
        wanted[td_kernel_place(TD_COVERAGE, 0)] = wanted[td_kernel_place(TD_ASK, 0)] = true;
        return;
    }
    if (td_workload_only_tiles(w) == NULL) {
        wanted[td_kernel_place(TD_ANY_CELLS, 0)] = wanted[td_kernel_place(TD_LOOPS, 0)] = true;
        wanted[td_kernel_place(flat ? TD_PACKED_CELLS : TD_EIGHT_FULL, 0)] = true;
        wanted[td_kernel_place(TD_DYNAMIC, 0)] = true;
    }
    const bool clusters = w->tiles != NULL && w->tiles->cluster_shared > 0;
    const bool tiles = w->tiles != NULL;
    wanted[td_kernel_place(TD_CLUSTERS, 0)] = clusters;
    wanted[td_kernel_place(TD_TILES, 0)] = tiles;
    wanted[td_kernel_place(TD_PERSISTENT_TILES, 0)] = tiles;
    wanted[td_kernel_place(TD_DYNAMIC_TILES, 0)] = tiles;
}

/* The smallest of each form, and every kind of built-in workload; gram takes most of a minute, so that it is last. */
TEST(kernels_of_a_map_from_a_file_compile)
{
    static const char pair[] = "#include \"strategies/own.h\"\n"
                               "TD_FN td_pair td_a_pair(uint64_t index, uint32_t n)\n"
                               "{\n    td_pair at = {(uint32_t)sqrt((double)index), n};\n"
                               "    return at;\n}\n";
    static const char triple[] = "#include \"strategies/own.h\"\n"
                                 "TD_FN td_triple td_a_triple(uint64_t index, uint32_t n)\n"
                                 "{\n    td_triple at = {n, 0, (uint32_t)index};\n"
                                 "    return at;\n}\n";
    static char pair_form[] = "#define TD_OWN_PAIR td_a_pair\n#include <strategies/own_forms.h>\n";
    static char triple_form[] =
        "#define TD_OWN_TRIPLE td_a_triple\n#include <strategies/own_forms.h>\n";
    static const char *const workloads[] = {NULL, "edm4", "gol", "triplet", "gram"};
    const size_t count = COUNT(workloads) - (getenv("TD_EXHAUSTIVE") == NULL ? 1 : 0);
    char paths[2][PATH_MAX];
    td_device_compiler compiler;
    td_error error = {""};
    snprintf(paths[0], PATH_MAX, "%s", scratch_file("a.h", pair, strlen(pair)));
    snprintf(paths[1], PATH_MAX, "%s", scratch_file("b.h", triple, strlen(triple)));
    if (td_device_compiler_find(&compiler, &error) != TD_OK) {
        print_message("%s\n", error.text);
        skip();
    }
    for (size_t i = 0; i < count; i++) {
        const td_workload *w = workloads[i] != NULL ? td_workload_find(workloads[i], 0) : NULL;
        const bool solid = w != NULL && w->dimension == 3;
        const td_own_map own = {
            .path = paths[solid], .headers = root, .form = solid ? triple_form : pair_form};
        const td_strategy map = {
            .name = "a@1", .dimension = solid ? 3 : 2, .unit = TD_MAPS_BLOCKS, .own = &own};
        bool wanted[TD_KERNEL_PLACES];
        want_of_map(w, &map, wanted);
        compile_all(&compiler, &(td_own_kernels){w, &map}, wanted);
    }
    td_device_compiler_close(&compiler);
}

TEST(nothing_is_compiled_that_nobody_asked_for)
{
    const td_own own = {.id = "mine", .path = "/mine.h"};
    const td_workload workload = {.name = "mine@1", .dimension = 2, .own = &own};
    bool wanted[TD_KERNEL_PLACES] = {false};
    wanted[td_kernel_place(TD_PACKED_CELLS, TD_STRATEGY_ltm_r)] = true;
    char *text = td_own_source(&(td_own_kernels){&workload, NULL}, wanted);
    const bool as_expected =
        strcmp(text, "#include \"engine/cuda/kernels/own_kernels.cuh\"\n#include \"/mine.h\"\n"
                     "__global__ void mine_ltm_r_packed(const td_launch launch, const "
                     "td_data data, "
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

static bool install_fake(const char *folder)
{
    char command[6 * PATH_MAX], self[PATH_MAX] = "";
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) {
        return false;
    }
    *strstr(self, "/tests/unit/") = '\0';
    snprintf(command, sizeof command,
             "cd '%s' && mkdir -p %s bin && ln -sf /bin/true bin/python3 && cd %s && "
             "cp '%s/tests/fake/libnvrtc.so.12' . && mkdir -p ../../cuda_runtime/include && "
             "touch ../../cuda_runtime/include/cuda_fp16.h",
             folder, below, below, self);
    return system(command) == 0;
}

TEST(a_compiler_in_a_virtual_environment_is_found_and_used)
{
    const char *const options[] = {"-std=c++20", NULL};
    const char *cubin = scratch("cubin"), *bin = scratch("bin");
    char *before = strdup(getenv("PATH"));
    size_t bytes = 0;
    td_error error = {""};
    assert_true(install_fake(scratch_directory()));
    unlink(cubin);
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

/* NVRTC alone is enough, and so is nvcc; a toolkit without both is named. */
TEST(a_toolkit_needs_one_compiler)
{
    td_device_compiler compiler;
    td_error error = {""};
    char *before = getenv("CUDA_HOME") != NULL ? strdup(getenv("CUDA_HOME")) : NULL;
    assert_true(install_fake(scratch_directory()));
    unlink(scratch("lib64")); /* left by a run that failed */
    unlink(scratch("bin/nvcc"));
    setenv("CUDA_HOME", scratch_directory(), 1);
    assert_int_equal(td_device_compiler_find(&compiler, &error), TD_UNAVAILABLE);
    assert_non_null(strstr(error.text, scratch_directory()));
    assert_int_equal(
        symlink(scratch("lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib"), scratch("lib64")),
        0);
    assert_int_equal(td_device_compiler_find(&compiler, &error), TD_OK);
    assert_non_null(compiler.nvrtc);
    td_device_compiler_close(&compiler);
    unlink(scratch("lib64"));
    assert_int_equal(symlink("/bin/true", scratch("bin/nvcc")), 0);
    assert_int_equal(td_device_compiler_find(&compiler, &error), TD_OK);
    assert_null(compiler.nvrtc);
    before != NULL ? setenv("CUDA_HOME", before, 1) : unsetenv("CUDA_HOME");
    free(before);
}

int main(void)
{
    return td_tests_run(find_root, remove_folder);
}
