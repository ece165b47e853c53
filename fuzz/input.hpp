// input.hpp: the bytes of the fuzzer as choices and numbers. An input that is used up gives zeros.
#pragma once

#include "check.hpp"

#include <array>
#include <cfloat>
#include <cstring>
#include <limits>
#include <vector>

namespace fuzz {

class Input {
public:
    Input(const uint8_t *data, size_t size) : at_(data), end_(data + size) {}

    bool is_empty() const { return at_ == end_; }
    uint8_t byte() { return is_empty() ? uint8_t(0) : *at_++; }
    // From 0 to below `options`.
    size_t choice(size_t options) { return byte() % options; }
    // True once in about `n` times; an input that is used up says no.
    bool seldom(size_t n) { return byte() % n == n - 1; }

    // Between -4 and 4.
    double modest() { return shown(int8_t(byte()) / 32.0); }

    // Any double, the likely ones more often.
    double number()
    {
        static const double special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, DBL_MIN, -DBL_MIN, 5e-324, DBL_MAX, -DBL_MAX, 1e154, -1.1e154,
                                         1e153, 1e-154, 1e300, 1e-300, 1e8, 1e-8, 1 + 1e-9, M_PI};
        const uint8_t kind = byte();
        if (kind < 160) return shown((kind - 80) / 16.0);
        if (kind < 200) return shown(special[kind % (sizeof special / sizeof *special)]);
        if (kind < 240) return shown(std::ldexp(1 + byte() / 256.0, 25 * (kind - 220)) * (byte() % 2 ? -1 : 1));
        double value;
        uint8_t raw[8];
        for (uint8_t &b : raw) b = byte();
        std::memcpy(&value, raw, sizeof value);
        return shown(value);
    }

    // The length of a step or a duration. One in eight is wild.
    double duration() { return seldom(8) ? number() : shown(int8_t(byte()) / 512.0); }

    // Mostly a unit quaternion; else one that is a little too long, or anything.
    std::array<double, 4> orientation()
    {
        std::array<double, 4> q = {1, 0, 0, 0};
        const size_t kind = choice(16);
        if (kind == 0) return q;
        for (double &x : q) x = kind == 15 ? number() : modest();
        const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        if (kind == 15) return q;
        if (length == 0) return {0, 0, 1, 0};
        const double scale = kind == 14 ? 1 + int8_t(byte()) * 1e-5 : 1;
        for (double &x : q) x *= scale / length;
        return q;
    }

    // Mostly a valid tensor: principal axes that are the body axes, or others; moments of any ratio.
    std::array<double, 9> inertia()
    {
        std::array<double, 9> tensor{};
        const size_t kind = choice(16);
        for (size_t i = 0; i < 3; i++) {
            tensor[4 * i] = kind == 15 ? number() : kind == 14 ? std::ldexp(1 + byte() / 256.0, int8_t(byte()) / 3) : 0.5 + byte() / 64.0;
        }
        if (kind == 0) tensor = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        if (kind == 7) {
            // A linear molecule, a body that turns about one axis, a point; now and then one that no body has.
            const size_t zeros = choice(8);
            if (!seldom(8)) tensor[4] = tensor[8] = tensor[0];
            for (size_t i = 0; i < 3; i++) tensor[4 * i] *= double(zeros >> i & 1);
        }
        if (kind >= 8 && kind < 15) {
            const size_t at[3][2] = {{1, 3}, {2, 6}, {5, 7}};
            for (const size_t *pair : at) tensor[pair[0]] = tensor[pair[1]] = modest() / 32;
        }
        if (kind == 13) tensor[1] = number();
        return tensor;
    }

    std::array<double, 3> vector(bool any)
    {
        std::array<double, 3> v;
        for (double &x : v) x = any ? number() : modest();
        return v;
    }

    // Coefficients of drag: not negative; seldom any.
    std::array<double, 3> coefficients(bool any)
    {
        std::array<double, 3> c = vector(any);
        for (double &x : c) x = any && seldom(4) ? x : std::fabs(x);
        return c;
    }
    // A seed, an id or a number of draws: small, or any 64 bits, among them those of a NaN.
    uint64_t word()
    {
        uint64_t bits = byte();
        if (bits >= 128) bits = bits % 2 ? UINT64_MAX - bits : bits * 0x9e3779b97f4a7c15u;
        if (trace) std::fprintf(stderr, "    %llu\n", static_cast<unsigned long long>(bits));
        return bits;
    }

    // A clock as steps leave it, where the rest is below the last digit of the time, or any.
    std::array<double, 2> clock()
    {
        const double time = number();
        return {time, seldom(4) ? number() : time * modest() * 0x1p-58};
    }

    // A number of steps that ends soon, or one that is refused.
    uint64_t steps() { return seldom(64) ? UINT64_MAX - choice(9) : choice(10); }
    // Seldom more than one: threads that wait for a processor take most of the time.
    size_t threads() { return seldom(8) ? 2 + choice(2) : 1; }

private:
    static double shown(double value)
    {
        if (trace) std::fprintf(stderr, "    %.17g\n", value);
        return value;
    }
    const uint8_t *at_, *end_;
};

} // namespace fuzz
