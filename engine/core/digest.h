/*
 * digest.h - 128 bits that tell contents apart: XXH3, of Yann Collet.
 *
 * Two contents of a billion share a digest by chance once in 10^20. No protection against intent.
 */
#ifndef TD_ENGINE_CORE_DIGEST_H
#define TD_ENGINE_CORE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TD_DIGEST_SIZE = 33 /* as text */ };

/* Zeroed: that of nothing yet. */
typedef struct td_digest {
    uint64_t high, low;
} td_digest;

/* td_digest_of - of bytes that come all at once: XXH3_128bits without a seed. */
td_digest td_digest_of(const void *data, size_t bytes);

/* td_digest_more - the digest of all pieces that came before and of this one; where they are cut counts. */
td_digest td_digest_more(td_digest before, const void *piece, size_t bytes);

/* td_digest_word - likewise of a word. */
td_digest td_digest_word(td_digest before, const char *word);

/* td_digest_file - likewise of what a file holds; of one that cannot be read as of an empty one. */
td_digest td_digest_file(td_digest before, const char *path);

bool td_digest_is(td_digest a, td_digest b);

/* td_digest_text - as xxh128sum prints it: 32 hexadecimal digits. */
void td_digest_text(td_digest digest, char text[TD_DIGEST_SIZE]);

#endif
