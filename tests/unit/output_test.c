/* output_test.c - files that are whole or absent, lines that survive, and errors that are reported.
 */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
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
    struct stat st;
    note_call(fstat(fd, &st) == 0 && S_ISDIR(st.st_mode) ? "folder " : "file ");
    return (int)syscall(SYS_fsync, fd);
}

int rename(const char *from, const char *to)
{
    note_call("rename ");
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
    const int done = (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
    note_call(done == 0 ? "name " : "");
    return done;
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

static td_status rejection(const char *path, td_output_mode mode, td_error *error)
{
    td_output *output = NULL;
    const td_status status = td_output_open(path, mode, &output, error);
    assert_null(output);
    assert_true(error->text[0] != '\0');
    return status;
}

static void file_keeps_its_old_content_until_the_end(void **state)
{
    (void)state;
    td_error error = {""};
    put_file("r.json", "old");
    td_output *output = opened("r.json", TD_OUTPUT_WHOLE);
    put_line(output, "new");
    assert_holds("r.json", "old");
    assert_int_equal(td_output_close(output, true, &error), TD_OK);
    assert_holds("r.json", "new");
    assert_int_equal(files_in_folder(), 1);
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

static void new_file_has_the_mode_of_the_umask_and_an_old_one_keeps_its_own(void **state)
{
    (void)state;
    td_error error = {""};
    struct stat st;
    const mode_t mask = umask(0027);
    td_output_close(opened("new", TD_OUTPUT_WHOLE), true, &error);
    umask(mask);
    assert_int_equal(stat("new", &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
    put_file("old", "");
    assert_int_equal(chmod("old", 0604), 0);
    td_output_close(opened("old", TD_OUTPUT_WHOLE), true, &error);
    assert_int_equal(stat("old", &st), 0);
    assert_int_equal(st.st_mode & 0777, 0604);
}

static void what_cannot_be_written_is_rejected_at_once(void **state)
{
    (void)state;
    td_error error = {""};
    for (int mode = TD_OUTPUT_WHOLE; mode <= TD_OUTPUT_APPEND; mode++) {
        assert_int_equal(rejection(".", (td_output_mode)mode, &error), TD_USAGE);
        assert_non_null(strstr(error.text, "--output"));
        assert_non_null(strstr(error.text, strerror(EISDIR)));
        assert_int_equal(rejection("missing/r.json", (td_output_mode)mode, &error), TD_USAGE);
        assert_non_null(strstr(error.text, "missing/r.json"));
        assert_int_equal(rejection("", (td_output_mode)mode, &error), TD_USAGE);
        assert_int_equal(rejection("/proc/r.json", (td_output_mode)mode, &error), TD_USAGE);
    }
    assert_int_equal(files_in_folder(), 0);
}

/* A limit on file sizes simulates a full disk. */
static void limit_files(rlim_t bytes)
{
    signal(SIGXFSZ, bytes == RLIM_INFINITY ? SIG_DFL : SIG_IGN);
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void whole_file_on_a_full_disk_is_not_there(void **state)
{
    (void)state;
    td_error error = {""};
    put_file("r.json", "old");
    td_output *output = opened("r.json", TD_OUTPUT_WHOLE);
    limit_files(4);
    const td_status written = td_output_write(output, "too long", 8, &error);
    limit_files(RLIM_INFINITY);
    assert_int_equal(written, TD_FAILED);
    assert_non_null(strstr(error.text, strerror(EFBIG)));
    assert_int_equal(td_output_close(output, true, &error), TD_FAILED);
    assert_holds("r.json", "old");
    assert_int_equal(files_in_folder(), 1);
}

static void line_that_does_not_fit_is_taken_back(void **state)
{
    (void)state;
    td_error error = {""};
    td_output *output = opened("r.jsonl", TD_OUTPUT_LINES);
    put_line(output, "{\"a\":1}\n");
    limit_files(10);
    const td_status written = td_output_commit(output, "{\"b\":2}\n", 8, &error);
    limit_files(RLIM_INFINITY);
    assert_int_equal(written, TD_FAILED);
    put_line(output, "{\"c\":3}\n");
    assert_int_equal(td_output_close(output, true, &error), TD_FAILED); /* a line is missing */
    assert_holds("r.jsonl", "{\"a\":1}\n{\"c\":3}\n");
}

static void whole_file_is_on_the_disk_before_it_has_its_name(void **state)
{
    (void)state;
    td_error error = {""};
    td_output *output = opened("r.json", TD_OUTPUT_WHOLE);
    assert_int_equal(td_output_write(output, "x", 1, &error), TD_OK);
    calls[0] = '\0';
    assert_int_equal(td_output_close(output, true, &error), TD_OK);
    const bool unnamed = strstr(calls, "name folder") != NULL && strstr(calls, "rename") == NULL;
    assert_string_equal(calls, unnamed ? "file name folder " : "file rename folder ");
    output = opened("r.json", TD_OUTPUT_WHOLE); /* over the first */
    assert_int_equal(td_output_write(output, "y", 1, &error), TD_OK);
    calls[0] = '\0';
    assert_int_equal(td_output_close(output, true, &error), TD_OK);
    assert_string_equal(calls, unnamed ? "file name rename folder " : "file rename folder ");
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

static void appending_cuts_a_torn_line_off(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"", "new\n"},
                                           {"torn", "new\n"},
                                           {"one\n", "one\nnew\n"},
                                           {"one\ntorn", "one\nnew\n"},
                                           {"one\ntwo\nto", "one\ntwo\nnew\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        td_error error = {""};
        put_file("r.jsonl", cases[i][0]);
        td_output *output = opened("r.jsonl", TD_OUTPUT_APPEND);
        assert_holds("r.jsonl", cases[i][0]);
        put_line(output, "new\n");
        assert_int_equal(td_output_close(output, true, &error), TD_OK);
        assert_holds("r.jsonl", cases[i][1]);
    }
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

static void fifo_is_written_directly(void **state)
{
    (void)state;
    td_error error = {""};
    assert_int_equal(mkfifo("pipe", 0600), 0);
    const int reader = open("pipe", O_RDONLY | O_NONBLOCK);
    td_output *output = opened("pipe", TD_OUTPUT_WHOLE);
    put_line(output, "data");
    assert_int_equal(td_output_close(output, true, &error), TD_OK);
    char buffer[8] = "";
    assert_int_equal(read(reader, buffer, sizeof buffer), 4);
    close(reader);
    assert_int_equal(files_in_folder(), 1);
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
        TEST(file_keeps_its_old_content_until_the_end),
        TEST(file_that_is_given_up_leaves_nothing),
        TEST(new_file_has_the_mode_of_the_umask_and_an_old_one_keeps_its_own),
        TEST(what_cannot_be_written_is_rejected_at_once),
        TEST(whole_file_on_a_full_disk_is_not_there),
        TEST(line_that_does_not_fit_is_taken_back),
        TEST(whole_file_is_on_the_disk_before_it_has_its_name),
        TEST(line_is_on_the_disk_before_the_next_run_starts),
        TEST(appending_cuts_a_torn_line_off),
        TEST(torn_line_longer_than_a_buffer_is_cut_off),
        TEST(fifo_is_written_directly),
        TEST(same_file_is_seen_through_its_names),
    };
    return cmocka_run_group_tests_name("output", tests, NULL, NULL);
}
