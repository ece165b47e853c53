// arrays.hpp: arrays of the caller, of exactly the size that their strides need, so that the address sanitizer guards both ends. What lies
// between the components holds a pattern that must stay.
#pragma once

#include "input.hpp"

#include <algorithm>
#include <memory>
#include <set>

namespace fuzz {

inline double guard()
{
    const uint64_t bits = 0x7ff8dead00c0ffeeu; // a NaN: a sum that takes it in shows it
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
        if (!(a[i] == 0 && b[i] == 0) && !same_bits(&a[i], &b[i], 1)) return false;
    }
    return true;
}

// Component c of body i is at `base + row(i) * body + c * component`.
struct Places {
    size_t count = 0, components = 0, size = 0;
    ptrdiff_t base = 0, body = 0, component = 0;
    std::vector<int32_t> rows; // empty: body i is in row i
    bool is_wild = false;      // no array can have these strides

    size_t at(size_t i, size_t c) const
    {
        const ptrdiff_t row = rows.empty() ? ptrdiff_t(i) : rows[i];
        return size_t(base + row * body + ptrdiff_t(c) * component);
    }
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

enum { OUTPUT = 0, MAY_BE_SHARED = 1, WITH_ROWS = 2, PACKED_COMPONENTS = 4 };

// Strides of some kind. MAY_BE_SHARED: stride 0 is likely. WITH_ROWS: the bodies lie in other rows. PACKED_COMPONENTS: component stride 1.
inline Places places(Input &in, size_t count, size_t components, int options = OUTPUT)
{
    Places p;
    p.count = count, p.components = components;
    const ptrdiff_t k = ptrdiff_t(components), n = std::max<ptrdiff_t>(ptrdiff_t(count), 1);
    const bool packed = (options & PACKED_COMPONENTS) != 0;
    switch (in.choice(packed ? 5 : 9)) {
    case 0: p.body = k, p.component = 1; break;
    case 1: p.body = k + ptrdiff_t(in.choice(6)), p.component = 1; break; // structs
    case 2: p.body = -k - ptrdiff_t(in.choice(3)), p.component = 1; break;
    case 3: p.body = options & MAY_BE_SHARED ? 0 : k + 1, p.component = 1; break;
    case 4: p.body = ptrdiff_t(in.choice(19)) - 9, p.component = 1; break;
    case 5: p.body = 1, p.component = n; break; // columns
    case 6: p.body = -1, p.component = -n - ptrdiff_t(in.choice(3)); break;
    case 7: p.body = 2, p.component = 2 * n + 1; break;
    default: p.body = ptrdiff_t(in.choice(19)) - 9, p.component = ptrdiff_t(in.choice(19)) - 9; break;
    }
    if (count >= 2 && in.seldom(64)) {
        p.is_wild = true;
        const ptrdiff_t far = PTRDIFF_MAX / ptrdiff_t(1 + in.choice(4));
        (packed || in.choice(2) ? p.body : p.component) = in.choice(2) ? far : -far - 1;
        p.size = 16, p.base = 8;
        return p;
    }
    if (options & WITH_ROWS && count > 0) {
        // A permutation of a few rows more than there are bodies; now and then with a mistake in it.
        const size_t all = count + in.choice(4);
        std::vector<int32_t> rows(all);
        for (size_t i = 0; i < all; i++) rows[i] = int32_t(i);
        for (size_t i = all; i > 1; i--) std::swap(rows[i - 1], rows[in.choice(i)]);
        rows.resize(count);
        rows.shrink_to_fit();
        if (in.seldom(16)) rows[in.choice(count)] = in.choice(2) ? -1 : rows[0];
        p.rows = rows;
        if (std::any_of(rows.begin(), rows.end(), [](int32_t row) { return row < 0; })) p.is_wild = true, p.rows[0] = -1;
        if (p.is_wild) { p.size = 64 * (count + 4), p.base = ptrdiff_t(p.size / 2); return p; }
    }
    ptrdiff_t least = 0, most = 0;
    bool first = true;
    for (size_t i = 0; i < count; i++) {
        for (size_t c = 0; c < components; c++) {
            const ptrdiff_t at = (p.rows.empty() ? ptrdiff_t(i) : p.rows[i]) * p.body + ptrdiff_t(c) * p.component;
            least = first ? at : std::min(least, at);
            most = first ? at : std::max(most, at);
            first = false;
        }
    }
    p.base = -least;
    p.size = count == 0 ? 0 : size_t(most - least + 1);
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
    if (in.choice(2)) return {nullptr, true};
    return {reinterpret_cast<double *>(reinterpret_cast<char *>(address) + 1), true};
}

// Memory that views share.
using Memory = std::shared_ptr<std::vector<double>>;

inline Memory memory(size_t size)
{
    return std::make_shared<std::vector<double>>(size, guard());
}

// An array that the library reads: numbers at the places, patterns elsewhere.
struct Given {
    Places where;
    std::vector<double> numbers;
    Pointer start;

    template <class Each> Given(Input &in, Places p, Each each) : where(std::move(p)), numbers(where.size, guard())
    {
        for (size_t i = 0; i < where.count && !where.is_wild; i++) {
            const auto row = each(i);
            for (size_t c = 0; c < where.components; c++) numbers[where.at(i, c)] = row[c];
        }
        start = pointer(in, numbers.data() + where.base, where.count);
    }
    bool must_fail() const { return start.is_bad || where.is_wild; }
    // What body i gets, which with overlapping strides is not what was written first.
    std::vector<double> of(size_t i) const { return row_of(where, numbers, i); }
    static std::vector<double> row_of(const Places &where, const std::vector<double> &numbers, size_t i)
    {
        std::vector<double> row;
        for (size_t c = 0; c < where.components; c++) row.push_back(numbers[where.at(i, c)]);
        return row;
    }
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
        if (status == QI_OK) {
            HOLDS(where.count == 0 || !(start.is_bad || where.is_wild));
            HOLDS(where.is_wild || where.are_apart());
        }
        std::vector<bool> mine(numbers.size(), false);
        for (size_t i = 0; i < where.count && status == QI_OK; i++) {
            for (size_t c = 0; c < where.components; c++) mine[where.at(i, c)] = true;
        }
        const double pattern = guard();
        for (size_t at = 0; at < numbers.size(); at++) HOLDS(mine[at] || same_bits(&numbers[at], &pattern, 1));
    }
};

} // namespace fuzz
