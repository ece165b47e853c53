// arrays.hpp: arrays of the caller, of exactly the size that their strides need, so that the
// address sanitizer guards both ends. What lies between the components holds a pattern that must
// stay.
#pragma once

#include "input.hpp"

#include <algorithm>
#include <memory>
#include <set>

namespace fuzz {

// The pattern between the components: a NaN, so that a sum that takes it in shows it.
inline double guard()
{
    const uint64_t bits = 0x7ff8dead00c0ffeeu;
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

inline bool same_bits(const double *a, const double *b, size_t count)
{
    return count == 0 || std::memcmp(a, b, count * sizeof *a) == 0;
}

// The same bits, but for the sign of a zero.
inline bool same_but_zeros(const double *a, const double *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const bool are_zeros = a[i] == 0 && b[i] == 0;
        if (!are_zeros && !same_bits(&a[i], &b[i], 1)) return false;
    }
    return true;
}

inline bool is_guard(double value)
{
    const double pattern = guard();
    return same_bits(&value, &pattern, 1);
}

// Component c of body i is at `base + row(i) * body + c * component`.
struct Places {
    size_t count = 0;
    size_t components = 0;
    size_t size = 0; // of the array
    ptrdiff_t base = 0;
    ptrdiff_t body = 0;
    ptrdiff_t component = 0;
    std::vector<int32_t> rows; // empty: body i is in row i
    bool is_wild = false;      // no array can have these strides

    ptrdiff_t from_base(size_t i, size_t c) const
    {
        const ptrdiff_t row = rows.empty() ? ptrdiff_t(i) : rows[i];
        return row * body + ptrdiff_t(c) * component;
    }

    size_t at(size_t i, size_t c) const { return size_t(base + from_base(i, c)); }

