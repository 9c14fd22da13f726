#include "draft.h"

#include "engine/core/parameter.h"
#include "engine/options/parameters.h"

enum { FEWEST_THREADS = 64, MOST_THREADS = 1024 };

/* Begin with what is given, or with the usual one, which is all zeros. Returns whether more can be tried. */
static bool begin(const td_shapes *given, td_shape_list *list)
{
    const bool any = given->count > 0 && !given->all;
    *list = (td_shape_list){.shapes = any ? given->shapes : list->to_try,
                            .count = any ? given->count : 1};
    return given->all;
}

/* To try: powers of two with z <= y <= x, because rows are contiguous; at least two warps. */
void td_blocks_of(const td_shapes *given, int dimension, td_shape_list *list)
{
    const bool solid = dimension == 3, all = begin(given, list);
    const uint32_t narrowest = solid ? 4 : 8, widest = solid ? 64 : 256;
    for (uint32_t x = narrowest; x <= widest && all; x *= 2) {
        for (uint32_t y = 1; y <= x; y *= 2) {
            for (uint32_t z = 1; z <= (solid ? y : 1); z *= 2) {
                if (x * y * z >= FEWEST_THREADS && x * y * z <= MOST_THREADS) {
                    list->to_try[list->count++] = (td_shape){x, y, solid ? z : 0, false};
                }
            }
        }
    }
}

/* To try: powers of two, up to the first that covers the whole domain. */
void td_tiles_of(const td_shapes *given, int dimension, uint32_t n, td_shape_list *list)
{
    const uint32_t least = dimension == 3 ? 2 : 8, most = dimension == 3 ? 64 : 1024;
    const bool all = begin(given, list);
    for (uint32_t t = least; t <= most && (t == least || t < 2 * n) && all; t *= 2) {
        list->to_try[list->count++] = (td_shape){t, t, 0, true};
    }
}

/* ---- the usual ones ---- */

/* Whether a block covers a tile, and no thread of it has less than a store of eight cells or two of four. */
static bool goes_with(td_dim3 block, td_dim3 tile)
{
    const uint32_t width = tile.x > 0 ? tile.x : tile.y;
    return width % block.x == 0 && tile.y % block.y == 0 && 8 * block.x * block.y <= width * tile.y;
}

/* The usual tile and block; tile 0: as large as the block. A tile kernel may have special ones for the whole square,
 * for the packed layout, and for small problems: there the first that goes with the block given, if there is one. */
static td_flat usual_of(const td_run *run, const td_dim3 *block, bool tile_is_given)
{
    static const td_flat square = {.block = {16, 16, 1}}, cube = {.block = {8, 8, 8}};
    const td_tiles *tiles = run->workload->tiles;
    const bool whole = td_run_is_square(run);
    td_flat usual = run->workload->dimension == 3 ? cube : square;
    if (!run->tiled) { /* the workload may have no tiles */
        return usual;
    }
    const td_flat *special = whole ? &tiles->flat : &tiles->packed;
    if (special->block.x > 0 && (whole || run->problem.layout == TD_PACKED)) {
        return *special;
    }
    for (size_t i = 0; i < TD_SMALL && !tile_is_given; i++) {
        const td_small *small = &tiles->small[i];
        if (run->problem.n < small->below &&
            (block == NULL || goes_with(*block, small->usual.tile))) {
            return small->usual;
        }
    }
    usual.block = tiles->block.x > 0 ? tiles->block : usual.block;
    usual.tile.x = tiles->band > 0 ? tiles->side : 0;
    usual.tile.y = tiles->band > 0 ? tiles->band : tiles->side;
    return usual;
}

/* A block in the workload's dimension: 16 is 16x16, or 16x16x16. */
void td_draft_set_block(td_draft *draft, const td_shape *given, bool tile_is_given)
{
    const bool solid = draft->run.workload->dimension == 3;
    draft->block_is_given = given->x != 0;
    draft->block_fits = given->x == 0 || given->is_side || (given->z != 0) == solid;
    if (given->x == 0) {
        draft->run.block = usual_of(&draft->run, NULL, tile_is_given).block;
        return;
    }
    const uint32_t z = given->is_side ? (solid ? given->x : 1) : given->z;
    draft->run.block = (td_dim3){given->x, given->y, z > 0 ? z : 1};
}

