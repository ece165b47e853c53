/* The one function of bcryptprimitives.dll that Rust's standard library calls, for versions of wine that lack the file. */
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(void *buffer, ULONG count); /* RtlGenRandom, of advapi32 */
__declspec(dllexport) BOOL WINAPI ProcessPrng(BYTE *buffer, SIZE_T count)
{
    return SystemFunction036(buffer, (ULONG)count);
}
