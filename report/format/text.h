/*
 * text.h - text that grows, numbers and times in the form of every output.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Start zeroed, release with td_text_free. After memory ran out, `failed` is set and additions are dropped. */
typedef struct td_text {
    char *data; /* ends in 0; NULL while nothing was added */
    size_t size;
    size_t capacity;
    bool failed;
} td_text;

enum { TD_NUMBER_SIZE = 40 };

/* Digits of a measured value: more than any clock resolves, few enough to read. */
enum { TD_DIGITS_MEASURED = 9, TD_DIGITS_ALL = 17 };

void td_text_add(td_text *text, const char *words);
void td_text_add_bytes(td_text *text, const char *bytes, size_t size);
void td_text_print(td_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void td_text_free(td_text *text);

/*
 * td_number_text - a double as in JSON and CSV, with a decimal point, since nothing in the program calls setlocale.
 *
 * Input   digits: significant digits; TD_DIGITS_ALL is the shortest text that reads back as the same double
 * Output  buffer: empty when the value is NaN or infinite, which neither format can hold
 */
void td_number_text(double value, int digits, char buffer[TD_NUMBER_SIZE]);

/* A time in seconds since 1970 as ISO 8601 in UTC with milliseconds: "2025-11-20T10:00:00.000Z"; empty for 0, an unknown
 * time. */
void td_time_text(double unix_s, char buffer[TD_NUMBER_SIZE]);
