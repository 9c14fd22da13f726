/*
 * digest.h - 128-bit digests that tell contents apart: XXH3 by Yann Collet.
 *
 * The chance that two of a billion contents share a digest is below 10^-20. There is no protection against intent.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TD_DIGEST_SIZE = 33 /* as text */ };

/* Zeroed: the digest of nothing yet. */
typedef struct td_digest {
    uint64_t high, low;
} td_digest;

/* td_digest_of - the digest of one piece of memory: XXH3_128bits without a seed. */
td_digest td_digest_of(const void *data, size_t bytes);

/* td_digest_more - the digest of all earlier pieces and this one; it depends on where the pieces are cut. */
td_digest td_digest_more(td_digest before, const void *piece, size_t bytes);

/* td_digest_word - td_digest_more for a word. */
td_digest td_digest_word(td_digest before, const char *word);

/* td_digest_file - td_digest_more for the contents of a file; a file that cannot be opened changes nothing. */
td_digest td_digest_file(td_digest before, const char *path);

bool td_digest_is(td_digest a, td_digest b);

/* td_digest_text - the digest as xxh128sum prints it: 32 hexadecimal digits. */
void td_digest_text(td_digest digest, char text[TD_DIGEST_SIZE]);
