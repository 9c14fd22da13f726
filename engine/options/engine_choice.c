#include "engine_choice.h"

const td_engine_ops *td_choose_engine(const td_options *options, char *const *argv)
{
    td_error why;
    const td_engine_ops *engine = td_engine_resolve(options->engine, options->device, &why);
    if (argv != NULL && engine->settle != NULL) {
        engine->settle(argv);
    }
    if (why.text[0] != '\0' && options->verbosity > 0) {
        td_say("on the %s engine: %s", engine->name, why.text);
    }
    return engine;
}
