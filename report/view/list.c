/* list.c - --list: tables for people, a JSON array or lines of objects for programs. */
#include "list.h"

#include "engine/core/parameter.h"
#include "engine/options/parameters.h"
#include "engine/engine.h"
#include "report/format/json_value.h"
#include "report/terminal.h"

enum { LINE_SIZE = 64, ACCEPTED_SIZE = 160 };

static bool lists(td_list_what what, td_list_what kind, const td_list_facts *facts)
{
    if (what == TD_LIST_ALL) {
        return kind != TD_LIST_DEVICES || facts->devices != NULL;
    }
    return what == kind;
}

/* "n <= 1920 tiles" */
static void describe_range(const td_strategy *s, char text[LINE_SIZE])
{
    snprintf(text, LINE_SIZE, "n <= %u %s", s->exact_n,
             s->unit == TD_MAPS_THREADS ? "cells" : "tiles");
}

/* ---- text ---- */

static void print_strategies(FILE *out)
{
    fprintf(out, "%-12s %-5s %-3s %-7s %-18s %s\n", "STRATEGY", "ALIAS", "DIM", "MAPS", "EXACT",
            "SUMMARY");
    for (size_t i = 0; i < td_strategy_count; i++) {
        const td_strategy *s = td_strategies[i];
        char range[LINE_SIZE];
        describe_range(s, range);
        fprintf(out, "%-12s %-5s %dD  %-7s %-18s %s\n", s->name, s->alias != NULL ? s->alias : "-",
                s->dimension, s->unit == TD_MAPS_THREADS ? "threads" : "blocks", range, s->summary);
    }
}

/* "             --steps G          0..1000000 generations, default 100: ..." */
static void print_parameters(FILE *out, const td_workload *w)
{
    for (size_t p = 0; p < w->parameter_count; p++) {
        const td_parameter *row = &w->parameters[p];
        char usage[TD_SETTING_SIZE], accepted[ACCEPTED_SIZE];
        td_setting_text(row->name, row->argument, usage);
        td_parameter_accepted(row, accepted, sizeof accepted);
        fprintf(out, "%-12s %-18s %s%s%s, default %s: %s\n", "", usage, accepted,
                row->unit != NULL ? " " : "", row->unit != NULL ? row->unit : "", row->preset,
                row->help);
    }
}

static const char *finding_type(const td_workload *w)
{
    return w->finding.kind == TD_FINDS_COUNT ? "count" : "real";
}

static const char *layouts_of(const td_workload *w)
{
    const bool blocked = td_workload_has_blocked(w);
    return w->traits.has_layouts ? (blocked ? "all" : "both") : blocked ? "blocked" : "-";
}

static void print_workloads(FILE *out)
{
    fprintf(out, "%-12s %-3s %-7s %-7s %-44s %s\n", "WORKLOAD", "DIM", "OUTPUT", "LAYOUTS", "INPUT",
            "SUMMARY");
    for (size_t i = 0; i < td_workload_count; i++) {
        const td_workload *w = td_workloads[i];
        fprintf(out, "%-12s %dD  %-7s %-7s %-44s %s\n", w->name, w->dimension,
                w->traits.proven_by_count ? "-" : td_element_numpy(w->element), layouts_of(w),
                td_workload_takes_input(w) ? w->input->takes : "-", w->summary);
        print_parameters(out, w);
        if (w->finding.kind != TD_FINDS_NOTHING) {
            fprintf(out, "%-12s finds %s (%s)\n", "", w->finding.name, finding_type(w));
        }
    }
}

/* Why an engine cannot be used here; empty if it can, or if it was not probed. */
static td_error reason_of(const td_engine_ops *engine, const td_list_facts *facts)
{
    td_error why = {""};
    if (facts->probe && engine->usable != NULL && engine->usable(&why)) {
        why.text[0] = '\0';
    }
    return why;
}

static const char *memory_of(const td_engine_ops *engine)
{
    return engine->can.device_memory ? "device" : "host";
}

