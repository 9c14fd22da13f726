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
    const bool varies = r->run->cutoff > 0;
    snprintf(out, CELL_SIZE, varies ? "%s/%u" : "%s", r->run->strategy->name, r->run->cutoff);
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

enum { COLUMN_COUNT = sizeof columns / sizeof columns[0] };

typedef struct line {
    const td_record *record; /* NULL: the titles */
    cell cells[COLUMN_COUNT];
} line;

/* What the runs share; what they do not is in the column "with". */
static void heading(const td_record *record, td_text *text)
{
    const td_run *r = record->run;
    char tile[TD_TILE_SIZE];
    td_text_print(text, "%s, N = %u, ", r->workload->name, r->problem.n);
    if (record->how[0] == '\0') {
        td_text_print(text, "%ux%u", r->block.x, r->block.y);
        if (r->workload->dimension == 3) {
            td_text_print(text, "x%u", r->block.z);
        }
        td_tile_text(r->tile, r->width, tile);
        td_text_print(text, " threads per block, tile %s, ", tile);
    }
    td_text_print(text, "%s, %s\n", td_layout_names[r->problem.layout], r->engine->name);
}

/* The width of a column; 0 if it is empty in every row but the first, which has the titles. */
static size_t width_of(size_t c, const line *rows, size_t count)
{
    size_t width = 0;
    for (size_t r = count; r-- > 0;) {
        const size_t length = strlen(rows[r].cells[c]);
        width = length > width && (r > 0 || width > 0) ? length : width;
    }
    return width;
}

/* Leave columns out until the rest, without the notes, fits. */
static void narrow(size_t *widths, size_t width)
{
    for (int interest = 1; interest < 9; interest++) {
        for (size_t c = COLUMN_COUNT; c-- > 0;) {
            size_t total = 0;
            for (size_t i = 0; i + 1 < COLUMN_COUNT; i++) {
                total += widths[i] > 0 ? widths[i] + 2 : 0;
            }
            if (total > width && columns[c].interest == interest) {
                widths[c] = 0;
            }
        }
    }
}

static void put_padded(td_text *text, const char *words, tint color, size_t width, bool left)
{
    static const char *const starts[] = {[PLAIN] = "", [GOOD] = "\033[32m", [BAD] = "\033[31m"};
    const int room = (int)(width - strlen(words));
    td_text_print(text, "  %*s%s%s%s%*s", left ? 0 : room, "", starts[color], words,
                  color != PLAIN ? "\033[0m" : "", left ? room : 0, "");
}

static void put_escaped(td_text *text, const char *words)
{
    td_text_add(text, "| ");
    for (; *words != '\0'; words++) {
        td_text_add(text, *words == '|' ? "\\" : "");
        td_text_add_bytes(text, words, 1);
    }
    td_text_add(text, " ");
}

static void put_row(td_text *text, const line *row, const size_t *widths,
                    const td_table_style *style)
{
    for (size_t c = 0; c < COLUMN_COUNT; c++) {
        const char *words = row->cells[c];
        const bool tinted = style->color && row->record != NULL && columns[c].tint != NULL;
        const tint color = tinted && words[0] != '\0' ? columns[c].tint(row->record) : PLAIN;
        if (widths[c] > 0 && style->is_markdown) {
            put_escaped(text, words);
        } else if (widths[c] > 0) {
            put_padded(text, words, color, widths[c], columns[c].left);
        }
    }
    while (text->size > 0 && text->data[text->size - 1] == ' ' && !style->is_markdown) {
        text->data[--text->size] = '\0';
    }
    td_text_add(text, style->is_markdown ? "|\n" : "\n");
}

/* Between the titles and the rows of markdown. */
static void put_rule(td_text *text, const size_t *widths)
{
    for (size_t c = 0; c < COLUMN_COUNT; c++) {
        td_text_add(text, widths[c] == 0 ? "" : columns[c].left ? "| --- " : "| ---: ");
    }
    td_text_add(text, "|\n");
}

/* What is said of every row, when all of them worked, is said once, below them. */
static void take_shared_notes(line *rows, size_t count, cell shared)
{
    bool same = count > 2;
    for (size_t r = 1; r < count; r++) {
        same = same && rows[r].record->result->status == TD_RUN_OK &&
               strcmp(rows[r].cells[COLUMN_COUNT - 1], rows[1].cells[COLUMN_COUNT - 1]) == 0;
    }
    snprintf(shared, CELL_SIZE, "%s", same ? rows[1].cells[COLUMN_COUNT - 1] : "");
    for (size_t r = 1; same && r < count; r++) {
        rows[r].cells[COLUMN_COUNT - 1][0] = '\0';
    }
}

/* What a verification by a plain loop leaves open, and shows of the output: the same for all runs of a group. */
static void put_open_questions(td_text *text, const line *rows, size_t count, const char *before)
{
    size_t r = 1;
    while (r < count && !(rows[r].record->result->verified == TD_VERIFIED_PASS &&
                          td_is_proven_by_loop(rows[r].record->run->workload))) {
        r++;
    }
    if (r == count) {
        return;
    }
    const td_result *result = rows[r].record->result;
    const td_output_facts *facts = &result->output;
    td_text_print(text, "%smap verified, formula not checked", before);
    if (facts->unwritten > 0) {
        td_text_print(text, "; elements not written: %" PRIu64 "%s%s", facts->unwritten,
                      result->first_unwritten[0] != '\0' ? ", the first at " : "",
                      result->first_unwritten);
    }
    if (facts->not_finite > 0) {
        td_text_print(text, "; NaN or infinite: %" PRIu64, facts->not_finite);
    }
    if (facts->host_ulp > 0.0) {
        td_text_print(text, "; in a sample the host differs by up to %.0f ulp", facts->host_ulp);
    }
    td_text_add(text, "\n");
}

static void put_table(line *rows, size_t count, const td_table_style *style, td_text *text)
{
    size_t widths[COLUMN_COUNT];
    cell shared;
    take_shared_notes(rows, count, shared);
    for (size_t c = 0; c < COLUMN_COUNT; c++) {
        widths[c] = width_of(c, rows, count);
    }
    if (style->columns > 0) {
        narrow(widths, style->columns);
    }
    heading(rows[1].record, text);
    td_text_add(text, style->is_markdown ? "\n" : "");
    for (size_t r = 0; r < count; r++) {
        put_row(text, &rows[r], widths, style);
        if (r == 0 && style->is_markdown) {
            put_rule(text, widths);
        }
    }
    if (shared[0] != '\0') {
        td_text_print(text, style->is_markdown ? "\nAll: %s\n" : "  all: %s\n", shared);
    }
    put_open_questions(text, rows, count, style->is_markdown ? "\nAll: " : "  all: ");
    td_text_add(text, "\n");
}

void td_table_group(const td_record *records, size_t count, const td_table_style *style,
                    td_text *text)
{
    size_t used = 1;
    line *rows = calloc(count + 1, sizeof *rows);
    text->failed = text->failed || rows == NULL;
    for (size_t c = 0; c < COLUMN_COUNT && rows != NULL; c++) {
        snprintf(rows[0].cells[c], CELL_SIZE, "%s", columns[c].title);
    }
    for (size_t i = 0; i < count && rows != NULL; i++) {
        if (records[i].result->status == TD_RUN_DROPPED) {
            continue;
        }
        rows[used].record = &records[i];
        for (size_t c = 0; c < COLUMN_COUNT; c++) {
            fill(&columns[c], &records[i], rows[used].cells[c]);
        }
        used++;
    }
    if (used > 1) {
        put_table(rows, used, style, text);
    }
    free(rows);
}
