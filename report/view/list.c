/* list.c - --list: tables for people, a JSON array or lines of objects for programs. */
#include "view.h"

#include <stdio.h>
#include <string.h>

#include "engine/core/parameter.h"
#include "engine/options/parameters.h"
#include "engine/engine.h"
#include "report/format/document.h"
#include "report/terminal.h"

typedef struct list {
    td_text *text;
    bool is_text;
    bool probes;         /* asks each engine whether it is usable here */
    const char *between; /* two objects */
} list;

/* ---- strategies ---- */

static void strategy_row(const list *l, size_t i)
{
    const td_strategy *s = td_strategies[i];
    const bool threads = s->unit == TD_MAPS_THREADS;
    char range[64];
    snprintf(range, sizeof range, "n <= %u %s", s->exact_n, threads ? "cells" : "tiles");
    td_text_print(l->text, "%-12s %-5s %dD  %-7s %-18s %s\n", s->name,
                  s->alias != NULL ? s->alias : "-", s->dimension, threads ? "threads" : "blocks",
                  range, s->summary);
}

static void put_strategy(const list *l, size_t i, td_writer *w)
{
    (void)l;
    const td_strategy *s = td_strategies[i];
    const bool threads = s->unit == TD_MAPS_THREADS;
    td_text aliases = {0};
    td_put_text(w, "name", s->name);
    if (s->alias != NULL) {
        td_next_element(&aliases);
        td_add_string(&aliases, s->alias);
    }
    td_put_array(w, "aliases", &aliases);
    td_put_u64(w, "dimension", (uint64_t)s->dimension);
    td_put_text(w, "maps", threads ? "thread" : "block");
    td_put_amount(w, "exact_tiles", threads ? 0 : s->exact_n);
    td_put_amount(w, "exact_cells", threads ? s->exact_n : 0);
    td_put_bool(w, "tree", s->tree != NULL);
    td_put_bool(w, "by_rows", s->by_rows);
    td_put_bool(w, "cutoff", s->uses_cutoff);
    td_put_bool(w, "group", s->usual_group > 0);
    td_put_bool(w, "order", s->looks_rows_up);
    td_put_text(w, "summary", s->summary);
    td_put_text(w, "source", s->source);
}

/* ---- workloads ---- */

typedef char values[256];

/* "0..1000000 generations, default 100". False: the workload does not take the parameter. */
static bool values_of(const td_workload *w, const char *parameter, values text)
{
    const td_parameter *p = td_workload_parameter(w, parameter);
    char accepted[160];
    if (p != NULL) {
        td_parameter_accepted(p, accepted, sizeof accepted);
        snprintf(text, sizeof(values), "%s%s%s, default %s", accepted, p->unit != NULL ? " " : "",
                 p->unit != NULL ? p->unit : "", p->preset);
    }
    return p != NULL;
}

/* Whether both take the parameter, with the same values. */
static bool take_the_same(const td_workload *a, const td_workload *b, const char *parameter)
{
    values x, y;
    return values_of(a, parameter, x) && values_of(b, parameter, y) && strcmp(x, y) == 0;
}

/* The parameter, and for each set of values the workloads that take it. */
static void parameter_rows(const list *l, size_t i)
{
    td_text *text = l->text;
    const td_parameter *parameter = td_parameter_option(i);
    const char *name = parameter->name;
    char usage[96];
    values accepted;
    const td_shown label = td_parameter_label(name);
    snprintf(usage, sizeof usage, "--%s%c%s", label.text,
             strchr(label.text, ' ') != NULL ? '=' : ' ', parameter->argument);
    td_text_print(text, "%-25s %s\n", usage, parameter->help);
    for (size_t w = 0; w < td_workload_count; w++) {
        size_t first = 0;
        while (first < w && !take_the_same(td_workloads[first], td_workloads[w], name)) {
            first++;
        }
        if (first < w || !values_of(td_workloads[w], name, accepted)) {
            continue;
        }
        td_text_print(text, "  %s:", accepted);
        for (size_t other = w; other < td_workload_count; other++) {
            const td_workload *o = td_workloads[other];
            if (take_the_same(td_workloads[w], o, name)) {
                td_text_print(text, "%s %s %dD", other > w ? "," : "", o->name, o->dimension);
            }
        }
        td_text_add(text, "\n");
    }
}

static const char *finding_type(const td_workload *w)
{
    return w->finding.kind == TD_FINDS_COUNT ? "count" : "real";
}

static const char *layouts_of(const td_workload *w)
{
    return !w->traits.has_layouts   ? "-"
           : w->traits.has_blocked  ? "blocked"
           : w->traits.has_mirrored ? "mirrored"
                                    : "both";
}

