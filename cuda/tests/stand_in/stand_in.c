/* A stand-in for libcuda.so.1, for tests without a GPU: device memory is host memory, and a launch
 * runs the kernels, translated to C by ptx_to_c.py, thread by thread.
 *
 * It is stricter than a driver. Launches, and copies to the device, wait in a queue until something
 * synchronises their stream, so a host that forgets to synchronise reads old numbers, and a kernel of
 * another stream too. Outside the calls of the driver device
 * memory cannot be accessed, so a host that reads through an address of the device crashes. Calls
 * without a context, launches of a wrong shape and memory that is freed twice are errors. Blocks and
 * threads run in another order in each launch. Copies in a stream read and write the host's memory when their turn comes, and events happen then.
 *
 * QUATINT_STAND_IN names what is wrong with the machine, if anything: no-device, old-device,
 * old-driver, no-module, little-memory.
 */
#define _GNU_SOURCE
/* for tests that plant a wrong statement: whether it is this one that the environment asks for */
static int wrong;
static inline int is_wrong(int number) { return number == wrong; }
#include "kernels.c"
#include <stdio.h>
#include <sys/mman.h>

enum { OK = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_INITIALIZED = 3, NO_DEVICE = 100,
       INVALID_DEVICE = 101, INVALID_IMAGE = 200, INVALID_CONTEXT = 201, NOT_FOUND = 500,
       NOT_READY = 600, ILLEGAL_ADDRESS = 700, CONTEXT_IS_DESTROYED = 709, LAUNCH_FAILED = 719,
       CAPTURE_UNSUPPORTED = 900 };

typedef struct { char *at; size_t size, mapped; } Memory;
enum { MOST = 4096 };
static Memory memory[MOST];
static int contexts, retained, initialized;
static long synchronised, launched, pinned;
static int lost, capturing;
static void *forbidden = (void *)-1; /* a stream that is gone */
static long uses_of_forbidden;

/* of a kernel; of a copy to the device if there are bytes, or in a stream if there is a place on the host; of an event */
typedef struct {
    int kernel;
    unsigned blocks, threads;
    char arguments[1024];
    void *stream;
    u64 to;
    size_t size;
    char *bytes, *host;
    int is_from_host, *event;
} Launch;
static Launch *queue;
static long waiting, room;
static void *last_stream;

static int is(const char *what) {
    const char *wrong = getenv("QUATINT_STAND_IN");
    return wrong != NULL && strcmp(wrong, what) == 0;
}

static void protect(int access) {
    for (int i = 0; i < MOST; i++)
        if (memory[i].at != NULL) mprotect(memory[i].at, memory[i].mapped, access);
}

static Memory *find(u64 address) {
    for (int i = 0; i < MOST; i++)
        if (memory[i].at != NULL && address >= (u64)memory[i].at && address < (u64)memory[i].at + memory[i].size)
            return &memory[i];
    return NULL;
}

static u64 greatest_divisor(u64 a, u64 b) { return b == 0 ? a : greatest_divisor(b, a % b); }

static void run(const Launch *launch) {
    if (launch->event != NULL) {
        *launch->event = 1;
        return;
    }
    if (launch->host != NULL) {
        void *device = (void *)launch->to;
        memcpy(launch->is_from_host ? device : launch->host, launch->is_from_host ? launch->host : device, launch->size);
        return;
    }
    if (launch->bytes != NULL) {
        memcpy((void *)launch->to, launch->bytes, launch->size);
        free(launch->bytes);
        return;
    }
    /* blocks and threads in another order each time, as no device promises one */
    static u64 state = 1;
    u64 blocks = launch->blocks, step = (state = state * 6364136223846793005 + 1442695040888963407) >> 33;
    while (step == 0 || greatest_divisor(step, blocks) != 1) step++;
    ptx_ntid = launch->threads;
    for (u64 block = 0; block < blocks; block++) {
        ptx_ctaid = (unsigned)(block * step % blocks);
        for (unsigned thread = 0; thread < launch->threads; thread++) {
            ptx_tid = step & 2 ? thread : launch->threads - 1 - thread;
            ptx_kernels[launch->kernel].run((void *)launch->arguments);
        }
    }
}

