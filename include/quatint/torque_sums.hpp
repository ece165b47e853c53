// A part of quatint.hpp, which includes it: torques that callables add up.
//
// Each adds a torque, world frame, to `torque`; its other arguments are those of the ready-made
// torque of the same name. An Error thrown within a callable comes out of the step. Drag within a
// callable is explicit: if it is stiff, use set_drag(). All arguments may be values of Eigen, also
// `torque`, which may be a block; those that are only read may be expressions.

namespace quatint {

/// Adds a torque given in the body frame.
inline void add_body_torque(const Quaternion &orientation, const Vector &torque_body,
                            Vector &torque)
{
    detail::check(qi_add_body_torque(orientation.data(), torque_body.data(), torque.data()));
}

template <class A, class B, class T, detail::IfAnyEigen<A, B, T> = nullptr>
void add_body_torque(const A &orientation, const B &torque_body, T &&torque)
{
    detail::change(torque, [&](Vector &sum) {
        add_body_torque(detail::plain(orientation), detail::plain(torque_body), sum);
    });
}

inline void add_uniform_field_torque(const Quaternion &orientation, const Vector &vector_body,
                                     const Vector &field_world, Vector &torque)
{
    detail::check(qi_add_uniform_field_torque(orientation.data(), vector_body.data(),
                                              field_world.data(), torque.data()));
}

template <class A, class B, class C, class T, detail::IfAnyEigen<A, B, C, T> = nullptr>
void add_uniform_field_torque(const A &orientation, const B &vector_body, const C &field_world, T &&torque)
{
    detail::change(torque, [&](Vector &sum) {
        add_uniform_field_torque(detail::plain(orientation), detail::plain(vector_body), detail::plain(field_world), sum);
    });
}

/// The direction may change from call to call, as along an orbit.
inline void add_gravity_gradient_torque(const Quaternion &orientation, const Matrix &inertia,
                                        const Vector &direction_world, double gradient,
                                        Vector &torque)
{
    detail::check(qi_add_gravity_gradient_torque(orientation.data(), inertia.data(),
                                                 direction_world.data(), gradient, torque.data()));
}

template <class A, class B, class C, class T, detail::IfAnyEigen<A, B, C, T> = nullptr>
void add_gravity_gradient_torque(const A &orientation, const B &inertia, const C &direction_world, double gradient, T &&torque)
{
    detail::change(torque, [&](Vector &sum) {
        add_gravity_gradient_torque(detail::plain(orientation), detail::plain(inertia), detail::plain(direction_world), gradient, sum);
    });
}

/// Drag in a fluid at rest.
inline void add_linear_drag_torque(const Quaternion &orientation, const Vector &angular_velocity,
                                   const Vector &coefficients, Vector &torque)
{
    detail::check(qi_add_linear_drag_torque(orientation.data(), angular_velocity.data(),
                                            coefficients.data(), nullptr, torque.data()));
}

template <class A, class B, class C, class T, detail::IfAnyEigen<A, B, C, T> = nullptr>
void add_linear_drag_torque(const A &orientation, const B &angular_velocity, const C &coefficients, T &&torque)
{
    detail::change(torque, [&](Vector &sum) {
        add_linear_drag_torque(detail::plain(orientation), detail::plain(angular_velocity), detail::plain(coefficients), sum);
    });
}

/// Drag in a fluid that rotates with the angular velocity `flow_world`.
inline void add_linear_drag_torque(const Quaternion &orientation, const Vector &angular_velocity,
                                   const Vector &coefficients, const Vector &flow_world,
                                   Vector &torque)
{
    detail::check(qi_add_linear_drag_torque(orientation.data(), angular_velocity.data(),
                                            coefficients.data(), flow_world.data(), torque.data()));
}

template <class A, class B, class C, class D, class T, detail::IfAnyEigen<A, B, C, D, T> = nullptr>
void add_linear_drag_torque(const A &orientation, const B &angular_velocity, const C &coefficients, const D &flow_world, T &&torque)
{
    detail::change(torque, [&](Vector &sum) {
        add_linear_drag_torque(detail::plain(orientation), detail::plain(angular_velocity), detail::plain(coefficients), detail::plain(flow_world), sum);
    });
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

template <class A, detail::IfEigen<A> = nullptr>
[[nodiscard]] ShearFlowResistances shear_flow_resistances(const A &semi_axes, double viscosity)
{
    return shear_flow_resistances(detail::plain(semi_axes), viscosity);
}

inline void add_shear_flow_torque(const Quaternion &orientation, const Vector &angular_velocity,
                                  const ShearFlowResistances &resistances,
                                  const Matrix &velocity_gradient, Vector &torque)
{
    detail::check(qi_add_shear_flow_torque(orientation.data(), angular_velocity.data(),
                                           resistances.data(), velocity_gradient.data(),
                                           torque.data()));
}

template <class A, class B, class C, class T, detail::IfAnyEigen<A, B, C, T> = nullptr>
void add_shear_flow_torque(const A &orientation, const B &angular_velocity, const ShearFlowResistances &resistances, const C &velocity_gradient, T &&torque)
{
    detail::change(torque, [&](Vector &sum) {
        add_shear_flow_torque(detail::plain(orientation), detail::plain(angular_velocity), resistances, detail::plain(velocity_gradient), sum);
    });
}

} // namespace quatint
