/* try.h - return from the caller when a call fails; the callee has put the sentence in `error`. */
#ifndef TD_ENGINE_CORE_TRY_H
#define TD_ENGINE_CORE_TRY_H

#define TRY(call)                                                                                  \
    do {                                                                                           \
        const td_status try_status_ = (call);                                                      \
        if (try_status_ != TD_OK) {                                                                \
            return try_status_;                                                                    \
        }                                                                                          \
    } while (0)

#endif
