// check.hpp: every call of the library goes through QI, every promise through HOLDS. A broken promise aborts: libFuzzer then saves the
// input. With FUZZ_TRACE=1 in the environment each call and each number drawn is printed, which is what a reproducer in C needs.
#pragma once

#include <quatint.h>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace fuzz {

inline std::atomic<uint64_t> calls{0};
inline const bool trace = std::getenv("FUZZ_TRACE") != nullptr;

[[noreturn]] inline void found(const char *promise, const char *file, int line)
{
    std::fprintf(stderr, "%s:%d: broken: %s\n  last error: %s\n", file, line, promise, qi_last_error());
    std::abort();
}

#define HOLDS(promise) ((promise) ? void() : fuzz::found(#promise, __FILE__, __LINE__))

inline void begins(const char *call)
{
    calls.fetch_add(1, std::memory_order_relaxed);
    if (trace) std::fprintf(stderr, "%s\n", call);
}

// No input may lead to a panic, and each failure has a message.
inline qi_status ended(qi_status status)
{
    HOLDS(status != QI_ERR_PANIC);
    HOLDS(status >= QI_ERR_STEP && status <= QI_EVENT);
    HOLDS(status >= 0 || qi_last_error()[0] != 0);
    if (trace) std::fprintf(stderr, "  -> %s%s%s\n", qi_status_name(status), status < 0 ? ": " : "", status < 0 ? qi_last_error() : "");
    return status;
}

// A call that returns a status, and one that returns something else.
#define QI(call) (fuzz::begins(#call), fuzz::ended(call))
#define QI_VALUE(call) (fuzz::begins(#call), (call))

inline bool are_finite(const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!std::isfinite(numbers[i])) return false;
    }
    return true;
}

inline bool is_unit(const double *q)
{
    return std::fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) <= 2e-12; // |q| within 1e-12 of 1
}

// About a locked axis that is no body axis rounding leaves 1e-16 of the velocity, which states that are set again have no more where the body
// has since slowed down to less than 1e-7 of it. From the 7 numbers of an inertia in a row.
inline bool may_lose_digits(const double *inertia)
{
    return (inertia[0] == 0 || inertia[1] == 0 || inertia[2] == 0) && inertia[3] != 1;
}

} // namespace fuzz
