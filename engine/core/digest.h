/* digest.h - numbers that tell contents apart: FNV-1a, of Fowler, Noll and Vo. No protection against intent. */
#ifndef TD_ENGINE_CORE_DIGEST_H
#define TD_ENGINE_CORE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

/* Where a digest of 64 bits starts: that of nothing. */
#define TD_DIGEST_64 14695981039346656037u

/* td_digest_more - the digest of all that came before and of these bytes. */
uint64_t td_digest_more(uint64_t digest, const void *data, size_t bytes);

/* td_digest_word - likewise of a word with its end, so that "ab" "c" is not "a" "bc". */
uint64_t td_digest_word(uint64_t digest, const char *word);

/* td_digest_32 - of bytes that come all at once, in 32 bits. */
uint32_t td_digest_32(const void *data, size_t bytes);

#endif
