/**
 * @file quatint.hpp
 * The C++17 interface of quatint: classes around the functions of quatint.h. Errors are exceptions;
 * any callable can be a torque. Header-only.
 *
 * A program:
 *
 *     using namespace quatint;
 *     Body top(diagonal(1, 1, 0.5), orientation_from_axis_angle({1, 0, 0}, 0.3), {0, -6, 19});
 *     const Vector weight{0, 0, -9.81};
 *     top.set_torque([weight](double, const Quaternion &q, const Vector &) -> Vector {
 *         const Vector arm = rotate(q, {0, 0, 1});
 *         return {arm[1] * weight[2], -arm[0] * weight[2], 0};
 *     });
 *     top.advance(1e-3, 5000);
 *
 * quatint.h documents the units, the frames, the reproducibility and every function. All of that
 * applies here. This header documents only what differs.
 *
 * Counts      A count, a seed or an id given as a floating-point number does not compile: such
 *             overloads are deleted.
 * Errors      A negative status is thrown as a quatint::Error, with that status(), the index of the
 *             body() concerned and the text of qi_last_error(). A call that throws has changed
 *             nothing, except that advance(), record() and solve() keep the steps completed before
 *             the failure.
 * Torques     If a torque throws, the step rethrows that exception, and the bodies are as they were
 *             before the step. If several threads step an ensemble, the exception is the one from
 *             the failing body with the lowest index.
 * Events      If an event throws, solve_until() rethrows that exception, and the body is at the
 *             start of the step in which it happened.
 * Inertia     If the function of set_inertia_function() throws, so does the call that moves the
 *             body. A step has then changed nothing.
 * Ownership   A Body or an Ensemble can be moved but not copied. It owns its torque. After a move,
 *             every use of the old object throws an Error with status QI_ERR_NULL; you may still
 *             assign to it or destroy it.
 * Eigen       Where a body takes a Vector, a Quaternion or a Matrix, it takes Eigen's types, too.
 *             A getter returns the type asked for: body.angular_velocity<Eigen::Vector3d>(), and of
 *             all bodies ensemble.angular_velocities<Eigen::Matrix3Xd>(). This header includes
 *             nothing of Eigen.
 * Threads     Several threads may call const members of one object at the same time. All other
 *             members need exclusive access.
 * Callables   A torque is called as an lvalue, on the thread that takes the step. An ensemble with
 *             several threads calls it from several threads at once. A torque or an event must not
 *             use the object it acts on.
 * Memory      A step allocates nothing, but for the first of an ensemble after a change of it.
 *             step_with() allocates its arrays on the first call.
 */
#ifndef QUATINT_HPP
#define QUATINT_HPP

#if __cplusplus < 201703L && (!defined(_MSVC_LANG) || _MSVC_LANG < 201703L)
#error "quatint.hpp needs C++17: compile with -std=c++17 or later, or use quatint.h"
#else

#include "quatint.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <iterator>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
#if __has_include(<version>)
#include <version>
#endif
#if defined(__cpp_lib_span)
#include <span>
#endif

namespace quatint {

/// (w, x, y, z), scalar first, body to world.
using Quaternion = std::array<double, 4>;
using Vector = std::array<double, 3>;
/// 3x3, row-major.
using Matrix = std::array<double, 9>;
/// The time, and what rounding has left of the sum of the steps.
using Clock = std::array<double, 2>;

enum class Frame : std::int32_t { world = QI_FRAME_WORLD, body = QI_FRAME_BODY };

/// Memory layout of the arrays passed to a chunk torque: body after body, or component after
/// component (the fastest).
enum class Layout : std::int32_t { aos = QI_LAYOUT_AOS, soa = QI_LAYOUT_SOA };

/// Position of the scalar part in a bound quaternion: (w, x, y, z), or (x, y, z, w) as in Eigen.
enum class Scalar : std::int32_t { first = QI_SCALAR_FIRST, last = QI_SCALAR_LAST };

/// Contents of a bound array: angular velocities or angular momenta, in the world frame or the body
/// frame.
enum class Kind : std::int32_t {
    omega_world = QI_OMEGA_WORLD,
    omega_body = QI_OMEGA_BODY,
    angmom_world = QI_ANGMOM_WORLD,
    angmom_body = QI_ANGMOM_BODY
};

/// The angular velocities that give points their velocities: the present ones, or those of
/// bind_predicted_velocities(), for forces that depend on the velocity.
enum class Omega : std::int32_t { present = 0, predicted = 1 };

/// The method that advances a body.
enum class Method : std::int32_t {
    /// Order 2, two torques a step: the default.
    pcdm = QI_METHOD_PCDM,
    /// Order 2, one torque a step. The energy error stays bounded.
    splitting = QI_METHOD_SPLITTING,
    /// Order 4, six torques a step, which must not depend on the angular velocity.
    splitting_4 = QI_METHOD_SPLITTING_4,
    /// Order 4, four torques a step.
    cf4 = QI_METHOD_CF4,
    /// Order 6, eleven torques a step, which must not depend on the angular velocity.
    splitting_6 = QI_METHOD_SPLITTING_6,
    /// Order 4, three torques a step, which must not depend on the angular velocity.
    force_gradient = QI_METHOD_FORCE_GRADIENT,
    /// Weak order 1, one torque a step: without inertia, with the random torques of set_langevin().
    brownian = QI_METHOD_BROWNIAN
};

/// How solve(), solve_record() and solve_until() take their steps.
enum class SolveMethod : std::int32_t {
    /// DOP853, of order 8: the default.
    nonstiff = QI_SOLVE_NONSTIFF,
    /// RODAS, of order 4. It costs less for torques that change faster than the motion.
    stiff = QI_SOLVE_STIFF
};

/// What stays when a body gets another inertia.
enum class Keep : std::int32_t {
    /// A part is cut off, and leaves with its momentum.
    angular_velocity = QI_KEEP_ANGULAR_VELOCITY,
    /// Material moves inside the body, as when a panel unfolds.
    angular_momentum = QI_KEEP_ANGULAR_MOMENTUM
};

/// The crossings of zero that are events, in the direction of the solution.
enum class Crossing : std::int32_t {
    rising = QI_RISING,   ///< from negative to positive
    falling = QI_FALLING, ///< from positive to negative
    any = QI_ANY_CROSSING ///< both
};

/// What kind of failure an Error is. It compares with the constants of C:
/// `error.status() == QI_ERR_BUSY`.
enum class Status : qi_status {
    null = QI_ERR_NULL,
    misaligned = QI_ERR_MISALIGNED,
    invalid = QI_ERR_INVALID,
    non_finite = QI_ERR_NON_FINITE,
    inertia = QI_ERR_INERTIA,
    orientation = QI_ERR_ORIENTATION,
    callback = QI_ERR_CALLBACK,
    capacity = QI_ERR_CAPACITY,
    busy = QI_ERR_BUSY,
    memory = QI_ERR_MEMORY,
    panic = QI_ERR_PANIC,
    order = QI_ERR_ORDER,
    step = QI_ERR_STEP
};

constexpr bool operator==(Status a, qi_status b) noexcept { return static_cast<qi_status>(a) == b; }
constexpr bool operator!=(Status a, qi_status b) noexcept { return !(a == b); }
constexpr bool operator==(qi_status a, Status b) noexcept { return b == a; }
constexpr bool operator!=(qi_status a, Status b) noexcept { return !(b == a); }

/// Version of the linked library. QI_VERSION_NUMBER is the version of the header.
[[nodiscard]] inline std::uint32_t version_number() noexcept { return qi_version_number(); }
[[nodiscard]] inline const char *version_string() noexcept { return qi_version_string(); }

[[nodiscard]] inline const char *status_name(qi_status status) noexcept
{
    return qi_status_name(status);
}
[[nodiscard]] inline const char *status_message(qi_status status) noexcept
{
    return qi_status_message(status);
}
[[nodiscard]] inline const char *status_name(Status status) noexcept
{
    return status_name(static_cast<qi_status>(status));
}
[[nodiscard]] inline const char *status_message(Status status) noexcept
{
    return status_message(static_cast<qi_status>(status));
}

/// Thrown when a call is refused or a step fails. what() names the function, the argument or body,
/// and the reason.
class Error : public std::runtime_error {
public:
    /// Takes its text, its body and its cause from the last failure on this thread.
    explicit Error(qi_status status)
        : Error(status, qi_last_error(), qi_last_error_body(), qi_last_error_cause())
    {
    }

    Error(qi_status status, const std::string &text, std::size_t body = no_body)
        : Error(status, text, body, text)
    {
    }

    Error(Status status, const std::string &text, std::size_t body = no_body)
        : Error(static_cast<qi_status>(status), text, body)
    {
    }

    [[nodiscard]] Status status() const noexcept { return static_cast<Status>(status_); }

    /// Index of the body concerned, the first if there are several. Empty if no single body of an
    /// ensemble is concerned.
    [[nodiscard]] std::optional<std::size_t> body() const noexcept
    {
        if (body_ == no_body) return std::nullopt;
        return body_;
    }

    /// what() without the function, the number of steps and the body.
    [[nodiscard]] const char *cause() const noexcept { return cause_.what(); }

private:
    Error(qi_status status, const std::string &text, std::size_t body, const std::string &cause)
        : std::runtime_error(text), status_(status), body_(body), cause_(cause)
    {
    }

    // What qi_last_error_body() returns.
    static constexpr std::size_t no_body = std::numeric_limits<std::size_t>::max();

    qi_status status_;
    std::size_t body_;
    std::runtime_error cause_; // a string whose copies cannot throw
};

/// Diagonal inertia tensor with these principal moments about the body axes.
[[nodiscard]] inline Matrix diagonal(double i1, double i2, double i3)
{
    return {i1, 0, 0, 0, i2, 0, 0, 0, i3};
}

namespace detail {

inline void check(qi_status status)
{
    if (status < 0) throw Error(status);
}

inline void destroy(qi_body *body) noexcept { qi_destroy_body(body); }
inline void destroy(qi_ensemble *ensemble) noexcept { qi_destroy_ensemble(ensemble); }
inline const char *name_of(const qi_body *) noexcept { return "quatint::Body"; }
inline const char *name_of(const qi_ensemble *) noexcept { return "quatint::Ensemble"; }

/// A user's torque or inertia function, with the failure that stopped it. In one step several
/// threads may fail, at different bodies.
class Callback {
public:
    virtual ~Callback() = default;

    /// Records a failure at body `first`, unless one at a lower body is already recorded: the step
    /// reports the lowest body. `exception` is null if the callable stopped the step by returning a
    /// nonzero value.
    void stopped(std::size_t first, std::exception_ptr exception) noexcept
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (!any_ || first < first_) {
            any_ = true;
            first_ = first;
            exception_ = std::move(exception);
        }
    }

    /// Returns the recorded exception and clears it.
    std::exception_ptr take() noexcept
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        any_ = false;
        return std::exchange(exception_, nullptr);
    }

private:
    std::mutex mutex_;
    bool any_ = false;
    std::size_t first_ = 0;
    std::exception_ptr exception_;
};

/// Reports the failure of a call that may have called these callbacks, of which none may be there:
/// rethrows the exception of one if there is one, else throws Error.
template <class... Callbacks>
[[noreturn]] void fail(qi_status status, Callbacks *...callbacks)
{
    const Error error(status);
    for (Callback *callback : {static_cast<Callback *>(callbacks)...}) {
        const std::exception_ptr thrown = callback != nullptr ? callback->take() : nullptr;
        if (status == QI_ERR_CALLBACK && thrown != nullptr) std::rethrow_exception(thrown);
    }
    throw error;
}

/// Calls user code and catches its exceptions, which must not pass through C. `first` is the body
/// it is called for. Returns the callback's result: 0, or nonzero to stop the step.
template <class Call>
std::int32_t guarded(Callback &callback, std::size_t first, Call call) noexcept
{
    try {
        const std::int32_t result = call();
        if (result != 0) callback.stopped(first, nullptr);
        return result;
    } catch (...) {
        callback.stopped(first, std::current_exception());
        return 1;
    }
}

/// Calls a callable that writes its torque to a pointer. Returns its result, or 0 if it returns
/// void.
template <class F, class... Arguments>
std::int32_t result_of(F &f, Arguments... arguments)
{
    using Result = std::invoke_result_t<F &, Arguments...>;
    static_assert(
        std::is_void_v<Result> || std::is_same_v<Result, std::int32_t>,
        "a torque that writes to a pointer returns nothing, or std::int32_t: 0 when all is well");
    if constexpr (std::is_void_v<Result>) {
        f(arguments...);
        return 0;
    } else {
        return f(arguments...);
    }
}

/// Refuses a number (of steps) of 2^63 or more: a negative number, converted. Such a call would not
/// end.
inline std::uint64_t counted(std::uint64_t steps, const char *function,
                             const char *what = "a number of steps")
{
    const auto as_signed = static_cast<std::int64_t>(steps);
    if (as_signed < 0) {
        throw Error(QI_ERR_INVALID, std::string(function) + ": " + what
                                        + " is negative or too large: " + std::to_string(as_signed)
                                        + ", or unsigned " + std::to_string(steps));
    }
    return steps;
}

/// For overloads that are deleted: a count, a seed or an id that is given as a floating-point
/// number does not compile. Compilers show the line of the deleted function, so the comment in that
/// line says what is wrong.
template <class... Numbers>
using IfNotWhole = std::enable_if_t<(std::is_floating_point_v<Numbers> || ...)> *;

// Types of Eigen are known by their members, so that this header needs no Eigen.

/// A matrix of Eigen, or an expression of matrices.
template <class T, class = void>
inline constexpr bool is_eigen = false;
template <class T>
inline constexpr bool is_eigen<
    T, std::void_t<typename T::PlainObject, typename T::Scalar, decltype(T::SizeAtCompileTime)>> =
    true;

/// A matrix of Eigen that holds its numbers, no expression.
template <class T, class = void>
inline constexpr bool is_eigen_matrix = false;
template <class T>
inline constexpr bool is_eigen_matrix<T, std::enable_if_t<is_eigen<T>>> =
    std::is_same_v<typename T::PlainObject, T>;

/// A quaternion of Eigen, which stores (x, y, z, w).
template <class T, class = void>
inline constexpr bool is_eigen_quaternion = false;
template <class T>
inline constexpr bool is_eigen_quaternion<
    T, std::void_t<typename T::AngleAxisType, decltype(std::declval<const T &>().coeffs())>> = true;

/// A matrix of Eigen, or an expression, with this number of rows and columns, which the compiler
/// knows.
template <class T, int rows, int columns>
constexpr bool has_shape()
{
    if constexpr (is_eigen<T>) {
        return T::RowsAtCompileTime == rows && T::ColsAtCompileTime == columns;
    } else {
        return false;
    }
}

/// A vector with three numbers, in a column or a row.
template <class T>
inline constexpr bool is_eigen_vector = has_shape<T, 3, 1>() || has_shape<T, 1, 3>();

