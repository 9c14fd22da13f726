#include "error.h"

#include <stdarg.h>
#include <stdio.h>

td_status td_fail(td_error *error, td_status status, const char *format, ...)
{
    if (error != NULL) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return status;
}

td_status td_name_option(td_error *error, td_status status, const char *option)
{
    if (status == TD_OK || error == NULL) {
        return status;
    }
    const td_error before = *error;
    return td_fail(error, status, "--%s %s", option, before.text);
}
