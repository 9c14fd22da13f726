/*
 * error.h - how a function that can fail says why.
 *
 * core/ holds what every other room needs, and needs none of them: errors, text, values, clock, pipes, signals, and the
 * vocabulary of a sweep (run.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of failure, in the order of the exit statuses of the command line. */
typedef enum td_status {
    TD_OK = 0,
    TD_FAILED = 1,      /* an error at run time, or a result that could not be written */
    TD_USAGE = 2,       /* a command line or an input that makes no sense */
    TD_WRONG = 3,       /* a verification failed */
    TD_UNAVAILABLE = 4, /* the engine or the device is not available */
    TD_NO_MEMORY = 5
} td_status;

/* One sentence for a person: what was expected and what was found. */
typedef struct td_error {
    char text[1024];
} td_error;

/* Print one escaped line on standard error, which begins with the program's name. */
void td_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Write the sentence, escaped, and return `status`, so that a caller can `return td_fail(...)`. error may be NULL. */
td_status td_fail(td_error *error, td_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * td_allocate - zeroed memory for `count` elements of `size` bytes.
 *
 * Output  memory: the address of the caller's pointer, which is NULL after an error; free() it
 * Errors  TD_NO_MEMORY; the format says what the memory is for
 */
td_status td_allocate(void *memory, uint64_t count, uint64_t size, td_error *error,
                      const char *format, ...) __attribute__((format(printf, 5, 6)));

/*
 * td_append - append a copy of an item to an array whose count is all the state that it needs.
 *
 * Input   items: the address of the array's pointer, which is NULL at first and may change; count: items in use; size:
 *         of an item [bytes]
 * Output  whether there was memory; if not, array and count are unchanged
 */
bool td_append(void *items, size_t *count, size_t size, const void *item);

/* Put the option in front of a sentence about its value, unless `status` is TD_OK; returns `status`. */
td_status td_name_option(td_error *error, td_status status, const char *option);

#ifdef __cplusplus
}
#endif

/* Return from the caller when a call fails; the callee has put the sentence in `error`. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        const td_status try_status_ = (call);                                                      \
        if (try_status_ != TD_OK) {                                                                \
            return try_status_;                                                                    \
        }                                                                                          \
    } while (0)