/// What from_eigen() takes.
template <class T>
inline constexpr bool is_eigen_value =
    is_eigen_quaternion<T> || is_eigen_vector<T> || has_shape<T, 3, 3>();

/// For overloads that take values of Eigen, which these functions pass on as arrays.
template <class... Given>
using IfEigen = std::enable_if_t<(is_eigen_value<Given> || ...)> *;

template <class T, class = void>
inline constexpr bool has_three_numbers = false;
template <class T>
inline constexpr bool has_three_numbers<T, std::void_t<decltype(std::declval<const T &>()[0])>> =
    std::is_convertible_v<decltype(std::declval<const T &>()[0]), double>;

/// Whether a torque may return this. If not, the compiler says what is wanted.
template <class Result>
constexpr bool is_torque_value()
{
    using T = std::decay_t<Result>;
    static_assert(!std::is_void_v<T>,
                  "this torque returns nothing: it must return a quatint::Vector, the torque");
    static_assert(!is_eigen<T> || is_eigen_matrix<T>,
                  "this torque returns an Eigen expression, which refers to destroyed objects: "
                  "write the type of the result after "
                  "the parameters of the lambda, as in [](double time, ...) -> Eigen::Vector3d");
    static_assert(std::is_void_v<T> || is_eigen<T> || has_three_numbers<T>,
                  "this torque returns a type that is no vector: it must return a quatint::Vector, "
                  "or another type with [0], [1], [2]");
    return has_three_numbers<T> && (!is_eigen<T> || is_eigen_matrix<T>);
}

template <class T, class = void>
inline constexpr std::size_t fixed_size = 3; // unknown at compile time
template <class T>
inline constexpr std::size_t fixed_size<T, std::void_t<decltype(std::tuple_size<T>::value)>> =
    std::tuple_size<T>::value;

template <class T, class = void>
inline constexpr bool knows_its_size = false;
template <class T>
inline constexpr bool knows_its_size<T, std::void_t<decltype(std::declval<const T &>().size())>> =
    true;

/// Refuses a torque that has a size other than 3: reading it would read past its end. For
/// std::array the compiler checks, for fixed sizes of Eigen it removes the check.
template <class T>
void expect_three(const T &torque, std::size_t body = std::numeric_limits<std::size_t>::max())
{
    static_assert(fixed_size<T> == 3, "a torque has three components");
    if constexpr (knows_its_size<T>) {
        if (torque.size() != 3) {
            const std::string size = std::to_string(torque.size());
            throw Error(QI_ERR_INVALID, "the torque has " + size + " components instead of 3",
                        body);
        }
    }
}

template <class F>
void refuse_null(const F &f, const char *function)
{
    if constexpr (std::is_pointer_v<F>) {
        if (f == nullptr)
            throw Error(QI_ERR_NULL, std::string(function) + ": the function is NULL");
    }
}

template <class F>
inline constexpr bool writes_torque =
    std::is_invocable_v<F &, double, const double *, const double *, double *>;

template <class F>
inline constexpr bool returns_torque =
    std::is_invocable_v<F &, double, const Quaternion &, const Vector &>;

/// Copies N doubles one at a time. They were just stored one at a time; if the compiler loads two
/// of them into one vector register, store forwarding stalls, which costs 15 ns a step.
template <std::size_t N>
std::array<double, N> one_by_one(const double *numbers)
{
    const volatile double *const each = numbers;
    std::array<double, N> copy;
    for (std::size_t i = 0; i < N; i++) copy[i] = each[i];
    return copy;
}

/// The torque on one body.
template <class F>
class BodyTorque final : public Callback {
    static_assert(writes_torque<F> || returns_torque<F>,
                  "a torque on a body is callable as Vector(double time, const Quaternion &, const "
                  "Vector &angular_velocity) or "
                  "void(double time, const double *orientation, const double *angular_velocity, "
                  "double *torque)");

public:
    template <class G>
    explicit BodyTorque(G &&f) : f_(std::forward<G>(f)) {}

    static std::int32_t ask(double time, const double *q, const double *omega, double *torque,
                            void *self) noexcept
    {
        auto &me = *static_cast<BodyTorque *>(self);
        return guarded(me, 0, [&]() -> std::int32_t {
            if constexpr (writes_torque<F>) {
                return result_of(me.f_, time, q, omega, torque);
            } else if constexpr (is_torque_value<std::invoke_result_t<
                                     F &, double, const Quaternion &, const Vector &>>()) {
                const auto t = me.f_(time, one_by_one<4>(q), one_by_one<3>(omega));
                expect_three(t);
                torque[0] = t[0];
                torque[1] = t[1];
                torque[2] = t[2];
            }
            return 0;
        });
    }

private:
    F f_;
};

template <class F>
inline constexpr bool is_inertia_function = std::is_invocable_r_v<Matrix, F &, double>;

/// The inertia of one body as a function of the time.
template <class F>
class BodyInertia final : public Callback {
    static_assert(is_inertia_function<F>,
                  "an inertia function is callable as Matrix(double time); from_eigen() makes a "
                  "Matrix of one of Eigen");

public:
    template <class G>
    explicit BodyInertia(G &&f) : f_(std::forward<G>(f)) {}

    static std::int32_t ask(double time, double *inertia, void *self) noexcept
    {
        auto &me = *static_cast<BodyInertia *>(self);
        return guarded(me, 0, [&]() -> std::int32_t {
            if constexpr (is_inertia_function<F>) {
                const Matrix given = me.f_(time);
                std::copy(given.begin(), given.end(), inertia);
            }
            return 0;
        });
    }

private:
    F f_;
};

template <class F>
inline constexpr bool event_of_arrays =
    std::is_invocable_v<F &, double, const Quaternion &, const Vector &>;

template <class F>
constexpr bool is_event()
{
    if constexpr (event_of_arrays<F>) {
        using Result = std::invoke_result_t<F &, double, const Quaternion &, const Vector &>;
        return std::is_floating_point_v<Result>;
    } else if constexpr (std::is_invocable_v<F &, double, const double *, const double *>) {
        using Result = std::invoke_result_t<F &, double, const double *, const double *>;
        return std::is_floating_point_v<Result>;
    } else {
        return false;
    }
}

/// A user's event function, which the caller keeps, with the exception that it has thrown.
template <class F>
class Event {
    static_assert(is_event<F>(),
                  "an event is callable as double(double time, const Quaternion &, const Vector "
                  "&angular_velocity) or "
                  "double(double time, const double *orientation, const double *angular_velocity)");

public:
    explicit Event(F &f) : f_(f) {}

    /// After an exception it returns NaN, which ends the solution.
    static double ask(double time, const double *q, const double *omega, void *self) noexcept
    {
        auto &me = *static_cast<Event *>(self);
        try {
            if constexpr (event_of_arrays<F>) {
                return static_cast<double>(me.f_(time, one_by_one<4>(q), one_by_one<3>(omega)));
            } else {
                return static_cast<double>(me.f_(time, q, omega));
            }
        } catch (...) {
            me.thrown_ = std::current_exception();
            return std::numeric_limits<double>::quiet_NaN();
        }
    }

    void rethrow() const
    {
        if (thrown_ != nullptr) std::rethrow_exception(thrown_);
    }

private:
    F &f_;
    std::exception_ptr thrown_;
};

/// The torque on a chunk of bodies.
template <class F>
class ChunkTorque final : public Callback {
    static_assert(std::is_invocable_v<F &, double, std::size_t, std::size_t, const double *,
                                      const double *, double *>,
                  "a torque on a chunk of bodies is callable as void(double time, std::size_t "
                  "first, std::size_t count, const double "
                  "*orientation, const double *angular_velocity, double *torque)");

public:
    template <class G>
    explicit ChunkTorque(G &&f) : f_(std::forward<G>(f)) {}

    static std::int32_t ask(double time, std::size_t first, std::size_t count, const double *q,
                            const double *omega, double *torque, void *self) noexcept
    {
        auto &me = *static_cast<ChunkTorque *>(self);
        return guarded(me, first,
                       [&] { return result_of(me.f_, time, first, count, q, omega, torque); });
    }

private:
    F f_;
};

/// The torque on each body of an ensemble, wrapped as a chunk torque. Uses columns so that the
/// compiler can vectorise the loop.
template <class F>
class EachTorque final : public Callback {
    static_assert(
        std::is_invocable_v<F &, double, std::size_t, const Quaternion &, const Vector &>,
        "a torque on each body of an ensemble is callable as Vector(double time, std::size_t body, "
        "const Quaternion &, "
        "const Vector &angular_velocity); set_chunk_torque() takes one for many bodies at once");

public:
    template <class G>
    explicit EachTorque(G &&f) : f_(std::forward<G>(f)) {}

    static std::int32_t ask(double time, std::size_t first, std::size_t n, const double *q,
                            const double *omega, double *torque, void *self) noexcept
    {
        auto &me = *static_cast<EachTorque *>(self);
        return guarded(me, first, [&]() -> std::int32_t {
            using Result =
                std::invoke_result_t<F &, double, std::size_t, const Quaternion &, const Vector &>;
            if constexpr (is_torque_value<Result>()) {
                for (std::size_t i = 0; i < n; i++) {
                    const Quaternion q_i = {q[i], q[n + i], q[2 * n + i], q[3 * n + i]};
                    const Vector omega_i = {omega[i], omega[n + i], omega[2 * n + i]};
                    const auto t = me.f_(time, first + i, q_i, omega_i);
                    expect_three(t, first + i);
                    torque[i] = t[0];
                    torque[n + i] = t[1];
                    torque[2 * n + i] = t[2];
                }
            }
            return 0;
        });
    }

private:
    F f_;
};

/// Base class of Body and Ensemble: the C handle and the functions that C calls.
template <class Handle>
class Object {
public:
    /// The C handle, for calling functions of quatint.h; NULL after a move. The object does not own
    /// a torque set through it.
    [[nodiscard]] Handle *handle() const noexcept { return handle_.get(); }

protected:
    Object(Handle *handle, const qi_status &status) : handle_(handle)
    {
        if (handle == nullptr) throw Error(status);
    }

    Handle *live() const
    {
        if (handle_ == nullptr) {
            const std::string name = name_of(handle_.get());
            throw Error(QI_ERR_NULL, name + ": used after it was moved from");
        }
        return handle_.get();
    }

    /// Checks the status of a call that may have called the torque or the inertia function.
    void stepped(qi_status status)
    {
        if (status != QI_OK) fail(status, torque_.get(), inertia_.get());
    }

    /// Checks the status of a call that replaces the torque, then frees the previous torque.
    void replaced(qi_status status, std::unique_ptr<Callback> torque = nullptr)
    {
        check(status);
        torque_ = std::move(torque);
    }

    /// Checks the status of a call that ends or replaces the inertia function, then frees the
    /// previous one.
    void replaced_inertia(qi_status status, std::unique_ptr<Callback> inertia = nullptr)
    {
        if (status != QI_OK) fail(status, inertia.get());
        inertia_ = std::move(inertia);
    }

private:
    struct Destroy {
        void operator()(Handle *handle) const noexcept { destroy(handle); }
    };

    // Declared first, so that they outlive the handle. Moving the object keeps their addresses.
    std::unique_ptr<Callback> torque_;
    std::unique_ptr<Callback> inertia_; // of a body
    std::unique_ptr<Handle, Destroy> handle_;
};

} // namespace detail

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

} // namespace detail

// ---- rotations: each wraps the function qi_<name> of quatint.h ----

[[nodiscard]] inline Vector rotate(const Quaternion &orientation, const Vector &v_body)
{
    Vector v_world;
    detail::check(qi_rotate(orientation.data(), v_body.data(), v_world.data()));
    return v_world;
}

[[nodiscard]] inline Vector rotate_inverse(const Quaternion &orientation, const Vector &v_world)
{
    Vector v_body;
    detail::check(qi_rotate_inverse(orientation.data(), v_world.data(), v_body.data()));
    return v_body;
}

[[nodiscard]] inline Quaternion orientation_from_axis_angle(const Vector &axis, double angle)
{
    Quaternion q;
    detail::check(qi_orientation_from_axis_angle(axis.data(), angle, q.data()));
    return q;
}

struct AxisAngle {
    Vector axis;
    double angle;
};

[[nodiscard]] inline AxisAngle orientation_to_axis_angle(const Quaternion &orientation)
{
    AxisAngle turn;
    detail::check(qi_orientation_to_axis_angle(orientation.data(), turn.axis.data(), &turn.angle));
    return turn;
}

[[nodiscard]] inline Quaternion orientation_from_rotation_vector(const Vector &rotation_vector)
{
    Quaternion q;
    detail::check(qi_orientation_from_rotation_vector(rotation_vector.data(), q.data()));
    return q;
}

[[nodiscard]] inline Vector orientation_to_rotation_vector(const Quaternion &orientation)
{
    Vector v;
    detail::check(qi_orientation_to_rotation_vector(orientation.data(), v.data()));
    return v;
}

[[nodiscard]] inline Quaternion orientation_from_matrix(const Matrix &matrix)
{
    Quaternion q;
    detail::check(qi_orientation_from_matrix(matrix.data(), q.data()));
    return q;
}

[[nodiscard]] inline Matrix orientation_to_matrix(const Quaternion &orientation)
{
    Matrix r;
    detail::check(qi_orientation_to_matrix(orientation.data(), r.data()));
    return r;
}

[[nodiscard]] inline Quaternion orientation_from_euler(const Vector &angles, const char *sequence)
{
    Quaternion q;
    detail::check(qi_orientation_from_euler(angles.data(), sequence, q.data()));
    return q;
}

[[nodiscard]] inline Vector orientation_to_euler(const Quaternion &orientation,
                                                 const char *sequence)
{
    Vector angles;
    detail::check(qi_orientation_to_euler(orientation.data(), sequence, angles.data()));
    return angles;
}

[[nodiscard]] inline Vector angular_velocity_from_euler_rates(const Vector &angles,
                                                              const Vector &rates, const char *sequence)
{
    Vector angular_velocity;
    detail::check(qi_angular_velocity_from_euler_rates(angles.data(), rates.data(), sequence, angular_velocity.data()));
    return angular_velocity;
}

[[nodiscard]] inline Vector angular_velocity_to_euler_rates(const Vector &angles,
                                                            const Vector &angular_velocity, const char *sequence)
{
    Vector rates;
    detail::check(qi_angular_velocity_to_euler_rates(angles.data(), angular_velocity.data(), sequence, rates.data()));
    return rates;
}

[[nodiscard]] inline Quaternion orientation_from_mrp(const Vector &parameters)
{
    Quaternion q;
    detail::check(qi_orientation_from_mrp(parameters.data(), q.data()));
    return q;
}

[[nodiscard]] inline Vector orientation_to_mrp(const Quaternion &orientation)
{
    Vector parameters;
    detail::check(qi_orientation_to_mrp(orientation.data(), parameters.data()));
    return parameters;
}

[[nodiscard]] inline Quaternion orientation_product(const Quaternion &a, const Quaternion &b)
{
    Quaternion product;
    detail::check(qi_orientation_product(a.data(), b.data(), product.data()));
    return product;
}

