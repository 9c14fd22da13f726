/* document.c - the facts around the runs, in each format. */
#include "document.h"

#include <math.h>
#include <stdio.h>

#include "engine/compile/source.h"
#include "report/build.h"

/* ---- the machine, the device and the build ---- */

static void put_host(td_writer *w, const td_environment *e)
{
    td_section(w, "environment.host", true);
    td_put_text(w, "name", e->host);
    td_put_text(w, "os", e->os);
    td_put_text(w, "kernel", e->kernel);
    td_put_double(w, "load", e->load >= 0 ? e->load : NAN);
    td_put_double(w, "running", e->running >= 0 ? e->running : NAN);
    td_section(w, "environment.cpu", true);
    td_put_text(w, "model", e->cpu_model);
    td_put_amount(w, "cores", e->cpu_cores);
    td_put_amount(w, "threads", e->cpu_threads);
    td_put_text(w, "isa", e->cpu_isa);
    td_put_amount(w, "memory_bytes", e->memory_bytes);
    td_put_amount(w, "cache_bytes", e->cpu_cache_bytes);
    td_put_text(w, "governor", e->cpu_governor);
    td_put_maybe(w, "turbo", e->cpu_turbo);
}

void td_put_gpu(td_writer *w, const td_environment *e)
{
    char capability[32];
    snprintf(capability, sizeof capability, "%d.%d", e->compute_major, e->compute_minor);
    td_put_text(w, "uuid", e->gpu_uuid);
    td_put_text(w, "pci_id", e->gpu_pci_id);
    td_put_text(w, "compute_capability", capability);
    td_put_amount(w, "sms", e->sms);
    td_put_amount(w, "memory_bytes", e->gpu_memory_bytes);
    td_put_amount(w, "l2_bytes", e->l2_bytes);
}

static void put_gpu(td_writer *w, const td_environment *e)
{
    char runtime[32] = "";
    if (e->runtime_version > 0) { /* 13000 is CUDA 13.0 */
        snprintf(runtime, sizeof runtime, "%d.%d", e->runtime_version / 1000,
                 e->runtime_version % 1000 / 10);
    }
    td_section(w, "environment.gpu", e->has_gpu);
    td_put_text(w, "name", e->gpu_name);
    td_put_gpu(w, e);
    td_put_maybe(w, "ecc", e->ecc);
    td_put_text(w, "driver", e->driver_name);
    td_put_text(w, "runtime", runtime);
}

static void put_peaks(td_writer *w, const td_environment *e)
{
    td_section(w, "environment.peak_bandwidth", true);
    td_put_measured(w, "fill_gb_per_s", e->peaks.fill_gb_per_s);
    td_put_measured(w, "copy_gb_per_s", e->peaks.copy_gb_per_s);
    td_put_amount(w, "fill_bytes", (uint64_t)e->peaks.fill_bytes);
    td_put_amount(w, "copy_bytes", (uint64_t)e->peaks.copy_bytes);
    td_section(w, "environment.peak_arithmetic", true);
    td_put_measured(w, "fp32_gop_per_s", e->peaks.fp32_gop_per_s);
    td_put_measured(w, "fp64_gop_per_s", e->peaks.fp64_gop_per_s);
    td_put_measured(w, "int32_gop_per_s", e->peaks.int32_gop_per_s);
    td_put_measured(w, "tensor_gop_per_s", e->peaks.tensor_gop_per_s);
    td_section(w, "environment", true);
    td_put_measured(w, "idle_power_w", e->idle_power_w);
}

static void put_build(td_writer *w)
{
    td_section(w, "environment.build", true);
    td_put_text(w, "compiler", td_build()->compiler);
    td_put_text(w, "flags", td_build()->flags);
    td_put_text(w, "cuda", td_build()->cuda);
    td_put_text(w, "git_commit", td_build()->commit);
    if (td_workload_count > TD_WORKLOAD_COUNT) {
        td_put_text(w, "own_compiler", td_compiler_name());
    }
}

/* Only what is listed here: of the process environment only $CC. */
static void put_environment(td_writer *w, const td_environment *e)
{
    char device[TD_DEVICE_SIZE];
    td_device_of(e, device);
    put_host(w, e);
    put_gpu(w, e);
    td_section(w, "environment", true);
    td_put_text(w, "device", device);
    put_peaks(w, e);
    put_build(w);
}

/* When it ended, and device work, by kind, next to the total: the time outside of it is the cost of the tool itself. */
static void put_end(td_writer *w, const td_document *document)
{
    const td_timing *t = &document->timing;
    const double device_s = t->verify_s + t->warm_up_s + t->sample_s;
    td_put_text(w, "finished", document->finished.text);
    td_section(w, "timing", true);
    td_put_double(w, "wall_s", t->wall_s);
    td_put_double(w, "device_s", device_s);
    td_put_double(w, "verify_s", t->verify_s);
    td_put_double(w, "warm_up_s", t->warm_up_s);
    td_put_double(w, "sample_s", t->sample_s);
    td_put_double(w, "outside_s", fmax(t->wall_s - device_s, 0.0));
}

/* List the runs by key, so that a merge of the shards can say which are missing. */
static void put_shard(td_writer *w, const td_sweep *sweep)
{
    td_text keys = {0};
    char digest[TD_DIGEST_SIZE];
    td_section(w, "shard", sweep != NULL);
    if (sweep == NULL) {
        return;
    }
    td_digest_text(sweep->shard.digest, digest);
    td_put_u64(w, "index", sweep->shard.index);
    td_put_u64(w, "count", sweep->shard.count);
    td_put_text(w, "sweep", digest);
    td_put_u64(w, "sweep_runs", sweep->shard.runs);
    for (size_t r = 0; r < sweep->run_count; r++) {
        td_next_element(&keys);
        td_add_string(&keys, sweep->runs[r].key);
    }
    td_put_array(w, "runs", &keys);
}

