/* output_test.c - files that are whole or absent, lines that survive, and errors that are reported.
 */
#include "test.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/io/file.h"
#include "report/output.h"

/* A file does not show what a power cut would leave. These functions replace those of the C library and record
 * each call. */
static char calls[64];

static void note_call(const char *name)
{
    strncat(calls, name, sizeof calls - strlen(calls) - 1);
}

int fdatasync(int fd)
{
    note_call("data ");
    return (int)syscall(SYS_fdatasync, fd);
}

int fsync(int fd)
{
    note_call("file ");
    return (int)syscall(SYS_fsync, fd);
}

int rename(const char *from, const char *to)
{
    note_call("rename ");
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

/* Every test works in its own empty folder. */
static int enter_folder(void **state)
{
    char name[] = "/tmp/td_output_XXXXXX";
    *state = mkdtemp(name) == NULL ? NULL : strdup(name);
    return *state == NULL || chdir(*state) != 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *walk)
{
    (void)st, (void)type, (void)walk;
    return remove(path);
}

static int leave_folder(void **state)
{
    const int left = chdir("/") + nftw(*state, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    free(*state);
    return left;
}

static void put_file(const char *path, const char *content)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(content, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void assert_holds(const char *path, const char *content)
{
    char buffer[4096] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t size = fread(buffer, 1, sizeof buffer - 1, file);
    fclose(file);
    buffer[size] = '\0';
    assert_string_equal(buffer, content);
}

static int files_in_folder(void)
{
    int count = 0;
    FILE *list = popen("ls -A", "r");
    for (int c = fgetc(list); c != EOF; c = fgetc(list)) {
        count += c == '\n';
    }
    pclose(list);
    return count;
}

static td_output *opened(const char *path, td_output_mode mode)
{
    td_output *output = NULL;
    td_error error = {""};
    if (td_output_open(path, mode, &output, &error) != TD_OK) {
        fail_msg("%s", error.text);
    }
    return output;
}

static void put_line(td_output *output, const char *line)
{
    td_error error = {""};
    assert_int_equal(td_output_commit(output, line, strlen(line), &error), TD_OK);
}

static void file_that_is_given_up_leaves_nothing(void **state)
{
    (void)state;
    td_error error = {""};
    td_output *output = opened("r.json", TD_OUTPUT_WHOLE);
    put_line(output, "new");
    assert_int_equal(td_output_close(output, false, &error), TD_OK);
    assert_int_equal(td_output_close(opened("r.jsonl", TD_OUTPUT_LINES), false, &error), TD_OK);
    assert_int_equal(files_in_folder(), 0);
}

static void whole_file_is_on_the_disk_before_it_has_its_name(void **state)
{
    (void)state;
    td_error error = {""};
    put_file("r.json", "old");
    td_output *output = opened("r.json", TD_OUTPUT_WHOLE);
    put_line(output, "new");
    assert_holds("r.json", "old");
    calls[0] = '\0';
    assert_int_equal(td_output_close(output, true, &error), TD_OK);
    assert_string_equal(calls, "file rename ");
    assert_holds("r.json", "new");
    assert_int_equal(files_in_folder(), 1);
}

static void line_is_on_the_disk_before_the_next_run_starts(void **state)
{
    (void)state;
    td_error error = {""};
    td_output *output = opened("r.jsonl", TD_OUTPUT_LINES);
    calls[0] = '\0';
    put_line(output, "one\n");
    put_line(output, "two\n");
    assert_string_equal(calls, "data data ");
    assert_int_equal(td_output_close(output, true, &error), TD_OK);
}

static void torn_line_longer_than_a_buffer_is_cut_off(void **state)
{
    (void)state;
    td_error error = {""};
    char *torn = malloc(200001);
    memset(torn, 'x', 200000);
    torn[200000] = '\0';
    torn[3] = '\n';
    put_file("r.jsonl", torn);
    free(torn);
    td_output *output = opened("r.jsonl", TD_OUTPUT_APPEND);
    put_line(output, "new\n");
    assert_int_equal(td_output_close(output, true, &error), TD_OK);
    assert_holds("r.jsonl", "xxx\nnew\n");
}

static void same_file_is_seen_through_its_names(void **state)
{
    (void)state;
    put_file("a", "");
    assert_int_equal(symlink("a", "b"), 0);
    put_file("c", "");
    assert_true(td_same_file("a", "./a"));
    assert_true(td_same_file("a", "b"));
    assert_true(td_same_file("missing", "missing"));
    assert_false(td_same_file("a", "c"));
    assert_false(td_same_file("a", "missing"));
    assert_true(td_same_file("missing", "./missing"));
    assert_false(td_same_file("missing", "./absent"));
    assert_false(td_same_file("missing", "nowhere/missing"));
    assert_false(td_same_file(NULL, "a") || td_same_file("a", NULL));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter_folder, leave_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(file_that_is_given_up_leaves_nothing),
        TEST(whole_file_is_on_the_disk_before_it_has_its_name),
        TEST(line_is_on_the_disk_before_the_next_run_starts),
        TEST(torn_line_longer_than_a_buffer_is_cut_off),
        TEST(same_file_is_seen_through_its_names),
    };
    return cmocka_run_group_tests_name("output", tests, NULL, NULL);
}
