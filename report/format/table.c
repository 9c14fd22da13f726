/* table.c - a group of runs as aligned columns, for people. */
#include "table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/bench/plain.h"

enum { CELL_SIZE = TD_REASON_SIZE + 32 };

typedef char cell[CELL_SIZE];

typedef enum tint { PLAIN, GOOD, BAD } tint;

typedef struct column {
    const char *title;
    /* What is in a cell: a text, or a member of the record or of its result. */
    void (*text)(const td_record *record, cell out);
    enum { TEXT, REAL, INTERVAL, COUNT } kind;
    bool left;    /* text, not numbers */
    int interest; /* if a terminal is too narrow, the columns of least interest go first */
    size_t offset;
    const char *format;
    double scale;                          /* 0: none */
    tint (*tint)(const td_record *record); /* NULL: never coloured */
} column;

/* ---- what is in a cell ---- */

static void fill(const column *c, const td_record *r, cell out)
{
    const char *from = c->kind == COUNT ? (const char *)r->result : (const char *)r;
    const void *member = from + c->offset;
    const td_interval *interval = member;
    if (c->kind == TEXT) {
        c->text(r, out);
    } else if (c->kind == COUNT && r->planned) {
        snprintf(out, CELL_SIZE, "%" PRIu64, *(const uint64_t *)member);
    } else if (c->kind == INTERVAL && interval->known) {
        snprintf(out, CELL_SIZE, c->format, interval->low, interval->high);
    } else if (c->kind == REAL && isfinite(*(const double *)member)) {
        snprintf(out, CELL_SIZE, c->format,
                 *(const double *)member * (c->scale > 0 ? c->scale : 1));
    }
}

static void wasted(const td_record *r, cell out)
{
    if (r->planned) {
        snprintf(out, CELL_SIZE, "%" PRIu64, r->result->blocks - r->result->blocks_needed);
    }
}

static void megabytes(const td_record *r, cell out)
{
    if (r->planned && r->result->bytes > 0) {
        snprintf(out, CELL_SIZE, "%.4g", (double)r->result->bytes * 1e-6);
    }
}

static void strategy(const td_record *r, cell out)
{
    const td_run *run = r->run;
    const uint32_t value = run->cutoff > 0 ? run->cutoff : run->group;
    const size_t used = run->order == TD_ORDER_DESCENDING
                            ? (size_t)snprintf(out, CELL_SIZE, "%s", run->strategy->name)
                            : (size_t)snprintf(out, CELL_SIZE, "%s/%s", run->strategy->name,
                                               td_order_names[run->order]);
    if (value > 0) {
        snprintf(out + used, CELL_SIZE - used, "/%u", value);
    }
}

static void with(const td_record *r, cell out)
{
    snprintf(out, CELL_SIZE, "%s", r->how);
}

/* The rate that bounds the run, and how much of the bound it reached. */
static void bound(const td_record *r, cell out)
{
    if (isfinite(r->roofline.fraction)) {
        snprintf(out, CELL_SIZE, "%.1f %% %s", r->roofline.fraction * 100,
                 r->roofline.ceiling != NULL ? r->roofline.ceiling : "");
    }
}

static void checked(const td_record *r, cell out)
{
    const td_verified verified = r->result->verified;
    if (r->measured || verified != TD_VERIFIED_NONE) {
        snprintf(out, CELL_SIZE, "%s",
                 verified == TD_VERIFIED_FAIL ? "FAIL" : td_verified_names[verified]);
    }
}

static void notes(const td_record *r, cell out)
{
    const bool ok = r->result->status == TD_RUN_OK;
    if (r->result->status == TD_RUN_INTERRUPTED) { /* the status says it all */
        snprintf(out, CELL_SIZE, "%s", td_run_status_names[r->result->status]);
        return;
    }
    snprintf(out, CELL_SIZE, "%s%s%s", ok ? r->caveats : td_run_status_names[r->result->status],
             r->reason != NULL ? (ok && r->caveats[0] == '\0' ? "" : ": ") : "",
             r->reason != NULL ? r->reason : "");
}

/* ---- whether it is good news, bad news or neither ---- */

static tint tint_of_check(const td_record *r)
{
    return r->result->verified == TD_VERIFIED_PASS ? GOOD : BAD;
}

/* Faster or slower than the baseline only if the whole interval is. */
static tint tint_of_improvement(const td_record *r)
{
    const td_interval *i = &r->improvement.ci95;
    return i->known && i->low > 1.0 ? GOOD : i->known && i->high < 1.0 ? BAD : PLAIN;
}

