#include "digest.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL /* only the header of the library is needed */
#include <xxhash.h>

td_digest td_digest_of(const void *data, size_t bytes)
{
    const XXH128_hash_t hash = XXH3_128bits(data, bytes);
    return (td_digest){hash.high64, hash.low64};
}

td_digest td_digest_more(td_digest before, const void *piece, size_t bytes)
{
    const td_digest both[] = {before, td_digest_of(piece, bytes)};
    return td_digest_of(both, sizeof both);
}

td_digest td_digest_word(td_digest before, const char *word)
{
    return td_digest_more(before, word, strlen(word));
}

td_digest td_digest_file(td_digest before, const char *path)
{
    char piece[65536];
    td_digest digest = before;
    FILE *file = fopen(path, "re");
    for (size_t got = 1; file != NULL && got > 0;) {
        got = fread(piece, 1, sizeof piece, file);
        digest = td_digest_more(digest, piece, got);
    }
    if (file != NULL) {
        fclose(file);
    }
    return digest;
}

bool td_digest_is(td_digest a, td_digest b)
{
    return a.high == b.high && a.low == b.low;
}

void td_digest_text(td_digest digest, char text[TD_DIGEST_SIZE])
{
    snprintf(text, TD_DIGEST_SIZE, "%016" PRIx64 "%016" PRIx64, digest.high, digest.low);
}
