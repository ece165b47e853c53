// A part of quatint.hpp, which includes it: values of Eigen, of which nothing is included.

namespace quatint {

/// The numbers of a vector, a matrix (row by row) or a quaternion (scalar first) of Eigen, also of
/// an expression of matrices.
template <class T>
[[nodiscard]] auto from_eigen(const T &value)
{
    static_assert(detail::is_eigen<T> || detail::is_eigen_quaternion<T>,
                  "from_eigen() takes a vector, a matrix or a quaternion of Eigen");
    if constexpr (detail::is_eigen_quaternion<T>) {
        return Quaternion{value.w(), value.x(), value.y(), value.z()};
    } else if constexpr (detail::is_eigen<T>) {
        constexpr int rows = T::RowsAtCompileTime;
        constexpr int columns = T::ColsAtCompileTime;
        static_assert(detail::is_eigen_value<T>,
                      "from_eigen() takes 3 numbers or 3x3, a size known to the compiler: "
                      "Eigen::Vector3d, Eigen::Matrix3d");
        const typename T::PlainObject all = value;
        std::array<double, static_cast<std::size_t>(rows * columns)> numbers{};
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                numbers[static_cast<std::size_t>(i * columns + j)] = all(i, j);
            }
        }
        return numbers;
    }
}

/// The opposite: to_eigen<Eigen::Vector3d>(vector). Getters do the same:
/// body.orientation<Eigen::Quaterniond>().
template <class T, std::size_t N>
[[nodiscard]] T to_eigen(const std::array<double, N> &numbers)
{
    constexpr bool is_quaternion = detail::is_eigen_quaternion<T> && N == 4;
    constexpr bool is_vector = detail::is_eigen_vector<T> && N == 3;
    constexpr bool is_matrix = detail::has_shape<T, 3, 3>() && N == 9;
    static_assert(is_quaternion || is_vector || is_matrix,
                  "a Quaternion becomes an Eigen::Quaterniond, a Vector an Eigen::Vector3d, a "
                  "Matrix an Eigen::Matrix3d");
    if constexpr (is_quaternion) {
        using Number = typename T::Scalar;
        return T(static_cast<Number>(numbers[0]), static_cast<Number>(numbers[1]),
                 static_cast<Number>(numbers[2]), static_cast<Number>(numbers[3]));
    } else if constexpr (is_vector || is_matrix) {
        using Number = typename T::Scalar;
        T value;
        const double *number = numbers.data();
        for (int i = 0; i < T::RowsAtCompileTime; i++) {
            for (int j = 0; j < T::ColsAtCompileTime; j++) {
                value(i, j) = static_cast<Number>(*number++);
            }
        }
        return value;
    }
}

namespace detail {

/// A value of Eigen as an array, and anything else as it is.
template <class T>
decltype(auto) plain(const T &value)
{
    if constexpr (is_eigen_value<T>) {
        return from_eigen(value);
    } else {
        return (value);
    }
}

/// Lets a function change an array or, of Eigen, the numbers of a vector, a Map, a Ref or a block.
template <class T, class Change>
void change(T &&value, const Change &change_array)
{
    using Value = std::remove_reference_t<T>;
    if constexpr (is_eigen_value<Value>) {
        auto numbers = from_eigen(value);
        change_array(numbers);
        if constexpr (is_eigen_quaternion<Value>) {
            value.w() = numbers[0], value.x() = numbers[1], value.y() = numbers[2], value.z() = numbers[3];
        } else {
            value = to_eigen<typename Value::PlainObject>(numbers);
        }
    } else {
        change_array(value);
    }
}

/// As IfEigen, for arguments that may be changed.
template <class... Given>
using IfAnyEigen = IfEigen<std::remove_cv_t<std::remove_reference_t<Given>>...>;

} // namespace detail

} // namespace quatint