static Launch *next_in_queue(void *stream) {
    uses_of_forbidden += stream == forbidden;
    if (waiting == room) queue = realloc(queue, (room = 2 * room + 16) * sizeof *queue);
    queue[waiting] = (Launch){0};
    queue[waiting].stream = stream;
    return &queue[waiting++];
}

/* does what waits in a stream; the default stream waits for all others */
static void synchronise(void *stream) {
    long left = 0;
    uses_of_forbidden += stream == forbidden;
    synchronised++;
    protect(PROT_READ | PROT_WRITE);
    for (long i = 0; i < waiting; i++) {
        if (stream == NULL || queue[i].stream == stream) run(&queue[i]);
        else queue[left++] = queue[i];
    }
    waiting = left;
    protect(PROT_NONE);
}

/* for tests: what runs between these two sees the memory of the device */
void stand_in_enter(void) {
    synchronise(NULL);
    protect(PROT_READ | PROT_WRITE);
}
void stand_in_leave(void) { protect(PROT_NONE); }

long stand_in_synchronised(void) { return synchronised; }
long stand_in_launched(void) { return launched; }
long stand_in_contexts(void) { return contexts + retained; }
/* from now on calls fail: all that need the device (700), or that of a context that is gone (709) */
int stand_in_lose(int code) { return lost = code, OK; }
int stand_in_forbid(void *stream) { return forbidden = stream, OK; }
long stand_in_forbidden(void) { return uses_of_forbidden; }
int stand_in_capture(int is_capturing) { return capturing = is_capturing, OK; }
/* the call with this number from now on that needs the device fails, once */
static long calls_to_failure;
int stand_in_fail(u64 calls) { return calls_to_failure = (long)calls, OK; }
long stand_in_calls_to_failure(void) { return calls_to_failure; }
static int usable(void) {
    if (calls_to_failure > 0 && --calls_to_failure == 0) return LAUNCH_FAILED;
    return lost != 0 ? lost : contexts == 0 ? INVALID_CONTEXT : OK;
}
#define REFUSE_IF_UNUSABLE do { int code = usable(); if (code != OK) return code; } while (0)
void *stand_in_last_stream(void) { return last_stream; }
long stand_in_memory(void) {
    long count = 0;
    for (int i = 0; i < MOST; i++) count += memory[i].at != NULL;
    return count + pinned;
}

int cuInit(unsigned flags) {
    if (is("no-device")) return NO_DEVICE;
    initialized = 1;
    if (getenv("QUATINT_WRONG") != NULL) wrong = atoi(getenv("QUATINT_WRONG"));
    ptx_write_addresses();
    return flags == 0 ? OK : INVALID_VALUE;
}
int cuDriverGetVersion(int *version) { return *version = is("old-driver") ? 8000 : 12040, OK; }
int cuDeviceGet(int *device, int ordinal) {
    if (!initialized) return NOT_INITIALIZED;
    return ordinal == 0 ? (*device = 0, OK) : INVALID_DEVICE;
}
int cuDeviceGetName(char *name, int size, int device) {
    return snprintf(name, size, "a stand-in (kernels translated to C)"), OK;
}
int cuDeviceGetAttribute(int *value, int attribute, int device) {
    if (attribute == 75) return *value = is("old-device") ? 6 : 7, OK;
    if (attribute == 76) return *value = is("old-device") ? 1 : 0, OK;
    return INVALID_VALUE;
}
int cuDevicePrimaryCtxRetain(void **context, int device) { return retained++, *context = &contexts, OK; }
int cuDevicePrimaryCtxRelease_v2(int device) { return retained-- > 0 ? OK : INVALID_CONTEXT; }
int cuCtxPushCurrent_v2(void *context) {
    if (context != &contexts) return INVALID_CONTEXT;
    if (lost == CONTEXT_IS_DESTROYED) return lost;
    return contexts++, OK;
}
int cuCtxPopCurrent_v2(void **context) {
    *context = &contexts;
    return contexts-- > 0 ? OK : INVALID_CONTEXT;
}