[[nodiscard]] inline Quaternion orientation_inverse(const Quaternion &orientation)
{
    Quaternion inverse;
    detail::check(qi_orientation_inverse(orientation.data(), inverse.data()));
    return inverse;
}

[[nodiscard]] inline Quaternion orientation_slerp(const Quaternion &a, const Quaternion &b,
                                                  double t)
{
    Quaternion q;
    detail::check(qi_orientation_slerp(a.data(), b.data(), t, q.data()));
    return q;
}

[[nodiscard]] inline double orientation_angle(const Quaternion &a, const Quaternion &b)
{
    double angle;
    detail::check(qi_orientation_angle(a.data(), b.data(), &angle));
    return angle;
}

// ---- mass, centre of mass and inertia ----

/// What Mass::properties() returns.
struct MassProperties {
    double mass;
    Vector centre;  ///< of mass, in the axes of the assembly
    Matrix inertia; ///< about the centre of mass, along the axes of the assembly: what a Body takes
};

/// The sum of the parts of an assembly; see QI_MASS_SIZE. A part with a negative mass is a hole. Sums are added by +=, or by
/// MPI_Allreduce() on `numbers`. Vectors and orientations of Eigen go in by from_eigen().
struct Mass {
    std::array<double, QI_MASS_SIZE> numbers{};

    void add_point(double mass, const Vector &position)
    {
        detail::check(qi_add_point_mass(mass, position.data(), numbers.data()));
    }

    void add_sphere(double mass, double radius, const Vector &position)
    {
        detail::check(qi_add_sphere_mass(mass, radius, position.data(), numbers.data()));
    }

    void add_ellipsoid(double mass, const Vector &semi_axes, const Vector &position, const Quaternion &orientation = {1, 0, 0, 0})
    {
        detail::check(qi_add_ellipsoid_mass(mass, semi_axes.data(), position.data(), orientation.data(), numbers.data()));
    }

    void add_box(double mass, const Vector &edges, const Vector &position, const Quaternion &orientation = {1, 0, 0, 0})
    {
        detail::check(qi_add_box_mass(mass, edges.data(), position.data(), orientation.data(), numbers.data()));
    }

    /// A cylinder along its z axis.
    void add_cylinder(double mass, double radius, double length, const Vector &position,
                      const Quaternion &orientation = {1, 0, 0, 0})
    {
        detail::check(qi_add_cylinder_mass(mass, radius, length, position.data(), orientation.data(), numbers.data()));
    }

    /// The solid inside of a closed surface: three corners each, counterclockwise as seen from outside.
    void add_mesh(double density, const std::vector<std::array<Vector, 3>> &triangles)
    {
        static_assert(sizeof(std::array<Vector, 3>) == 9 * sizeof(double), "triangles without gaps");
        const double *const corners = triangles.empty() ? nullptr : triangles.data()->data()->data();
        detail::check(qi_add_mesh_mass(density, triangles.size(), corners, numbers.data()));
    }

    /// A part whose inertia about its own centre of mass is known, along its own axes.
    void add_inertia(double mass, const Matrix &inertia, const Vector &position, const Quaternion &orientation = {1, 0, 0, 0})
    {
        detail::check(qi_add_inertia_mass(mass, inertia.data(), position.data(), orientation.data(), numbers.data()));
    }

    Mass &operator+=(const Mass &other)
    {
        for (std::size_t k = 0; k < numbers.size(); k++) numbers[k] += other.numbers[k];
        return *this;
    }

    [[nodiscard]] MassProperties properties() const
    {
        MassProperties all;
        detail::check(qi_get_mass_properties(numbers.data(), &all.mass, all.centre.data(), all.inertia.data()));
        return all;
    }
};

struct PrincipalAxes {
    Vector moments;
    Quaternion orientation; ///< from the principal axes to the body axes
};

[[nodiscard]] inline PrincipalAxes principal_axes(const Matrix &inertia)
{
    PrincipalAxes axes;
    detail::check(qi_get_principal_axes(inertia.data(), axes.moments.data(), axes.orientation.data()));
    return axes;
}

// ---- torques that callables add up ----
//
// Each adds a torque, world frame, to `torque`; its other arguments are those of the ready-made
// torque of the same name. An Error thrown within a callable comes out of the step. Drag within a
// callable is explicit: if it is stiff, use set_drag().

/// Adds a torque given in the body frame.
inline void add_body_torque(const Quaternion &orientation, const Vector &torque_body,
                            Vector &torque)
{
    detail::check(qi_add_body_torque(orientation.data(), torque_body.data(), torque.data()));
}

inline void add_uniform_field_torque(const Quaternion &orientation, const Vector &vector_body,
                                     const Vector &field_world, Vector &torque)
{
    detail::check(qi_add_uniform_field_torque(orientation.data(), vector_body.data(),
                                              field_world.data(), torque.data()));
}

/// The direction may change from call to call, as along an orbit.
inline void add_gravity_gradient_torque(const Quaternion &orientation, const Matrix &inertia,
                                        const Vector &direction_world, double gradient,
                                        Vector &torque)
{
    detail::check(qi_add_gravity_gradient_torque(orientation.data(), inertia.data(),
                                                 direction_world.data(), gradient, torque.data()));
}

/// Drag in a fluid at rest.
inline void add_linear_drag_torque(const Quaternion &orientation, const Vector &angular_velocity,
                                   const Vector &coefficients, Vector &torque)
{
    detail::check(qi_add_linear_drag_torque(orientation.data(), angular_velocity.data(),
                                            coefficients.data(), nullptr, torque.data()));
}

/// Drag in a fluid that rotates with the angular velocity `flow_world`.
inline void add_linear_drag_torque(const Quaternion &orientation, const Vector &angular_velocity,
                                   const Vector &coefficients, const Vector &flow_world,
                                   Vector &torque)
{
    detail::check(qi_add_linear_drag_torque(orientation.data(), angular_velocity.data(),
                                            coefficients.data(), flow_world.data(), torque.data()));
}

/// The resistances of an ellipsoid to rotation and strain in Jeffery's torque: computed once, for
/// add_shear_flow_torque().
using ShearFlowResistances = std::array<double, 6>;

[[nodiscard]] inline ShearFlowResistances shear_flow_resistances(const Vector &semi_axes,
                                                                 double viscosity)
{
    ShearFlowResistances resistances;
    detail::check(qi_get_shear_flow_resistances(semi_axes.data(), viscosity, resistances.data()));
    return resistances;
}

inline void add_shear_flow_torque(const Quaternion &orientation, const Vector &angular_velocity,
                                  const ShearFlowResistances &resistances,
                                  const Matrix &velocity_gradient, Vector &torque)
{
    detail::check(qi_add_shear_flow_torque(orientation.data(), angular_velocity.data(),
                                           resistances.data(), velocity_gradient.data(),
                                           torque.data()));
}

// ---- one body ----

/// The parts of a row, combined with |; see QI_PART_STATE and the others in quatint.h.
namespace parts {
/// Orientation and angular velocity in the body frame.
inline constexpr std::int32_t state = QI_PART_STATE;
/// Principal moments and axes.
inline constexpr std::int32_t inertia = QI_PART_INERTIA;
/// Parameters of the ready-made torque, the drag and the rotors.
inline constexpr std::int32_t torque = QI_PART_TORQUE;
/// What the method keeps from step to step.
inline constexpr std::int32_t memory = QI_PART_MEMORY;
inline constexpr std::int32_t all = state | inertia | torque | memory;
/// Which noise belongs to the body: 64 bits in the place of a double. Not in `all`.
inline constexpr std::int32_t id = QI_PART_ID;
} // namespace parts

/// Body axes to be locked, combined with |.
namespace axes {
inline constexpr std::int32_t x = QI_AXIS_X;
inline constexpr std::int32_t y = QI_AXIS_Y;
inline constexpr std::int32_t z = QI_AXIS_Z;
} // namespace axes

/// A row of a trajectory, world frame.
struct Record {
    double time;
    Quaternion orientation;
    Vector angular_velocity;
};
static_assert(sizeof(Record) == 8 * sizeof(double) && std::is_standard_layout_v<Record>,
              "a row of qi_record()");

/// What a solution with error control cost.
struct Statistics {
    std::uint64_t evaluations; ///< of the torque; 0 for a free body
    std::uint64_t accepted;    ///< steps taken
    std::uint64_t rejected;    ///< steps tried and not taken, because their error was too large
};

/// A rigid body: inertia, orientation, angular velocity, a clock and the torque that acts on it.
class Body : public detail::Object<qi_body> {
public:
    explicit Body(const Matrix &inertia, const Quaternion &orientation = {1, 0, 0, 0},
                  const Vector &angular_velocity = {0, 0, 0})
        : Body(inertia, orientation, angular_velocity, QI_OK)
    {
    }

    /// The same of Eigen's types: Body(Eigen::Matrix3d, Eigen::Quaterniond, Eigen::Vector3d).
    template <class... Given, detail::IfEigen<Given...> = nullptr>
    explicit Body(const Given &...given) : Body(detail::plain(given)...)
    {
    }

    template <class T, std::enable_if_t<detail::is_eigen<T> && !detail::is_eigen_value<T>> * = nullptr>
    explicit Body(const T &) = delete; // an inertia of a size that the compiler knows: Eigen::Matrix3d

    /// Sets a callable as the torque on the body, replacing any previous torque. It has one of
    /// these signatures:
    ///
    ///     Vector(double time, const Quaternion &orientation, const Vector &angular_velocity)
    ///     void(double time, const double *orientation, const double *angular_velocity,
    ///          double *torque)
    ///
    /// Instead of a Vector it may return any type with operator[] for 0, 1 and 2 that holds its
    /// numbers, such as Eigen::Vector3d, but no expression of Eigen. If that type has a size() and
    /// it is not 3, the step throws. The callable is copied or moved into the body; pass
    /// std::ref(callable) to keep it yourself.
    template <class F>
    void set_torque(F &&torque)
    {
        using Held = detail::BodyTorque<std::decay_t<F>>;
        detail::refuse_null(torque, "quatint::Body::set_torque");
        auto held = std::make_unique<Held>(std::forward<F>(torque));
        const qi_status status = qi_set_torque(live(), &Held::ask, held.get());
        replaced(status, std::move(held));
    }

    /// Sets a C function as the torque. The caller keeps `user_data` alive. The function must not
    /// throw.
    void set_torque(qi_torque_fn torque, void *user_data)
    {
        replaced(qi_set_torque(live(), torque, user_data));
    }

    /// Removes the torque.
    void set_torque(std::nullptr_t) { replaced(qi_set_torque(live(), nullptr, nullptr)); }

    /// Sets a callable, Matrix(double time), that gives the inertia at each time; see
    /// qi_set_inertia_function(). It must return the same inertia for the same time. The callable
    /// is copied or moved into the body; pass std::ref(callable) to keep it yourself.
    /// set_inertia() and lock_axes() end the change.
    template <class F>
    void set_inertia_function(F &&inertia)
    {
        using Held = detail::BodyInertia<std::decay_t<F>>;
        detail::refuse_null(inertia, "quatint::Body::set_inertia_function");
        auto held = std::make_unique<Held>(std::forward<F>(inertia));
        const qi_status status = qi_set_inertia_function(live(), &Held::ask, held.get());
        replaced_inertia(status, std::move(held));
    }

    /// Sets a C function as the inertia function. The caller keeps `user_data` alive. The function
    /// must not throw.
    void set_inertia_function(qi_inertia_fn inertia, void *user_data)
    {
        replaced_inertia(qi_set_inertia_function(live(), inertia, user_data));
    }

    /// The inertia is constant from now on: that of this moment.
    void set_inertia_function(std::nullptr_t)
    {
        replaced_inertia(qi_set_inertia_function(live(), nullptr, nullptr));
    }

    void step(double dt) { stepped(qi_step(live(), dt)); }

    /// A negative number of steps is refused with QI_ERR_INVALID, here and wherever steps are
    /// counted.
    void advance(double dt, std::uint64_t steps)
    {
        std::uint64_t completed;
        advance(dt, steps, completed);
    }

    /// `completed` receives the number of steps taken, even if the call throws.
    void advance(double dt, std::uint64_t steps, std::uint64_t &completed)
    {
        completed = 0;
        stepped(
            qi_advance(live(), dt, detail::counted(steps, "quatint::Body::advance"), &completed));
    }

    template <class Steps, class... Rest, detail::IfNotWhole<Steps> = nullptr>
    void advance(double, Steps, Rest &&...) = delete; // steps are a whole number

    /// Takes many steps. Returns the initial state and the state after every `every` steps.
    std::vector<Record> record(double dt, std::uint64_t steps, std::uint64_t every = 1)
    {
        std::vector<Record> rows;
        record(dt, steps, every, rows);
        return rows;
    }

    /// Replaces the contents of `rows` by the recorded states. If the call throws, `rows` holds the
    /// states up to the failure.
    void record(double dt, std::uint64_t steps, std::uint64_t every, std::vector<Record> &rows)
    {
        qi_body *const body = live();
        detail::counted(steps, "quatint::Body::record");
        detail::counted(every, "quatint::Body::record");
        const std::uint64_t count = every == 0 ? 1 : steps / every + 1;
        if (count > rows.max_size()) {
            throw Error(QI_ERR_CAPACITY, "quatint::Body::record: more rows than memory can hold");
        }
        rows.resize(static_cast<std::size_t>(count));
        std::size_t written = 0;
        const qi_status status = qi_record(
            body, dt, steps, every, reinterpret_cast<double *>(rows.data()), rows.size(), &written);
        rows.resize(written);
        stepped(status);
    }

    template <class Steps, class Every = int, class... Rest,
              detail::IfNotWhole<Steps, Every> = nullptr>
    std::vector<Record> record(double, Steps, Every = 1, Rest &&...) = delete; // steps are a whole number

    /// Advances the body to a time, in steps whose lengths follow from the tolerance: the local
    /// error of a step, from 1e-15 to 0.1, in radians of orientation and relative to the angular
    /// velocity. The method of set_method() does not matter. If it throws, the body is where its
    /// last accepted step ended. The time may lie before that of the body.
    Statistics solve(double end_time, double tolerance)
    {
        stepped(qi_solve(live(), end_time, tolerance, nullptr));
        return solve_statistics();
    }

    /// Same as solve() to the last of the times. Returns a row for each of them, by dense output.
    /// The times ascend from that of the body, which may be the first, or descend from it.
    std::vector<Record> solve_record(const std::vector<double> &times, double tolerance)
    {
        std::vector<Record> rows;
        solve_record(times, tolerance, rows);
        return rows;
    }

    /// Replaces the contents of `rows`. If the call throws, `rows` holds those up to the failure.
    void solve_record(const std::vector<double> &times, double tolerance, std::vector<Record> &rows)
    {
        qi_body *const body = live();
        rows.resize(times.size());
        std::size_t written = 0;
        const qi_status status = qi_solve_record(body, times.data(), times.size(), tolerance,
                                                 reinterpret_cast<double *>(rows.data()), &written);
        rows.resize(written);
        stepped(status);
    }

