/* cache_test.c - compiled code is made once, however many processes need it, and other users' files are not used. */
#include "test.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/compile/cache.h"

static char folder[] = "/tmp/cache_XXXXXX", entries[PATH_MAX];

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL) {
        return -1;
    }
    snprintf(entries, sizeof entries, "%s/tribench", folder);
    return setenv("XDG_CACHE_HOME", folder, 1) + setenv("TMPDIR", folder, 1);
}

static int empty_folder(void **state)
{
    char command[PATH_MAX];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'/*", folder);
    return system(command);
}

static int remove_folder(void **state)
{
    (void)state;
    empty_folder(NULL);
    return rmdir(folder);
}

/* ---- something to make: a line, and how often it was made ---- */

typedef struct maker {
    int made;
    bool fails;
} maker;

static td_status make(void *context, const char *path, td_error *error)
{
    maker *m = context;
    m->made++;
    FILE *file = fopen(path, "wx");
    const bool written = file != NULL && fputs("contents", file) >= 0;
    if (file != NULL) {
        fclose(file);
    }
    return written && !m->fails ? TD_OK : td_fail(error, TD_USAGE, "made badly");
}

/* True if the entry can be opened and has the right content. */
static bool opens(uint64_t digest, maker *m)
{
    char found[16] = "";
    int fd = -1;
    td_error error;
    const td_digest d = {0, digest};
    if (td_cache_open(d, ".so", make, m, &fd, &error) != TD_OK) {
        return false;
    }
    const bool whole = read(fd, found, sizeof found) == 8 && strcmp(found, "contents") == 0;
    close(fd);
    return whole;
}

/* Files, and folders that a maker has left. */
static int count_files(void)
{
    char command[PATH_MAX + 64];
    int count = -1;
    snprintf(command, sizeof command, "find '%s' -type f -o -name 'making-*' | wc -l", folder);
    FILE *output = popen(command, "r");
    if (output == NULL || fscanf(output, "%d", &count) != 1) {
        count = -1;
    }
    if (output != NULL) {
        pclose(output);
    }
    return count;
}

TEST(an_entry_is_made_once_in_a_folder_for_its_user_alone)
{
    struct stat about;
    maker m = {0};
    assert_true(opens(1, &m) && opens(1, &m));
    assert_int_equal(m.made, 1);
    assert_true(opens(2, &m));
    assert_int_equal(m.made, 2);
    assert_int_equal(count_files(), 2);
    assert_int_equal(stat(entries, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0700);
}

TEST(what_could_not_be_made_leaves_nothing)
{
    maker m = {.fails = true};
    assert_false(opens(1, &m));
    assert_int_equal(count_files(), 0);
    m.fails = false;
    assert_true(opens(1, &m));
}

/* ---- what may be another user's, or is not as it was made, is not run ---- */

enum { NOBODY = 65534 };

static int let_others_write(const char *path)
{
    return chmod(path, 0702);
}

static int let_group_write(const char *path)
{
    return chmod(path, 0520);
}

static int give_away(const char *path)
{
    return chown(path, NOBODY, (gid_t)-1);
}

static int put_link(const char *path)
{
    char elsewhere[PATH_MAX];
    snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", folder);
    return rename(path, elsewhere) + symlink(elsewhere, path);
}

static int cut(const char *path)
{
    return chmod(path, 0700) + truncate(path, 3);
}

static int put_pipe(const char *path)
{
    const struct timespec complete[] = {{.tv_sec = 1}, {.tv_sec = 1}};
    return remove(path) + mkfifo(path, 0500) + utimensat(AT_FDCWD, path, complete, 0);
}

static int put_folder(const char *path)
{
    return remove(path) + mkdir(path, 0700);
}

TEST(what_may_be_of_others_or_was_cut_is_not_used)
{
    static const struct {
        int (*spoil)(const char *);
        bool is_folder;
        int made; /* a folder is not used, an entry is replaced, unless it is a folder */
    } rows[] = {
        {let_others_write, true, 3}, {let_group_write, true, 3},   {give_away, true, 3},
        {put_link, true, 3},         {let_others_write, false, 2}, {let_group_write, false, 2},
        {give_away, false, 2},       {put_link, false, 2},         {cut, false, 2},
        {put_pipe, false, 2},        {put_folder, false, 2}};
    char entry[PATH_MAX + 64];
    snprintf(entry, sizeof entry, "%s/%032x.so", entries, 1);
    for (size_t i = 0; i < COUNT(rows); i++) {
        maker m = {0};
        assert_true(opens(1, &m));
        if (rows[i].spoil(rows[i].is_folder ? entries : entry) == 0) { /* only root gives away */
            alarm(10); /* opening a pipe must not wait */
            const bool opened = opens(1, &m) && opens(1, &m);
            alarm(0);
            assert_int_equal(opened, rows[i].spoil != put_folder);
            assert_int_equal(m.made, rows[i].made);
        }
        empty_folder(NULL);
    }
}

TEST(twenty_at_once_make_one_entry)
{
    enum { PROCESSES = 20 };
    int succeeded = 0;
    for (int p = 0; p < PROCESSES; p++) {
        if (fork() == 0) {
            maker m = {0};
            _exit(opens(1, &m) ? 0 : 1);
        }
    }
    for (int p = 0; p < PROCESSES; p++) {
        int status = -1;
        wait(&status);
        succeeded += status == 0;
    }
    assert_int_equal(succeeded, PROCESSES);
    assert_int_equal(count_files(), 1);
}

int main(void)
{
    td_tests_surround(NULL, empty_folder);
    return td_tests_run(make_folder, remove_folder);
}