/* A module has one kernel. A driver waits in this call, which it refuses while a graph is captured,
 * unless the thread has said that it does not mind. */
enum { RELAXED = 2 };
static int capture_mode, modules;
int cuThreadExchangeStreamCaptureMode(int *mode) {
    int before = capture_mode;
    REFUSE_IF_UNUSABLE;
    return capture_mode = *mode, *mode = before, OK;
}
int cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *options, void **values) {
    u64 hash = 0xCBF29CE484222325;
    REFUSE_IF_UNUSABLE;
    if (capturing && capture_mode != RELAXED) return CAPTURE_UNSUPPORTED;
    for (const u8 *byte = image; *byte; byte++) hash = (hash ^ *byte) * 0x100000001B3;
    for (u64 i = 0; ptx_kernels[i].name != NULL && !is("no-module"); i++)
        if (ptx_kernels[i].hash == hash) return modules++, *module = (void *)&ptx_kernels[i], OK;
    for (unsigned i = 0; i < count; i++)
        if (options[i] == 5) strcpy(values[i], "ptxas fatal: a stand-in knows the modules of the text");
    return INVALID_IMAGE;
}
int cuModuleUnload(void *module) { return modules--, contexts > 0 ? OK : INVALID_CONTEXT; }
int cuModuleGetFunction(void **function, void *module, const char *name) {
    u64 i = ((u64)module - (u64)ptx_kernels) / sizeof *ptx_kernels;
    REFUSE_IF_UNUSABLE;
    if (strcmp(ptx_kernels[i].name, name) != 0) return NOT_FOUND;
    return *function = (void *)(i + 1), OK;
}
long stand_in_modules(void) { return modules; }
int cuFuncGetAttribute(int *value, int attribute, void *function) { return *value = 0, OK; }

