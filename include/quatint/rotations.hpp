// A part of quatint.hpp, which includes it: rotations; each wraps the function qi_<name> of quatint.h.
// Where one takes a value of Eigen it takes them all, and expressions; it returns arrays (to_eigen()).

namespace quatint {

[[nodiscard]] inline Vector rotate(const Quaternion &orientation, const Vector &v_body)
{
    Vector v_world;
    detail::check(qi_rotate(orientation.data(), v_body.data(), v_world.data()));
    return v_world;
}

template <class... Given, detail::IfEigen<Given...> = nullptr>
[[nodiscard]] Vector rotate(const Given &...given)
{
    return rotate(detail::plain(given)...);
}

[[nodiscard]] inline Vector rotate_inverse(const Quaternion &orientation, const Vector &v_world)
{
    Vector v_body;
    detail::check(qi_rotate_inverse(orientation.data(), v_world.data(), v_body.data()));
    return v_body;
}

template <class... Given, detail::IfEigen<Given...> = nullptr>
[[nodiscard]] Vector rotate_inverse(const Given &...given)
{
    return rotate_inverse(detail::plain(given)...);
}

[[nodiscard]] inline Quaternion orientation_from_axis_angle(const Vector &axis, double angle)
{
    Quaternion q;
    detail::check(qi_orientation_from_axis_angle(axis.data(), angle, q.data()));
    return q;
}

template <class... Given, detail::IfEigen<Given...> = nullptr>
[[nodiscard]] Quaternion orientation_from_axis_angle(const Given &...given)
{
    return orientation_from_axis_angle(detail::plain(given)...);
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

template <class... Given, detail::IfEigen<Given...> = nullptr>
[[nodiscard]] AxisAngle orientation_to_axis_angle(const Given &...given)
{
    return orientation_to_axis_angle(detail::plain(given)...);
}

[[nodiscard]] inline Quaternion orientation_from_rotation_vector(const Vector &rotation_vector)
{
    Quaternion q;
    detail::check(qi_orientation_from_rotation_vector(rotation_vector.data(), q.data()));
    return q;
}

template <class... Given, detail::IfEigen<Given...> = nullptr>
[[nodiscard]] Quaternion orientation_from_rotation_vector(const Given &...given)
{
    return orientation_from_rotation_vector(detail::plain(given)...);
}

[[nodiscard]] inline Vector orientation_to_rotation_vector(const Quaternion &orientation)
{
    Vector v;
    detail::check(qi_orientation_to_rotation_vector(orientation.data(), v.data()));
    return v;
}

template <class... Given, detail::IfEigen<Given...> = nullptr>
[[nodiscard]] Vector orientation_to_rotation_vector(const Given &...given)
{
    return orientation_to_rotation_vector(detail::plain(given)...);
}

[[nodiscard]] inline Quaternion orientation_from_matrix(const Matrix &matrix)
{
    Quaternion q;
    detail::check(qi_orientation_from_matrix(matrix.data(), q.data()));
    return q;
}

template <class... Given, detail::IfEigen<Given...> = nullptr>
[[nodiscard]] Quaternion orientation_from_matrix(const Given &...given)
{
    return orientation_from_matrix(detail::plain(given)...);
}

[[nodiscard]] inline Matrix orientation_to_matrix(const Quaternion &orientation)
{
    Matrix r;
    detail::check(qi_orientation_to_matrix(orientation.data(), r.data()));
    return r;
}

template <class... Given, detail::IfEigen<Given...> = nullptr>
[[nodiscard]] Matrix orientation_to_matrix(const Given &...given)
{
    return orientation_to_matrix(detail::plain(given)...);
}

[[nodiscard]] inline Quaternion orientation_from_euler(const Vector &angles, const char *sequence)
{
    Quaternion q;
    detail::check(qi_orientation_from_euler(angles.data(), sequence, q.data()));
    return q;
}

template <class A, detail::IfEigen<A> = nullptr>
[[nodiscard]] Quaternion orientation_from_euler(const A &angles, const char *sequence)
{
    return orientation_from_euler(detail::plain(angles), sequence);
}

[[nodiscard]] inline Vector orientation_to_euler(const Quaternion &orientation,
                                                 const char *sequence)
{
    Vector angles;
    detail::check(qi_orientation_to_euler(orientation.data(), sequence, angles.data()));
    return angles;
}

template <class A, detail::IfEigen<A> = nullptr>
[[nodiscard]] Vector orientation_to_euler(const A &orientation, const char *sequence)
{
    return orientation_to_euler(detail::plain(orientation), sequence);
}

[[nodiscard]] inline Vector angular_velocity_from_euler_rates(const Vector &angles,
                                                              const Vector &rates, const char *sequence)
{
    Vector angular_velocity;
    detail::check(qi_angular_velocity_from_euler_rates(angles.data(), rates.data(), sequence, angular_velocity.data()));
    return angular_velocity;
}

template <class A, class B, detail::IfEigen<A, B> = nullptr>
[[nodiscard]] Vector angular_velocity_from_euler_rates(const A &angles, const B &rates, const char *sequence)
{
    return angular_velocity_from_euler_rates(detail::plain(angles), detail::plain(rates), sequence);
}

[[nodiscard]] inline Vector angular_velocity_to_euler_rates(const Vector &angles,
                                                            const Vector &angular_velocity, const char *sequence)
{
    Vector rates;
    detail::check(qi_angular_velocity_to_euler_rates(angles.data(), angular_velocity.data(), sequence, rates.data()));
    return rates;
}

template <class A, class B, detail::IfEigen<A, B> = nullptr>
[[nodiscard]] Vector angular_velocity_to_euler_rates(const A &angles, const B &angular_velocity, const char *sequence)
{
    return angular_velocity_to_euler_rates(detail::plain(angles), detail::plain(angular_velocity), sequence);
}

[[nodiscard]] inline Quaternion orientation_from_mrp(const Vector &parameters)
{
    Quaternion q;
    detail::check(qi_orientation_from_mrp(parameters.data(), q.data()));
    return q;
}

template <class... Given, detail::IfEigen<Given...> = nullptr>
[[nodiscard]] Quaternion orientation_from_mrp(const Given &...given)
{
    return orientation_from_mrp(detail::plain(given)...);
}

[[nodiscard]] inline Vector orientation_to_mrp(const Quaternion &orientation)
{
    Vector parameters;
    detail::check(qi_orientation_to_mrp(orientation.data(), parameters.data()));
    return parameters;
}

template <class... Given, detail::IfEigen<Given...> = nullptr>
[[nodiscard]] Vector orientation_to_mrp(const Given &...given)
{
    return orientation_to_mrp(detail::plain(given)...);
}

[[nodiscard]] inline Quaternion orientation_product(const Quaternion &a, const Quaternion &b)
{
    Quaternion product;
    detail::check(qi_orientation_product(a.data(), b.data(), product.data()));
    return product;
}

template <class... Given, detail::IfEigen<Given...> = nullptr>
[[nodiscard]] Quaternion orientation_product(const Given &...given)
{
    return orientation_product(detail::plain(given)...);
}

[[nodiscard]] inline Quaternion orientation_inverse(const Quaternion &orientation)
{
    Quaternion inverse;
    detail::check(qi_orientation_inverse(orientation.data(), inverse.data()));
    return inverse;
}

template <class... Given, detail::IfEigen<Given...> = nullptr>
[[nodiscard]] Quaternion orientation_inverse(const Given &...given)
{
    return orientation_inverse(detail::plain(given)...);
}

[[nodiscard]] inline Quaternion orientation_slerp(const Quaternion &a, const Quaternion &b,
                                                  double t)
{
    Quaternion q;
    detail::check(qi_orientation_slerp(a.data(), b.data(), t, q.data()));
    return q;
}

template <class... Given, detail::IfEigen<Given...> = nullptr>
[[nodiscard]] Quaternion orientation_slerp(const Given &...given)
{
    return orientation_slerp(detail::plain(given)...);
}

[[nodiscard]] inline double orientation_angle(const Quaternion &a, const Quaternion &b)
{
    double angle;
    detail::check(qi_orientation_angle(a.data(), b.data(), &angle));
    return angle;
}

template <class... Given, detail::IfEigen<Given...> = nullptr>
[[nodiscard]] double orientation_angle(const Given &...given)
{
    return orientation_angle(detail::plain(given)...);
}

} // namespace quatint