static void print_engines(FILE *out, const td_list_facts *facts)
{
    fprintf(out, "%-12s %-6s %-6s %-5s %-5s %-6s %s\n", "ENGINE", "MEMORY", "GRAPHS", "TREES",
            "TILES", "ENERGY", "SUMMARY");
    for (size_t i = 0; i < td_engine_count; i++) {
        const td_engine_ops *e = td_engines[i];
        const td_error reason = reason_of(e, facts);
        fprintf(out, "%-12s %-6s %-6s %-5s %-5s %-6s %s%s%s\n", e->name, memory_of(e),
                e->can.graphs ? "yes" : "-", e->can.trees ? "yes" : "-",
                e->can.tile_kernels ? "yes" : "-", e->can.energy ? "yes" : "-", e->summary,
                reason.text[0] != '\0' ? "; not here: " : "", reason.text);
    }
}

static void print_devices(FILE *out, const td_list_facts *facts)
{
    if (facts->device_count == 0) {
        fprintf(out, "%s\n", facts->no_devices);
        return;
    }
    fprintf(out, "%-6s %-40s %-42s %-4s %-4s %s\n", "DEVICE", "NAME", "UUID", "CC", "SMS",
            "MEMORY");
    for (size_t i = 0; i < facts->device_count; i++) {
        const td_environment *d = &facts->devices[i];
        fprintf(out, "%-6u %-40s %-42s %d.%d  %-4u %.1f GiB\n", d->ordinal, d->gpu_name,
                d->gpu_uuid, d->compute_major, d->compute_minor, d->sms,
                (double)d->gpu_memory_bytes / (1024.0 * 1024.0 * 1024.0));
    }
}

static void print_text(FILE *out, td_list_what what, const td_list_facts *facts)
{
    const char *between = "";
    for (td_list_what kind = TD_LIST_STRATEGIES; kind <= TD_LIST_ENGINES; kind++) {
        if (!lists(what, kind, facts)) {
            continue;
        }
        fputs(between, out);
        between = "\n";
        switch (kind) {
        case TD_LIST_STRATEGIES:
            print_strategies(out);
            break;
        case TD_LIST_WORKLOADS:
            print_workloads(out);
            break;
        case TD_LIST_DEVICES:
            print_devices(out, facts);
            break;
        default:
            print_engines(out, facts);
        }
    }
}

/* ---- JSON ---- */

/* Objects that follow each other in `text`, separated by `between`. */
typedef struct object_list {
    td_text text;
    const char *between;
    bool failed;
} object_list;

static td_json_object begin(object_list *list, const char *kind, const char *name)
{
    const td_json_object object = td_json_new(&list->failed);
    td_json_add_text(object, "kind", kind);
    td_json_add_text(object, "name", name);
    return object;
}

static void end(object_list *list, td_json_object object)
{
    td_text_add(&list->text, list->text.size > 0 ? list->between : "");
    td_json_finish(object, &list->text);
}

static void add_strategy(object_list *list, const td_strategy *s)
{
    const bool threads = s->unit == TD_MAPS_THREADS;
    const td_json_object object = begin(list, "strategy", s->name);
    const td_json_object aliases = td_json_add_array(object, "aliases");
    if (s->alias != NULL) {
        td_json_append_text(aliases, s->alias);
    }
    td_json_add_u64(object, "dimension", (uint64_t)s->dimension);
    td_json_add_text(object, "maps", threads ? "thread" : "block");
    td_json_add_known_u64(object, "exact_tiles", threads ? 0 : s->exact_n);
    td_json_add_known_u64(object, "exact_cells", threads ? s->exact_n : 0);
    td_json_add_bool(object, "tree", s->tree != NULL);
    td_json_add_bool(object, "cutoff", s->uses_cutoff);
    td_json_add_text(object, "summary", s->summary);
    td_json_add_text(object, "source", s->source);
    end(list, object);
}

