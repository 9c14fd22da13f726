#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/process.h"

static const char usual[] = "cc";

const char *td_compiler_name(void)
{
    const char *cc = getenv("CC");
    return cc != NULL && cc[strspn(cc, " \t")] != '\0' ? cc : usual;
}

td_status td_compiler_choose(const char *headers, td_compiler *c, td_error *error)
{
    const char *cc = td_compiler_name();
    snprintf(c->folders[0], sizeof c->folders[0], "%s/workloads", headers);
    snprintf(c->folders[1], sizeof c->folders[1], "%s/strategies", headers);
    const int length = snprintf(c->cc, sizeof c->cc, "%s", cc);
    c->command = (td_command){.count = 0};
    for (char *rest = c->cc, *word; (word = strtok_r(rest, " \t", &rest)) != NULL;) {
        td_command_add(&c->command, word, NULL);
    }
    if (length >= (int)sizeof c->cc || c->command.count > TD_COMMAND_WORDS / 2) {
        return td_fail(error, TD_USAGE, "CC: expected at most %zu bytes and %d words",
                       sizeof c->cc - 1, TD_COMMAND_WORDS / 2);
    }
    c->digest = strcmp(cc, usual) == 0 ? (td_digest){0} : td_digest_of(cc, strlen(cc));
    td_command_add(&c->command, "-std=c11", "-D_GNU_SOURCE", "-O3", "-fopenmp", "-ffp-contract=off",
                   "-fno-math-errno", "-fPIC", "-Werror=implicit-function-declaration",
                   "-Werror=incompatible-pointer-types", "-Werror=int-conversion", "-isystem",
                   headers, "-isystem", c->folders[0], "-isystem", c->folders[1], NULL);
    return TD_OK;
}

/* Append a whole file to `*text`; false with errno set. */
static bool append_file(int fd, char **text, size_t *length)
{
    struct stat info;
    if (fstat(fd, &info) != 0 || lseek(fd, 0, SEEK_SET) != 0) {
        return false;
    }
    const size_t bytes = (size_t)info.st_size;
    char *grown = realloc(*text, *length + bytes + 1);
    if (grown == NULL) {
        return false;
    }
    *text = grown;
    grown[*length] = grown[*length + bytes] = '\0';
    if (!td_pipe_get(fd, grown + *length, bytes)) {
        return false;
    }
    *length += bytes;
    return true;
}

static td_status preprocess(const td_compiler *compiler, const char *unit, char **text,
                            td_error *error)
{
    size_t length = 0;
    td_command command = compiler->command;
    int out;
    TRY(td_command_file("", &out, error));
    td_command_add(&command, "-E", "-xc", "-", NULL);
    td_status status = td_command_run(&command, unit, out, error);
    if (status == TD_OK && !append_file(out, text, &length)) {
        status = td_fail(error, TD_NO_MEMORY, "not enough memory for a preprocessed file");
    }
    close(out);
    return status;
}

/* clang writes bytes beyond ASCII as \303. */
static void unescape(char *path)
{
    char *to = path;
    for (const char *from = path; *from != '\0';) {
        unsigned byte = 0;
        const bool escaped = sscanf(from, "\\%3o", &byte) == 1; /* NOLINT(cert-err34-c): in range */
        *to++ = escaped ? (char)byte : *from;
        from += escaped ? 4 : 1;
    }
    *to = '\0';
}

/* Whether a line begins a file that is neither the system's nor this program's: `# 1 "/home/me/x.h" 1`. */
static bool begins_user_file(const char *line, char path[PATH_MAX])
{
    char flags[64] = "";
    if (sscanf(line, "# %*d \"%4095[^\"]\"%63[^\n]", path, flags) < 1) {
        return false;
    }
    unescape(path);
    return strstr(flags, " 1") != NULL && strstr(flags, " 3") == NULL && path[0] != '<';
}

static td_status add_file(td_source *s, const char *path, size_t *raw, td_error *error)
{
    const size_t before = *raw;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const bool added = fd >= 0 && append_file(fd, &s->raw, raw);
    const int reason = errno;
    if (fd >= 0) {
        close(fd);
    }
    if (!added) {
        return td_fail(error, TD_USAGE, "cannot read '%.160s': %s", path, strerror(reason));
    }
    s->digest = td_digest_more(s->digest, s->raw + before, *raw - before);
    return TD_OK;
}

/* Read the user's files, which the preprocessed text names. */
static td_status read_files(td_source *s, td_error *error)
{
    size_t raw = 0;
    for (const char *line = s->text; line != NULL; line = strchr(line, '\n')) {
        char path[PATH_MAX];
        line += *line == '\n';
        if (*line == '#' && begins_user_file(line, path)) {
            TRY(add_file(s, path, &raw, error));
        }
    }
    return TD_OK;
}

td_status td_source_read(const td_compiler *compiler, const char *path, const char *headers,
                         const char *after, td_source *source, td_error *error)
{
    char unit[8192];
    *source = (td_source){.path = path, .headers = headers, .digest = compiler->digest};
    if (snprintf(unit, sizeof unit, "#include \"%s\"\n%s", path, after) >= (int)sizeof unit) {
        return td_fail(error, TD_USAGE, "'%.160s...' has too long a name, or too many workloads",
                       path);
    }
    TRY(preprocess(compiler, unit, &source->text, error));
    return read_files(source, error);
}

void td_source_free(td_source *source)
{
    free(source->text);
    free(source->raw);
}
