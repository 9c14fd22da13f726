/* json_environment.h - the machine, the device and the build as a JSON object. */
#ifndef TD_REPORT_FORMAT_JSON_ENVIRONMENT_H
#define TD_REPORT_FORMAT_JSON_ENVIRONMENT_H

#include "engine/core/run.h"
#include "json_value.h"

/* Add the member "environment". Only what is listed there: never the process environment. */
void td_json_add_environment(td_json_object object, const td_environment *environment);

#endif