static void add_choices(td_json_object object, const td_parameter *row)
{
    if (row->kind != TD_PARAMETER_CHOICE) {
        td_json_add_null(object, "choices");
        return;
    }
    const td_json_object choices = td_json_add_array(object, "choices");
    for (uint64_t place = 0; place < td_parameter_choices(row); place++) {
        const td_value value = {.count = place};
        char word[TD_VALUE_SIZE];
        td_parameter_text(row, value, word);
        td_json_append_text(choices, word);
    }
}

/* As in a record's "parameters": numbers are numbers, digits and choices are text. */
static void add_range(td_json_object object, const td_parameter *row)
{
    td_value preset = {0};
    const bool is_number = row->kind == TD_PARAMETER_COUNT || row->kind == TD_PARAMETER_REAL;
    if (!is_number) {
        td_json_add_null(object, "low");
        td_json_add_null(object, "high");
        td_json_add_text(object, "default", row->preset);
        return;
    }
    (void)td_parameter_parse(row, row->preset, &preset, NULL);
    td_json_add_u64(object, "low", row->low);
    td_json_add_u64(object, "high", row->high);
    if (row->kind == TD_PARAMETER_COUNT) {
        td_json_add_u64(object, "default", preset.count);
    } else {
        td_json_add_double(object, "default", preset.real, TD_DIGITS_ALL);
    }
}

static void add_parameter(td_json_object parameters, const td_parameter *row)
{
    static const char *const kinds[] = {[TD_PARAMETER_COUNT] = "count",
                                        [TD_PARAMETER_REAL] = "real",
                                        [TD_PARAMETER_DIGITS] = "digits",
                                        [TD_PARAMETER_CHOICE] = "choice"};
    const td_json_object object = td_json_append_object(parameters);
    td_json_add_text(object, "name", row->name);
    td_json_add_text(object, "kind", kinds[row->kind]);
    add_choices(object, row);
    add_range(object, row);
    td_json_add_text(object, "unit", row->unit);
    td_json_add_text(object, "help", row->help);
}

static void add_finding(td_json_object object, const td_workload *w)
{
    if (w->finding.kind == TD_FINDS_NOTHING) {
        td_json_add_null(object, "finding");
        return;
    }
    const td_json_object finding = td_json_add_object(object, "finding");
    td_json_add_text(finding, "name", w->finding.name);
    td_json_add_text(finding, "type", finding_type(w));
}

static void add_workload(object_list *list, const td_workload *w)
{
    const td_json_object object = begin(list, "workload", w->name);
    td_json_add_u64(object, "dimension", (uint64_t)w->dimension);
    td_json_add_text(object, "output",
                     w->traits.proven_by_count ? NULL : td_element_numpy(w->element));
    td_json_add_bool(object, "layouts", w->traits.has_layouts);
    td_json_add_bool(object, "blocked", td_workload_has_blocked(w));
    td_json_add_text(object, "input", td_workload_takes_input(w) ? w->input->takes : NULL);
    const td_json_object parameters = td_json_add_array(object, "parameters");
    for (size_t p = 0; p < w->parameter_count; p++) {
        add_parameter(parameters, &w->parameters[p]);
    }
    add_finding(object, w);
    td_json_add_text(object, "summary", w->summary);
    end(list, object);
}

static void add_device(object_list *list, const td_environment *d)
{
    char compute[LINE_SIZE];
    const td_json_object object = begin(list, "device", d->gpu_name);
    snprintf(compute, sizeof compute, "%d.%d", d->compute_major, d->compute_minor);
    td_json_add_u64(object, "ordinal", d->ordinal);
    td_json_add_text(object, "uuid", d->gpu_uuid);
    td_json_add_text(object, "pci_id", d->gpu_pci_id);
    td_json_add_text(object, "compute_capability", compute);
    td_json_add_u64(object, "sms", d->sms);
    td_json_add_u64(object, "memory_bytes", d->gpu_memory_bytes);
    td_json_add_u64(object, "l2_bytes", d->l2_bytes);
    end(list, object);
}