void td_draft_set_tile(td_draft *draft, const td_shape *given)
{
    td_run *run = &draft->run;
    draft->tile_is_given = given->x != 0;
    run->tile = given->y;
    run->width = given->is_side ? 0 : given->x;
    if (given->x == 0) {
        const td_dim3 *block = draft->block_is_given ? &run->block : NULL;
        const td_dim3 tile = usual_of(run, block, false).tile;
        run->tile = tile.y;
        run->width = tile.x;
    }
}

/* ---- the problem ---- */

/* The text given for a parameter; NULL: none. --tune leaves open what is not given. */
static const char *given_for(const td_options *options, const td_parameter *parameter)
{
    const char *word = td_options_word(options, parameter->name);
    return word == NULL && options->tune && parameter->is_tuned ? "all" : word;
}

static size_t count_words(const td_parameter *parameter, const char *given)
{
    char word[TD_WORD_SIZE];
    size_t count = 1; /* there is always a first word, which may be empty */
    while (td_parameter_word(parameter, given, count, word)) {
        count++;
    }
    return count;
}

size_t td_draft_combinations(const td_options *options, const td_workload *workload)
{
    size_t combinations = 1;
    for (size_t p = 0; p < workload->parameter_count; p++) {
        const char *given = given_for(options, &workload->parameters[p]);
        combinations *= given != NULL ? count_words(&workload->parameters[p], given) : 1;
    }
    return combinations;
}

static td_status read_words(const td_options *options, size_t combination,
                            const td_workload *workload, td_value values[TD_PARAMETERS],
                            td_error *error)
{
    for (size_t p = 0; p < workload->parameter_count; p++) {
        const td_parameter *parameter = &workload->parameters[p];
        const char *given = given_for(options, parameter);
        char word[TD_WORD_SIZE];
        if (given == NULL) {
            continue;
        }
        const size_t count = count_words(parameter, given);
        (void)td_parameter_word(parameter, given, combination % count, word);
        combination /= count;
        if (td_parameter_read(parameter, word, &values[p], error) != TD_OK) {
            const td_error expected = *error;
            return td_fail(error, TD_USAGE, "%s: %s", workload->name, expected.text);
        }
    }
    return TD_OK;
}

static td_layout layout_of(const td_options *o, const td_workload *workload)
{
    if (!workload->traits.has_layouts || !td_workload_has_layout(workload, o->layout)) {
        return TD_PACKED; /* also in 3D, where others are full */
    }
    const bool is_open = !td_option_is_given(o, "layout") && workload->dimension == 3;
    return is_open ? TD_FULL : o->layout; /* as the paper on tetrahedra stores */
}

/* Read the parameters, and choose the descriptor that goes with them. */
static td_status resolve(td_run *run, const td_options *options, const td_workload *workload,
                         size_t combination, td_error *error)
{
    const char *why = NULL;
    td_parameters_preset(workload, run->problem.parameters);
    TRY(read_words(options, combination, workload, run->problem.parameters, error));
    const td_workload *chosen = td_workload_variant(workload, &run->problem, &why);
    if (chosen == NULL) {
        return td_fail(error, TD_USAGE, "%s: %s", workload->name, why);
    }
    run->workload = chosen;
    return TD_OK;
}

void td_draft_resolve(td_draft *draft, const td_options *options, const td_input *input,
                      const td_workload *workload, size_t combination, uint32_t n)
{
    td_run *run = &draft->run;
    run->workload = workload;
    /* a descriptor may be for one layout only */
    run->problem = (td_problem){.n = n, .seed = options->protocol.seed, .layout = options->layout};
    td_input_attach(input, &run->problem);
    draft->unresolved.text[0] = '\0';
    (void)resolve(run, options, workload, combination, &draft->unresolved);
    run->problem.layout = layout_of(options, run->workload);
}
