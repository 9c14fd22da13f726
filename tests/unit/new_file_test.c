/* new_file_test.c - permissions and temporary names of files. output_test.c and output.bats prove that files are whole
 * or absent. */
#include "files.h"

#include <sys/stat.h>
#include <unistd.h>

#include "engine/io/file.h"

static long size_of(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 ? (long)about.st_size : -1;
}

static void write_whole(const char *path)
{
    td_new_file output;
    td_error error = {""};
    assert_int_equal(td_new_file_open(path, &output, &error), TD_OK);
    fputs("all of it", output.stream);
    assert_int_equal(td_new_file_commit(&output, &error), TD_OK);
}

TEST(permissions_are_those_of_the_umask_and_of_the_file_before)
{
    const char *path = scratch("mode");
    struct stat fresh = {0}, kept = {0};
    const mode_t before = umask(027);
    write_whole(path);
    stat(path, &fresh);
    chmod(path, 0604);
    write_whole(path);
    stat(path, &kept);
    umask(before);
    unlink(path);
    assert_int_equal(fresh.st_mode & 0777, 0640);
    assert_int_equal(kept.st_mode & 0777, 0604);
}

/* A name that is taken, here by a link to a file that must not be touched, is passed over. */
TEST(names_that_are_taken_are_passed_over)
{
    const char *precious = scratch_file("precious", "before", 6), *other = scratch("b");
    char taken[4][128];
    td_new_file output;
    td_error error;
    assert_int_equal(td_new_file_open(scratch("a"), &output, &error), TD_OK);
    const unsigned serial = (unsigned)strtoul(strrchr(output.temporary, '-') + 1, NULL, 10);
    td_new_file_discard(&output);
    for (unsigned k = 0; k < 4; k++) {
        snprintf(taken[k], sizeof taken[k], "%s/.tribench-%ld-%u.tmp", scratch_directory(),
                 (long)getpid(), serial + 1 + k);
        assert_int_equal(symlink("precious", taken[k]), 0);
    }
    write_whole(other);
    const long kept = size_of(precious), size = size_of(other);
    for (unsigned k = 0; k < 4; k++) {
        unlink(taken[k]);
    }
    unlink(other);
    unlink(precious);
    assert_int_equal(kept, 6);
    assert_int_equal(size, 9);
}

TEST(the_longest_name_is_no_longer_while_it_is_written)
{
    char name[256];
    td_new_file output;
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_int_equal(td_new_file_open(name, &output, NULL), TD_OK);
    td_new_file_discard(&output);
}

int main(void)
{
    return td_tests_run(NULL, NULL) + scratch_remains();
}
