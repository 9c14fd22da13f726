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
