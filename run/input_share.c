#include "input_share.h"

#include <stdlib.h>

/* The file as rank 0 read it, without its numbers. */
typedef struct outline {
    td_digest digest;
    uint32_t n;
    uint32_t rows, columns; /* of a table */
    uint32_t state_n;       /* of a state */
    uint64_t state_bytes;
} outline;

static outline outline_of(const td_options *options, const td_input *input)
{
    return (outline){
        .n = options->n[0],
        .digest = options->input_digest,
        .rows = input->table.rows,
        .columns = input->table.columns,
        .state_n = input->state.n,
        .state_bytes = input->state.bytes,
    };
}

static uint64_t table_bytes(const outline *o)
{
    return (uint64_t)o->rows * o->columns * sizeof(float);
}

/* Make room for the numbers on the ranks that did not read them. */
static td_status make_room(const outline *o, td_input *input, td_error *error)
{
    input->table.rows = o->rows;
    input->table.columns = o->columns;
    input->state.n = o->state_n;
    input->state.bytes = o->state_bytes;
    if (o->rows > 0 && input->table.values == NULL) {
        input->table.values = malloc(table_bytes(o));
    }
    if (o->state_n > 0 && input->state.cells == NULL) {
        input->state.cells = malloc(o->state_bytes);
    }
    const bool complete = (o->rows == 0 || input->table.values != NULL) &&
                          (o->state_n == 0 || input->state.cells != NULL);
    return complete ? TD_OK
                    : td_fail(error, TD_NO_MEMORY, "--input: not enough memory for the numbers");
}

td_status td_input_share(td_ranks *ranks, td_options *options, td_input *input, td_error *error)
{
    if (ranks == NULL || options->input == NULL) {
        return td_input_open(options, input, error);
    }
    const td_status status =
        td_ranks_index(ranks) == 0 ? td_input_open(options, input, error) : TD_OK;
    TRY(td_ranks_agree(ranks, status, error));
    outline o = outline_of(options, input);
    td_ranks_broadcast(ranks, &o, sizeof o);
    TRY(td_ranks_agree(ranks, make_room(&o, input, error), error));
    options->n[0] = o.n;
    options->n_count = 1;
    options->input_digest = o.digest;
    if (o.rows > 0) {
        td_ranks_broadcast(ranks, input->table.values, table_bytes(&o));
    }
    if (o.state_n > 0) {
        td_ranks_broadcast(ranks, input->state.cells, o.state_bytes);
    }
    return TD_OK;
}
