// A part of quatint.hpp, which includes it: views of the caller's memory.

namespace quatint {

namespace detail {

/// Number of components in an element of a range: 1 for `double`, N for `std::array<double, N>`,
/// and those of Eigen's types.
template <class Element, class = void>
struct Components;
template <>
struct Components<double> : std::integral_constant<std::size_t, 1> {};
template <std::size_t N>
struct Components<std::array<double, N>> : std::integral_constant<std::size_t, N> {};
template <class T>
struct Components<T,
                  std::enable_if_t<is_eigen_matrix<T> && std::is_same_v<typename T::Scalar, double>
                                   && T::SizeAtCompileTime *static_cast<int>(sizeof(double))
                                          == static_cast<int>(sizeof(T))>>
    : std::integral_constant<std::size_t, sizeof(T) / sizeof(double)> {};
template <class T>
struct Components<
    T, std::enable_if_t<is_eigen_quaternion<T> && std::is_same_v<typename T::Scalar, double>
                        && sizeof(T) == 4 * sizeof(double)>>
    : std::integral_constant<std::size_t, 4> {};

template <class T, class = void>
inline constexpr bool has_elements = false;
template <class T>
inline constexpr bool has_elements<T, std::void_t<typename T::value_type>> = true;

/// Whether a value consists of doubles, as far as its type tells: of a struct without elements it
/// does not.
template <class T, class = void>
inline constexpr bool has_components = false;
template <class T>
inline constexpr bool has_components<T, std::void_t<decltype(Components<T>::value)>> = true;
template <class T>
constexpr bool is_made_of_doubles()
{
    if constexpr (std::is_array_v<T>) {
        return is_made_of_doubles<std::remove_cv_t<std::remove_all_extents_t<T>>>();
    } else if constexpr (has_components<T>) {
        return true;
    } else if constexpr (is_eigen<T> || is_eigen_quaternion<T>) {
        return false; // of a size known at run time: it lies elsewhere
    } else if constexpr (!std::is_class_v<T> || !std::is_trivially_copyable_v<T>) {
        return false;
    } else if constexpr (has_elements<T>) {
        return is_made_of_doubles<std::remove_cv_t<typename T::value_type>>();
    } else {
        return true;
    }
}

/// Whether the numbers of a matrix of Eigen lie column after column. The library reads matrices row
/// by row.
template <class T>
constexpr bool lies_by_columns()
{
    if constexpr (has_shape<T, 3, 3>()) {
        return !T::IsRowMajor;
    } else {
        return false;
    }
}

/// Whether an object holds the numbers that it shows, so that they end with it: a std::vector, a
/// std::array or a matrix of Eigen does; a std::span or a Map of Eigen does not. Of what does not,
/// data() is the same whether the object is constant or not.
template <class T, class = void>
inline constexpr bool holds_numbers = is_eigen_matrix<T> || is_eigen_quaternion<T>;
template <class T>
inline constexpr bool holds_numbers<
    T, std::enable_if_t<!is_eigen<T>, std::void_t<decltype(std::data(std::declval<T &>()))>>> =
    std::is_array_v<T>
    || !std::is_same_v<decltype(std::data(std::declval<T &>())),
                       decltype(std::data(std::declval<const T &>()))>;

/// For overloads that are deleted: what holds its numbers is gone before a later step reads them.
template <class T>
using IfGone = std::enable_if_t<!std::is_lvalue_reference_v<T>
                                && holds_numbers<std::remove_cv_t<T>>> *;

/// The type of the elements of a contiguous range. A matrix of Eigen does not count as a range,
/// because its shape says what a body is.
template <class Range>
using Element =
    std::enable_if_t<!is_eigen<std::remove_const_t<Range>>,
                     std::remove_pointer_t<decltype(std::data(std::declval<Range &>()))>>;

/// Whether each column (or each row) of a matrix of Eigen in memory is a body: the number of
/// columns (or rows) is known at run time alone. This is neither so for MatrixXd, nor for Vector3d
/// and Matrix3d, which are one value.
template <class T, bool in_columns, class = void>
inline constexpr bool bodies_in = false;
template <class T>
inline constexpr bool bodies_in<T, true, std::enable_if_t<is_eigen<std::remove_const_t<T>>>> =
    T::RowsAtCompileTime > 0 && T::ColsAtCompileTime < 0;
template <class T>
inline constexpr bool bodies_in<T, false, std::enable_if_t<is_eigen<std::remove_const_t<T>>>> =
    T::ColsAtCompileTime > 0 && T::RowsAtCompileTime < 0;

/// Whether T is such a matrix, whose data() is a Number *. (A transposed expression has a data(),
/// which does not compile, but no strides.)
template <class T, class Number, class = void>
inline constexpr bool is_matrix_of_bodies = false;
template <class T, class Number>
inline constexpr bool is_matrix_of_bodies<
    T, Number,
    std::enable_if_t<std::is_convertible_v<decltype(std::declval<T &>().data()), Number *>
                     && std::is_integral_v<decltype(std::declval<T &>().colStride())>>> =
    bodies_in<T, false> || bodies_in<T, true>;

/// Whether T is a value for all bodies that is no array of doubles in memory: an expression of
/// Eigen, a Map or a block of a matrix.
template <class T>
constexpr bool is_computed_value()
{
    if constexpr (is_eigen_value<T>) {
        return std::is_same_v<typename T::Scalar, double> && !has_components<T>;
    } else {
        return false;
    }
}

/// Whether T has a column (or a row) for each body, and is no array of doubles in memory either.
template <class T>
constexpr bool is_computed_matrix()
{
    if constexpr (bodies_in<T, false> || bodies_in<T, true>) {
        return std::is_same_v<typename T::Scalar, double> && !is_matrix_of_bodies<const T, const double>;
    } else {
        return false;
    }
}

/// A range or a matrix of Eigen for the numbers of all bodies.
template <class T>
T room_for(std::size_t bodies)
{
    if constexpr (bodies_in<T, true>) {
        return T(T::RowsAtCompileTime, static_cast<typename T::Index>(bodies));
    } else if constexpr (bodies_in<T, false>) {
        return T(static_cast<typename T::Index>(bodies), T::ColsAtCompileTime);
    } else {
        return T(bodies);
    }
}

/// The data pointer of an empty range may be NULL, which C functions refuse. This takes its place.
/// An ensemble of no bodies neither reads nor writes it.
inline double nowhere = 0;

/// For constructors that are deleted: a 0, which converts to a pointer, is no data.
template <class Zero>
using IfZero = std::enable_if_t<std::is_null_pointer_v<Zero> || std::is_integral_v<Zero>> *;

/// Base class of View and ConstView.
template <class Number>
struct BasicView {
    static constexpr std::size_t unknown = std::numeric_limits<std::size_t>::max();

