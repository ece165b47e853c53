/* A stand-in for the CUDA runtime, for the program in docs/gpu.md: as much of it as that takes, over
 * the stand-in for the driver. The test writes each start of a kernel as ON_DEVICE(blocks, threads,
 * call). */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

extern "C" {
int cuInit(unsigned flags);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuCtxPushCurrent_v2(void *context);
int cuMemAlloc_v2(uint64_t *address, size_t size);
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t size);
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t size);
int cuStreamSynchronize(void *stream);
void stand_in_enter(void);
void stand_in_leave(void);
}

#define __global__ static
struct Index {
    int x;
};
static Index blockIdx, blockDim, threadIdx;

#define ON_DEVICE(blocks, threads, call)                                                           \
    do {                                                                                           \
        stand_in_enter();                                                                          \
        blockDim.x = (threads);                                                                    \
        for (blockIdx.x = 0; blockIdx.x < (blocks); blockIdx.x++)                                  \
            for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++) call;                   \
        stand_in_leave();                                                                          \
    } while (0)

typedef void *cudaStream_t;
enum { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };

static void cudaStreamCreate(cudaStream_t *stream) {
    static char handle;
    *stream = &handle;
}

static void cudaMalloc(void **memory, size_t size) {
    static void *context;
    if (context == NULL) {
        cuInit(0);
        cuDevicePrimaryCtxRetain(&context, 0);
        cuCtxPushCurrent_v2(context);
    }
    if (cuMemAlloc_v2((uint64_t *)memory, size) != 0) abort();
}

static void cudaMemcpy(void *to, const void *from, size_t size, int way) {
    int failed = way == cudaMemcpyHostToDevice ? cuMemcpyHtoD_v2((uint64_t)to, from, size)
                                               : cuMemcpyDtoH_v2(to, (uint64_t)from, size);
    if (failed || cuStreamSynchronize(NULL)) abort();
}