    // No two components share a place.
    bool are_apart() const
    {
        std::set<size_t> seen;
        for (size_t i = 0; i < count; i++) {
            for (size_t c = 0; c < components; c++) {
                if (!seen.insert(at(i, c)).second) return false;
            }
        }
        return true;
    }
};

// MAY_BE_SHARED: a body stride of 0 is likely, with which all bodies share one value. WITH_ROWS:
// the bodies lie in other rows. PACKED_COMPONENTS: the component stride is 1.
enum { OUTPUT = 0, MAY_BE_SHARED = 1, WITH_ROWS = 2, PACKED_COMPONENTS = 4 };

inline ptrdiff_t any_stride(Input &in) { return ptrdiff_t(in.choice(19)) - 9; }

inline void draw_strides(Input &in, Places &p, int options)
{
    const ptrdiff_t components = ptrdiff_t(p.components);
    const ptrdiff_t bodies = std::max<ptrdiff_t>(ptrdiff_t(p.count), 1);
    const size_t kinds = options & PACKED_COMPONENTS ? 5 : 9;
    p.component = 1;
    switch (in.choice(kinds)) {
    case 0: p.body = components; break;
    case 1: // structs
        p.body = components + ptrdiff_t(in.choice(6));
        break;
    case 2: p.body = -components - ptrdiff_t(in.choice(3)); break;
    case 3: p.body = options & MAY_BE_SHARED ? 0 : components + 1; break;
    case 4: p.body = any_stride(in); break;
    case 5: // columns
        p.body = 1;
        p.component = bodies;
        break;
    case 6:
        p.body = -1;
        p.component = -bodies - ptrdiff_t(in.choice(3));
        break;
    case 7:
        p.body = 2;
        p.component = 2 * bodies + 1;
        break;
    default: p.body = any_stride(in); p.component = any_stride(in);
    }
}

// A stride so long that the array would not fit into memory.
inline void draw_wild_stride(Input &in, Places &p, int options)
{
    p.is_wild = true;
    const ptrdiff_t far = PTRDIFF_MAX / ptrdiff_t(1 + in.choice(4));
    // In this order: the bytes of the corpus mean these choices.
    const bool is_positive = in.choice(2);
    const bool is_of_bodies = (options & PACKED_COMPONENTS) != 0 || in.choice(2);
    ptrdiff_t &stride = is_of_bodies ? p.body : p.component;
    stride = is_positive ? far : -far - 1;
    p.size = 16;
    p.base = 8;
}

// A permutation of a few rows more than there are bodies. Now and then it has a mistake.
inline void draw_rows(Input &in, Places &p)
{
    const size_t all = p.count + in.choice(4);
    std::vector<int32_t> rows(all);
    for (size_t i = 0; i < all; i++) rows[i] = int32_t(i);
    for (size_t i = all; i > 1; i--) std::swap(rows[i - 1], rows[in.choice(i)]);
    rows.resize(p.count);
    rows.shrink_to_fit();
    if (in.seldom(16)) {
        const bool is_negative = in.choice(2);
        const size_t wrong = in.choice(p.count);
        rows[wrong] = is_negative ? -1 : rows[0];
    }
    p.rows = rows;
    const auto is_negative = [](int32_t row) { return row < 0; };
    if (std::any_of(rows.begin(), rows.end(), is_negative)) {
        p.is_wild = true;
        p.rows[0] = -1;
        p.size = 64 * (p.count + 4);
        p.base = ptrdiff_t(p.size / 2);
    }
}

// Sets the size of the array and where it begins, from the strides and the rows.
inline void fit(Places &p)
{
    if (p.count == 0) return;
    ptrdiff_t least = p.from_base(0, 0);
    ptrdiff_t most = least;
    for (size_t i = 0; i < p.count; i++) {
        for (size_t c = 0; c < p.components; c++) {
            const ptrdiff_t at = p.from_base(i, c);
            least = std::min(least, at);
            most = std::max(most, at);
        }
    }
    p.base = -least;
    p.size = size_t(most - least + 1);
}

inline Places places(Input &in, size_t count, size_t components, int options = OUTPUT)
{
    Places p;
    p.count = count;
    p.components = components;
    draw_strides(in, p, options);
    if (count >= 2 && in.seldom(64)) {
        draw_wild_stride(in, p, options);
        return p;
    }
    if (options & WITH_ROWS && count > 0) draw_rows(in, p);
    if (!p.is_wild) fit(p);
    return p;
}

// A pointer to the array, seldom one that must be refused.
struct Pointer {
    double *address;
    bool is_bad;
};

inline Pointer pointer(Input &in, double *address, size_t values)
{
    if (values == 0 || !in.seldom(64)) return {address, false};
    const bool is_null = in.choice(2);
    if (is_null) return {nullptr, true};
    char *const unaligned = reinterpret_cast<char *>(address) + 1;
    return {reinterpret_cast<double *>(unaligned), true};
}

// Memory that views share.
using Memory = std::shared_ptr<std::vector<double>>;

inline Memory memory(size_t size) { return std::make_shared<std::vector<double>>(size, guard()); }

// The numbers of body i in an array.
inline std::vector<double> row_of(const Places &where, const std::vector<double> &numbers, size_t i)
{
    std::vector<double> row;
    for (size_t c = 0; c < where.components; c++) row.push_back(numbers[where.at(i, c)]);
    return row;
}

// An array that the library reads: numbers at the places, patterns elsewhere.
struct Given {
    Places where;
    std::vector<double> numbers;
    Pointer start;

    template <class Each>
    Given(Input &in, Places p, Each each) : where(std::move(p)), numbers(where.size, guard())
    {
        for (size_t i = 0; i < where.count && !where.is_wild; i++) {
            const auto row = each(i);
            for (size_t c = 0; c < where.components; c++) numbers[where.at(i, c)] = row[c];
        }
        start = pointer(in, numbers.data() + where.base, where.count);
    }

    bool must_fail() const { return start.is_bad || where.is_wild; }

    // What body i gets. With overlapping strides that is not what was written first.
    std::vector<double> of(size_t i) const { return row_of(where, numbers, i); }
};

// An array that the library writes.
struct Wanted {
    Places where;
    std::vector<double> numbers;
    Pointer start;

    Wanted(Input &in, Places p) : where(std::move(p)), numbers(where.size, guard())
    {
        start = pointer(in, numbers.data() + where.base, where.count);
    }

    // After a failure nothing is written; after success nothing but the components.
    void check(qi_status status) const
    {
        std::vector<bool> may_be_written(numbers.size(), false);
        if (status == QI_OK) {
            HOLDS(where.count == 0 || !(start.is_bad || where.is_wild));
            HOLDS(where.is_wild || where.are_apart());
            for (size_t i = 0; i < where.count; i++) {
                for (size_t c = 0; c < where.components; c++) may_be_written[where.at(i, c)] = true;
            }
        }
        for (size_t at = 0; at < numbers.size(); at++) {
            HOLDS(may_be_written[at] || is_guard(numbers[at]));
        }
    }
};

} // namespace fuzz
