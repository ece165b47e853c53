/* no_mpi.h: the part of MPI that mpi_bodies.c and mpi_pairs.c use, for one process without an MPI library (-DNO_MPI).
 *
 * A datatype is its size in bytes, a file is a descriptor of POSIX, and every message goes to its sender. Include it before all other
 * headers.
 */
#ifndef NO_MPI_H
#define NO_MPI_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* pwrite, fsync */
#endif
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int MPI_Comm, MPI_Op, MPI_Info, MPI_File;
typedef size_t MPI_Datatype;
typedef long MPI_Offset;

#define MPI_COMM_WORLD 0
#define MPI_SUCCESS 0
#define MPI_SUM 0
#define MPI_MAX 1
#define MPI_INFO_NULL 0
#define MPI_STATUS_IGNORE NULL
#define MPI_IN_PLACE NULL
#define MPI_DATATYPE_NULL 0
#define MPI_INT sizeof(int)
#define MPI_INT32_T sizeof(int32_t)
#define MPI_INT64_T sizeof(int64_t)
#define MPI_DOUBLE sizeof(double)
#define MPI_MODE_RDONLY 1
#define MPI_MODE_WRONLY 2
#define MPI_MODE_CREATE 4

static inline int MPI_Init(int *argc, char ***argv) { return (void)argc, (void)argv, MPI_SUCCESS; }
static inline int MPI_Finalize(void) { return MPI_SUCCESS; }
static inline int MPI_Abort(MPI_Comm comm, int code) { (void)comm; exit(code); }
static inline int MPI_Barrier(MPI_Comm comm) { return (void)comm, MPI_SUCCESS; }
static inline int MPI_Comm_rank(MPI_Comm comm, int *rank) { return (void)comm, *rank = 0, MPI_SUCCESS; }
static inline int MPI_Comm_size(MPI_Comm comm, int *ranks) { return (void)comm, *ranks = 1, MPI_SUCCESS; }

static inline int MPI_Type_contiguous(int count, MPI_Datatype of, MPI_Datatype *type)
{
    return *type = (size_t)count * of, MPI_SUCCESS;
}
static inline int MPI_Type_commit(MPI_Datatype *type) { return (void)type, MPI_SUCCESS; }
static inline int MPI_Type_free(MPI_Datatype *type) { return *type = MPI_DATATYPE_NULL, MPI_SUCCESS; }

/* with one process a sum is its only term: in place, nothing happens */
static inline int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    (void)op, (void)comm;
    if (in != MPI_IN_PLACE) memcpy(out, in, (size_t)count * type);
    return MPI_SUCCESS;
}
static inline int MPI_Alltoall(const void *out, int sent, MPI_Datatype type, void *in, int got, MPI_Datatype type_in, MPI_Comm comm)
{
    (void)got, (void)type_in, (void)comm;
    return memcpy(in, out, (size_t)sent * type), MPI_SUCCESS;
}
static inline int MPI_Alltoallv(const void *out, const int *sent, const int *sent_at, MPI_Datatype type, void *in, const int *got,
                                const int *got_at, MPI_Datatype type_in, MPI_Comm comm)
{
    (void)sent_at, (void)got, (void)got_at;
    return MPI_Alltoall(out, sent[0], type, in, sent[0], type_in, comm);
}
static inline int MPI_Allgatherv(const void *out, int sent, MPI_Datatype type, void *in, const int *got, const int *got_at,
                                 MPI_Datatype type_in, MPI_Comm comm)
{
    (void)got, (void)got_at;
    return MPI_Alltoall(out, sent, type, in, sent, type_in, comm);
}

static inline int MPI_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file)
{
    (void)comm, (void)info;
    *file = mode == MPI_MODE_RDONLY ? open(name, O_RDONLY) : open(name, O_WRONLY | O_CREAT, 0666);
    return *file < 0;
}
static inline int MPI_File_set_size(MPI_File file, MPI_Offset size) { return ftruncate(file, size) != 0; }
static inline int MPI_File_get_size(MPI_File file, MPI_Offset *size) { return (*size = lseek(file, 0, SEEK_END)) < 0; }
static inline int MPI_File_sync(MPI_File file) { return fsync(file) != 0; }
static inline int MPI_File_close(MPI_File *file) { return close(*file) != 0; }

/* the system may write or read less than it was asked for: go on until nothing is left */
static inline int MPI_File_write_at_all(MPI_File file, MPI_Offset at, const void *data, int count, MPI_Datatype type, void *status)
{
    size_t done = 0;
    const size_t bytes = (size_t)count * type;
    for (ssize_t now = 1; done < bytes && now > 0; done += now > 0 ? (size_t)now : 0)
        now = pwrite(file, (const char *)data + done, bytes - done, at + (MPI_Offset)done);
    return (void)status, done != bytes;
}
static inline int MPI_File_read_at_all(MPI_File file, MPI_Offset at, void *data, int count, MPI_Datatype type, void *status)
{
    size_t done = 0;
    const size_t bytes = (size_t)count * type;
    for (ssize_t now = 1; done < bytes && now > 0; done += now > 0 ? (size_t)now : 0)
        now = pread(file, (char *)data + done, bytes - done, at + (MPI_Offset)done);
    return (void)status, done != bytes;
}

#endif