static tint tint_of_notes(const td_record *r)
{
    return r->result->status == TD_RUN_FAILED ? BAD : PLAIN;
}

#define RECORD(member) .offset = offsetof(td_record, member)
#define RESULT(member) .offset = offsetof(td_result, member)

/* clang-format off */
static const column columns[] = {
    {"strategy", strategy, .left = true, .interest = 9},
    {"with", with, .left = true, .interest = 7},
    {"kernels", .kind = COUNT, .interest = 2, RESULT(kernels)},
    {"blocks", .kind = COUNT, .interest = 1, RESULT(blocks)},
    {"wasted", wasted, .interest = 3},
    {"MB", megabytes, .interest = 1},
    {"median ms", .kind = REAL, .interest = 9, RECORD(time_ms.median), .format = "%.5g"},
    {"95 % interval", .kind = INTERVAL, .interest = 5, RECORD(time_ms.ci95), .format = "%.5g .. %.5g"},
    {"I", .kind = REAL, .interest = 8, RECORD(improvement.median), .format = "%.3f", .tint = tint_of_improvement},
    {"95 % interval", .kind = INTERVAL, .interest = 4, RECORD(improvement.ci95), .format = "%.3f .. %.3f"},
    {"GB/s", .kind = REAL, .interest = 6, RECORD(gb_per_s), .format = "%.4g"},
    {"of fill", .kind = REAL, .interest = 2, RECORD(fraction_of_peak), .format = "%.1f %%", .scale = 100},
    {"of bound", bound, .interest = 4},
    {"nJ/cell", .kind = REAL, .interest = 6, RECORD(nj_per_cell.median), .format = "%.4g"},
    {"check", checked, .left = true, .interest = 7, .tint = tint_of_check},
    {"notes", notes, .left = true, .interest = 9, .tint = tint_of_notes},
};
/* clang-format on */

enum { COLUMN_COUNT = sizeof columns / sizeof columns[0], NOTES = COLUMN_COUNT - 1 };

typedef struct row {
    const td_record *record;
    cell cells[COLUMN_COUNT];
} row;

typedef struct table {
    const td_table_style *style;
    td_text *text;
    row *rows;
    size_t count;
    size_t widths[COLUMN_COUNT]; /* 0: left out */
} table;

/* What the runs share; what they do not is in the column "with". */
static void heading(const td_record *record, td_text *text)
{
    const td_run *r = record->run;
    td_text_print(text, "%s, N = %u, ", r->workload->name, r->problem.n);
    if (record->how[0] == '\0') {
        td_text_print(text, r->workload->dimension == 3 ? "%ux%ux%u" : "%ux%u", r->block.x,
                      r->block.y, r->block.z);
        td_text_print(text, " threads per block, tile %s, ", td_tile_text(r->tile, r->width).text);
    }
    td_text_print(text, "%s, %s\n", td_layout_names[r->problem.layout], r->engine->name);
}

/* Leave out the columns that are empty, and of those of least interest as many as it takes for the rest, without the
 * notes, to fit. */
static void measure(table *t)
{
    size_t total = 0;
    for (size_t c = 0; c < COLUMN_COUNT; c++) {
        size_t *width = &t->widths[c];
        for (size_t r = 0; r < t->count; r++) {
            const size_t length = strlen(t->rows[r].cells[c]);
            *width = length > *width ? length : *width;
        }
        const size_t title = strlen(columns[c].title);
        *width = *width > 0 && title > *width ? title : *width;
        total += *width > 0 && c != NOTES ? *width + 2 : 0;
    }
    for (int interest = 1; t->style->columns > 0 && interest < 9; interest++) {
        for (size_t c = NOTES; c-- > 0 && total > t->style->columns;) {
            if (columns[c].interest == interest && t->widths[c] > 0) {
                total -= t->widths[c] + 2;
                t->widths[c] = 0;
            }
        }
    }
}

static void put_cell(const table *t, size_t c, const char *words, tint color)
{
    static const char *const starts[] = {[PLAIN] = "", [GOOD] = "\033[32m", [BAD] = "\033[31m"};
    if (t->widths[c] == 0) {
        return;
    }
    if (t->style->is_markdown) {
        td_text_add(t->text, "| ");
        for (; *words != '\0'; words++) {
            td_text_add(t->text, *words == '|' ? "\\" : "");
            td_text_add_bytes(t->text, words, 1);
        }
        td_text_add(t->text, " ");
        return;
    }
    const int room = (int)(t->widths[c] - strlen(words));
    td_text_print(t->text, "  %*s%s%s%s%*s", columns[c].left ? 0 : room, "", starts[color], words,
                  color != PLAIN ? "\033[0m" : "", columns[c].left ? room : 0, "");
}