    /// As solve(), but stops where the event function crosses zero. Returns the time of the event,
    /// where the body then stands, or nothing if the body has reached `end_time`. The next call
    /// finds the next event. The event function has one of these signatures and is called within
    /// each step, at times in any order:
    ///
    ///     double(double time, const Quaternion &orientation, const Vector &angular_velocity)
    ///     double(double time, const double *orientation, const double *angular_velocity)
    template <class F>
    std::optional<double> solve_until(double end_time, double tolerance, F &&event,
                                      Crossing direction = Crossing::any)
    {
        using Held = detail::Event<std::remove_reference_t<F>>;
        detail::refuse_null(event, "quatint::Body::solve_until");
        Held held(event);
        const qi_status status = qi_solve_until(live(), end_time, tolerance, &Held::ask,
                                                static_cast<std::int32_t>(direction), &held);
        held.rethrow();
        if (status != QI_EVENT) {
            stepped(status);
            return std::nullopt;
        }
        return time();
    }

    /// What the last solve(), solve_record() or solve_until() cost, also if it threw; 0 before the
    /// first.
    [[nodiscard]] Statistics solve_statistics() const
    {
        Statistics cost;
        detail::check(
            qi_get_solve_statistics(live(), &cost.evaluations, &cost.accepted, &cost.rejected));
        return cost;
    }

    /// Doubles in a row: `parts` combines the constants of namespace parts.
    [[nodiscard]] std::size_t row_size(std::int32_t parts = parts::all) const
    {
        const std::size_t size = qi_get_body_row_size(live(), parts);
        if (size == 0)
            detail::check(qi_get_body_row(live(), parts, nullptr)); // the parts may be invalid
        return size;
    }

    /// The data of the body as plain numbers, for files and restarts: see qi_get_body_row(). With
    /// clock(), and with torque, method, drag and motors set again, a row of all parts is the
    /// complete state; random torques need noise_draws() and parts::id, too.
    [[nodiscard]] std::vector<double> row(std::int32_t parts = parts::all) const
    {
        std::vector<double> row(row_size(parts));
        detail::check(qi_get_body_row(live(), parts, row.data()));
        return row;
    }

    /// Sets these data from a row of a body or of an ensemble. Set torque, method, drag, rotors and
    /// random torques before.
    void set_row(std::int32_t parts, const std::vector<double> &row)
    {
        const std::size_t expected = row_size(parts);
        if (row.size() != expected) {
            throw Error(QI_ERR_CAPACITY, "quatint::Body::set_row: the row has "
                                             + std::to_string(row.size()) + " numbers instead of "
                                             + std::to_string(expected));
        }
        detail::check(qi_set_body_row(live(), parts, row.data()));
    }

    // ---- `make bindings` writes these lines from the rows of tools/bindings/interface.toml, for Body: do not edit
    /// The clock: the sum of the steps since it was set.
    [[nodiscard]] double time() const
    {
        double value;
        detail::check(qi_get_time(live(), &value));
        return value;
    }

    /// Sets the clock: the sum of the steps since it was set.
    void set_time(double time) { stepped(qi_set_time(live(), time)); }

    /// The whole clock: the time, and what rounding has left of the sum of the steps. Set again, it
    /// gives a run the same times bit for bit.
    [[nodiscard]] Clock clock() const
    {
        Clock value;
        detail::check(qi_get_clock(live(), value.data()));
        return value;
    }

    /// Sets the whole clock: the time, and what rounding has left of the sum of the steps.
    void set_clock(const Clock &clock) { stepped(qi_set_clock(live(), clock.data())); }

    /// The orientation (w, x, y, z), body to world.
    [[nodiscard]] Quaternion orientation() const
    {
        Quaternion value;
        detail::check(qi_get_orientation(live(), value.data()));
        return value;
    }

    template <class T>
    [[nodiscard]] T orientation() const { return to_eigen<T>(orientation()); }

    /// The angular velocity, rad/s, world frame.
    [[nodiscard]] Vector angular_velocity() const
    {
        Vector value;
        detail::check(qi_get_angular_velocity(live(), value.data()));
        return value;
    }

    template <class T>
    [[nodiscard]] T angular_velocity() const { return to_eigen<T>(angular_velocity()); }

    /// The angular velocity, rad/s, body frame, which is the stored form.
    [[nodiscard]] Vector angular_velocity_body() const
    {
        Vector angular_velocity;
        detail::check(qi_get_angular_velocity_body(live(), angular_velocity.data()));
        return angular_velocity;
    }

    template <class T>
    [[nodiscard]] T angular_velocity_body() const { return to_eigen<T>(angular_velocity_body()); }

    /// Sets the orientation and the angular velocity, world frame. Clock and torque stay.
    void set_state(const Quaternion &orientation, const Vector &angular_velocity)
    {
        detail::check(qi_set_state(live(), orientation.data(), angular_velocity.data()));
    }

    template <class... Given, detail::IfEigen<Given...> = nullptr>
    void set_state(const Given &...given) { set_state(detail::plain(given)...); }

    /// Sets the orientation and the angular velocity, body frame. It restores the values of
    /// orientation() and angular_velocity_body() bit for bit.
    void set_state_body(const Quaternion &orientation, const Vector &angular_velocity_body)
    {
        detail::check(qi_set_state_body(live(), orientation.data(), angular_velocity_body.data()));
    }

    template <class... Given, detail::IfEigen<Given...> = nullptr>
    void set_state_body(const Given &...given) { set_state_body(detail::plain(given)...); }

    /// The angular momentum, world frame, with that of rotors.
    [[nodiscard]] Vector angular_momentum() const
    {
        Vector value;
        detail::check(qi_get_angular_momentum(live(), value.data()));
        return value;
    }

    template <class T>
    [[nodiscard]] T angular_momentum() const { return to_eigen<T>(angular_momentum()); }

    /// Sets the angular momentum, world frame, with that of rotors. The angular velocity follows
    /// from it. Orientation and clock stay.
    void set_angular_momentum(const Vector &angular_momentum)
    {
        detail::check(qi_set_angular_momentum(live(), angular_momentum.data()));
    }

    template <class... Given, detail::IfEigen<Given...> = nullptr>
    void set_angular_momentum(const Given &...given)
    {
        set_angular_momentum(detail::plain(given)...);
    }

    /// The rotational kinetic energy, without that of rotors.
    [[nodiscard]] double kinetic_energy() const
    {
        double energy;
        detail::check(qi_get_kinetic_energy(live(), &energy));
        return energy;
    }

    /// Sets the inertia. Orientation, clock and torque stay. No axis is locked then, unless a
    /// moment is zero.
    void set_inertia(const Matrix &inertia, Keep keep)
    {
        replaced_inertia(qi_set_inertia(live(), inertia.data(), static_cast<std::int32_t>(keep)));
    }

    template <class... Given, detail::IfEigen<Given...> = nullptr>
    void set_inertia(const Given &...given) { set_inertia(detail::plain(given)...); }

    /// Locks body axes, which must be principal axes: the body does not turn about them, whatever
    /// the torque. Their moments become zero. Locks add up until set_inertia().
    void lock_axes(std::int32_t axes) { replaced_inertia(qi_set_locked_axes(live(), axes)); }

    /// Sets a constant torque. In the body frame it turns with the body.
    void set_constant_torque(const Vector &torque, Frame frame = Frame::world)
    {
        replaced(qi_set_constant_torque(live(), torque.data(), static_cast<std::int32_t>(frame)));
    }

    template <class... Given, detail::IfEigen<Given...> = nullptr>
    void set_constant_torque(const Given &...given)
    {
        set_constant_torque(detail::plain(given)...);
    }

    /// Sets the torque of a uniform field, `(R v) x F`. For example the weight F of a top whose
    /// centre of mass is at v.
    void set_uniform_field_torque(const Vector &vector_body, const Vector &field_world)
    {
        replaced(qi_set_uniform_field_torque(live(), vector_body.data(), field_world.data()));
    }

    template <class... Given, detail::IfEigen<Given...> = nullptr>
    void set_uniform_field_torque(const Given &...given)
    {
        set_uniform_field_torque(detail::plain(given)...);
    }

    /// Sets the torque of a central gravity field, `3 g n x (I n)`. The direction n is along the
    /// line to the attracting mass, and g is G M / r^3.
    void set_gravity_gradient_torque(const Vector &direction_world, double gradient)
    {
        replaced(qi_set_gravity_gradient_torque(live(), direction_world.data(), gradient));
    }

    template <class... Given, detail::IfEigen<Given...> = nullptr>
    void set_gravity_gradient_torque(const Given &...given)
    {
        set_gravity_gradient_torque(detail::plain(given)...);
    }

    /// Sets a linear drag as the torque: `-c_i omega_i` about each body axis i.
    void set_linear_drag_torque(const Vector &coefficients)
    {
        replaced(qi_set_linear_drag_torque(live(), coefficients.data()));
    }

    template <class... Given, detail::IfEigen<Given...> = nullptr>
    void set_linear_drag_torque(const Given &...given)
    {
        set_linear_drag_torque(detail::plain(given)...);
    }

    /// Sets Jeffery's torque: that of a viscous fluid in linear flow on an ellipsoid. Entry (i, j)
    /// of the gradient is the derivative of velocity component i along axis j, world frame.
    void set_shear_flow_torque(const Vector &semi_axes, double viscosity,
                               const Matrix &velocity_gradient)
    {
        replaced(qi_set_shear_flow_torque(live(), semi_axes.data(), viscosity,
                                          velocity_gradient.data()));
    }

    template <class... Given, detail::IfEigen<Given...> = nullptr>
    void set_shear_flow_torque(const Given &...given)
    {
        set_shear_flow_torque(detail::plain(given)...);
    }

    /// Sets a linear drag besides the torque: `-c_i (omega_i - flow_i)` about each body axis i. It
    /// is taken implicitly, so that no coefficient is too large for the step. Kicks include it.
    void set_drag(const Vector &coefficients)
    {
        detail::check(qi_set_drag(live(), coefficients.data(), nullptr));
    }

    /// The same with `flow`: angular velocity of the fluid, world frame, rad/s.
    void set_drag(const Vector &coefficients, const Vector &flow)
    {
        detail::check(qi_set_drag(live(), coefficients.data(), flow.data()));
    }

    template <class... Given, detail::IfEigen<Given...> = nullptr>
    void set_drag(const Given &...given) { set_drag(detail::plain(given)...); }

    /// Removes the drag. The torque stays.
    void clear_drag() { detail::check(qi_set_drag(live(), nullptr, nullptr)); }

    /// Sets random torques besides the torque: a drag about each body axis, and the noise that
    /// belongs to it at the energy `kt`. They act in steps by the splitting of order 2 and by the
    /// Brownian method; other methods refuse them.
    void set_langevin(const Vector &coefficients, double kt, std::uint64_t seed, std::uint64_t id)
    {
        detail::check(qi_set_langevin(live(), coefficients.data(), nullptr, kt, seed, id));
    }

    /// The same with `flow`: angular velocity of the fluid, world frame, rad/s.
    void set_langevin(const Vector &coefficients, double kt, std::uint64_t seed, std::uint64_t id,
                      const Vector &flow)
    {
        detail::check(qi_set_langevin(live(), coefficients.data(), flow.data(), kt, seed, id));
    }

    template <class... Given, detail::IfEigen<Given...> = nullptr>
    void set_langevin(const Given &...given) { set_langevin(detail::plain(given)...); }

    template <class Seed, class Id, detail::IfNotWhole<Seed, Id> = nullptr>
    void set_langevin(const Vector &, double, Seed, Id) = delete; // seed and id are whole numbers
    template <class Seed, class Id, detail::IfNotWhole<Seed, Id> = nullptr>
    void set_langevin(const Vector &, double, Seed, Id, const Vector &) = delete; // seed and id are whole numbers

    /// Removes the random torques. The torque and the number of draws stay.
    void clear_langevin() { detail::check(qi_set_langevin(live(), nullptr, nullptr, 0, 0, 0)); }

    /// Lets drag and noise alone act for a duration, exactly, at constant orientation. The clock
    /// stays. It is one draw. Programs that kick and drift call it between two drifts of half a
    /// step.
    void thermalize(double duration) { detail::check(qi_thermalize(live(), duration)); }

    /// How many times noise has been drawn. Each step with random torques draws, and so does
    /// thermalize(). A restart needs the number besides the state and the clock.
    [[nodiscard]] std::uint64_t noise_draws() const
    {
        std::uint64_t draws;
        detail::check(qi_get_noise(live(), &draws));
        return draws;
    }

    /// Sets how many times noise has been drawn.
    void set_noise_draws(std::uint64_t draws) { detail::check(qi_set_noise(live(), draws)); }

    template <class Draws, detail::IfNotWhole<Draws> = nullptr>
    void set_noise_draws(Draws) = delete; // draws are a whole number

    /// The angular momentum of rotors within the body, such as reaction wheels, body frame.
    [[nodiscard]] Vector rotor_momentum() const
    {
        Vector momentum;
        detail::check(qi_get_rotor_momentum(live(), momentum.data()));
        return momentum;
    }

    template <class T>
    [[nodiscard]] T rotor_momentum() const { return to_eigen<T>(rotor_momentum()); }

    /// Sets the angular momentum of rotors within the body, such as reaction wheels, body frame.
    /// Only the torque of set_rotor_torque() changes it. Orientation and angular velocity stay.
    /// angular_momentum() includes it, kinetic_energy() does not. The inertia of the body is that
    /// with the rotors locked.
    void set_rotor_momentum(const Vector &momentum)
    {
        detail::check(qi_set_rotor_momentum(live(), momentum.data()));
    }

    template <class... Given, detail::IfEigen<Given...> = nullptr>
    void set_rotor_momentum(const Given &...given) { set_rotor_momentum(detail::plain(given)...); }

    /// Removes the rotors.
    void clear_rotor_momentum() { detail::check(qi_set_rotor_momentum(live(), nullptr)); }

    /// The torque of the motors that drive the rotors, body frame.
    [[nodiscard]] Vector rotor_torque() const
    {
        Vector torque_body;
        detail::check(qi_get_rotor_torque(live(), torque_body.data()));
        return torque_body;
    }

    template <class T>
    [[nodiscard]] T rotor_torque() const { return to_eigen<T>(rotor_torque()); }

    /// Sets the torque of the motors that drive the rotors, body frame. While time passes it acts
    /// on the body, and its opposite on the rotors. It stays until it is set anew: a controller
    /// sets it once per sample.
    void set_rotor_torque(const Vector &torque_body)
    {
        detail::check(qi_set_rotor_torque(live(), torque_body.data()));
    }

    template <class... Given, detail::IfEigen<Given...> = nullptr>
    void set_rotor_torque(const Given &...given) { set_rotor_torque(detail::plain(given)...); }

    /// Removes the motors.
    void clear_rotor_torque() { detail::check(qi_set_rotor_torque(live(), nullptr)); }

