/* output_test.c - what is on the disk at which moment, and torn lines. */
#include "files.h"

#include <fcntl.h>
#include <sys/syscall.h>

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

static void assert_holds(const char *path, const char *content)
{
    char buffer[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    (void)!fread(buffer, 1, sizeof buffer - 1, file);
    fclose(file);
    assert_string_equal(buffer, content);
}

static td_output *opened(const char *path, td_output_mode mode)
{
    td_output *output = NULL;
    td_error error = {""};
    if (td_output_open(path, mode, &output, &error) != TD_OK) {
        fail_msg("%s", error.text);
    }
    calls[0] = '\0';
    return output;
}

static void put_line(td_output *output, const char *line)
{
    assert_int_equal(td_output_write(output, line, strlen(line), NULL), TD_OK);
}

TEST(whole_file_is_on_the_disk_before_it_has_its_name)
{
    const char *path = scratch_file("r.json", "old", 3);
    td_output *output = opened(path, TD_OUTPUT_WHOLE);
    put_line(output, "new");
    assert_holds(path, "old");
    assert_int_equal(td_output_close(output, true, NULL), TD_OK);
    assert_string_equal(calls, "file rename ");
    assert_holds(path, "new");
    unlink(path);
}

TEST(line_is_on_the_disk_before_the_next_run_starts)
{
    const char *path = scratch("r.jsonl");
    td_output *output = opened(path, TD_OUTPUT_LINES);
    put_line(output, "one\n");
    put_line(output, "two\n");
    assert_string_equal(calls, "data data ");
    assert_int_equal(td_output_close(output, true, NULL), TD_OK);
    unlink(path);
}

TEST(torn_line_longer_than_a_buffer_is_cut_off)
{
    static char torn[200000];
    memset(torn, 'x', sizeof torn);
    torn[3] = '\n';
    const char *path = scratch_file("r.jsonl", torn, sizeof torn);
    td_output *output = opened(path, TD_OUTPUT_APPEND);
    put_line(output, "new\n");
    assert_int_equal(td_output_close(output, true, NULL), TD_OK);
    assert_holds(path, "xxx\nnew\n");
    unlink(path);
}

/* Whether something was written or not: no output, temporary file or empty file stays, which scratch_remains would
 * see. */
TEST(file_that_is_given_up_leaves_nothing)
{
    td_output *output = opened(scratch("r.json"), TD_OUTPUT_WHOLE);
    put_line(output, "new");
    assert_int_equal(td_output_close(output, false, NULL), TD_OK);
    output = opened(scratch("r.jsonl"), TD_OUTPUT_LINES);
    assert_int_equal(td_output_close(output, false, NULL), TD_OK);
}

int main(void)
{
    return td_tests_run(NULL, NULL) + scratch_remains();
}