static void end_row(const table *t)
{
    td_text *text = t->text;
    while (text->size > 0 && text->data[text->size - 1] == ' ' && !t->style->is_markdown) {
        text->data[--text->size] = '\0';
    }
    td_text_add(text, t->style->is_markdown ? "|\n" : "\n");
}

static void put_rows(const table *t)
{
    for (size_t c = 0; c < COLUMN_COUNT; c++) {
        put_cell(t, c, columns[c].title, PLAIN);
    }
    end_row(t);
    for (size_t c = 0; c < COLUMN_COUNT && t->style->is_markdown; c++) {
        td_text_add(t->text, t->widths[c] == 0 ? "" : columns[c].left ? "| --- " : "| ---: ");
    }
    td_text_add(t->text, t->style->is_markdown ? "|\n" : "");
    for (const row *r = t->rows; r < t->rows + t->count; r++) {
        for (size_t c = 0; c < COLUMN_COUNT; c++) {
            const bool tinted =
                t->style->color && columns[c].tint != NULL && r->cells[c][0] != '\0';
            put_cell(t, c, r->cells[c], tinted ? columns[c].tint(r->record) : PLAIN);
        }
        end_row(t);
    }
}

/* Whether all runs worked and have the same notes, which are then put once, below them. */
static bool shares_notes(const table *t)
{
    bool same = t->count > 1;
    for (size_t r = 0; r < t->count; r++) {
        same = same && t->rows[r].record->result->status == TD_RUN_OK &&
               strcmp(t->rows[r].cells[NOTES], t->rows[0].cells[NOTES]) == 0;
    }
    return same && t->rows[0].cells[NOTES][0] != '\0';
}

/* What a verification by a plain loop leaves open, and shows of the output: the same for all runs of a group. */
static void put_open_questions(const table *t, const char *before)
{
    size_t r = 0;
    while (r < t->count && !(t->rows[r].record->result->verified == TD_VERIFIED_PASS &&
                             td_is_proven_by_loop(t->rows[r].record->run->workload,
                                                  &t->rows[r].record->run->problem))) {
        r++;
    }
    if (r == t->count) {
        return;
    }
    const td_result *result = t->rows[r].record->result;
    const td_output_facts *facts = &result->output;
    const bool known = td_shows_whole_output(t->rows[r].record->run);
    td_text_print(t->text, "%smap verified, formula not checked", before);
    if (known && facts->unwritten > 0) {
        td_text_print(t->text, "; elements not written: %" PRIu64 "%s%s", facts->unwritten,
                      result->first_unwritten[0] != '\0' ? ", the first at " : "",
                      result->first_unwritten);
    }
    if (known && facts->not_finite > 0) {
        td_text_print(t->text, "; NaN or infinite: %" PRIu64, facts->not_finite);
    }
    if (facts->host_ulp > 0.0) {
        td_text_print(t->text, "; in a sample the host differs by up to %.0f ulp", facts->host_ulp);
    }
    td_text_add(t->text, "\n");
}

static void put_table(table *t)
{
    const char *before = t->style->is_markdown ? "\nAll: " : "  all: ";
    const bool shared = shares_notes(t);
    measure(t);
    t->widths[NOTES] = shared ? 0 : t->widths[NOTES];
    heading(t->rows[0].record, t->text);
    td_text_add(t->text, t->style->is_markdown ? "\n" : "");
    put_rows(t);
    if (shared) {
        td_text_print(t->text, "%s%s\n", before, t->rows[0].cells[NOTES]);
    }
    put_open_questions(t, before);
    td_text_add(t->text, "\n");
}

void td_table_group(const td_record *records, size_t count, const td_table_style *style,
                    td_text *text)
{
    table t = {.style = style, .text = text, .rows = calloc(count + 1, sizeof *t.rows)};
    text->failed = text->failed || t.rows == NULL;
    for (const td_record *r = records; r < records + count && t.rows != NULL; r++) {
        if (r->result->status != TD_RUN_DROPPED) {
            row *next = &t.rows[t.count++];
            next->record = r;
            for (size_t c = 0; c < COLUMN_COUNT; c++) {
                fill(&columns[c], r, next->cells[c]);
            }
        }
    }
    if (t.count > 0) {
        put_table(&t);
    }
    free(t.rows);
}
