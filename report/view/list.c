#include "list.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"

enum { LINE_SIZE = 64 };

static bool lists(td_list_what what, td_list_what kind, const td_list_facts *facts)
{
    if (what == TD_LIST_ALL) {
        return kind != TD_LIST_DEVICES || facts->devices != NULL;
    }
    return what == kind;
}

/* "exact to 1920 tiles a side" */
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

static void print_workloads(FILE *out)
{
    fprintf(out, "%-12s %-3s %-7s %-7s %-44s %s\n", "WORKLOAD", "DIM", "OUTPUT", "LAYOUTS", "INPUT",
            "SUMMARY");
    for (size_t i = 0; i < td_workload_count; i++) {
        const td_workload *w = td_workloads[i];
        fprintf(out, "%-12s %dD  %-7s %-7s %-44s %s\n", w->name, w->dimension,
                w->proven_by_cover ? "-" : td_element_numpy(w->element),
                w->has_layouts ? "both" : "-", w->input != NULL ? w->input : "-", w->summary);
    }
}

/* Why an engine cannot be used here; empty when it can, or was not asked. */
static td_error reason_of(const td_engine_ops *engine, const td_list_facts *facts)
{
    td_error why = {""};
    if (facts->probe && engine->usable != NULL && engine->usable(NULL, &why)) {
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

static void add_text(cJSON *object, const char *name, const char *text)
{
    if (text != NULL && text[0] != '\0') {
        cJSON_AddStringToObject(object, name, text);
    } else {
        cJSON_AddNullToObject(object, name);
    }
}

/* Beyond 2^53 as text: a double holds no more. */
static void add_u64(cJSON *object, const char *name, uint64_t value)
{
    char text[32];
    const bool exact = value <= (1ull << 53);
    snprintf(text, sizeof text, exact ? "%llu" : "\"%llu\"", (unsigned long long)value);
    cJSON_AddRawToObject(object, name, text);
}

static cJSON *object_of(const char *kind, const char *name)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "kind", kind);
    add_text(object, "name", name);
    return object;
}

static cJSON *strategy_object(const td_strategy *s)
{
    cJSON *object = object_of("strategy", s->name);
    cJSON *aliases = cJSON_AddArrayToObject(object, "aliases");
    const bool threads = s->unit == TD_MAPS_THREADS;
    if (s->alias != NULL) {
        cJSON_AddItemToArray(aliases, cJSON_CreateString(s->alias));
    }
    cJSON_AddNumberToObject(object, "dimension", s->dimension);
    cJSON_AddStringToObject(object, "maps", threads ? "thread" : "block");
    cJSON_AddItemToObject(object, "exact_tiles",
                          threads ? cJSON_CreateNull() : cJSON_CreateNumber(s->exact_n));
    cJSON_AddItemToObject(object, "exact_cells",
                          threads ? cJSON_CreateNumber(s->exact_n) : cJSON_CreateNull());
    cJSON_AddBoolToObject(object, "tree", s->tree != NULL);
    cJSON_AddBoolToObject(object, "cutoff", s->uses_cutoff);
    add_text(object, "summary", s->summary);
    add_text(object, "source", s->source);
    return object;
}

static cJSON *workload_object(const td_workload *w)
{
    cJSON *object = object_of("workload", w->name);
    cJSON_AddNumberToObject(object, "dimension", w->dimension);
    add_text(object, "output", w->proven_by_cover ? NULL : td_element_numpy(w->element));
    cJSON_AddBoolToObject(object, "layouts", w->has_layouts);
    cJSON_AddBoolToObject(object, "steps", w->generations > 0);
    add_text(object, "input", w->input);
    add_text(object, "summary", w->summary);
    return object;
}

static cJSON *device_object(const td_environment *d)
{
    char compute[LINE_SIZE];
    cJSON *object = object_of("device", d->gpu_name);
    snprintf(compute, sizeof compute, "%d.%d", d->compute_major, d->compute_minor);
    cJSON_AddNumberToObject(object, "ordinal", d->ordinal);
    add_text(object, "uuid", d->gpu_uuid);
    add_text(object, "pci_id", d->gpu_pci_id);
    add_text(object, "compute_capability", compute);
    cJSON_AddNumberToObject(object, "sms", d->sms);
    add_u64(object, "memory_bytes", d->gpu_memory_bytes);
    add_u64(object, "l2_bytes", d->l2_bytes);
    return object;
}

