// A part of quatint.hpp, which includes it: many bodies.

namespace quatint {

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
    /// caller's array, d u_j / d x_k in row j and column k. The flow solver may write them between
    /// steps. Takes a range with a Matrix for each body, which lies row by row, or an
    /// Eigen::Matrix3d, of which the type says how it lies; or one for all. It must outlive its use.
    /// resize(), select() and release_arrays() release the array.
    void bind_flow_gradients(ConstView gradients)
    {
        if (gradients.is_computed()) {
            refuse("bind_flow_gradients", "the value of an Eigen expression ends with this call: store it first");
        }
        const double *start = packed(gradients, 9, "bind_flow_gradients");
        const std::ptrdiff_t row_stride = gradients.by_columns ? 1 : 3;
        const std::ptrdiff_t column_stride = gradients.by_columns ? 3 : 1;
        bind_flow_gradients(start, gradients.body_stride, row_stride, column_stride);
    }

    /// The same with any strides: d u_j / d x_k at body i is at `gradients[i * body_stride + j *
    /// row_stride + k * column_stride]`. For OpenFOAM's gradients they are 9, 1, 3.
    void bind_flow_gradients(const double *gradients, std::ptrdiff_t body_stride,
                             std::ptrdiff_t row_stride, std::ptrdiff_t column_stride)
    {
        detail::check(qi_bind_flow_gradients(live(), gradients, body_stride, row_stride,
                                             column_stride));
    }

    template <class T, detail::IfGone<T> = nullptr>
    void bind_flow_gradients(T &&) = delete; // it is gone before a step reads it

    /// From now on all bodies share the gradient of set_shear_flow_torque() again.
    void unbind_flow_gradients() { detail::check(qi_bind_flow_gradients(live(), nullptr, 0, 0, 0)); }

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

    /// supply_torque() and next_stage() in one call. If a torque is not finite, it
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

    /// Sets a linear drag in addition to the torque: `-c_i (omega_i - flow_i)` about each body axis
    /// i. It is taken implicitly, so that no coefficient is too large for the step. Kicks include
    /// it. Takes a range with one for each body, or one for all.
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

    /// Sets random torques in addition to the torque: a drag about each body axis, and the noise
    /// that belongs to it at the energy `kt`. They act in steps by the splitting of order 2 and by
    /// the Brownian method; other methods refuse them. Takes a range with one for each body, or one
    /// for all.
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
    /// step of velocity Verlet. Then compute the torques again, and kick. Takes a range with one
    /// for each body, or one for all.
    void kick_drift(double kick, double drift, ConstView torque, Frame frame = Frame::world)
    {
        const double *torque_data = checked(torque, 3, "kick_drift");
        detail::check(qi_kick_drift_ensemble(live(), kick, drift, torque_data, torque.body_stride,
                                             torque.component_stride,
                                             static_cast<std::int32_t>(frame)));
    }

    /// Says that something has changed that the torque reads, or that states in bound arrays have
    /// been written: the splitting methods then ask for the torque again.
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