static void workload_row(const list *l, size_t i)
{
    const td_workload *w = td_workloads[i];
    td_text_print(l->text, "%-12s %dD  %-7s %-8s %-44s %s\n", w->name, w->dimension,
                  w->traits.proven_by_count ? "-" : td_element_numpy(w->element), layouts_of(w),
                  td_workload_takes_input(w) ? w->input->takes : "-", w->summary);
    if (w->finding.kind != TD_FINDS_NOTHING) {
        td_text_print(l->text, "%-12s finds %s (%s)\n", "", w->finding.name, finding_type(w));
    }
}

static void put_choices(const td_parameter *row, td_writer *w)
{
    td_text choices = {0};
    for (uint64_t place = 0; place < td_parameter_choices(row); place++) {
        td_next_element(&choices);
        td_add_string(&choices, td_parameter_text(row, (td_value){.count = place}).text);
    }
    td_put_array(w, "choices", &choices);
}

static void add_parameter(const td_parameter *row, td_text *parameters)
{
    static const char *const kinds[] = {[TD_PARAMETER_COUNT] = "count",
                                        [TD_PARAMETER_REAL] = "real",
                                        [TD_PARAMETER_DIGITS] = "digits",
                                        [TD_PARAMETER_CHOICE] = "choice"};
    const bool is_number = row->kind == TD_PARAMETER_COUNT || row->kind == TD_PARAMETER_REAL;
    td_value preset = {0};
    (void)td_parameter_parse(row, row->preset, &preset, NULL);
    td_next_element(parameters);
    td_writer w = td_writer_open(parameters, TD_JSON_LINE);
    td_put_text(&w, "name", row->name);
    td_put_text(&w, "kind", kinds[row->kind]);
    if (row->kind == TD_PARAMETER_CHOICE) {
        put_choices(row, &w);
    } else {
        td_put_null(&w, "choices");
    }
    td_put_count(&w, "low", is_number, row->low);
    td_put_count(&w, "high", is_number, row->high);
    td_put_parameter(&w, "default", row, &preset);
    td_put_text(&w, "unit", row->unit);
    td_put_text(&w, "help", row->help);
    td_writer_close(&w);
}

static void put_workload(const list *l, size_t i, td_writer *w)
{
    (void)l;
    const td_workload *one = td_workloads[i];
    td_text parameters = {0};
    td_put_text(w, "name", one->name);
    td_put_u64(w, "dimension", (uint64_t)one->dimension);
    td_put_text(w, "output", one->traits.proven_by_count ? NULL : td_element_numpy(one->element));
    td_put_bool(w, "layouts", one->traits.has_layouts);
    td_put_bool(w, "blocked", one->traits.has_blocked);
    td_put_bool(w, "mirrored", one->traits.has_mirrored);
    td_put_text(w, "input", td_workload_takes_input(one) ? one->input->takes : NULL);
    for (size_t p = 0; p < one->parameter_count; p++) {
        add_parameter(&one->parameters[p], &parameters);
    }
    td_put_array(w, "parameters", &parameters);
    td_section(w, "finding", one->finding.kind != TD_FINDS_NOTHING);
    td_put_text(w, "name", one->finding.name);
    td_put_text(w, "type", finding_type(one));
    td_section(w, "", true);
    td_put_text(w, "summary", one->summary);
}

/* ---- engines ---- */

/* Why an engine cannot be used here; empty if it can, or if it was not probed. */
static td_error reason_of(const list *l, const td_engine_ops *engine)
{
    td_error why = {""};
    if (l->probes && engine->usable != NULL && engine->usable(&why)) {
        why.text[0] = '\0';
    }
    return why;
}

static const char *memory_of(const td_engine_ops *engine)
{
    return engine->can.device_memory ? "device" : "host";
}

static void engine_row(const list *l, size_t i)
{
    const td_engine_ops *e = td_engines[i];
    const td_error reason = reason_of(l, e);
    td_text_print(l->text, "%-12s %-6s %-6s %-5s %-5s %-6s %s%s%s\n", e->name, memory_of(e),
                  e->can.graphs ? "yes" : "-", e->can.trees ? "yes" : "-",
                  e->can.tile_kernels ? "yes" : "-", e->can.energy ? "yes" : "-", e->summary,
                  reason.text[0] != '\0' ? "; not here: " : "", reason.text);
}

static void put_engine(const list *l, size_t i, td_writer *w)
{
    const td_engine_ops *e = td_engines[i];
    td_put_text(w, "name", e->name);
    td_put_text(w, "memory", memory_of(e));
    td_put_bool(w, "graphs", e->can.graphs);
    td_put_bool(w, "trees", e->can.trees);
    td_put_bool(w, "tile_kernels", e->can.tile_kernels);
    td_put_bool(w, "energy", e->can.energy);
    td_put_text(w, "summary", e->summary);
    td_put_text(w, "reason", reason_of(l, e).text);
}