static void put_head(td_writer *w, const td_document *document)
{
    td_text command = {0};
    const td_options *options = document->options;
    td_section(w, "schema", true);
    td_put_text(w, "name", "tribench");
    td_put_u64(w, "major", TD_SCHEMA_MAJOR);
    td_put_u64(w, "minor", TD_SCHEMA_MINOR);
    td_section(w, "tool", true);
    td_put_text(w, "name", "tribench");
    td_put_text(w, "version", td_build()->version);
    td_put_text(w, "git_commit", td_build()->commit);
    td_section(w, "", true);
    for (int i = 0; i < options->argc; i++) {
        td_next_element(&command);
        td_add_string(&command, options->argv[i]);
    }
    td_put_array(w, "command", &command);
    td_section(w, "labels", true);
    for (size_t i = 0; i < options->label_count; i++) {
        td_put_text(w, options->labels[i].name, options->labels[i].text);
    }
    if (!td_writer_is_csv(w)) { /* it is of no use in every row */
        put_shard(w, document->shard);
    }
    td_section(w, "", true);
    td_put_text(w, "started", document->started.text);
    put_environment(w, &document->environment);
}

/* ---- a JSON document: one member or run per line, so that a diff of two results, or grep, still works ---- */

static void json_begin(const td_document *document, td_text *text)
{
    td_writer w = td_writer_open(text, TD_JSON_DOCUMENT);
    td_text_add(text, "{");
    put_head(&w, document);
    td_section(&w, "", true);
    td_put_raw(&w, "runs", "[");
}

static uint64_t runs_of(const td_document *document)
{
    uint64_t runs = 0;
    for (int s = 0; s < TD_RUN_STATUS_COUNT; s++) {
        runs += document->counts[s];
    }
    return runs;
}

static void json_runs(const td_document *document, const td_record *records, size_t count,
                      td_text *text)
{
    const char *between = runs_of(document) > 0 ? ",\n  " : "\n  ";
    for (size_t i = 0; i < count; i++, between = ",\n  ") {
        td_text_add(text, between);
        td_writer w = td_writer_open(text, TD_JSON_LINE);
        td_put_fields(&w, &records[i]);
        td_writer_close(&w);
    }
}

static void json_end(const td_document *document, td_text *text)
{
    td_text_add(text, runs_of(document) > 0 ? "\n ],\n " : "],\n ");
    td_writer w = td_writer_open(text, TD_JSON_DOCUMENT);
    put_end(&w, document);
    td_writer_close(&w);
    td_text_add(text, "}\n");
}

/* ---- jsonl ---- */

static td_writer open_line(td_text *text, const char *type)
{
    td_writer w = td_writer_open(text, TD_JSON_LINE);
    td_put_text(&w, "type", type);
    return w;
}

static void close_line(td_writer *w)
{
    td_writer_close(w);
    td_text_add(w->text, "\n");
}

static void jsonl_begin(const td_document *document, td_text *text)
{
    td_writer w = open_line(text, "header");
    put_head(&w, document);
    close_line(&w);
}

static void jsonl_runs(const td_document *document, const td_record *records, size_t count,
                       td_text *text)
{
    (void)document;
    for (size_t i = 0; i < count; i++) {
        td_writer w = open_line(text, "run");
        td_put_fields(&w, &records[i]);
        close_line(&w);
    }
}

static void jsonl_end(const td_document *document, td_text *text)
{
    td_writer w = open_line(text, "footer");
    put_end(&w, document);
    td_section(&w, "", true);
    td_put_u64(&w, "runs", runs_of(document));
    td_section(&w, "status_counts", true);
    for (int s = 0; s < TD_RUN_STATUS_COUNT; s++) {
        td_put_u64(&w, td_run_status_names[s], document->counts[s]);
    }
    close_line(&w);
}

/* ---- CSV ---- */

/* What all rows share. */
static void end_row(td_writer *w, const td_document *document)
{
    char device[TD_DEVICE_SIZE];
    td_device_of(&document->environment, device);
    td_section(w, "", true);
    td_put_text(w, "device", device);
    td_put_text(w, "host", document->environment.host);
    td_put_text(w, "version", td_build()->version);
    w->prefix = "document.";
    put_head(w, document);
    td_writer_close(w);
}

/* The columns are paths in the JSON of the run, then the device, the host and the version, then paths in the document
 * around it, such as "document.started". */
static void csv_begin(const td_document *document, td_text *text)
{
    const td_run run = {
        .strategy = td_strategies[0], .workload = td_workloads[0], .engine = td_engines[0]};
    const td_result result = {0};
    td_writer w = td_writer_open(text, TD_CSV_NAMES);
    td_put_fields(&w, &(td_record){.run = &run, .result = &result});
    end_row(&w, document);
}

static void csv_runs(const td_document *document, const td_record *records, size_t count,
                     td_text *text)
{
    for (size_t i = 0; i < count; i++) {
        td_writer w = td_writer_open(text, TD_CSV_ROW);
        td_put_fields(&w, &records[i]);
        end_row(&w, document);
    }
}

const td_document_form td_document_forms[TD_FORMAT_MD + 1] = {
    [TD_FORMAT_JSON] = {json_begin, json_runs, json_end},
    [TD_FORMAT_JSONL] = {jsonl_begin, jsonl_runs, jsonl_end},
    [TD_FORMAT_CSV] = {csv_begin, csv_runs, NULL},
};
