/* error.h - how a function that can fail says why. */
#ifndef TD_ENGINE_CORE_ERROR_H
#define TD_ENGINE_CORE_ERROR_H

#include "td.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Write the sentence and return `status`, so that a caller can `return td_fail(...)`. error may be NULL. */
td_status td_fail(td_error *error, td_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Put the option in front of a sentence about its value, unless `status` is TD_OK; returns `status`. */
td_status td_name_option(td_error *error, td_status status, const char *option);

#ifdef __cplusplus
}
#endif

#endif
