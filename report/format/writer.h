/*
 * writer.h - members with their values, in one pass: as a JSON object or as a row of CSV.
 *
 * In CSV a member is a column, named by its path, such as "environment.host.name"; the names are written in a pass of
 * their own. NaN, infinity, a NULL text and "" are null, in CSV empty.
 *
 * When memory runs out, the text's `failed` is set.
 */
#pragma once

#include "engine/core/stats.h"
#include "strategies/map.h"
#include "text.h"

typedef enum td_writing {
    TD_JSON_LINE,     /* an object on one line */
    TD_JSON_DOCUMENT, /* members without the braces around them, each on a line of its own */
    TD_CSV_NAMES,     /* CSV: the columns */
    TD_CSV_ROW        /* CSV: the values, quoted according to RFC 4180 */
} td_writing;

typedef struct td_writer {
    td_text *text;
    td_writing writing;
    const char *prefix; /* CSV: in front of the name of a column */
    const char *section;
    size_t depth;     /* JSON: the bytes of the section's path whose objects are open */
    bool is_absent;   /* the section is null */
    bool has_members; /* the innermost open object; in CSV the row */
} td_writer;

td_writer td_writer_open(td_text *text, td_writing writing);
void td_writer_close(td_writer *w);

bool td_writer_is_csv(const td_writer *w);

/* Begin an object, a path such as "environment.host", or go on with one that the last is in: what follows are its
 * members. "" is the outermost. An object that does not exist is null; in CSV each of its members is. */
void td_section(td_writer *w, const char *path, bool exists);

void td_put_null(td_writer *w, const char *name);
void td_put_bool(td_writer *w, const char *name, bool value);

/* 1, 0, or negative, which is null. */
void td_put_maybe(td_writer *w, const char *name, int value);

/* Malformed UTF-8 becomes U+FFFD. */
void td_put_text(td_writer *w, const char *name, const char *value);

/* Exact: above 2^53, where readers that keep doubles go wrong, JSON has a string of digits. */
void td_put_u64(td_writer *w, const char *name, uint64_t value);

/* Likewise; null if it is unknown: if `known` is false, or the amount is 0. */
void td_put_count(td_writer *w, const char *name, bool known, uint64_t count);
void td_put_amount(td_writer *w, const char *name, uint64_t amount);

/* With the digits of a measured value, or with all. */
void td_put_double(td_writer *w, const char *name, double value);
void td_put_exact_double(td_writer *w, const char *name, double value);

/* A value that was not measured is 0 or negative: null. */
void td_put_measured(td_writer *w, const char *name, double value);

/* An array; in CSV one field with blanks between the numbers. */
void td_put_doubles(td_writer *w, const char *name, const double *values, size_t count);

/* An array; in CSV a column for each element: x, y and z, or low and high. */
void td_put_dim3(td_writer *w, const char *name, td_dim3 value);
void td_put_interval(td_writer *w, const char *name, td_interval value);

/* JSON as it is, in CSV likewise. */
void td_put_raw(td_writer *w, const char *name, const char *json);

/* ---- arrays of texts and objects ---- */

/* Begin the next element of an array whose text starts empty. The element itself follows. */
void td_next_element(td_text *array);

void td_add_string(td_text *array, const char *words);

/* End the array, put it, and free its text. */
void td_put_array(td_writer *w, const char *name, td_text *array);
