// A part of quatint.hpp, which includes it: callables that C calls, and the base of Body and Ensemble.

namespace quatint {

template <class T, std::size_t N>
[[nodiscard]] T to_eigen(const std::array<double, N> &numbers);

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

/// The numbers of a callback's argument, which become an object of Eigen where the callable takes
/// one.
template <std::size_t N>
struct ForEigen {
    template <class T>
    static constexpr bool is_value =
        (N == 4 && is_eigen_quaternion<T>) || (N == 3 && is_eigen_vector<T> && is_eigen_matrix<T>);

    const std::array<double, N> &numbers;

    template <class T, std::enable_if_t<is_value<T>> * = nullptr>
    operator T() const
    {
        return to_eigen<T>(numbers);
    }
};

/// Whether a callable takes these arguments, then an orientation and an angular velocity.
template <class F, class... First>
inline constexpr bool takes_arrays =
    std::is_invocable_v<F &, First..., const Quaternion &, const Vector &>;
template <class F, class... First>
constexpr bool takes_arrays_or_eigen()
{
    if constexpr (takes_arrays<F, First...>) {
        return true; // a generic lambda is not tried with the types below
    } else {
        return std::is_invocable_v<F &, First..., ForEigen<4>, ForEigen<3>>;
    }
}
template <class F, class... First>
inline constexpr bool takes_state = takes_arrays_or_eigen<F, First...>();

/// Calls it, with objects of Eigen if it takes those.
template <class F, class... First>
decltype(auto) at_state(F &f, const Quaternion &orientation, const Vector &angular_velocity,
                        First... first)
{
    if constexpr (takes_arrays<F, First...>) {
        return f(first..., orientation, angular_velocity);
    } else {
        return f(first..., ForEigen<4>{orientation}, ForEigen<3>{angular_velocity});
    }
}

template <class F, class... First>
using ResultAtState =
    decltype(at_state(std::declval<F &>(), std::declval<const Quaternion &>(),
                      std::declval<const Vector &>(), std::declval<First>()...));

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

/// The same of an angular velocity.
template <class T>
void expect_three_rates(const T &omega)
{
    static_assert(fixed_size<T> == 3, "an angular velocity has three components");
    if constexpr (knows_its_size<T>) {
        if (omega.size() != 3) {
            const std::string size = std::to_string(omega.size());
            throw Error(QI_ERR_INVALID,
                        "the angular velocity has " + size + " components instead of 3");
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
inline constexpr bool returns_torque = takes_state<F, double>;

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
                  "Vector &angular_velocity), with these types or Eigen's, or "
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
            } else if constexpr (is_torque_value<ResultAtState<F, double>>()) {
                const auto t = at_state(me.f_, one_by_one<4>(q), one_by_one<3>(omega), time);
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
constexpr bool is_event()
{
    if constexpr (takes_state<F, double>) {
        return std::is_floating_point_v<ResultAtState<F, double>>;
    } else if constexpr (std::is_invocable_v<F &, double, const double *, const double *>) {
        using Result = std::invoke_result_t<F &, double, const double *, const double *>;
        return std::is_floating_point_v<Result>;
    } else {
        return false;
    }
}

/// A function of a user that the caller keeps during a solution, with the exception that it has
/// thrown.
template <class F>
class Watcher {
public:
    explicit Watcher(F &f) : f_(f) {}

    void rethrow() const
    {
        if (thrown_ != nullptr) std::rethrow_exception(thrown_);
    }

protected:
    F &f_;
    std::exception_ptr thrown_;
};

/// A user's event function.
template <class F>
class Event final : public Watcher<F> {
    static_assert(is_event<F>(),
                  "an event is callable as double(double time, const Quaternion &, const Vector "
                  "&angular_velocity), with these types or Eigen's, or "
                  "double(double time, const double *orientation, const double *angular_velocity)");

public:
    using Watcher<F>::Watcher;

    /// After an exception it returns NaN, which ends the solution.
    static double ask(double time, const double *q, const double *omega, void *self) noexcept
    {
        auto &me = *static_cast<Event *>(self);
        try {
            if constexpr (takes_state<F, double>) {
                return static_cast<double>(
                    at_state(me.f_, one_by_one<4>(q), one_by_one<3>(omega), time));
            } else {
                return static_cast<double>(me.f_(time, q, omega));
            }
        } catch (...) {
            me.thrown_ = std::current_exception();
            return std::numeric_limits<double>::quiet_NaN();
        }
    }
};

template <class F>
constexpr bool is_monitor()
{
    if constexpr (takes_state<F, double>) {
        return std::is_void_v<ResultAtState<F, double>>;
    } else {
        return std::is_invocable_v<F &, double, const double *, const double *> &&
               std::is_void_v<
                   std::invoke_result_t<F &, double, const double *, const double *>>;
    }
}

/// A user's monitor of a solution.
template <class F>
class Monitor final : public Watcher<F> {
    static_assert(is_monitor<F>(),
                  "a monitor is callable as void(double time, const Quaternion &, const Vector "
                  "&angular_velocity), with these types or Eigen's, or "
                  "void(double time, const double *orientation, const double *angular_velocity): "
                  "it ends the solution by an exception, not by what it returns");

public:
    using Watcher<F>::Watcher;

    static std::int32_t ask(double time, const double *q, const double *omega, void *self) noexcept
    {
        auto &me = *static_cast<Monitor *>(self);
        try {
            if constexpr (takes_state<F, double>) {
                at_state(me.f_, one_by_one<4>(q), one_by_one<3>(omega), time);
            } else {
                me.f_(time, q, omega);
            }
            return 0;
        } catch (...) {
            me.thrown_ = std::current_exception();
            return 1;
        }
    }
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
        takes_state<F, double, std::size_t>,
        "a torque on each body of an ensemble is callable as Vector(double time, std::size_t body, "
        "const Quaternion &, "
        "const Vector &angular_velocity), with these types or Eigen's; set_chunk_torque() takes one for many bodies at once");

public:
    template <class G>
    explicit EachTorque(G &&f) : f_(std::forward<G>(f)) {}

    static std::int32_t ask(double time, std::size_t first, std::size_t n, const double *q,
                            const double *omega, double *torque, void *self) noexcept
    {
        auto &me = *static_cast<EachTorque *>(self);
        return guarded(me, first, [&]() -> std::int32_t {
            if constexpr (is_torque_value<ResultAtState<F, double, std::size_t>>()) {
                for (std::size_t i = 0; i < n; i++) {
                    const Quaternion q_i = {q[i], q[n + i], q[2 * n + i], q[3 * n + i]};
                    const Vector omega_i = {omega[i], omega[n + i], omega[2 * n + i]};
                    const auto t = at_state(me.f_, q_i, omega_i, time, first + i);
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

} // namespace quatint