/* ---- devices ---- */

enum { MOST_DEVICES = 64 };
static td_environment devices[MOST_DEVICES];

/* Output: none: why an engine has none. */
static size_t find_devices(td_error *none)
{
    size_t found = 0;
    for (size_t e = 0; e < td_engine_count && found < MOST_DEVICES; e++) {
        if (td_engines[e]->devices != NULL) {
            found += td_engines[e]->devices(devices + found, MOST_DEVICES - found, none);
        }
    }
    return found < MOST_DEVICES ? found : MOST_DEVICES;
}

static void device_row(const list *l, size_t i)
{
    const td_environment *d = &devices[i];
    td_text_print(l->text, "%-6u %-40s %-42s %d.%d  %-4u %.1f GiB\n", d->ordinal, d->gpu_name,
                  d->gpu_uuid, d->compute_major, d->compute_minor, d->sms,
                  (double)d->gpu_memory_bytes / (1024.0 * 1024.0 * 1024.0));
}

static void put_device(const list *l, size_t i, td_writer *w)
{
    (void)l;
    td_put_text(w, "name", devices[i].gpu_name);
    td_put_u64(w, "ordinal", devices[i].ordinal);
    td_put_gpu(w, &devices[i]);
}

/* ---- all kinds ---- */

typedef struct kind {
    const char *name; /* NULL: its objects are in those of another kind */
    const char *titles;
    void (*add_row)(const list *l, size_t i);
    void (*put)(const list *l, size_t i, td_writer *w);
} kind;

static const kind strategies = {"strategy",
                                "STRATEGY     ALIAS DIM MAPS    EXACT              SUMMARY\n",
                                strategy_row, put_strategy};
static const kind workloads = {
    "workload",
    "WORKLOAD     DIM OUTPUT  LAYOUTS  INPUT                                        SUMMARY\n",
    workload_row, put_workload};
static const kind parameters = {NULL, "PARAMETER                 SUMMARY, VALUES AND WORKLOADS\n",
                                parameter_rows, NULL};
static const kind engines = {"engine", "ENGINE       MEMORY GRAPHS TREES TILES ENERGY SUMMARY\n",
                             engine_row, put_engine};
static const kind gpus = {"device",
                          "DEVICE NAME                                     "
                          "UUID                                       CC   SMS  MEMORY\n",
                          device_row, put_device};

static void add_all(const list *l, const kind *k, size_t count)
{
    if (l->is_text) {
        td_text_print(l->text, "%s%s", l->text->size > 0 ? "\n" : "", k->titles);
    }
    for (size_t i = 0; i < count && l->is_text; i++) {
        k->add_row(l, i);
    }
    /* one object per line in both forms, so that grep still works */
    for (size_t i = 0; i < count && !l->is_text && k->name != NULL; i++) {
        td_text_add(l->text, l->text->size > 1 ? l->between : "");
        td_writer w = td_writer_open(l->text, TD_JSON_LINE);
        td_put_text(&w, "kind", k->name);
        k->put(l, i, &w);
        td_writer_close(&w);
    }
}

/* Finding devices and probing engines takes longer than all the rest, so that is done only if they are asked for. */
void td_list_text(td_list_what what, td_format format, td_text *text)
{
    const bool is_array = format == TD_FORMAT_JSON, is_lines = format == TD_FORMAT_JSONL;
    const list l = {text, !is_array && !is_lines, what == TD_LIST_ENGINES,
                    is_array ? ",\n " : "\n"};
    td_text_add(text, is_array ? "[" : "");
    if (what == TD_LIST_ALL || what == TD_LIST_STRATEGIES) {
        add_all(&l, &strategies, td_strategy_count);
    }
    if (what == TD_LIST_ALL || what == TD_LIST_WORKLOADS) {
        size_t count = 0;
        while (td_parameter_option(count) != NULL) {
            count++;
        }
        add_all(&l, &workloads, td_workload_count);
        add_all(&l, &parameters, count);
    }
    if (what == TD_LIST_DEVICES) {
        td_error none = {"no engine has devices"};
        const size_t found = find_devices(&none);
        if (l.is_text && found == 0) {
            td_text_print(text, "%s\n", none.text);
        } else {
            add_all(&l, &gpus, found);
        }
    }
    if (what == TD_LIST_ALL || what == TD_LIST_ENGINES) {
        add_all(&l, &engines, td_engine_count);
    }
    td_text_add(text, is_array ? "]\n" : is_lines && text->size > 0 ? "\n" : "");
}

td_status td_list(const td_options *options, td_error *error)
{
    const td_format format =
        td_option_is_given(options, "format") ? options->format : TD_FORMAT_TABLE;
    td_text text = {0};
    td_list_text(options->list_what, format, &text);
    return td_terminal_print(&text, "--list", error);
}