    /// The method.
    [[nodiscard]] Method method() const
    {
        std::int32_t value;
        detail::check(qi_get_method(live(), &value));
        return static_cast<Method>(value);
    }

    /// Sets the method. State, clock and torque stay.
    void set_method(Method method)
    {
        detail::check(qi_set_method(live(), static_cast<std::int32_t>(method)));
    }

    /// Adds `duration * torque` to the angular momentum, and the drag of this duration. Orientation
    /// and clock stay. A step of velocity Verlet is a kick of half a step, a drift of a step, and,
    /// with a new torque, a kick of half a step.
    void kick(double duration, const Vector &torque, Frame frame = Frame::world)
    {
        detail::check(qi_kick(live(), duration, torque.data(), static_cast<std::int32_t>(frame)));
    }

    template <class... Given, detail::IfEigen<Given...> = nullptr>
    void kick(const Given &...given) { kick(detail::plain(given)...); }

    /// Rotates freely for a duration of any length: exactly, or with rotors by the method. The
    /// clock moves on. The torque is not called.
    void drift(double duration) { stepped(qi_drift(live(), duration)); }

    /// Says that something has changed that the torque reads, such as a sampled command: the
    /// splitting methods then ask for the torque anew.
    void forget_torque() { detail::check(qi_forget_torque(live())); }

    /// The sum of all torques at the present state, those of drag and motors too, world frame. The
    /// torque is asked once.
    [[nodiscard]] Vector acting_torque()
    {
        Vector torque;
        stepped(qi_get_torque(live(), torque.data()));
        return torque;
    }

    template <class T>
    [[nodiscard]] T acting_torque() { return to_eigen<T>(acting_torque()); }

    /// The angular acceleration at the present state, rad/s^2, world frame. The torque is asked
    /// once.
    [[nodiscard]] Vector angular_acceleration()
    {
        Vector value;
        stepped(qi_get_angular_acceleration(live(), value.data()));
        return value;
    }

    template <class T>
    [[nodiscard]] T angular_acceleration() { return to_eigen<T>(angular_acceleration()); }

    /// The value that the torque returned when it last stopped a step; 0 if it was content.
    [[nodiscard]] std::int32_t callback_result() const { return qi_get_callback_result(live()); }

    /// Sets the longest step of solve() and its kin; 0, the default: any length. A torque that acts
    /// for a shorter time, such as a pulse, may not be seen. A body without torque takes one exact
    /// step as before.
    void set_solve_longest_step(double longest)
    {
        detail::check(qi_set_solve_longest_step(live(), longest));
    }

    /// Sets the most evaluations of the torque in a call of solve() or its kin; where no torque
    /// acts, of the event function; 0, the default: no limit. A call that needs more fails, and the
    /// body is where its last accepted step ended; another call goes on from there.
    void set_solve_most_evaluations(std::uint64_t most)
    {
        detail::counted(most, "quatint::Body::set_solve_most_evaluations",
                        "the number of torque evaluations");
        detail::check(qi_set_solve_most_evaluations(live(), most));
    }

    template <class Most, detail::IfNotWhole<Most> = nullptr>
    void set_solve_most_evaluations(Most) = delete; // evaluations are a whole number

    /// Sets how solve() and its kin take their steps. The default is an explicit method of order 8.
    /// The stiff one, of order 4, costs less for torques that change faster than the motion, such
    /// as stiff drag and springs. The error of a solution that takes too many evaluations says
    /// whether the torque looks stiff.
    void set_solve_method(SolveMethod method)
    {
        detail::check(qi_set_solve_method(live(), static_cast<std::int32_t>(method)));
    }
    // ---- end of what `make bindings` writes

private:
    Body(const Matrix &inertia, const Quaternion &q, const Vector &omega, qi_status status)
        : Object(qi_create_body(inertia.data(), q.data(), omega.data(), &status), status)
    {
    }
};

/// Advances a torque-free state that the caller keeps. If it throws, the state is unchanged.
inline void integrate(const Matrix &inertia, Quaternion &orientation, Vector &angular_velocity,
                      double time, double dt, std::uint64_t steps)
{
    detail::counted(steps, "quatint::integrate");
    detail::check(qi_integrate(inertia.data(), orientation.data(), angular_velocity.data(), time,
                               dt, steps, nullptr, nullptr));
}

/// Advances a state that the caller keeps, under a torque of either signature of
/// Body::set_torque(). If it throws, the state is unchanged.
template <class F>
void integrate(const Matrix &inertia, Quaternion &orientation, Vector &angular_velocity,
               double time, double dt, std::uint64_t steps, F &&torque)
{
    using Held = detail::BodyTorque<std::decay_t<F>>;
    detail::refuse_null(torque, "quatint::integrate");
    detail::counted(steps, "quatint::integrate");
    Held held(std::forward<F>(torque));
    const qi_status status =
        qi_integrate(inertia.data(), orientation.data(), angular_velocity.data(), time, dt, steps,
                     &Held::ask, &held);
    if (status != QI_OK) detail::fail(status, &held);
}

template <class Steps, class... Rest, detail::IfNotWhole<Steps> = nullptr>
void integrate(const Matrix &, Quaternion &, Vector &, double, double, Steps, Rest &&...) = delete; // steps are a whole number

// ---- views of the caller's memory ----

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

/// Whether T is such a matrix, whose data() is a Number *.
template <class T, class Number, class = void>
inline constexpr bool is_matrix_of_bodies = false;
template <class T, class Number>
inline constexpr bool is_matrix_of_bodies<
    T, Number,
    std::enable_if_t<std::is_convertible_v<decltype(std::declval<T &>().data()), Number *>>> =
    bodies_in<T, false> || bodies_in<T, true>;

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
    }
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
    static_assert(sizeof(Member) % sizeof(double) == 0 && alignof(Member) % alignof(double) == 0,
                  "the member must hold doubles only");
    const std::size_t count = std::size(structs);
    Number *const first =
        count == 0 ? &detail::nowhere
                   : reinterpret_cast<Number *>(std::addressof(std::data(structs)->*member));
    std::conditional_t<std::is_const_v<Element>, ConstView, View> view(
        first, static_cast<std::ptrdiff_t>(sizeof(Element) / sizeof(double)), 1, count,
        sizeof(Member) / sizeof(double));
    view.scalar_last = detail::is_eigen_quaternion<Member>;
    return view;
}

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

// ---- many bodies ----

/// A sum of doubles without rounding; see QI_SUM_SIZE. It does not depend on the order of the
/// terms. Sums over ensembles and ranks are added as integers, element by element: by +=, or by
/// MPI_Allreduce() on `integers`.
struct ExactSum {
    std::array<std::int64_t, QI_SUM_SIZE> integers{};

    /// The double nearest to the sum.
    [[nodiscard]] double value() const
    {
        double value;
        detail::check(qi_get_sum(integers.data(), &value));
        return value;
    }

    ExactSum &operator+=(double term)
    {
        detail::check(qi_add_to_sum(integers.data(), &term, 1));
        return *this;
    }

    ExactSum &operator+=(const ExactSum &other)
    {
        for (std::size_t k = 0; k < integers.size(); k++) integers[k] += other.integers[k];
        return *this;
    }
};

namespace detail {

/// A range that holds bound numbers, and what it was like when they were bound.
struct Watched {
    const void *range = nullptr; // NULL: nothing to watch
    const void *start = nullptr;
    std::size_t size = 0;
    bool (*is_in_place)(const Watched &) = nullptr;
};

/// Whether a range holds its elements elsewhere, as a std::vector does: it may move them. Views do
/// not hold what they show.
template <class Range, class = void>
inline constexpr bool may_move = false;
template <class Range>
inline constexpr bool may_move<
    Range, std::void_t<decltype(std::data(std::declval<Range &>())),
                       decltype(std::size(std::declval<Range &>()))>> =
    !std::is_trivially_copyable_v<Range> && (!is_eigen<Range> || is_eigen_matrix<Range>);

template <class Range>
Watched watched(const Range &range)
{
    if constexpr (may_move<Range>) {
        return {std::addressof(range), std::data(range), static_cast<std::size_t>(std::size(range)),
                [](const Watched &then) {
                    const auto &now = *static_cast<const Range *>(then.range);
                    return std::data(now) == then.start
                           && static_cast<std::size_t>(std::size(now)) == then.size;
                }};
    } else {
        return {};
    }
}

/// The arrays of Ensemble::bind(). The ensemble owns this, so that it ends with the ensemble.
class BoundArrays {
public:
    BoundArrays(qi_ensemble *ensemble, const Watched &orientations,
                const Watched &angular_velocities)
        : ensemble_(ensemble), orientations_(orientations), angular_velocities_(angular_velocities)
    {
    }

    void expect_in_place() const
    {
        if (are_lost_) {
            throw Error(QI_ERR_INVALID,
                        "quatint::Ensemble: the states are lost: they were in arrays that had "
                        "moved, or were not valid, when the Bound of bind() ended");
        }
        if (!are_in_place()) {
            throw Error(QI_ERR_INVALID,
                        "quatint::Ensemble: an array of bind() has moved or has another size: it "
                        "must stay as it was until its Bound ends");
        }
    }

    void forget_orientations() noexcept { orientations_ = {}; }
    void forget_angular_velocities() noexcept { angular_velocities_ = {}; }

    /// Memory that has moved is not read any more.
    void release() noexcept
    {
        if (are_lost_) return;
        are_lost_ = !are_in_place() || !is_released();
        forget_orientations();
        forget_angular_velocities();
    }

private:
    bool are_in_place() const
    {
        const auto is_in_place = [](const Watched &watched) {
            return watched.range == nullptr || watched.is_in_place(watched);
        };
        return is_in_place(orientations_) && is_in_place(angular_velocities_);
    }

    /// Steps that have begun would keep the arrays.
    bool is_released() noexcept
    {
        if (qi_release_arrays(ensemble_) == QI_OK) return true;
        return qi_cancel_ensemble_step(ensemble_) == QI_OK && qi_release_arrays(ensemble_) == QI_OK;
    }

    qi_ensemble *ensemble_;
    Watched orientations_;
    Watched angular_velocities_;
    bool are_lost_ = false;
};

} // namespace detail

/// What Ensemble::bind() returns. When it ends, the ensemble copies the last states to its own
/// memory and no longer uses arrays of the caller. Declare it after the arrays, so that it ends
/// first; the ensemble may end at any time.
class [[nodiscard]] Bound {
public:
    Bound() = default;
    Bound(Bound &&) = default;
    Bound &operator=(Bound &&other) noexcept
    {
        release();
        arrays_ = std::move(other.arrays_);
        return *this;
    }
    ~Bound() { release(); }

    /// Releases the arrays now.
    void release() noexcept
    {
        if (const auto arrays = arrays_.lock()) arrays->release();
        arrays_.reset();
    }

private:
    friend class Ensemble;
    explicit Bound(const std::shared_ptr<detail::BoundArrays> &arrays) : arrays_(arrays) {}

    std::weak_ptr<detail::BoundArrays> arrays_;
};

/// Rigid bodies that step together. Their states are in the ensemble's own memory or in the
/// caller's.
///
/// A bound array must stay at its address, and a bound std::vector must not grow, until its Bound
/// ends, or, without one, until the ensemble is destroyed or bound to another array. The set_ and
/// get_ functions copy.
class Ensemble : public detail::Object<qi_ensemble> {
public:
    /// Every body starts with the identity orientation, at rest, with unit inertia and no torque.
    explicit Ensemble(std::size_t count) : Ensemble(count, QI_OK) {}

    template <class Count, detail::IfNotWhole<Count> = nullptr>
    explicit Ensemble(Count) = delete; // the count is a whole number

    [[nodiscard]] std::size_t count() const { return qi_get_ensemble_count(live()); }

    /// Locks the same body axes of all bodies; see Body::lock_axes(). set_inertias() and
    /// set_principal_inertias() unlock.
    void lock_axes(std::int32_t locked)
    {
        detail::check(qi_set_ensemble_locked_axes(live(), &locked, 0));
    }

    /// Locks body axes of each body; 0: none.
    void lock_axes(const std::vector<std::int32_t> &locked)
    {
        const std::size_t needed = count();
        if (locked.size() != needed) refuse("lock_axes", locked.size(), "bodies instead of", needed);
        detail::check(qi_set_ensemble_locked_axes(live(), locked.data(), 1));
    }

    /// The same in an array of the caller, where those of body i are `locked[i * stride]`.
    void lock_axes(const std::int32_t *locked, std::ptrdiff_t stride)
    {
        detail::check(qi_set_ensemble_locked_axes(live(), locked, stride));
    }

    void set_orientations(ConstView data)
    {
        const double *from = checked(data, 4, "set_orientations");
        if (data.scalar_last) {
            set_scalar_last_orientations(from, data.body_stride, data.component_stride);
        } else {
            detail::check(
                qi_set_orientations(live(), from, data.body_stride, data.component_stride));
        }
    }

    void get_orientations(View data) const
    {
        double *to = checked(data, 4, "get_orientations");
        if (data.scalar_last) {
            get_scalar_last_orientations(to, data.body_stride, data.component_stride);
        } else {
            detail::check(qi_get_orientations(live(), to, data.body_stride, data.component_stride));
        }
    }

    [[nodiscard]] std::vector<Quaternion> orientations() const
    {
        return orientations<std::vector<Quaternion>>();
    }

    template <class T>
    [[nodiscard]] T orientations() const
    {
        T values = detail::room_for<T>(count());
        get_orientations(values);
        return values;
    }

    /// From now on the ensemble works in the caller's arrays, until the Bound that this returns
    /// ends, which then calls release_arrays(). If a named std::vector, or matrix of Eigen, moves
    /// its elements or gets another size before, every use of the ensemble throws. If the angular
    /// velocities are refused, no array is bound. For quaternions (x, y, z, w) that are not Eigen's,
    /// set `scalar_last` of the view.
    template <class Q, class W>
    [[nodiscard]] Bound bind(Q &&orientations, W &&angular_velocities,
                             Kind kind = Kind::omega_world)
    {
        static_assert(std::is_constructible_v<View, Q> && std::is_constructible_v<View, W>,
                      "bind() takes arrays of quaternions and vectors that outlive its result");
        const detail::Watched q = detail::watched(orientations);
        const detail::Watched omega = detail::watched(angular_velocities);
        return bind_watched(View(std::forward<Q>(orientations)),
                            View(std::forward<W>(angular_velocities)), kind, q, omega);
    }

    /// The same with members of structs: bind(particles, &Particle::q, &Particle::omega).
    template <class Structs, class Struct, class Q, class W>
    [[nodiscard]] Bound bind(Structs &&structs, Q Struct::*orientation,
                             W Struct::*angular_velocity, Kind kind = Kind::omega_world)
    {
        const detail::Watched both = detail::watched(structs);
        return bind_watched(members(std::forward<Structs>(structs), orientation),
                            members(std::forward<Structs>(structs), angular_velocity), kind, both,
                            both);
    }