    Number *data;
    std::ptrdiff_t body_stride;
    std::ptrdiff_t component_stride;
    std::size_t bodies;
    std::size_t components;
    bool scalar_last = false; ///< quaternions of Eigen: (x, y, z, w)
    bool by_columns = false;  ///< matrices of Eigen: column after column

    BasicView(Number *start, std::ptrdiff_t from_body_to_body,
              std::ptrdiff_t from_component_to_component = 1, std::size_t body_count = unknown,
              std::size_t component_count = unknown)
        : data(start),
          body_stride(from_body_to_body),
          component_stride(from_component_to_component),
          bodies(body_count),
          components(component_count)
    {
    }

protected:
    template <class Range>
    static BasicView packed(Range &range)
    {
        using One = std::remove_const_t<Element<Range>>;
        constexpr std::size_t n = Components<One>::value;
        Number *const start =
            std::size(range) == 0 ? &nowhere : reinterpret_cast<Number *>(std::data(range));
        BasicView view(start, static_cast<std::ptrdiff_t>(n), 1, std::size(range), n);
        view.scalar_last = is_eigen_quaternion<One>;
        view.by_columns = lies_by_columns<One>();
        return view;
    }

    /// A matrix of Eigen, such as Matrix3Xd, a Map or a Ref.
    template <class T>
    static BasicView of_matrix(T &matrix)
    {
        Number *const start = matrix.size() == 0 ? &nowhere : matrix.data();
        const auto rows = static_cast<std::size_t>(matrix.rows());
        const auto columns = static_cast<std::size_t>(matrix.cols());
        if constexpr (bodies_in<std::remove_const_t<T>, true>) {
            return {start, matrix.colStride(), matrix.rowStride(), columns, rows};
        } else {
            return {start, matrix.rowStride(), matrix.colStride(), rows, columns};
        }
    }
};

} // namespace detail

/// A view of per-body data in the caller's memory: component c of body i is `data[i * body_stride +
/// c * component_stride]`. Strides count doubles. Construct it from a pointer and strides or from a
/// packed range, or with members() or soa().
///
/// If the view knows its number of bodies and components, every use checks that they are those of
/// the ensemble. For a part of a longer array give the pointer and strides.
struct View : detail::BasicView<double> {
    using BasicView::BasicView;

