// A part of quatint.hpp, which includes it: vectors, choices, statuses, errors.

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
    stiff = QI_SOLVE_STIFF,
    /// Strang's splitting, extrapolated: for torques of orientation and time, which it asks for least.
    splitting = QI_SOLVE_SPLITTING
};

/// What stays when a body gets another inertia.
enum class Keep : std::int32_t {
    /// A part is cut off, and leaves with its momentum.
    angular_velocity = QI_KEEP_ANGULAR_VELOCITY,
    /// Material moves inside the body, as when a panel unfolds.
    angular_momentum = QI_KEEP_ANGULAR_MOMENTUM
};

/// The events that count, in the direction of the solution.
enum class Crossing : std::int32_t {
    rising = QI_RISING,   ///< those that come from negative values
    falling = QI_FALLING, ///< those that come from positive values
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

} // namespace quatint
