// check.hpp: every call of the library goes through QI, every promise through HOLDS. A broken
// promise aborts, and libFuzzer then saves the input. With FUZZ_TRACE=1 in the environment each
// call and each number drawn is printed: one needs them to write a reproducer in C.
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
    std::fprintf(stderr, "%s:%d: broken: %s\n", file, line, promise);
    std::fprintf(stderr, "  last error: %s\n", qi_last_error());
    std::abort();
}

#define HOLDS(promise) ((promise) ? void() : fuzz::found(#promise, __FILE__, __LINE__))

inline void begins(const char *call)
{
    calls.fetch_add(1, std::memory_order_relaxed);
    if (trace) std::fprintf(stderr, "%s\n", call);
}

inline void print_status(qi_status status)
{
    if (status < 0) {
        std::fprintf(stderr, "  -> %s: %s\n", qi_status_name(status), qi_last_error());
    } else {
        std::fprintf(stderr, "  -> %s\n", qi_status_name(status));
    }
}

// No input may lead to a panic, and each failure has a message.
inline qi_status ended(qi_status status)
{
    HOLDS(status != QI_ERR_PANIC);
    HOLDS(status >= QI_ERR_STEP && status <= QI_EVENT);
    HOLDS(status >= 0 || qi_last_error()[0] != 0);
    if (trace) print_status(status);
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

// Whether |q| is within 1e-12 of 1.
inline bool is_unit(const double *q)
{
    const double norm_squared = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return std::fabs(norm_squared - 1) <= 2e-12;
}

// About a locked axis that is not a body axis, rounding leaves 1e-16 of the angular velocity.
// Setting a state removes it, which is seen once the body has slowed down to less than 1e-7 of that
// velocity. `inertia`: the 7 numbers of QI_PART_INERTIA.
inline bool may_lose_digits(const double *inertia)
{
    const bool has_locked_axis = inertia[0] <= 0 || inertia[1] <= 0 || inertia[2] <= 0;
    const bool has_turned_axes = inertia[3] != 1;
    return has_locked_axis && has_turned_axes;
}

} // namespace fuzz
