/* cache_test.c - compiled code is made once, however many processes need it, and other users' files are not used. */
#include "test.h"

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

static void an_entry_is_made_once(void **state)
{
    maker m = {0};
    (void)state;
    assert_true(opens(1, &m) && opens(1, &m));
    assert_int_equal(m.made, 1);
    assert_true(opens(2, &m));
    assert_int_equal(m.made, 2);
    assert_int_equal(count_files(), 2);
}

static void what_could_not_be_made_leaves_nothing(void **state)
{
    maker m = {.fails = true};
    (void)state;
    assert_false(opens(1, &m));
    assert_int_equal(count_files(), 0);
    m.fails = false;
    assert_true(opens(1, &m));
}

static void the_folder_is_for_its_user_alone(void **state)
{
    struct stat about;
    maker m = {0};
    (void)state;
    assert_true(opens(1, &m));
    assert_int_equal(stat(entries, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0700);
}

/* ---- what may be another user's is not run ---- */

/* The only entry, of digest 1. */
static const char *entry(void)
{
    static char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/%032x.so", entries, 1);
    return path;
}

static const char *elsewhere(void)
{
    static char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/elsewhere", folder);
    return path;
}

static void what_others_can_write_to_is_not_used(void **state)
{
    static const struct {
        bool is_folder;
        mode_t mode;
        int made; /* a folder is not used, an entry is replaced */
    } rows[] = {{true, 0770, 3},  {true, 0702, 3},  {true, 0777, 3},
                {false, 0520, 2}, {false, 0502, 2}, {false, 0666, 2}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        maker m = {0};
        assert_true(opens(1, &m));
        assert_int_equal(chmod(rows[i].is_folder ? entries : entry(), rows[i].mode), 0);
        assert_true(opens(1, &m) && opens(1, &m));
        assert_int_equal(m.made, rows[i].made);
        assert_int_equal(count_files(), 1);
        empty_folder(NULL);
    }
}

static void a_link_is_not_followed(void **state)
{
    static const int made[] = {3, 2}; /* in the place of the folder, of an entry */
    (void)state;
    for (int i = 0; i < 2; i++) {
        maker m = {0};
        assert_true(opens(1, &m));
        const char *place = i == 0 ? entries : entry();
        assert_int_equal(rename(place, elsewhere()), 0);
        assert_int_equal(symlink(elsewhere(), place), 0);
        assert_true(opens(1, &m) && opens(1, &m));
        assert_int_equal(m.made, made[i]);
        empty_folder(NULL);
    }
}

static void what_is_no_file_is_no_entry(void **state)
{
    maker m = {0};
    (void)state;
    assert_true(opens(2, &m)); /* makes the folder */
    assert_int_equal(mkdir(entry(), 0700), 0);
    assert_false(opens(1, &m)); /* it cannot be replaced, and is not taken */
    assert_int_equal(m.made, 2);
}

static void an_entry_that_was_cut_or_is_a_pipe_is_made_anew(void **state)
{
    maker m = {0};
    (void)state;
    assert_true(opens(1, &m));
    assert_int_equal(chmod(entry(), 0700) + truncate(entry(), 3), 0);
    assert_true(opens(1, &m) && opens(1, &m));
    assert_int_equal(m.made, 2);
    assert_int_equal(remove(entry()) + mkfifo(entry(), 0500), 0);
    alarm(10); /* opening it must not wait */
    assert_true(opens(1, &m) && opens(1, &m));
    alarm(0);
    assert_int_equal(m.made, 3);
}

/* Only root can give files away. */
static void a_folder_and_an_entry_of_another_user_are_not_used(void **state)
{
    enum { NOBODY = 65534 };
    maker m = {0};
    (void)state;
    assert_true(opens(1, &m));
    if (chown(entry(), NOBODY, (gid_t)-1) != 0) {
        skip();
    }
    assert_true(opens(1, &m));
    assert_int_equal(m.made, 2);
    assert_true(opens(1, &m)); /* it has been replaced */
    assert_int_equal(m.made, 2);
    assert_int_equal(chown(entries, NOBODY, (gid_t)-1), 0);
    assert_true(opens(1, &m) && opens(1, &m));
    assert_int_equal(m.made, 4);
}

static void twenty_at_once_make_one_entry(void **state)
{
    enum { PROCESSES = 20 };
    int succeeded = 0;
    (void)state;
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(an_entry_is_made_once, empty_folder),
        cmocka_unit_test_teardown(what_could_not_be_made_leaves_nothing, empty_folder),
        cmocka_unit_test_teardown(the_folder_is_for_its_user_alone, empty_folder),
        cmocka_unit_test_teardown(what_others_can_write_to_is_not_used, empty_folder),
        cmocka_unit_test_teardown(a_link_is_not_followed, empty_folder),
        cmocka_unit_test_teardown(what_is_no_file_is_no_entry, empty_folder),
        cmocka_unit_test_teardown(an_entry_that_was_cut_or_is_a_pipe_is_made_anew, empty_folder),
        cmocka_unit_test_teardown(a_folder_and_an_entry_of_another_user_are_not_used, empty_folder),
        cmocka_unit_test_teardown(twenty_at_once_make_one_entry, empty_folder),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
