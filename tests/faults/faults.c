/* faults.c - calls of the C library that fail when they are told to. */
#include "faults.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SITES = 4096 };

/*
 * Shared by all processes of the program, so that a worker continues its parent's count. Only the first calls from each
 * place in the code count, so that a loop of a thousand allocations is not tried a thousand times.
 */
typedef struct shared {
    atomic_ulong calls;
    struct {
        atomic_uintptr_t place;
        atomic_ulong calls;
    } sites[SITES];
} shared;

static shared *count;
static char chosen[64];
static unsigned long wanted, most_per_site = ULONG_MAX;

void *__real_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);

__attribute__((constructor)) static void choose(void)
{
    const char *fault = getenv("TD_FAULT");
    if (fault != NULL && sscanf(fault, "%63[^:]:%lu", chosen, &wanted) == 2) {
        count = __real_mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                            -1, 0);
        count = count == MAP_FAILED ? NULL : count;
    }
    const char *most = getenv("TD_FAULT_MOST");
    if (most != NULL) {
        most_per_site = strtoul(most, NULL, 10);
    }
}

/* True if a place has called so often that another call shows nothing new. */
static bool is_known(uintptr_t place)
{
    for (size_t i = place / 4 % SITES, tried = 0; tried < SITES; i = (i + 1) % SITES, tried++) {
        uintptr_t free = 0;
        if (atomic_compare_exchange_strong(&count->sites[i].place, &free, place) || free == place) {
            return atomic_fetch_add(&count->sites[i].calls, 1) >= most_per_site;
        }
    }
    return false;
}

/* cJSON's allocations: cJSON is a library, so --wrap does not reach its malloc. */
static void *json_malloc(size_t size)
{
    return td_fault_is_at("cJSON", NULL) ? NULL : malloc(size);
}

__attribute__((constructor)) static void hook(void)
{
    cJSON_Hooks hooks = {json_malloc, free};
    cJSON_InitHooks(&hooks);
}

/* Uses system calls, since the C library's functions may be made to fail. */
static void note(const char *function)
{
    const char *path = getenv("TD_FAULT_LOG");
    const long fd =
        path == NULL ? -1 : syscall(SYS_open, path, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (fd >= 0) {
        syscall(SYS_write, fd, function, strlen(function));
        syscall(SYS_write, fd, "\n", 1UL);
        syscall(SYS_close, fd);
    }
}

bool td_fault_is_at(const char *function, const void *place)
{
    if (count == NULL || strcmp(function, chosen) != 0 ||
        (place != NULL && is_known((uintptr_t)place)) ||
        atomic_fetch_add(&count->calls, 1) + 1 != wanted) {
        return false;
    }
    note(function);
    return true;
}

/* WRAP(type, name, parameters, arguments, errno, answer): a failing call returns `answer`. */
#define WRAP(type, name, parameters, arguments, reason, answer)                                    \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        if (td_fault_is_here(#name)) {                                                             \
            errno = reason;                                                                        \
            return answer;                                                                         \
        }                                                                                          \
        return __real_##name arguments;                                                            \
    }

WRAP(void *, malloc, (size_t size), (size), ENOMEM, NULL)
WRAP(void *, calloc, (size_t items, size_t size), (items, size), ENOMEM, NULL)
WRAP(void *, realloc, (void *memory, size_t size), (memory, size), ENOMEM, NULL)
WRAP(void *, aligned_alloc, (size_t alignment, size_t size), (alignment, size), ENOMEM, NULL)
WRAP(char *, strdup, (const char *text), (text), ENOMEM, NULL)
WRAP(char *, strndup, (const char *text, size_t most), (text, most), ENOMEM, NULL)
WRAP(void *, mmap, (void *at, size_t size, int protection, int flags, int fd, off_t offset),
     (at, size, protection, flags, fd, offset), ENOMEM, MAP_FAILED)
WRAP(int, open, (const char *path, int flags, mode_t mode), (path, flags, mode), EMFILE, -1)
WRAP(FILE *, fopen, (const char *path, const char *mode), (path, mode), EMFILE, NULL)
WRAP(FILE *, fdopen, (int fd, const char *mode), (fd, mode), ENOMEM, NULL)
WRAP(ssize_t, write, (int fd, const void *data, size_t size), (fd, data, size), ENOSPC, -1)
WRAP(ssize_t, read, (int fd, void *data, size_t size), (fd, data, size), EIO, -1)
WRAP(ssize_t, pread, (int fd, void *data, size_t size, off_t at), (fd, data, size, at), EIO, -1)
WRAP(size_t, fwrite, (const void *data, size_t size, size_t items, FILE *file),
     (data, size, items, file), ENOSPC, 0)
WRAP(int, fflush, (FILE * file), (file), ENOSPC, EOF)
WRAP(int, fsync, (int fd), (fd), EIO, -1)
WRAP(int, fdatasync, (int fd), (fd), EIO, -1)
WRAP(int, ftruncate, (int fd, off_t size), (fd, size), EIO, -1)
WRAP(int, rename, (const char *from, const char *to), (from, to), EIO, -1)
WRAP(int, unlink, (const char *path), (path), EIO, -1)
WRAP(pid_t, fork, (void), (), EAGAIN, -1)
WRAP(int, pipe, (int ends[2]), (ends), EMFILE, -1)
WRAP(int, poll, (struct pollfd * waited, nfds_t items, int ms), (waited, items, ms), ENOMEM, -1)
WRAP(int, pthread_create,
     (pthread_t * thread, const pthread_attr_t *how, void *(*work)(void *), void *argument),
     (thread, how, work, argument), EAGAIN, EAGAIN)
WRAP(int, dup2, (int from, int to), (from, to), EMFILE, -1)
WRAP(void *, dlopen, (const char *path, int flags), (path, flags), ENOMEM, NULL)

/* Functions of NVIDIA's management library can fail, too. */
void *__real_dlsym(void *library, const char *name);
void *__wrap_dlsym(void *library, const char *name);
void *__wrap_dlsym(void *library, const char *name)
{
    if (td_fault_is_here("dlsym")) {
        return NULL;
    }
    return td_fault_nvml(name, __real_dlsym(library, name));
}

/* A file that cannot be read: during the call, its descriptor refers to a folder. */
size_t __real_fread(void *data, size_t size, size_t items, FILE *file);
size_t __wrap_fread(void *data, size_t size, size_t items, FILE *file);
size_t __wrap_fread(void *data, size_t size, size_t items, FILE *file)
{
    if (!td_fault_is_here("fread")) {
        return __real_fread(data, size, items, file);
    }
    const int fd = fileno(file), kept = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    const int folder = (int)syscall(SYS_open, "/", O_RDONLY | O_CLOEXEC);
    __real_dup2(folder, fd);
    const size_t got = __real_fread(data, size, items, file);
    __real_dup2(kept, fd);
    close(folder);
    close(kept);
    return got;
}

/* A failed fclose closes the file, too: its buffer is lost and its descriptor is free. */
int __real_fclose(FILE *file);
int __wrap_fclose(FILE *file);
int __wrap_fclose(FILE *file)
{
    const int closed = __real_fclose(file);
    if (td_fault_is_here("fclose")) {
        errno = ENOSPC;
        return EOF;
    }
    return closed;
}