    /// From now on the ensemble reads and writes the orientations in the caller's array. For
    /// quaternions of Eigen the type says where the scalar is. For other data it is the first
    /// number; if it is not, pass a Scalar.
    void bind_orientations(View data) { bind_orientations(data, scalar_of(data)); }

    void bind_orientations(View data, Scalar scalar)
    {
        expect_scalar(data, scalar, "bind_orientations");
        double *start = checked(data, 4, "bind_orientations");
        detail::check(qi_bind_orientations(live(), start, data.body_stride, data.component_stride,
                                           static_cast<std::int32_t>(scalar)));
        if (arrays_ != nullptr) arrays_->forget_orientations();
    }

    void bind_angular_velocities(View data, Kind kind = Kind::omega_world)
    {
        double *start = checked(data, 3, "bind_angular_velocities");
        detail::check(qi_bind_angular_velocities(live(), start, data.body_stride,
                                                 data.component_stride,
                                                 static_cast<std::int32_t>(kind)));
        if (arrays_ != nullptr) arrays_->forget_angular_velocities();
    }

    /// Body i is in row rows[i] of the array. Rows of no body are never touched. `rows` is copied.
    void bind_orientation_rows(View data, const std::vector<std::int32_t> &rows)
    {
        bind_orientation_rows(data, rows, scalar_of(data));
    }

    void bind_orientation_rows(View data, const std::vector<std::int32_t> &rows, Scalar scalar)
    {
        expect_scalar(data, scalar, "bind_orientation_rows");
        double *start = in_rows(data, 4, rows, "bind_orientation_rows");
        detail::check(qi_bind_orientation_rows(live(), start, data.body_stride,
                                               data.component_stride,
                                               static_cast<std::int32_t>(scalar), rows.data()));
        if (arrays_ != nullptr) arrays_->forget_orientations();
    }

    void bind_angular_velocity_rows(View data, const std::vector<std::int32_t> &rows,
                                    Kind kind = Kind::omega_world)
    {
        double *start = in_rows(data, 3, rows, "bind_angular_velocity_rows");
        detail::check(qi_bind_angular_velocity_rows(live(), start, data.body_stride,
                                                    data.component_stride,
                                                    static_cast<std::int32_t>(kind), rows.data()));
        if (arrays_ != nullptr) arrays_->forget_angular_velocities();
    }

    /// The exact sum of the energies of the active bodies.
    [[nodiscard]] ExactSum kinetic_energy_sum() const
    {
        ExactSum sum;
        detail::check(qi_get_kinetic_energy_sums(live(), sum.integers.data()));
        return sum;
    }

    /// The exact sums of the components of the angular momenta of the active bodies, world frame.
    [[nodiscard]] std::array<ExactSum, 3> angular_momentum_sums() const
    {
        std::array<ExactSum, 3> sums;
        std::array<std::int64_t, 3 * QI_SUM_SIZE> integers;
        detail::check(qi_get_angular_momentum_sums(live(), integers.data()));
        const std::int64_t *of_component = integers.data();
        for (ExactSum &sum : sums) {
            std::copy_n(of_component, QI_SUM_SIZE, sum.integers.begin());
            of_component += QI_SUM_SIZE;
        }
        return sums;
    }

    /// Doubles per row: `parts` combines the constants of namespace parts.
    [[nodiscard]] std::size_t row_size(std::int32_t parts = parts::all) const
    {
        if (parts < 0 || parts > (parts::all | parts::id)) {
            refuse("row_size", "parts must combine quatint::parts");
        }
        return qi_get_ensemble_row_size(live(), parts);
    }

    /// The data of all bodies, row by row, for messages, files and restarts. With clock(), and with
    /// the torque and the method set again, rows of all parts hold the complete state; random
    /// torques need noise_draws(), and parts::id if ids were set, too.
    [[nodiscard]] std::vector<double> rows(std::int32_t parts = parts::all) const
    {
        std::vector<double> rows(count() * row_size(parts));
        detail::check(qi_get_ensemble_rows(live(), parts, nullptr, count(), rows.data()));
        return rows;
    }

    /// The data of some bodies.
    [[nodiscard]] std::vector<double> rows(std::int32_t parts,
                                           const std::vector<std::size_t> &bodies) const
    {
        std::vector<double> rows(bodies.size() * row_size(parts));
        detail::check(
            qi_get_ensemble_rows(live(), parts, bodies.data(), bodies.size(), rows.data()));
        return rows;
    }

    /// Replaces the data of all bodies. All rows are checked before the first is written. Set rows
    /// with parts::memory after clock, torque and method.
    void set_rows(std::int32_t parts, const std::vector<double> &rows)
    {
        expect_rows(rows, count(), row_size(parts));
        detail::check(qi_set_ensemble_rows(live(), parts, nullptr, count(), rows.data()));
    }

    void set_rows(std::int32_t parts, const std::vector<std::size_t> &bodies,
                  const std::vector<double> &rows)
    {
        expect_rows(rows, bodies.size(), row_size(parts));
        detail::check(
            qi_set_ensemble_rows(live(), parts, bodies.data(), bodies.size(), rows.data()));
    }

    /// Keeps all states in the ensemble's own memory from now on. Bound arrays keep the last states,
    /// and are no longer used.
    void release_arrays() { released(qi_release_arrays(live())); }

    /// Changes the number of bodies. The first bodies stay; new ones are as created. Bound arrays
    /// are released, and all bodies are active.
    void resize(std::size_t count) { released(qi_resize_ensemble(live(), count)); }

    template <class Count, detail::IfNotWhole<Count> = nullptr>
    void resize(Count) = delete; // the count is a whole number

    /// Body i becomes a copy of body from[i]: this removes, sorts and copies bodies. Otherwise as
    /// resize().
    void select(const std::vector<std::size_t> &from)
    {
        released(qi_select_bodies(live(), from.data(), from.size()));
    }

    /// Sets a callable as the torque on each body, replacing any previous torque:
    ///
    ///     Vector(double time, std::size_t body, const Quaternion &orientation,
    ///            const Vector &angular_velocity)
    ///
    /// `frame` is the frame of the angular velocity and the torque. After set_active(), `body` is
    /// the position in that list.
    template <class F>
    void set_torque(F &&torque, Frame frame = Frame::world)
    {
        detail::refuse_null(torque, "quatint::Ensemble::set_torque");
        hold<detail::EachTorque<std::decay_t<F>>>(std::forward<F>(torque), Layout::soa, frame);
    }

    /// Removes the torque.
    void set_torque(std::nullptr_t)
    {
        replaced(qi_set_ensemble_torque(live(), nullptr, QI_LAYOUT_AOS, QI_FRAME_WORLD, nullptr));
    }

    /// Sets a callable that computes the torques of a chunk of bodies [first, first + count) in
    /// each call; see qi_ensemble_torque_fn:
    ///
    ///     void(double time, std::size_t first, std::size_t count, const double *orientation,
    ///          const double *angular_velocity, double *torque)
    template <class F>
    void set_chunk_torque(F &&torque, Layout layout = Layout::aos, Frame frame = Frame::world)
    {
        detail::refuse_null(torque, "quatint::Ensemble::set_chunk_torque");
        hold<detail::ChunkTorque<std::decay_t<F>>>(std::forward<F>(torque), layout, frame);
    }

    /// Sets a C function as the torque. The caller keeps `user_data` alive. The function must not
    /// throw.
    void set_chunk_torque(qi_ensemble_torque_fn torque, Layout layout, Frame frame, void *user_data)
    {
        replaced(qi_set_ensemble_torque(live(), torque, static_cast<std::int32_t>(layout),
                                        static_cast<std::int32_t>(frame), user_data));
    }

    /// Sets which noise belongs to which body; an empty list: its index.
    void set_ids(const std::vector<std::uint64_t> &ids)
    {
        if (!ids.empty() && ids.size() != count()) {
            throw Error(QI_ERR_CAPACITY, "quatint::Ensemble::set_ids: one id for each body");
        }
        detail::check(qi_set_ensemble_ids(live(), ids.empty() ? nullptr : ids.data()));
    }

    /// Which noise belongs to which body.
    [[nodiscard]] std::vector<std::uint64_t> ids() const
    {
        const std::vector<double> numbers = rows(parts::id);
        std::vector<std::uint64_t> ids(numbers.size());
        if (!ids.empty()) std::memcpy(ids.data(), numbers.data(), sizeof(double) * ids.size());
        return ids;
    }

    /// Selects the bodies that move, by index in ascending order. An empty list stops all bodies.
    void set_active(const std::vector<std::size_t> &indices)
    {
        static constexpr std::size_t none = 0; // NULL would mean all bodies
        detail::check(qi_set_ensemble_active(live(), indices.empty() ? &none : indices.data(),
                                             indices.size()));
    }

    void set_all_active() { detail::check(qi_set_ensemble_active(live(), nullptr, 0)); }

    void step(double dt) { stepped(qi_step_ensemble(live(), dt)); }

    void advance(double dt, std::uint64_t steps)
    {
        std::uint64_t completed;
        advance(dt, steps, completed);
    }

    /// `completed` receives the number of steps taken, even if the call throws.
    void advance(double dt, std::uint64_t steps, std::uint64_t &completed)
    {
        completed = 0;
        stepped(qi_advance_ensemble(
            live(), dt, detail::counted(steps, "quatint::Ensemble::advance"), &completed));
    }

    template <class Steps, class... Rest, detail::IfNotWhole<Steps> = nullptr>
    void advance(double, Steps, Rest &&...) = delete; // steps are a whole number

    /// From now on kick_drift() writes predicted angular velocities (world frame) to the caller's
    /// array: those at the time `ahead` after the drift, under the torque of the kick. With `ahead`
    /// half a step, they are the arguments for torques that depend on the angular velocity: the
    /// step then keeps order 2.
    void bind_predicted_velocities(View data, double ahead)
    {
        double *start = checked(data, 3, "bind_predicted_velocities");
        detail::check(qi_bind_predicted_velocities(live(), start, data.body_stride,
                                                   data.component_stride, ahead));
    }

    /// From now on the ensemble no longer uses that array.
    void unbind_predicted_velocities()
    {
        detail::check(qi_bind_predicted_velocities(live(), nullptr, 0, 0, 0));
    }

    /// From now on the torque of a shear flow reads the gradient of the fluid at each body in the
    /// caller's array: nine numbers a body, row-major. The flow solver may write them between steps.
    /// Takes a range with one for each body, or a Matrix for all; it must outlive its use. resize(),
    /// select() and release_arrays() release the array.
    void bind_flow_gradients(ConstView gradients)
    {
        const double *start = packed(gradients, 9, "bind_flow_gradients");
        detail::check(qi_bind_flow_gradients(live(), start, gradients.body_stride));
    }

    template <std::size_t N>
    void bind_flow_gradients(std::array<double, N> &&) = delete; // it is gone before a step reads it
    template <class Element>
    void bind_flow_gradients(std::vector<Element> &&) = delete; // it is gone before a step reads it
    template <class T, std::enable_if_t<detail::is_eigen_matrix<T>> * = nullptr>
    void bind_flow_gradients(T &&) = delete; // it is gone before a step reads it

    /// From now on all bodies share the gradient of set_shear_flow_torque() again.
    void unbind_flow_gradients() { detail::check(qi_bind_flow_gradients(live(), nullptr, 0)); }

    /// Fixes points to the bodies, such as the spheres of clumps: `bodies` names the body of each
    /// point, ascending; `arms` are their positions from its centre of mass, body frame. Both are
    /// copied, and take the place of the points before. resize() and select() drop the points.
    void set_points(const std::vector<std::size_t> &bodies, ConstView arms)
    {
        const double *start = of_points(arms, bodies.size(), "set_points");
        detail::check(qi_set_points(live(), bodies.size(), bodies.data(), start, arms.body_stride,
                                    arms.component_stride));
    }

    /// The positions of the points in the world frame, from the centres of mass of their bodies.
    void get_point_positions(View positions) const
    {
        double *to = of_points(positions, point_count(), "get_point_positions");
        detail::check(qi_get_point_positions(live(), nullptr, 0, 0, to, positions.body_stride,
                                             positions.component_stride));
    }

    /// The same, where the `centres` of mass of the bodies are given: one for each body.
    void get_point_positions(ConstView centres, View positions) const
    {
        const double *from = checked(centres, 3, "get_point_positions");
        double *to = of_points(positions, point_count(), "get_point_positions");
        detail::check(qi_get_point_positions(live(), from, centres.body_stride,
                                             centres.component_stride, to, positions.body_stride,
                                             positions.component_stride));
    }

    [[nodiscard]] std::vector<Vector> point_positions() const
    {
        std::vector<Vector> positions(point_count());
        get_point_positions(positions);
        return positions;
    }

    [[nodiscard]] std::vector<Vector> point_positions(ConstView centres) const
    {
        std::vector<Vector> positions(point_count());
        get_point_positions(centres, positions);
        return positions;
    }

    /// The velocities of the points in the world frame, from the angular velocities `omega`, and
    /// from the velocities of the centres of mass where they are given.
    void get_point_velocities(View velocities, Omega omega = Omega::present) const
    {
        double *to = of_points(velocities, point_count(), "get_point_velocities");
        detail::check(qi_get_point_velocities(live(), static_cast<std::int32_t>(omega), nullptr, 0,
                                              0, to, velocities.body_stride,
                                              velocities.component_stride));
    }

    void get_point_velocities(ConstView centre_velocities, View velocities,
                              Omega omega = Omega::present) const
    {
        const double *from = checked(centre_velocities, 3, "get_point_velocities");
        double *to = of_points(velocities, point_count(), "get_point_velocities");
        detail::check(qi_get_point_velocities(
            live(), static_cast<std::int32_t>(omega), from, centre_velocities.body_stride,
            centre_velocities.component_stride, to, velocities.body_stride,
            velocities.component_stride));
    }

    [[nodiscard]] std::vector<Vector> point_velocities(Omega omega = Omega::present) const
    {
        std::vector<Vector> velocities(point_count());
        get_point_velocities(velocities, omega);
        return velocities;
    }

    [[nodiscard]] std::vector<Vector> point_velocities(ConstView centre_velocities,
                                                       Omega omega = Omega::present) const
    {
        std::vector<Vector> velocities(point_count());
        get_point_velocities(centre_velocities, velocities, omega);
        return velocities;
    }

    /// Sums the forces on the points of each body, and their torques about its centre of mass, for
    /// kick(): all in the world frame. Bodies without points get zeros. std::nullopt stands in the
    /// place of the sums that are not wanted.
    void sum_point_forces(ConstView forces, std::optional<View> body_forces,
                          std::optional<View> body_torques) const
    {
        const double *from = of_points(forces, point_count(), "sum_point_forces");
        const View none(static_cast<double *>(nullptr), 0, 0);
        const View &sums = body_forces ? *body_forces : none;
        const View &torques = body_torques ? *body_torques : none;
        double *to_sums = body_forces ? checked(sums, 3, "sum_point_forces") : nullptr;
        double *to_torques = body_torques ? checked(torques, 3, "sum_point_forces") : nullptr;
        detail::check(qi_sum_point_forces(live(), from, forces.body_stride, forces.component_stride,
                                          to_sums, sums.body_stride, sums.component_stride,
                                          to_torques, torques.body_stride,
                                          torques.component_stride));
    }

