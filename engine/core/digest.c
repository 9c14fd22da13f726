#include "digest.h"

#include <string.h>

uint64_t td_digest_more(uint64_t digest, const void *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        digest = (digest ^ ((const uint8_t *)data)[i]) * 1099511628211u;
    }
    return digest;
}

uint64_t td_digest_word(uint64_t digest, const char *word)
{
    return td_digest_more(digest, word, strlen(word) + 1);
}

uint32_t td_digest_32(const void *data, size_t bytes)
{
    uint32_t digest = 2166136261u;
    for (size_t i = 0; i < bytes; i++) {
        digest = (digest ^ ((const uint8_t *)data)[i]) * 16777619u;
    }
    return digest;
}
