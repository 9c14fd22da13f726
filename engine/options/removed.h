/* removed.h - options of earlier versions. */
#pragma once

#include "engine/core/span.h"

/* What to do in place of a removed option; NULL: there was no such option. */
const char *td_removed_option(td_span name);