    /// Takes one step. `torque` computes the torques of all (active) bodies in one call, at each
    /// stage of the step: use it for bodies that act on each other. It has one of these signatures;
    /// all torques are 0 before each call:
    ///
    ///     void(double time, const std::vector<Quaternion> &,
    ///          const std::vector<Vector> &angular_velocity, std::vector<Vector> &torque)
    ///     void(double time, const double *orientation, const double *angular_velocity,
    ///          double *torque)
    ///
    /// All vectors are in the world frame. The callable runs on this thread. It may read the
    /// ensemble, which still shows the state before the step. If it throws, the step is cancelled.
    /// A torque set with set_torque() is not used.
    template <class F>
    void step_with(double dt, F &&torque)
    {
        take_with("step_with", dt, 1, torque);
    }

    /// Takes many such steps, faster and with bitwise the same result. If it throws, the completed
    /// steps are kept; time() tells how many.
    template <class F>
    void advance_with(double dt, std::uint64_t steps, F &&torque)
    {
        take_with("advance_with", dt, steps, torque);
    }

    template <class Steps, class F, detail::IfNotWhole<Steps> = nullptr>
    void advance_with(double, Steps, F &&) = delete; // steps are a whole number

    /// The stage protocol that step_with() and advance_with() are built on. Use it where the caller
    /// must own the loop.
    void begin_steps(double dt, std::uint64_t steps)
    {
        detail::check(qi_begin_ensemble_steps(
            live(), dt, detail::counted(steps, "quatint::Ensemble::begin_steps")));
    }

    template <class Steps, detail::IfNotWhole<Steps> = nullptr>
    void begin_steps(double, Steps) = delete; // steps are a whole number

    /// Writes the next stage: 4 and 3 doubles for each active body. Returns true if the stage was
    /// written; then supply its torque and call again. Returns false when all steps are taken.
    bool next_stage(double &time, double *orientation, double *angular_velocity)
    {
        return is_asked(qi_next_ensemble_stage(live(), &time, orientation, angular_velocity));
    }

    /// Writes to vectors, which are resized as needed.
    bool next_stage(double &time, std::vector<Quaternion> &orientation,
                    std::vector<Vector> &angular_velocity)
    {
        refuse_columns("next_stage");
        return next_stage_into(time, orientation, angular_velocity);
    }

    /// Supplies the torque of the current stage: 3 doubles for each active body, world frame.
    void supply_torque(const double *torque)
    {
        detail::check(qi_supply_ensemble_torque(live(), torque));
    }

    void supply_torque(const std::vector<Vector> &torque)
    {
        refuse_columns("supply_torque");
        expect_torques("supply_torque", torque);
        supply_torque(start(torque));
    }

    /// supply_torque() and next_stage() in one pass over the bodies. If a torque is not finite, it
    /// throws and writes nothing; supply the torque again. If the motion overflows, it throws and
    /// the steps are cancelled.
    bool continue_step(const double *torque, double &time, double *orientation,
                       double *angular_velocity)
    {
        return is_asked(
            qi_continue_ensemble_step(live(), torque, &time, orientation, angular_velocity));
    }

    bool continue_step(const std::vector<Vector> &torque, double &time,
                       std::vector<Quaternion> &orientation, std::vector<Vector> &angular_velocity)
    {
        refuse_columns("continue_step");
        return continue_into("continue_step", torque, time, orientation, angular_velocity);
    }

    // ---- `make bindings` writes these lines from the rows of tools/bindings/interface.toml, for Ensemble: do not edit
    /// The clock: the sum of the steps since it was set.
    [[nodiscard]] double time() const
    {
        double value;
        detail::check(qi_get_ensemble_time(live(), &value));
        return value;
    }

    /// Sets the clock: the sum of the steps since it was set.
    void set_time(double time) { detail::check(qi_set_ensemble_time(live(), time)); }

    /// The whole clock: the time, and what rounding has left of the sum of the steps. Set again, it
    /// gives a run the same times bit for bit.
    [[nodiscard]] Clock clock() const
    {
        Clock value;
        detail::check(qi_get_ensemble_clock(live(), value.data()));
        return value;
    }

    /// Sets the whole clock: the time, and what rounding has left of the sum of the steps.
    void set_clock(const Clock &clock)
    {
        detail::check(qi_set_ensemble_clock(live(), clock.data()));
    }

    /// The angular velocities, rad/s, world frame.
    void get_angular_velocities(View angular_velocities) const
    {
        double *angular_velocities_data = checked(angular_velocities, 3, "get_angular_velocities");
        detail::check(qi_get_angular_velocities(live(), angular_velocities_data,
                                                angular_velocities.body_stride,
                                                angular_velocities.component_stride));
    }

    [[nodiscard]] std::vector<Vector> angular_velocities() const
    {
        return angular_velocities<std::vector<Vector>>();
    }

    template <class T>
    [[nodiscard]] T angular_velocities() const
    {
        T values = detail::room_for<T>(count());
        get_angular_velocities(values);
        return values;
    }

    /// Sets the angular velocities, rad/s, world frame. Takes a range with one for each body, or
    /// one for all.
    void set_angular_velocities(ConstView angular_velocities)
    {
        const double *angular_velocities_data = checked(angular_velocities, 3,
                                                        "set_angular_velocities");
        detail::check(qi_set_angular_velocities(live(), angular_velocities_data,
                                                angular_velocities.body_stride,
                                                angular_velocities.component_stride));
    }

    /// The angular momenta, world frame.
    void get_angular_momenta(View angular_momenta) const
    {
        double *angular_momenta_data = checked(angular_momenta, 3, "get_angular_momenta");
        detail::check(qi_get_angular_momenta(live(), angular_momenta_data,
                                             angular_momenta.body_stride,
                                             angular_momenta.component_stride));
    }

    [[nodiscard]] std::vector<Vector> angular_momenta() const
    {
        return angular_momenta<std::vector<Vector>>();
    }

    template <class T>
    [[nodiscard]] T angular_momenta() const
    {
        T values = detail::room_for<T>(count());
        get_angular_momenta(values);
        return values;
    }

    /// Sets the angular momenta, world frame. The angular velocities follow from orientations and
    /// inertias. Takes a range with one for each body, or one for all.
    void set_angular_momenta(ConstView angular_momenta)
    {
        const double *angular_momenta_data = checked(angular_momenta, 3, "set_angular_momenta");
        detail::check(qi_set_angular_momenta(live(), angular_momenta_data,
                                             angular_momenta.body_stride,
                                             angular_momenta.component_stride));
    }

    /// The rotational kinetic energy of each body.
    void get_kinetic_energies(View energies) const
    {
        double *energies_data = checked(energies, 1, "get_kinetic_energies");
        detail::check(qi_get_kinetic_energies(live(), energies_data, energies.body_stride));
    }

    [[nodiscard]] std::vector<double> kinetic_energies() const
    {
        return kinetic_energies<std::vector<double>>();
    }

    template <class T>
    [[nodiscard]] T kinetic_energies() const
    {
        T values = detail::room_for<T>(count());
        get_kinetic_energies(values);
        return values;
    }

    /// The rotational kinetic energy of the active bodies. It has the same bits for any number of
    /// threads.
    [[nodiscard]] double total_kinetic_energy() const
    {
        double energy;
        detail::check(qi_get_total_kinetic_energy(live(), &energy));
        return energy;
    }

    /// The angular momentum of rotation of the active bodies, world frame. It has the same bits for
    /// any number of threads.
    [[nodiscard]] Vector total_angular_momentum() const
    {
        Vector angular_momentum;
        detail::check(qi_get_total_angular_momentum(live(), angular_momentum.data()));
        return angular_momentum;
    }

    template <class T>
    [[nodiscard]] T total_angular_momentum() const { return to_eigen<T>(total_angular_momentum()); }

    /// Multiplies the angular momenta of the active bodies by a factor, for a thermostat of your
    /// own.
    void scale_angular_momenta(double factor)
    {
        detail::check(qi_scale_angular_momenta(live(), factor));
    }

    /// The number of rotational degrees of freedom of the active bodies: 3 each, less the axes of
    /// zero moment. At thermal equilibrium the mean of the kinetic energy is kT/2 for each.
    [[nodiscard]] std::uint64_t degrees_of_freedom() const
    {
        std::uint64_t degrees;
        detail::check(qi_get_ensemble_degrees_of_freedom(live(), &degrees));
        return degrees;
    }

    /// Sets the inertias. The angular velocities stay. No axis is locked then, unless a moment is
    /// zero. Takes a range with one for each body, or one for all.
    void set_inertias(ConstView inertia)
    {
        const double *inertia_data = packed(inertia, 9, "set_inertias");
        detail::check(qi_set_inertias(live(), inertia_data, inertia.body_stride));
    }

    /// Sets the inertias of bodies whose axes are principal axes, by the moments about them.
    /// Otherwise as set_inertias(), but faster. Takes a range with one for each body, or one for
    /// all.
    void set_principal_inertias(ConstView moments)
    {
        const double *moments_data = checked(moments, 3, "set_principal_inertias");
        detail::check(qi_set_principal_inertias(live(), moments_data, moments.body_stride,
                                                moments.component_stride));
    }

    /// Sets a constant torque. In the body frame it turns with the body. Takes a range with one for
    /// each body, or one for all.
    void set_constant_torque(ConstView torques, Frame frame = Frame::world)
    {
        const double *torques_data = packed(torques, 3, "set_constant_torque");
        replaced(qi_set_ensemble_constant_torque(live(), torques_data, torques.body_stride,
                                                 static_cast<std::int32_t>(frame)));
    }

    /// Sets the torque of a uniform field, `(R v) x F`. For example the weight F of a top whose
    /// centre of mass is at v. Takes a range with one for each body, or one for all.
    void set_uniform_field_torque(ConstView vectors_body, const Vector &field_world)
    {
        const double *vectors_body_data = packed(vectors_body, 3, "set_uniform_field_torque");
        replaced(qi_set_ensemble_uniform_field_torque(live(), vectors_body_data,
                                                      vectors_body.body_stride,
                                                      field_world.data()));
    }

    template <class... Given, detail::IfEigen<Given...> = nullptr>
    void set_uniform_field_torque(const Given &...given)
    {
        set_uniform_field_torque(detail::plain(given)...);
    }

    /// Sets the torque of a central gravity field, `3 g n x (I n)`. The direction n is along the
    /// line to the attracting mass, and g is G M / r^3. Takes a range with one for each body, or
    /// one for all.
    void set_gravity_gradient_torque(const Vector &direction_world, ConstView gradients)
    {
        const double *gradients_data = packed(gradients, 1, "set_gravity_gradient_torque");
        replaced(qi_set_ensemble_gravity_gradient_torque(live(), direction_world.data(),
                                                         gradients_data, gradients.body_stride));
    }

    void set_gravity_gradient_torque(const Vector &direction_world, double gradients)
    {
        set_gravity_gradient_torque(direction_world, ConstView(&gradients, 0));
    }

    template <class... Given, detail::IfEigen<Given...> = nullptr>
    void set_gravity_gradient_torque(const Given &...given)
    {
        set_gravity_gradient_torque(detail::plain(given)...);
    }

    /// Sets a linear drag as the torque: `-c_i omega_i` about each body axis i. Takes a range with
    /// one for each body, or one for all.
    void set_linear_drag_torque(ConstView coefficients)
    {
        const double *coefficients_data = packed(coefficients, 3, "set_linear_drag_torque");
        replaced(qi_set_ensemble_linear_drag_torque(live(), coefficients_data,
                                                    coefficients.body_stride));
    }

    /// Sets Jeffery's torque: that of a viscous fluid in linear flow on an ellipsoid. Entry (i, j)
    /// of the gradient is the derivative of velocity component i along axis j, world frame. Takes a
    /// range with one for each body, or one for all.
    void set_shear_flow_torque(ConstView semi_axes, double viscosity,
                               const Matrix &velocity_gradient)
    {
        const double *semi_axes_data = packed(semi_axes, 3, "set_shear_flow_torque");
        replaced(qi_set_ensemble_shear_flow_torque(live(), semi_axes_data, semi_axes.body_stride,
                                                   viscosity, velocity_gradient.data()));
    }

    template <class... Given, detail::IfEigen<Given...> = nullptr>
    void set_shear_flow_torque(const Given &...given)
    {
        set_shear_flow_torque(detail::plain(given)...);
    }

    /// Sets a linear drag besides the torque: `-c_i (omega_i - flow_i)` about each body axis i. It
    /// is taken implicitly, so that no coefficient is too large for the step. Kicks include it.
    /// Takes a range with one for each body, or one for all.
    void set_drag(ConstView coefficients)
    {
        const double *coefficients_data = packed(coefficients, 3, "set_drag");
        detail::check(qi_set_ensemble_drag(live(), coefficients_data, coefficients.body_stride,
                                           nullptr, 0));
    }

    /// The same with `flow`: angular velocity of the fluid, world frame.
    void set_drag(ConstView coefficients, ConstView flow)
    {
        const double *coefficients_data = packed(coefficients, 3, "set_drag");
        const double *flow_data = packed(flow, 3, "set_drag");
        detail::check(qi_set_ensemble_drag(live(), coefficients_data, coefficients.body_stride,
                                           flow_data, flow.body_stride));
    }

    /// Removes the drag. The torque stays.
    void clear_drag() { detail::check(qi_set_ensemble_drag(live(), nullptr, 0, nullptr, 0)); }

    /// Sets random torques besides the torque: a drag about each body axis, and the noise that
    /// belongs to it at the energy `kt`. They act in steps by the splitting of order 2 and by the
    /// Brownian method; other methods refuse them. Takes a range with one for each body, or one for
    /// all.
    void set_langevin(ConstView coefficients, double kt, std::uint64_t seed)
    {
        const double *coefficients_data = packed(coefficients, 3, "set_langevin");
        detail::check(qi_set_ensemble_langevin(live(), coefficients_data, coefficients.body_stride,
                                               nullptr, 0, kt, seed));
    }

    /// The same with `flow`: angular velocity of the fluid, world frame, rad/s.
    void set_langevin(ConstView coefficients, double kt, std::uint64_t seed, ConstView flow)
    {
        const double *coefficients_data = packed(coefficients, 3, "set_langevin");
        const double *flow_data = packed(flow, 3, "set_langevin");
        detail::check(qi_set_ensemble_langevin(live(), coefficients_data, coefficients.body_stride,
                                               flow_data, flow.body_stride, kt, seed));
    }

    template <class Seed, detail::IfNotWhole<Seed> = nullptr>
    void set_langevin(ConstView, double, Seed) = delete; // the seed is a whole number
    template <class Seed, detail::IfNotWhole<Seed> = nullptr>
    void set_langevin(ConstView, double, Seed, ConstView) = delete; // the seed is a whole number