static void add_engine(object_list *list, const td_engine_ops *e, const td_list_facts *facts)
{
    const td_json_object object = begin(list, "engine", e->name);
    td_json_add_text(object, "memory", memory_of(e));
    td_json_add_bool(object, "graphs", e->can.graphs);
    td_json_add_bool(object, "trees", e->can.trees);
    td_json_add_bool(object, "tile_kernels", e->can.tile_kernels);
    td_json_add_bool(object, "energy", e->can.energy);
    td_json_add_text(object, "summary", e->summary);
    td_json_add_text(object, "reason", reason_of(e, facts).text);
    end(list, object);
}

static void add_kind(object_list *list, td_list_what kind, const td_list_facts *facts)
{
    if (kind == TD_LIST_STRATEGIES) {
        for (size_t i = 0; i < td_strategy_count; i++) {
            add_strategy(list, td_strategies[i]);
        }
    } else if (kind == TD_LIST_WORKLOADS) {
        for (size_t i = 0; i < td_workload_count; i++) {
            add_workload(list, td_workloads[i]);
        }
    } else if (kind == TD_LIST_DEVICES) {
        for (size_t i = 0; i < facts->device_count; i++) {
            add_device(list, &facts->devices[i]);
        }
    } else {
        for (size_t i = 0; i < td_engine_count; i++) {
            add_engine(list, td_engines[i], facts);
        }
    }
}

/* One object per line in both forms, so that grep still works. */
static td_status print_json(FILE *out, td_list_what what, bool lines, const td_list_facts *facts,
                            td_error *error)
{
    object_list list = {.between = lines ? "\n" : ",\n "};
    for (td_list_what kind = TD_LIST_STRATEGIES; kind <= TD_LIST_ENGINES; kind++) {
        if (lists(what, kind, facts)) {
            add_kind(&list, kind, facts);
        }
    }
    const bool failed = list.text.failed;
    const char *text = list.text.size > 0 ? list.text.data : "";
    if (!failed && !lines) {
        fprintf(out, "[%s]\n", text);
    } else if (!failed && text[0] != '\0') {
        fprintf(out, "%s\n", text);
    }
    td_text_free(&list.text);
    return failed ? td_fail(error, TD_NO_MEMORY, "not enough memory for --list") : TD_OK;
}

td_status td_list_print(FILE *out, td_list_what what, td_format format, const td_list_facts *facts,
                        td_error *error)
{
    if (format == TD_FORMAT_JSON || format == TD_FORMAT_JSONL) {
        TRY(print_json(out, what, format == TD_FORMAT_JSONL, facts, error));
    } else {
        print_text(out, what, facts);
    }
    return fflush(out) == 0 && !ferror(out)
               ? TD_OK
               : td_fail(error, TD_FAILED, "the list could not be written");
}

/* The devices of all engines, one engine after the other. */
static size_t find_devices(td_environment *devices, size_t capacity, td_error *why)
{
    size_t count = 0;
    for (size_t e = 0; e < td_engine_count; e++) {
        if (td_engines[e]->devices != NULL) {
            const size_t found = td_engines[e]->devices(devices + count, capacity - count, why);
            count += found < capacity - count ? found : capacity - count;
        }
    }
    return count;
}

td_status td_list(const td_options *options, td_error *error)
{
    enum { MOST = 64 };
    static td_environment devices[MOST];
    const td_format format =
        td_option_is_given(options, "format") ? options->format : TD_FORMAT_TABLE;
    td_words words;
    td_error why = {"no engine has devices"};
    td_list_facts facts = {.probe = options->list_what == TD_LIST_ENGINES};
    TRY(td_words_open(&words, format == TD_FORMAT_TABLE, error));
    if (options->list_what == TD_LIST_DEVICES) {
        facts.devices = devices;
        facts.device_count = find_devices(devices, MOST, &why);
        facts.no_devices = why.text;
    }
    const td_status status = td_list_print(words.stream, options->list_what, format, &facts, error);
    td_words_close(&words);
    return status;
}
