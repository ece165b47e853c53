// A part of quatint.hpp, which includes it: one body.

namespace quatint {

/// The parts of a row, combined with |; see QI_PART_STATE and the others in quatint.h.
namespace parts {
/// Orientation and angular velocity in the body frame.
inline constexpr std::int32_t state = QI_PART_STATE;
/// Principal moments, negative about locked axes, and axes.
inline constexpr std::int32_t inertia = QI_PART_INERTIA;
/// Parameters of the ready-made torque, the drag and the rotors.
inline constexpr std::int32_t torque = QI_PART_TORQUE;
/// What the method keeps from step to step.
inline constexpr std::int32_t memory = QI_PART_MEMORY;
/// The angular velocity or momentum as the bound array holds it.
inline constexpr std::int32_t bound = QI_PART_BOUND;
inline constexpr std::int32_t all = state | inertia | torque | memory | bound;
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

    explicit Body(const Vector &) = delete; // an inertia is a tensor: diagonal(I1, I2, I3) is that of three moments

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

    /// As solve(), with the same bits, and calls a monitor after each step that is taken: to follow
    /// a long solution, or to end it by an exception, which leaves the body where the step ended.
    /// The monitor has one of these signatures, and must not use the body:
    ///
    ///     void(double time, const Quaternion &orientation, const Vector &angular_velocity)
    ///     void(double time, const double *orientation, const double *angular_velocity)
    template <class F>
    Statistics solve(double end_time, double tolerance, F &&monitor)
    {
        using Held = detail::Monitor<std::remove_reference_t<F>>;
        detail::refuse_null(monitor, "quatint::Body::solve");
        Held held(monitor);
        const qi_status status = qi_solve_monitored(live(), &end_time, 1, tolerance, nullptr,
                                                    nullptr, 1, &Held::ask, &held);
        held.rethrow();
        stepped(status);
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

    /// As before, with the monitor of solve(). The rows of a step are written before it is called.
    template <class F>
    void solve_record(const std::vector<double> &times, double tolerance, std::vector<Record> &rows,
                      F &&monitor)
    {
        using Held = detail::Monitor<std::remove_reference_t<F>>;
        detail::refuse_null(monitor, "quatint::Body::solve_record");
        qi_body *const body = live();
        Held held(monitor);
        rows.resize(times.size());
        std::size_t written = 0;
        const qi_status status = qi_solve_monitored(
            body, times.data(), times.size(), tolerance, reinterpret_cast<double *>(rows.data()),
            &written, 1, &Held::ask, &held);
        rows.resize(written);
        held.rethrow();
        stepped(status);
    }

    /// As solve(), but stops where the event function becomes zero or changes its sign: see
    /// qi_solve_until(). Returns the time of the event, where the body then stands, or nothing if
    /// the body has reached `end_time`. The next call finds the next event. The event function has one of these signatures and is called within
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

    /// Sets these data from a row of a body or of an ensemble. Set torque, method, drag, rotors,
    /// random torques and clock before.
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
    /// the torque. One lock alone asks for equal moments about the other two axes. The moments
    /// about locked axes become zero. Locks add up until set_inertia().
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

    /// Sets a linear drag in addition to the torque: `-c_i (omega_i - flow_i)` about each body axis
    /// i. It is taken implicitly, so that no coefficient is too large for the step. Kicks include
    /// it.
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

    /// Sets random torques in addition to the torque: a drag about each body axis, and the noise
    /// that belongs to it at the energy `kt`. They act in steps by the splitting of order 2 and by
    /// the Brownian method; other methods refuse them.
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
    /// with the rotors locked or, where the torque of a motor is known, less J a a^T for each
    /// (docs/torques.md).
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
    /// on the body, and its opposite on the rotors. It stays until it is set again: a controller
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
    /// splitting methods then ask for the torque again.
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

    /// Sets the longest step of solve() and of the other solutions; 0, the default: any length. A
    /// torque that acts for a shorter time, such as a pulse, may not be seen. A body without torque
    /// takes one exact step as before.
    void set_solve_longest_step(double longest)
    {
        detail::check(qi_set_solve_longest_step(live(), longest));
    }

    /// Sets the most evaluations of the torque in a call of solve() or of another solution; where
    /// no torque acts, of the event function; 0, the default: no limit. A call that needs more
    /// fails, and the body is where its last accepted step ended; another call goes on from there.
    void set_solve_most_evaluations(std::uint64_t most)
    {
        detail::counted(most, "quatint::Body::set_solve_most_evaluations",
                        "the number of torque evaluations");
        detail::check(qi_set_solve_most_evaluations(live(), most));
    }

    template <class Most, detail::IfNotWhole<Most> = nullptr>
    void set_solve_most_evaluations(Most) = delete; // evaluations are a whole number

    /// Sets how solve() and the other solutions take their steps. The default is an explicit method
    /// of order 8. The stiff one, of order 4, costs less for torques that change faster than the
    /// motion, such as stiff drag and springs. The error of a solution that takes too many
    /// evaluations says whether the torque looks stiff.
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

/// Both, with values of Eigen: the state may be maps or blocks of your arrays.
template <class I, class Q, class V, class... Torque, detail::IfAnyEigen<I, Q, V> = nullptr>
void integrate(const I &inertia, Q &&orientation, V &&angular_velocity, double time, double dt,
               std::uint64_t steps, Torque &&...torque)
{
    detail::change(orientation, [&](Quaternion &q) {
        detail::change(angular_velocity, [&](Vector &omega) {
            integrate(detail::plain(inertia), q, omega, time, dt, steps, std::forward<Torque>(torque)...);
        });
    });
}

} // namespace quatint
