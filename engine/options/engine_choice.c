#include "engine_choice.h"

const td_engine_ops *td_assume_engine(const td_options *options)
{
    const td_engine_ops *first = td_engines[0];
    const bool is_free = options->engine == NULL && options->device == NULL;
    const bool may_change = options->action == TD_ACTION_RUN && !options->shares_domain;
    return is_free && may_change && first->likely != NULL && first->likely() ? first : NULL;
}

const td_engine_ops *td_choose_engine(const td_options *options)
{
    td_error why;
    const td_engine_ops *engine = td_engine_resolve(options->engine, options->device, &why);
    if (why.text[0] != '\0' && options->verbosity > 0) {
        td_say("on the %s engine: %s", engine->name, why.text);
    }
    return engine;
}
