/* table.c - a group of runs as aligned columns, for people. */
#include "table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/terminal.h"

enum { CELL_SIZE = TD_REASON_SIZE + 32 };

typedef char cell[CELL_SIZE];
typedef void cell_fn(const td_record *record, cell out);

static void put_double(cell out, const char *format, double value, const char *unit)
{
    char number[64];
    if (isfinite(value)) {
        snprintf(number, sizeof number, format, value);
        snprintf(out, CELL_SIZE, "%s%s", number, unit);
    }
}

static void strategy(const td_record *r, cell out)
{
    const bool varies = r->run->cutoff > 0;
    snprintf(out, CELL_SIZE, varies ? "%s/%u" : "%s", r->run->strategy->name, r->run->cutoff);
}

static void put_count(cell out, bool known, uint64_t count)
{
    if (known) {
        snprintf(out, CELL_SIZE, "%" PRIu64, count);
    }
}

static void put_interval(cell out, const char *format, const td_interval *interval)
{
    if (interval->known) {
        snprintf(out, CELL_SIZE, format, interval->low, interval->high);
    }
}

static void with(const td_record *r, cell out)
{
    snprintf(out, CELL_SIZE, "%s", r->how);
}

static void kernels(const td_record *r, cell out)
{
    put_count(out, r->planned, r->result->kernels);
}

static void blocks(const td_record *r, cell out)
{
    put_count(out, r->planned, r->result->blocks);
}

static void wasted(const td_record *r, cell out)
{
    put_count(out, r->planned, r->blocks_wasted);
}

static void median(const td_record *r, cell out)
{
    put_double(out, "%.5g", r->time_ms.median, "");
}

static void interval(const td_record *r, cell out)
{
    put_interval(out, "%.5g .. %.5g", &r->time_ms.ci95);
}

static void improvement(const td_record *r, cell out)
{
    put_double(out, "%.3f", r->baseline != NULL ? r->improvement.median : NAN, "");
}

static void improvement_interval(const td_record *r, cell out)
{
    if (r->baseline != NULL) {
        put_interval(out, "%.3f .. %.3f", &r->improvement.ci95);
    }
}

static void bandwidth(const td_record *r, cell out)
{
    put_double(out, "%.4g", r->gb_per_s, "");
}

static void energy(const td_record *r, cell out)
{
    put_double(out, "%.4g", r->has.energy ? r->nj_per_cell.median : NAN, "");
}

static void megabytes(const td_record *r, cell out)
{
    put_double(out, "%.4g",
               r->planned && r->result->bytes > 0 ? (double)r->result->bytes * 1e-6 : NAN, "");
}

static void peak(const td_record *r, cell out)
{
    put_double(out, "%.1f", r->fraction_of_peak * 100, " %");
}