static cJSON *engine_object(const td_engine_ops *e, const td_list_facts *facts)
{
    cJSON *object = object_of("engine", e->name);
    add_text(object, "memory", memory_of(e));
    cJSON_AddBoolToObject(object, "graphs", e->can.graphs);
    cJSON_AddBoolToObject(object, "trees", e->can.trees);
    cJSON_AddBoolToObject(object, "tile_kernels", e->can.tile_kernels);
    cJSON_AddBoolToObject(object, "energy", e->can.energy);
    add_text(object, "summary", e->summary);
    add_text(object, "reason", reason_of(e, facts).text);
    return object;
}

static void add_kind(cJSON *array, td_list_what kind, const td_list_facts *facts)
{
    if (kind == TD_LIST_STRATEGIES) {
        for (size_t i = 0; i < td_strategy_count; i++) {
            cJSON_AddItemToArray(array, strategy_object(td_strategies[i]));
        }
    } else if (kind == TD_LIST_WORKLOADS) {
        for (size_t i = 0; i < td_workload_count; i++) {
            cJSON_AddItemToArray(array, workload_object(td_workloads[i]));
        }
    } else if (kind == TD_LIST_DEVICES) {
        for (size_t i = 0; i < facts->device_count; i++) {
            cJSON_AddItemToArray(array, device_object(&facts->devices[i]));
        }
    } else {
        for (size_t i = 0; i < td_engine_count; i++) {
            cJSON_AddItemToArray(array, engine_object(td_engines[i], facts));
        }
    }
}

static bool print_item(FILE *out, const cJSON *item, bool indented)
{
    char *text = indented ? cJSON_Print(item) : cJSON_PrintUnformatted(item);
    if (text == NULL) {
        return false;
    }
    fprintf(out, "%s\n", text);
    cJSON_free(text);
    return true;
}

static td_status print_json(FILE *out, td_list_what what, bool lines, const td_list_facts *facts,
                            td_error *error)
{
    cJSON *array = cJSON_CreateArray();
    bool printed = array != NULL;
    for (td_list_what kind = TD_LIST_STRATEGIES; kind <= TD_LIST_ENGINES; kind++) {
        if (lists(what, kind, facts)) {
            add_kind(array, kind, facts);
        }
    }
    if (lines) {
        for (const cJSON *item = array != NULL ? array->child : NULL; item != NULL;
             item = item->next) {
            printed = print_item(out, item, false) && printed;
        }
    } else {
        printed = printed && print_item(out, array, true);
    }
    cJSON_Delete(array);
    return printed ? TD_OK : td_fail(error, TD_NO_MEMORY, "not enough memory for --list");
}

td_status td_list_print(FILE *out, td_list_what what, td_format format, const td_list_facts *facts,
                        td_error *error)
{
    if (format == TD_FORMAT_JSON || format == TD_FORMAT_JSONL) {
        const td_status status = print_json(out, what, format == TD_FORMAT_JSONL, facts, error);
        if (status != TD_OK) {
            return status;
        }
    } else {
        print_text(out, what, facts);
    }
    return fflush(out) == 0 && !ferror(out)
               ? TD_OK
               : td_fail(error, TD_FAILED, "the list could not be written");
}

/* Of all engines that have devices, one engine after the other. */
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

td_status td_list(FILE *out, const td_options *options, td_error *error)
{
    enum { MOST = 64 };
    static td_environment devices[MOST];
    const td_format format =
        td_option_is_given(options, "format") ? options->format : TD_FORMAT_TABLE;
    td_error why = {"no engine has devices"};
    td_list_facts facts = {.probe = options->list_what == TD_LIST_ENGINES};
    if (options->list_what == TD_LIST_DEVICES) {
        facts.devices = devices;
        facts.device_count = find_devices(devices, MOST, &why);
        facts.no_devices = why.text;
    }
    return td_list_print(out, options->list_what, format, &facts, error);
}