    template <class Zero, detail::IfZero<Zero> = nullptr>
    View(Zero, std::ptrdiff_t, std::ptrdiff_t = 1, std::size_t = 0, std::size_t = 0) = delete; // numbers are no view: {0, 0, 1}

    /// From a std::vector, a std::span, or another contiguous range, with one element for each body:
    /// std::array<double, N>, double, Eigen::Vector3d, Eigen::Quaterniond.
    template <class Range, std::size_t = detail::Components<detail::Element<Range>>::value>
    View(Range &range) : BasicView(packed(range))
    {
    }

#if defined(__cpp_lib_span)
    /// A std::span is a view itself, and may be temporary.
    template <class T, std::size_t N, std::size_t = detail::Components<T>::value>
    View(const std::span<T, N> &&range) : BasicView(packed(range))
    {
    }
#endif

    /// From a matrix of Eigen with a column for each body, as Matrix3Xd, or with a row, as
    /// Matrix<double, Dynamic, 3>. It may also be a Map, a Ref or a Block; these are views
    /// themselves, and may be temporary.
    template <class T, class M = std::remove_reference_t<T>,
              std::enable_if_t<detail::is_matrix_of_bodies<M, double>
                               && (std::is_lvalue_reference_v<T> || !detail::is_eigen_matrix<M>)>
                  * = nullptr>
    View(T &&matrix) : BasicView(of_matrix(matrix))
    {
    }
};

/// A read-only View. With a body stride of 0 all bodies share one value.
struct ConstView : detail::BasicView<const double> {
    using BasicView::BasicView;

    template <class Zero, detail::IfZero<Zero> = nullptr>
    ConstView(Zero, std::ptrdiff_t, std::ptrdiff_t = 1, std::size_t = 0, std::size_t = 0) = delete; // write Vector{0, 0, 1}

    ConstView(const View &view)
        : BasicView(view.data, view.body_stride, view.component_stride, view.bodies,
                    view.components)
    {
        scalar_last = view.scalar_last;
        by_columns = view.by_columns;
    }

    template <class Range, std::size_t = detail::Components<
                               std::remove_const_t<detail::Element<const Range>>>::value>
    ConstView(const Range &range) : BasicView(packed(range))
    {
    }

    template <class T,
              std::enable_if_t<detail::is_matrix_of_bodies<const T, const double>> * = nullptr>
    ConstView(const T &matrix) : BasicView(of_matrix(matrix))
    {
    }

    /// One value shared by all bodies.
    template <std::size_t N>
    ConstView(const std::array<double, N> &one) : BasicView(one.data(), 0, 1, unknown, N)
    {
    }

