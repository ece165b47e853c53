/* killer.c: kills a process at its n-th call that writes a file, for tests of what is on the disk then. Preload it (LD_PRELOAD).
 *
 *     KILL_FILE   what the name of the file begins with: "/folder/name" is also for "/folder/name.new"
 *     KILL_AT     the number of the call, from 1: a write, a change of length, a sync, a rename
 *     KILL_RANK   with Open MPI, the rank that is killed; else every process
 *
 * At a write, the first half of the bytes is written before the process ends: by SIGKILL, so that it can do nothing more.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static int calls;

static int is_last_call(const char *name)
{
    const char *file = getenv("KILL_FILE"), *at = getenv("KILL_AT"), *rank = getenv("KILL_RANK");
    const char *own = getenv("OMPI_COMM_WORLD_RANK");
    if (file == NULL || at == NULL || strncmp(name, file, strlen(file)) != 0) return 0;
    return ++calls == atoi(at) && (rank == NULL || own == NULL || strcmp(rank, own) == 0);
}

static int is_last_call_for(int fd)
{
    char link[64], name[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t length = readlink(link, name, sizeof name - 1);
    if (length < 0) return 0;
    name[length] = 0;
    return is_last_call(name);
}

/* what the process would have called */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *bytes, size_t count)
{
    if (!is_last_call_for(fd)) return REAL(write)(fd, bytes, count);
    REAL(write)(fd, bytes, count / 2);
    return raise(SIGKILL);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at)
{
    if (!is_last_call_for(fd)) return REAL(pwrite)(fd, bytes, count, at);
    REAL(pwrite)(fd, bytes, count / 2, at);
    return raise(SIGKILL);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) { return pwrite(fd, bytes, count, at); }

ssize_t writev(int fd, const struct iovec *parts, int count)
{
    if (!is_last_call_for(fd)) return REAL(writev)(fd, parts, count);
    REAL(write)(fd, parts[0].iov_base, parts[0].iov_len / 2);
    return raise(SIGKILL);
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at)
{
    if (!is_last_call_for(fd)) return REAL(pwritev)(fd, parts, count, at);
    REAL(pwrite)(fd, parts[0].iov_base, parts[0].iov_len / 2, at);
    return raise(SIGKILL);
}

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t at) { return pwritev(fd, parts, count, at); }

int ftruncate(int fd, off_t size) { return is_last_call_for(fd) ? raise(SIGKILL) : REAL(ftruncate)(fd, size); }
int ftruncate64(int fd, off64_t size) { return ftruncate(fd, size); }
int fsync(int fd) { return is_last_call_for(fd) ? raise(SIGKILL) : REAL(fsync)(fd); }
int rename(const char *old, const char *new) { return is_last_call(old) ? raise(SIGKILL) : REAL(rename)(old, new); }