int cuMemAlloc_v2(u64 *address, size_t size) {
    REFUSE_IF_UNUSABLE;
    if (size == 0) return INVALID_VALUE;
    if (is("little-memory") && size > 4096) return OUT_OF_MEMORY;
    for (int i = 0; i < MOST; i++) {
        if (memory[i].at != NULL) continue;
        /* at the end of its pages, so that what lies beyond crashes; 256 is an alignment of CUDA's */
        size_t whole = (size + 255) / 256 * 256, mapped = (whole + 4095) / 4096 * 4096 + 4096;
        char *at = mmap(NULL, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (at == MAP_FAILED) return OUT_OF_MEMORY;
        mprotect(at, mapped - 4096, PROT_READ | PROT_WRITE);
        memset(at, 0xa5, mapped - 4096); /* memory is not zero at first */
        mprotect(at, mapped, PROT_NONE);
        memory[i] = (Memory){at, size, mapped - 4096};
        *address = (u64)at;
        return OK;
    }
    return OUT_OF_MEMORY;
}
int cuMemFree_v2(u64 address) {
    Memory *found = find(address);
    REFUSE_IF_UNUSABLE;
    if (found == NULL || (u64)found->at != address) return INVALID_VALUE;
    synchronise(NULL);
    munmap(found->at, found->mapped + 4096);
    found->at = NULL;
    return OK;
}

static int copy(u64 device, size_t size, void *to, const void *from) {
    Memory *found = find(device);
    REFUSE_IF_UNUSABLE;
    if (found == NULL || device + size > (u64)found->at + found->size) return INVALID_VALUE;
    synchronise(NULL);
    protect(PROT_READ | PROT_WRITE);
    memcpy(to, from, size);
    protect(PROT_NONE);
    return OK;
}
int cuMemcpyHtoD_v2(u64 to, const void *from, size_t size) {
    /* the bytes are read at once, and arrive when the default stream is synchronised */
    char *bytes = malloc(size + 1);
    memcpy(bytes, from, size);
    Memory *found = find(to);
    REFUSE_IF_UNUSABLE;
    if (found == NULL || to + size > (u64)found->at + found->size) return INVALID_VALUE;
    synchronise(NULL);
    Launch *launch = next_in_queue(NULL);
    launch->to = to, launch->size = size, launch->bytes = bytes;
    return OK;
}
int cuMemcpyDtoH_v2(void *to, u64 from, size_t size) { return copy(from, size, to, (void *)from); }
int cuMemcpyDtoD_v2(u64 to, u64 from, size_t size) { return copy(from, size, (void *)to, (void *)from); }
int cuMemGetInfo_v2(size_t *unused, size_t *all) { return *unused = *all = 1ull << 30, OK; }
int cuStreamSynchronize(void *stream) {
    REFUSE_IF_UNUSABLE;
    if (capturing) return CAPTURE_UNSUPPORTED;
    return synchronise(stream), OK;
}
int cuPointerGetAttribute(void *value, int attribute, u64 address) {
    REFUSE_IF_UNUSABLE;
    if (attribute != 2 || find(address) == NULL) return INVALID_VALUE;
    return *(unsigned *)value = 2, OK;
}
int cuStreamIsCapturing(void *stream, int *is_capturing) { return *is_capturing = capturing, usable(); }
int cuMemAllocHost_v2(void **to, size_t size) {
    REFUSE_IF_UNUSABLE;
    return pinned++, *to = malloc(size), OK;
}
int cuMemFreeHost(void *memory) { return pinned--, free(memory), OK; }

static int copy_in_stream(u64 device, char *host, size_t size, int is_from_host, void *stream) {
    Memory *found = find(device);
    REFUSE_IF_UNUSABLE;
    if (found == NULL || device + size > (u64)found->at + found->size) return INVALID_VALUE;
    Launch *launch = next_in_queue(stream);
    launch->to = device, launch->host = host, launch->size = size, launch->is_from_host = is_from_host;
    return OK;
}
int cuMemcpyHtoDAsync_v2(u64 to, const void *from, size_t size, void *stream) {
    return copy_in_stream(to, (char *)from, size, 1, stream);
}
int cuMemcpyDtoHAsync_v2(void *to, u64 from, size_t size, void *stream) { return copy_in_stream(from, to, size, 0, stream); }

int cuEventCreate(void **event, unsigned flags) {
    REFUSE_IF_UNUSABLE;
    int *happened = malloc(sizeof *happened);
    return *happened = 1, pinned++, *event = happened, OK;
}
int cuEventRecord(void *event, void *stream) {
    REFUSE_IF_UNUSABLE;
    return *(int *)event = 0, next_in_queue(stream)->event = event, OK;
}
int cuEventQuery(void *event) {
    REFUSE_IF_UNUSABLE;
    return *(int *)event ? OK : NOT_READY;
}
int cuEventDestroy_v2(void *event) { return pinned--, free(event), OK; }
int cuCtxSynchronize(void) { return cuStreamSynchronize(NULL); }

int cuLaunchKernel(void *function, unsigned x, unsigned y, unsigned z, unsigned threads, unsigned y2, unsigned z2,
                   unsigned shared, void *stream, void **arguments, void **extra) {
    u64 kernel = (u64)function - 1;
    REFUSE_IF_UNUSABLE;
    if (x == 0 || y != 1 || z != 1 || threads != 128 || y2 != 1 || z2 != 1 || shared != 0 || extra != NULL)
        return INVALID_VALUE;
    Launch *launch = next_in_queue(stream);
    launch->kernel = (int)kernel, launch->blocks = x, launch->threads = threads;
    memcpy(launch->arguments, arguments[0], ptx_kernels[kernel].size);
    last_stream = stream;
    launched++;
    return OK;
}

int cuGetErrorName(int error, const char **name) {
    *name = error == OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : error == NO_DEVICE ? "CUDA_ERROR_NO_DEVICE"
          : error == INVALID_IMAGE ? "CUDA_ERROR_INVALID_IMAGE" : "CUDA_ERROR_OF_A_STAND_IN";
    return OK;
}