    /// The same: Eigen::Vector3d, Eigen::Quaterniond, or a symmetric Eigen::Matrix3d.
    template <
        class T,
        std::enable_if_t<detail::is_eigen_matrix<T> || detail::is_eigen_quaternion<T>, std::size_t>
            N = detail::Components<T>::value>
    ConstView(const T &one)
        : BasicView(reinterpret_cast<const double *>(std::addressof(one)), 0, 1, unknown, N)
    {
        scalar_last = detail::is_eigen_quaternion<T>;
        by_columns = detail::lies_by_columns<T>();
    }

    /// The value of an expression of Eigen, such as `2 * v`, a Map or a block, which this view keeps.
    template <class T, std::enable_if_t<detail::is_computed_value<T>()> * = nullptr>
    ConstView(const T &one) : ConstView(std::make_shared<const decltype(from_eigen(one))>(from_eigen(one)))
    {
    }

    /// The same of an expression with a column, or a row, for each body.
    template <class T, std::enable_if_t<detail::is_computed_matrix<T>()> * = nullptr>
    ConstView(const T &matrix) : ConstView(std::make_shared<const typename T::PlainObject>(matrix))
    {
    }

    /// Whether the numbers are the view's own, and end with it.
    [[nodiscard]] bool is_computed() const { return kept_ != nullptr; }

private:
    template <class Kept>
    explicit ConstView(std::shared_ptr<const Kept> kept) : ConstView(*kept)
    {
        kept_ = std::move(kept);
    }

    std::shared_ptr<const void> kept_;
};

/// A view of one member of the structs in a std::vector, a std::span or another contiguous range:
/// members(particles, &Particle::orientation). The member must consist of doubles only: double,
/// double[4], std::array<double, 4>, Eigen::Quaterniond.
template <class Range, class Member, class Struct>
[[nodiscard]] auto members(Range &structs, Member Struct::*member)
{
    using Element = detail::Element<Range>;
    using Number = std::conditional_t<std::is_const_v<Element>, const double, double>;
    static_assert(sizeof(Element) % sizeof(double) == 0,
                  "the structs must be a whole number of doubles apart");
    static_assert(sizeof(Member) % sizeof(double) == 0 && alignof(Member) % alignof(double) == 0
                      && detail::is_made_of_doubles<std::remove_cv_t<Member>>(),
                  "the member must hold doubles only");
    const std::size_t count = std::size(structs);
    Number *const first =
        count == 0 ? &detail::nowhere
                   : reinterpret_cast<Number *>(std::addressof(std::data(structs)->*member));
    std::conditional_t<std::is_const_v<Element>, ConstView, View> view(
        first, static_cast<std::ptrdiff_t>(sizeof(Element) / sizeof(double)), 1, count,
        sizeof(Member) / sizeof(double));
    view.scalar_last = detail::is_eigen_quaternion<std::remove_cv_t<Member>>;
    view.by_columns = detail::lies_by_columns<std::remove_cv_t<Member>>();
    return view;
}

template <class Range, class Member, class Struct, detail::IfGone<Range> = nullptr>
void members(const Range &&, Member Struct::*) = delete; // the structs are gone before the view is used

#if defined(__cpp_lib_span)
/// The same of a temporary std::span.
template <class T, std::size_t N, class Member, class Struct>
[[nodiscard]] auto members(const std::span<T, N> &&structs, Member Struct::*member)
{
    return members(structs, member);
}
#endif

/// A view of data in the layout Layout::soa, component after component, `count` doubles apart: q(n,
/// 4) in Fortran and MATLAB. Where there is room for more bodies than the ensemble has, it is
/// View(data, 1, room).
[[nodiscard]] inline View soa(double *data, std::size_t count)
{
    return {data, 1, static_cast<std::ptrdiff_t>(count), count};
}
[[nodiscard]] inline ConstView soa(const double *data, std::size_t count)
{
    return {data, 1, static_cast<std::ptrdiff_t>(count), count};
}
template <class Number, class Count, detail::IfNotWhole<Count> = nullptr>
View soa(Number *, Count) = delete; // the count is a whole number

} // namespace quatint
