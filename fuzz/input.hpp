// input.hpp: the bytes of the fuzzer as choices and numbers. An input that is used up gives zeros.
#pragma once

#include "check.hpp"

#include <array>
#include <cfloat>
#include <cstring>
#include <limits>
#include <vector>

namespace fuzz {

// Methods are numbered from 0 to below this.
constexpr size_t METHODS = 7;

// One of the methods; for greater choices a number that is none.
inline int32_t method_of(size_t choice) { return choice < METHODS ? int32_t(choice) : 99; }

class Input {
public:
    Input(const uint8_t *data, size_t size) : at_(data), end_(data + size) {}

    bool is_empty() const { return at_ == end_; }

    uint8_t byte()
    {
        if (is_empty()) return 0;
        return *at_++;
    }

    // From 0 to below `options`.
    size_t choice(size_t options) { return byte() % options; }

    // True once in about `n` times. An input that is used up says no.
    bool seldom(size_t n) { return byte() % n == n - 1; }

    // Between -4 and 4.
    double modest() { return shown(int8_t(byte()) / 32.0); }

    // Any double, the likely ones more often.
    double number()
    {
        static const double special[] = {0.0,     -0.0,     INFINITY, -INFINITY, NAN,
                                         DBL_MIN, -DBL_MIN, 5e-324,   DBL_MAX,   -DBL_MAX,
                                         1e154,   -1.1e154, 1e153,    1e-154,    1e300,
                                         1e-300,  1e8,      1e-8,     1 + 1e-9,  M_PI};
        constexpr size_t specials = sizeof special / sizeof *special;
        const uint8_t kind = byte();
        if (kind < 160) return shown((kind - 80) / 16.0);
        if (kind < 200) return shown(special[kind % specials]);
        if (kind < 240) {
            const double mantissa = 1 + byte() / 256.0;
            const double sign = byte() % 2 ? -1 : 1;
            return shown(std::ldexp(mantissa, 25 * (kind - 220)) * sign);
        }
        uint8_t raw[8];
        for (uint8_t &b : raw) b = byte();
        double value;
        std::memcpy(&value, raw, sizeof value);
        return shown(value);
    }

    // The length of a step or a duration. One in eight is wild.
    double duration()
    {
        if (seldom(8)) return number();
        return shown(int8_t(byte()) / 512.0);
    }

    // Mostly a unit quaternion. Else one that is a little too long or too short, or anything.
    std::array<double, 4> orientation()
    {
        const size_t kind = choice(16);
        const bool is_identity = kind == 0;
        const bool is_off_unit = kind == 14;
        const bool is_any = kind == 15;
        std::array<double, 4> q = {1, 0, 0, 0};
        if (is_identity) return q;
        for (double &x : q) x = is_any ? number() : modest();
        if (is_any) return q;
        const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        if (length == 0) return {0, 0, 1, 0};
        const double scale = is_off_unit ? 1 + int8_t(byte()) * 1e-5 : 1;
        for (double &x : q) x *= scale / length;
        return q;
    }

    // Mostly a valid tensor, with moments of any ratio. Its principal axes are the body axes, or
    // others.
    std::array<double, 9> inertia()
    {
        const size_t kind = choice(16);
        std::array<double, 9> tensor{};
        for (size_t i = 0; i < 3; i++) tensor[4 * i] = diagonal_element(kind);
        if (kind == 0) tensor = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        if (kind == 7) set_moments_to_zero(tensor);
        if (kind >= 8 && kind < 15) {
            const size_t off_diagonal[3][2] = {{1, 3}, {2, 6}, {5, 7}};
            for (const auto &[upper, lower] : off_diagonal) {
                tensor[upper] = modest() / 32;
                tensor[lower] = tensor[upper];
            }
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
        for (double &x : c) {
            const bool stays = any && seldom(4);
            if (!stays) x = std::fabs(x);
        }
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
        const double rest = seldom(4) ? number() : time * modest() * 0x1p-58;
        return {time, rest};
    }

    // A number of steps that ends soon, or one that is refused.
    uint64_t steps()
    {
        if (seldom(64)) return UINT64_MAX - choice(9);
        return choice(10);
    }

    // Seldom more than one: threads that wait for a processor take most of the time.
    size_t threads()
    {
        if (seldom(8)) return 2 + choice(2);
        return 1;
    }

private:
    double diagonal_element(size_t kind)
    {
        if (kind == 15) return number();
        if (kind == 14) {
            const double mantissa = 1 + byte() / 256.0;
            return std::ldexp(mantissa, int8_t(byte()) / 3);
        }
        return 0.5 + byte() / 64.0;
    }

    // A linear molecule, a body that turns about one axis, a point. Now and then a tensor that no
    // body has.
    void set_moments_to_zero(std::array<double, 9> &tensor)
    {
        const size_t kept = choice(8); // bit i: moment i stays
        if (!seldom(8)) {
            tensor[4] = tensor[0];
            tensor[8] = tensor[0];
        }
        for (size_t i = 0; i < 3; i++) tensor[4 * i] *= double(kept >> i & 1);
    }

    static double shown(double value)
    {
        if (trace) std::fprintf(stderr, "    %.17g\n", value);
        return value;
    }

    const uint8_t *at_;
    const uint8_t *end_;
};

} // namespace fuzz
