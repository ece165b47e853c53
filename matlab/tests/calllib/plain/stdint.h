typedef int int32_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