    /// Removes the random torques. The torque and the number of draws stay.
    void clear_langevin()
    {
        detail::check(qi_set_ensemble_langevin(live(), nullptr, 0, nullptr, 0, 0, 0));
    }

    /// Lets drag and noise alone act for a duration, exactly, at constant orientation. The clock
    /// stays. It is one draw. Programs that kick and drift call it between two drifts of half a
    /// step.
    void thermalize(double duration) { detail::check(qi_thermalize_ensemble(live(), duration)); }

    /// How many times noise has been drawn. Each step with random torques draws, and so does
    /// thermalize(). A restart needs the number besides the state and the clock.
    [[nodiscard]] std::uint64_t noise_draws() const
    {
        std::uint64_t draws;
        detail::check(qi_get_ensemble_noise(live(), &draws));
        return draws;
    }

    /// Sets how many times noise has been drawn.
    void set_noise_draws(std::uint64_t draws)
    {
        detail::check(qi_set_ensemble_noise(live(), draws));
    }

    template <class Draws, detail::IfNotWhole<Draws> = nullptr>
    void set_noise_draws(Draws) = delete; // draws are a whole number

    /// Sets the angular momentum of rotors within each body, such as reaction wheels, body frame.
    /// Nothing else changes it. Orientations and angular velocities stay. Takes a range with one
    /// for each body, or one for all.
    void set_rotor_momentum(ConstView momentum)
    {
        const double *momentum_data = packed(momentum, 3, "set_rotor_momentum");
        detail::check(qi_set_ensemble_rotor_momentum(live(), momentum_data, momentum.body_stride));
    }

    /// Removes the rotors.
    void clear_rotor_momentum()
    {
        detail::check(qi_set_ensemble_rotor_momentum(live(), nullptr, 0));
    }

    /// The method.
    [[nodiscard]] Method method() const
    {
        std::int32_t value;
        detail::check(qi_get_ensemble_method(live(), &value));
        return static_cast<Method>(value);
    }

    /// Sets the method. State, clock and torque stay.
    void set_method(Method method)
    {
        detail::check(qi_set_ensemble_method(live(), static_cast<std::int32_t>(method)));
    }

    /// Kicks the active bodies: adds `duration * torque` to their angular momenta, and the drag of
    /// this duration. Takes a range with one for each body, or one for all. Element i of the
    /// torques is for body i, whether all bodies are active or not. They are read during the call,
    /// and must not overlap a bound array. Angular momenta bound in the world frame are only added
    /// to. If a torque is not finite, the error names the body.
    void kick(double duration, ConstView torque, Frame frame = Frame::world)
    {
        const double *torque_data = checked(torque, 3, "kick");
        detail::check(qi_kick_ensemble(live(), duration, torque_data, torque.body_stride,
                                       torque.component_stride, static_cast<std::int32_t>(frame)));
    }

    /// Rotates freely for a duration of any length: exactly, or with rotors by the method. The
    /// clock moves on. The torque is not called.
    void drift(double duration) { detail::check(qi_drift_ensemble(live(), duration)); }

    /// Kicks and then drifts, for these durations, in one pass over the bodies: the first half of a
    /// step of velocity Verlet. Then compute the torques anew, and kick. Takes a range with one for
    /// each body, or one for all.
    void kick_drift(double kick, double drift, ConstView torque, Frame frame = Frame::world)
    {
        const double *torque_data = checked(torque, 3, "kick_drift");
        detail::check(qi_kick_drift_ensemble(live(), kick, drift, torque_data, torque.body_stride,
                                             torque.component_stride,
                                             static_cast<std::int32_t>(frame)));
    }

    /// Says that something has changed that the torque reads, or that states in bound arrays have
    /// been written: the splitting methods then ask for the torque anew.
    void forget_torques() { detail::check(qi_forget_ensemble_torques(live())); }

    /// The value that the torque returned when it last stopped a step; 0 if it was content.
    [[nodiscard]] std::int32_t callback_result() const
    {
        return qi_get_ensemble_callback_result(live());
    }

    /// Sets the number of threads that step the ensemble. With more than one, torques are called
    /// from several threads at once.
    void set_threads(std::size_t threads)
    {
        detail::check(qi_set_ensemble_threads(live(), threads));
    }

    template <class Threads, detail::IfNotWhole<Threads> = nullptr>
    void set_threads(Threads) = delete; // threads are a whole number

    /// The number of bodies that move, and so that of the bodies in a stage.
    [[nodiscard]] std::size_t active_count() const
    {
        std::size_t count;
        detail::check(qi_get_ensemble_active_count(live(), &count));
        return count;
    }

    /// The number of points of all bodies. It is an error if none have been set for these bodies.
    [[nodiscard]] std::size_t point_count() const
    {
        std::size_t count;
        detail::check(qi_get_point_count(live(), &count));
        return count;
    }

    /// Sets the layout of the arrays of a stage: rows, one for each body, which is the default, or
    /// columns, one for each component, which saves a transposition each way.
    void set_stage_layout(Layout layout)
    {
        detail::check(qi_set_ensemble_stage_layout(live(), static_cast<std::int32_t>(layout)));
    }

    /// Begins a step whose torques the caller supplies, stage by stage.
    void begin_step(double dt) { detail::check(qi_begin_ensemble_step(live(), dt)); }

    /// Gives up the steps that have begun. Those that are complete stay.
    void cancel_step() { detail::check(qi_cancel_ensemble_step(live())); }
    // ---- end of what `make bindings` writes

private:
    Ensemble(std::size_t count, qi_status status)
        : Object(qi_create_ensemble(count, &status), status)
    {
    }

    /// As that of the base class, which this hides: a bound array that has moved must not be used.
    qi_ensemble *live() const
    {
        if (arrays_ != nullptr) arrays_->expect_in_place();
        return Object::live();
    }

    /// Checks the status of a call that releases bound arrays.
    void released(qi_status status)
    {
        detail::check(status);
        arrays_.reset();
    }

    Bound bind_watched(const View &orientations, const View &angular_velocities, Kind kind,
                       const detail::Watched &q, const detail::Watched &omega)
    {
        checked(orientations, 4, "bind");
        checked(angular_velocities, 3, "bind");
        const auto arrays = std::make_shared<detail::BoundArrays>(live(), q, omega);
        bind_orientations(orientations);
        try {
            bind_angular_velocities(angular_velocities, kind);
        } catch (...) {
            arrays_ = arrays;
            arrays_->release();
            throw;
        }
        arrays_ = arrays;
        return Bound(arrays);
    }

    template <class Held, class F>
    void hold(F &&torque, Layout layout, Frame frame)
    {
        auto held = std::make_unique<Held>(std::forward<F>(torque));
        const qi_status status =
            qi_set_ensemble_torque(live(), &Held::ask, static_cast<std::int32_t>(layout),
                                   static_cast<std::int32_t>(frame), held.get());
        replaced(status, std::move(held));
    }

    /// Sets (x, y, z, w), as Eigen has quaternions.
    void set_scalar_last_orientations(const double *from, std::ptrdiff_t body_stride,
                                      std::ptrdiff_t component_stride)
    {
        const bool is_shared = body_stride == 0;
        std::vector<Quaternion> packed(is_shared ? std::min<std::size_t>(count(), 1) : count());
        for (Quaternion &q : packed) {
            const double x = from[0];
            const double y = from[component_stride];
            const double z = from[2 * component_stride];
            const double w = from[3 * component_stride];
            q = {w, x, y, z};
            from += body_stride;
        }
        detail::check(qi_set_orientations(live(), start(packed), is_shared ? 0 : 4, 1));
    }

    void get_scalar_last_orientations(double *to, std::ptrdiff_t body_stride,
                                      std::ptrdiff_t component_stride) const
    {
        for (const auto &[w, x, y, z] : orientations()) {
            to[0] = x;
            to[component_stride] = y;
            to[2 * component_stride] = z;
            to[3 * component_stride] = w;
            to += body_stride;
        }
    }

    static Scalar scalar_of(const View &data)
    {
        return data.scalar_last ? Scalar::last : Scalar::first;
    }

    static void expect_scalar(const View &data, Scalar scalar, const char *function)
    {
        if (data.scalar_last && scalar != Scalar::last) {
            refuse(function, "quaternions of Eigen are (x, y, z, w), Scalar::last");
        }
    }

    static void expect_rows(const std::vector<double> &rows, std::size_t count, std::size_t size)
    {
        if (rows.size() != count * size) {
            refuse("set_rows", std::to_string(rows.size()) + " numbers instead of "
                                   + std::to_string(count * size) + ": a row has "
                                   + std::to_string(size)
                                   + " here. Are parts, torque, drag, rotors, random torques and "
                                     "method those of the ensemble that wrote the rows?");
        }
    }

    /// Returns the data pointer of a view whose row rows[i] is that of body i.
    double *in_rows(const View &view, std::size_t components, const std::vector<std::int32_t> &rows,
                    const char *function) const
    {
        expect_components(view, components, function);
        if (rows.size() != count()) refuse(function, rows.size(), "rows for bodies:", count());
        const auto last = std::max_element(rows.begin(), rows.end());
        if (view.bodies != View::unknown && last != rows.end() && *last >= 0) {
            const auto last_row = static_cast<std::size_t>(*last);
            if (last_row >= view.bodies) {
                refuse(function, last_row, "is a row of an array of", view.bodies);
            }
        }
        return view.data;
    }

    [[noreturn]] static void refuse(const char *function, const std::string &why)
    {
        throw Error(QI_ERR_INVALID, std::string("quatint::Ensemble::") + function + ": " + why);
    }

    [[noreturn]] static void refuse(const char *function, std::size_t given, const char *what,
                                    std::size_t needed)
    {
        refuse(function, std::to_string(given) + " " + what + " " + std::to_string(needed));
    }

    /// Throws if the stage layout is columns, because a std::vector with one element for each body
    /// is a layout of rows.
    void refuse_columns(const char *function) const
    {
        std::int32_t layout;
        detail::check(qi_get_ensemble_stage_layout(live(), &layout));
        if (layout == QI_LAYOUT_SOA) {
            refuse(function, "vectors for each body, but the stage layout is columns");
        }
    }

    static bool is_asked(qi_status status)
    {
        detail::check(status);
        return status == QI_NEED_TORQUE;
    }

    void expect_torques(const char *function, const std::vector<Vector> &torque) const
    {
        const std::size_t needed = active_count();
        if (torque.size() != needed) refuse(function, torque.size(), "torques for", needed);
    }

    /// Resizes the vectors of a stage.
    void fit(std::vector<Quaternion> &orientation, std::vector<Vector> &angular_velocity) const
    {
        const std::size_t moving = active_count();
        orientation.resize(moving);
        angular_velocity.resize(moving);
    }

    bool next_stage_into(double &time, std::vector<Quaternion> &orientation,
                         std::vector<Vector> &angular_velocity)
    {
        fit(orientation, angular_velocity);
        return next_stage(time, start(orientation), start(angular_velocity));
    }

    bool continue_into(const char *function, const std::vector<Vector> &torque, double &time,
                       std::vector<Quaternion> &orientation, std::vector<Vector> &angular_velocity)
    {
        expect_torques(function, torque);
        fit(orientation, angular_velocity);
        return continue_step(start(torque), time, start(orientation), start(angular_velocity));
    }

    template <class F>
    void take_with(const char *function, double dt, std::uint64_t steps, F &torque)
    {
        using Quaternions = std::vector<Quaternion>;
        using Vectors = std::vector<Vector>;
        constexpr bool takes_vectors =
            std::is_invocable_v<F &, double, const Quaternions &, const Vectors &, Vectors &>;
        static_assert(
            takes_vectors || detail::writes_torque<std::remove_reference_t<F>>,
            "the torque of step_with() and advance_with() is callable as void(double time, const "
            "std::vector<Quaternion> &, const std::vector<Vector> &angular_velocity, "
            "std::vector<Vector> &torque) or "
            "void(double time, const double *orientation, const double *angular_velocity, double "
            "*torque)");
        if constexpr (takes_vectors) refuse_columns(function);
        begin_steps(dt, steps);
        try {
            double time = 0;
            bool asked = next_stage_into(time, stage_orientations_, stage_angular_velocities_);
            while (asked) {
                stage_torques_.assign(active_count(), Vector{});
                if constexpr (takes_vectors) {
                    torque(time, std::as_const(stage_orientations_),
                           std::as_const(stage_angular_velocities_), stage_torques_);
                } else {
                    torque(time, static_cast<const double *>(start(stage_orientations_)),
                           static_cast<const double *>(start(stage_angular_velocities_)),
                           start(stage_torques_));
                }
                asked = continue_into(function, stage_torques_, time, stage_orientations_,
                                      stage_angular_velocities_);
            }
        } catch (...) {
            qi_cancel_ensemble_step(handle());
            throw;
        }
    }

    /// Returns the data pointer of a view after checking its number of components and bodies. All
    /// bodies share one value where the stride is 0.
    template <class Number>
    Number *checked(const detail::BasicView<Number> &view, std::size_t components,
                    const char *function) const
    {
        expect_components(view, components, function);
        const bool is_shared = view.body_stride == 0;
        const std::size_t needed = is_shared ? std::min<std::size_t>(count(), 1) : count();
        const bool are_enough = is_shared ? view.bodies >= needed : view.bodies == needed;
        if (view.bodies != View::unknown && !are_enough) {
            refuse(function, view.bodies, "bodies instead of", needed);
        }
        return view.data;
    }

    /// The same for views of points; with a stride of 0 all points share one value.
    template <class Number>
    static Number *of_points(const detail::BasicView<Number> &view, std::size_t points,
                             const char *function)
    {
        if (view.components != View::unknown && view.components != 3) {
            refuse(function, view.components, "components a point instead of", 3);
        }
        const bool is_shared = view.body_stride == 0;
        if (!is_shared && view.bodies != View::unknown && view.bodies != points) {
            refuse(function, view.bodies, "points instead of", points);
        }
        return view.data;
    }

    template <class Number>
    static void expect_components(const detail::BasicView<Number> &view, std::size_t components,
                                  const char *function)
    {
        if (view.components != View::unknown && view.components != components) {
            refuse(function, view.components, "components a body instead of", components);
        }
    }

    /// The same, for views whose components must be contiguous.
    const double *packed(const ConstView &view, std::size_t components, const char *function) const
    {
        if (components > 1 && view.component_stride != 1) {
            refuse(function, "components must be side by side");
        }
        return checked(view, components, function);
    }

    template <std::size_t N>
    static double *start(std::vector<std::array<double, N>> &packed)
    {
        return View(packed).data;
    }

    template <std::size_t N>
    static const double *start(const std::vector<std::array<double, N>> &packed)
    {
        return ConstView(packed).data;
    }

    std::shared_ptr<detail::BoundArrays> arrays_; // of bind()
    std::vector<Quaternion> stage_orientations_;
    std::vector<Vector> stage_angular_velocities_;
    std::vector<Vector> stage_torques_;
};

} // namespace quatint

#endif // C++17
#endif
