// A part of quatint.hpp, which includes it: orientations from given angular velocities.

namespace quatint {

namespace detail {

template <class F>
constexpr bool is_rate()
{
    if constexpr (std::is_invocable_v<F &, double>) {
        using Result = std::decay_t<std::invoke_result_t<F &, double>>;
        return has_three_numbers<Result> && (!is_eigen<Result> || is_eigen_matrix<Result>);
    } else {
        return false;
    }
}

/// A user's angular velocity as a function of the time.
template <class F>
class Rate final : public Watcher<F> {
    static_assert(is_rate<F>(),
                  "a rate is callable as Vector(double time), or returns an Eigen::Vector3d; an "
                  "Eigen expression refers to destroyed objects: write the type of the result "
                  "after the parameters of the lambda, as in [](double time) -> Eigen::Vector3d");

public:
    using Watcher<F>::Watcher;

    /// After an exception it returns 1, which ends the call.
    static std::int32_t ask(double time, double *angular_velocity, void *self) noexcept
    {
        auto &me = *static_cast<Rate *>(self);
        try {
            if constexpr (is_rate<F>()) {
                const auto omega = me.f_(time);
                expect_three_rates(omega);
                angular_velocity[0] = omega[0];
                angular_velocity[1] = omega[1];
                angular_velocity[2] = omega[2];
            }
            return 0;
        } catch (...) {
            me.thrown_ = std::current_exception();
            return 1;
        }
    }
};

} // namespace detail

/// The orientation at the time `end` of what has this orientation at `start` and turns with the
/// angular velocity rate(time), rad/s: see qi_turn_orientation(). What the callable throws is
/// rethrown.
template <class F>
[[nodiscard]] Quaternion turn_orientation(const Quaternion &orientation, double start, double end,
                                          std::uint64_t steps, const F &rate,
                                          Frame frame = Frame::world)
{
    using Held = detail::Rate<const F>;
    detail::refuse_null(rate, "quatint::turn_orientation");
    const std::uint64_t count = detail::counted(steps, "quatint::turn_orientation");
    Held held(rate);
    Quaternion q = orientation;
    const qi_status status =
        qi_turn_orientation(q.data(), start, end, static_cast<std::size_t>(count), &Held::ask,
                            static_cast<std::int32_t>(frame), &held);
    if (status == QI_ERR_CALLBACK) held.rethrow();
    detail::check(status);
    return q;
}

template <class Steps, class... Rest, detail::IfNotWhole<Steps> = nullptr>
Quaternion turn_orientation(const Quaternion &, double, double, Steps,
                            const Rest &...) = delete; // steps are a whole number

template <class Given, class F, detail::IfEigen<Given> = nullptr>
[[nodiscard]] Quaternion turn_orientation(const Given &orientation, double start, double end,
                                          std::uint64_t steps, const F &rate,
                                          Frame frame = Frame::world)
{
    return turn_orientation(detail::plain(orientation), start, end, steps, rate, frame);
}

/// The orientation at the last of equally spaced samples of the angular velocity, rad/s, of what has
/// this orientation at the first: see qi_turn_by_samples(). Takes a range with a Vector for each
/// sample, a matrix of Eigen, or soa().
[[nodiscard]] inline Quaternion turn_by_samples(const Quaternion &orientation, ConstView samples,
                                                double dt, Frame frame = Frame::world)
{
    const bool may_be_vectors = samples.components == 3 || samples.components == ConstView::unknown;
    if (!may_be_vectors || samples.body_stride == 0) {
        throw Error(QI_ERR_INVALID, "quatint::turn_by_samples: a range of vectors is needed");
    }
    if (samples.bodies == ConstView::unknown) {
        throw Error(QI_ERR_INVALID, "quatint::turn_by_samples: this view does not say how many samples there are: "
                                    "pass a range, or soa(data, count)");
    }
    std::vector<Vector> packed(samples.bodies);
    for (std::size_t i = 0; i < packed.size(); i++) {
        const double *const one = samples.data + static_cast<std::ptrdiff_t>(i) * samples.body_stride;
        packed[i] = {one[0], one[samples.component_stride], one[2 * samples.component_stride]};
    }
    Quaternion q = orientation;
    const double *const numbers = packed.empty() ? nullptr : packed.data()->data();
    detail::check(qi_turn_by_samples(q.data(), packed.size(), numbers, 3, dt,
                                     static_cast<std::int32_t>(frame)));
    return q;
}

template <class Given, detail::IfEigen<Given> = nullptr>
[[nodiscard]] Quaternion turn_by_samples(const Given &orientation, ConstView samples, double dt,
                                         Frame frame = Frame::world)
{
    return turn_by_samples(detail::plain(orientation), samples, dt, frame);
}

/// The derivative of an orientation with respect to time, for an angular velocity (world frame,
/// rad/s): see qi_orientation_rate(). The quaternion may have any length.
[[nodiscard]] inline Quaternion orientation_rate(const Quaternion &orientation,
                                                 const Vector &angular_velocity)
{
    Quaternion rate;
    detail::check(qi_orientation_rate(orientation.data(), angular_velocity.data(), rate.data()));
    return rate;
}

template <class... Given, detail::IfEigen<Given...> = nullptr>
[[nodiscard]] Quaternion orientation_rate(const Given &...given)
{
    return orientation_rate(detail::plain(given)...);
}

} // namespace quatint
