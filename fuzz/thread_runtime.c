/* A newer compiler calls these functions, which the thread sanitizer of an older clang lacks. They
 * are memcpy and its like, which it watches. Weak: a runtime that has them takes its own. */
#include <string.h>

__attribute__((weak)) void *__tsan_memcpy(void *to, const void *from, size_t size)
{
    return memcpy(to, from, size);
}

__attribute__((weak)) void *__tsan_memmove(void *to, const void *from, size_t size)
{
    return memmove(to, from, size);
}

__attribute__((weak)) void *__tsan_memset(void *to, int value, size_t size)
{
    return memset(to, value, size);
}