/* The rate that bounds the run, and how much of the bound it reached. */
static void bound(const td_record *r, cell out)
{
    char unit[16];
    snprintf(unit, sizeof unit, " %% %s", r->roofline.ceiling != NULL ? r->roofline.ceiling : "");
    put_double(out, "%.1f", r->roofline.fraction * 100, unit);
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

/* ---- colours: whether a cell is good news, bad news or neither ---- */

typedef enum tint { PLAIN, GOOD, BAD } tint;
typedef tint tint_fn(const td_record *record);

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

static const struct {
    const char *title;
    cell_fn *fill;
    bool left;     /* text, not numbers */
    int interest;  /* if a terminal is too narrow, the columns of least interest go first */
    tint_fn *tint; /* NULL: never coloured */
} columns[] = {
    {"strategy", strategy, true, 9, NULL},
    {"with", with, true, 7, NULL},
    {"kernels", kernels, false, 2, NULL},
    {"blocks", blocks, false, 1, NULL},
    {"wasted", wasted, false, 3, NULL},
    {"MB", megabytes, false, 1, NULL},
    {"median ms", median, false, 9, NULL},
    {"95 % interval", interval, false, 5, NULL},
    {"I", improvement, false, 8, tint_of_improvement},
    {"95 % interval", improvement_interval, false, 4, NULL},
    {"GB/s", bandwidth, false, 6, NULL},
    {"of fill", peak, false, 2, NULL},
    {"of bound", bound, false, 4, NULL},
    {"nJ/cell", energy, false, 6, NULL},
    {"check", checked, true, 7, tint_of_check},
    {"notes", notes, true, 9, tint_of_notes}, /* a long one is folded */
};

enum { COLUMN_COUNT = sizeof columns / sizeof columns[0] };

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

/* The width of a column; 0 if it is empty in every row. */
static size_t width_of(size_t column, const cell *cells, size_t rows)
{
    size_t width = 0;
    for (size_t row = 0; row < rows; row++) {
        const size_t length = strlen(cells[row * COLUMN_COUNT + column]);
        width = length > width ? length : width;
    }
    const size_t title = strlen(columns[column].title);
    return width > 0 && title > width ? title : width;
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

static void put_tinted(td_text *text, const char *words, tint color)
{
    static const char *const starts[] = {[PLAIN] = "", [GOOD] = "\033[32m", [BAD] = "\033[31m"};
    td_text_print(text, "%s%s%s", starts[color], words, color != PLAIN ? "\033[0m" : "");
}

static void put_padded(td_text *text, const char *words, tint color, size_t width, bool left)
{
    const int room = (int)(width - strlen(words));
    td_text_print(text, "  %*s", left ? 0 : room, "");
    put_tinted(text, words, color);
    td_text_print(text, "%*s", left ? room : 0, "");
}

static void put_row(td_text *text, const cell *row, const tint *tints, const size_t *widths)
{
    for (size_t c = 0; c < COLUMN_COUNT; c++) {
        if (widths[c] > 0) {
            put_padded(text, row != NULL ? row[c] : columns[c].title,
                       tints != NULL ? tints[c] : PLAIN, widths[c], columns[c].left);
        }
    }
    while (text->size > 0 && text->data[text->size - 1] == ' ') {
        text->data[--text->size] = '\0';
    }
    td_text_add(text, "\n");
}

static void put_plain(td_text *text, const td_record *records, size_t count, const cell *cells,
                      const size_t *widths, bool color)
{
    put_row(text, NULL, NULL, widths);
    for (size_t i = 0; i < count; i++) {
        const cell *row = &cells[i * COLUMN_COUNT];
        tint tints[COLUMN_COUNT];
        for (size_t c = 0; c < COLUMN_COUNT; c++) {
            const bool said = color && columns[c].tint != NULL && row[c][0] != '\0';
            tints[c] = said ? columns[c].tint(&records[i]) : PLAIN;
        }
        put_row(text, row, tints, widths);
    }
}

/* ---- Markdown ---- */

/* Append the next cell of a row, "| words ", and end the line after the last cell. */
static void put_cell(td_text *text, const char *words, bool is_last)
{
    td_text_add(text, "| ");
    for (; *words != '\0'; words++) {
        td_text_add(text, *words == '|' ? "\\" : "");
        td_text_add_bytes(text, words, 1);
    }
    td_text_add(text, is_last ? " |\n" : " ");
}

/* Append the rule below a heading. left: whether a column holds words, which are left-aligned. */
static void put_rule(td_text *text, const bool *left, size_t count)
{
    for (size_t c = 0; c < count; c++) {
        td_text_add(text, left[c] ? "| --- " : "| ---: ");
    }
    td_text_add(text, "|\n");
}

static void put_markdown(td_text *text, size_t count, const cell *cells, const size_t *widths)
{
    bool left[COLUMN_COUNT];
    size_t shown[COLUMN_COUNT], used = 0;
    for (size_t c = 0; c < COLUMN_COUNT; c++) {
        if (widths[c] > 0) {
            left[used] = columns[c].left;
            shown[used++] = c;
        }
    }
    td_text_add(text, "\n");
    for (size_t c = 0; c < used; c++) {
        put_cell(text, columns[shown[c]].title, c + 1 == used);
    }
    put_rule(text, left, used);
    for (size_t i = 0; i < count; i++) {
        for (size_t c = 0; c < used; c++) {
            put_cell(text, cells[i * COLUMN_COUNT + shown[c]], c + 1 == used);
        }
    }
}

void td_table_group(const td_record *records, size_t count, const td_table_style *style,
                    td_text *text)
{
    td_text lines = {0};
    if (count == 0) {
        return;
    }
    cell *cells = calloc(count * COLUMN_COUNT, sizeof *cells);
    if (cells == NULL) {
        text->failed = true;
        return;
    }
    for (size_t i = 0; i < count * COLUMN_COUNT; i++) {
        columns[i % COLUMN_COUNT].fill(&records[i / COLUMN_COUNT], cells[i]);
    }
    size_t widths[COLUMN_COUNT];
    for (size_t c = 0; c < COLUMN_COUNT; c++) {
        widths[c] = width_of(c, (const cell *)cells, count);
    }
    if (style->columns > 0) {
        narrow(widths, style->columns);
    }
    heading(&records[0], &lines);
    if (style->is_markdown) {
        put_markdown(&lines, count, (const cell *)cells, widths);
    } else {
        put_plain(&lines, records, count, (const cell *)cells, widths, style->color);
    }
    td_text_add(&lines, "\n");
    td_terminal_fold(lines.data != NULL ? lines.data : "", style->columns, text);
    text->failed = text->failed || lines.failed;
    td_text_free(&lines);
    free(cells);
}
