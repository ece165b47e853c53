// Eigen's types where arrays and vectors are asked for.
#include <Eigen/Geometry>

#include "check.hpp"

using Eigen::Dynamic, Eigen::Map, Eigen::Matrix3d, Eigen::Matrix3Xd, Eigen::Quaterniond, Eigen::Ref, Eigen::Vector3d;
using Matrix4Xd = Eigen::Matrix<double, 4, Dynamic>;
using MatrixX3d = Eigen::Matrix<double, Dynamic, 3>;

static const std::size_t count = 37; // not a multiple of any width of registers

static Quaternion orientation_of(std::size_t i) { return orientation_from_axis_angle({1, 2, 0.5}, 0.1 * static_cast<double>(i)); }

static Vector spin_of(std::size_t i)
{
    const double x = static_cast<double>(i);
    return {0.1 * x, 1, -0.2 * x};
}

static std::vector<Quaternion> plain_orientations()
{
    std::vector<Quaternion> q(count);
    for (std::size_t i = 0; i < count; i++) q[i] = orientation_of(i);
    return q;
}

static std::vector<Vector> plain_spins()
{
    std::vector<Vector> omega(count);
    for (std::size_t i = 0; i < count; i++) omega[i] = spin_of(i);
    return omega;
}

static Ensemble with_plain_arrays()
{
    Ensemble e(count);
    e.set_inertias(diagonal(1, 2, 3));
    e.set_orientations(plain_orientations());
    e.set_angular_velocities(plain_spins());
    return e;
}

// One column for each body.
static Matrix3Xd spins_in_columns()
{
    Matrix3Xd m(3, static_cast<Eigen::Index>(count));
    for (std::size_t i = 0; i < count; i++)
        for (std::size_t c = 0; c < 3; c++) m(static_cast<Eigen::Index>(c), static_cast<Eigen::Index>(i)) = spin_of(i)[c];
    return m;
}

static void vectors_of_quaternions_and_vectors_are_set_got_and_bound_with_the_bits_of_arrays()
{
    Ensemble plain = with_plain_arrays(), copied(count), bound(count);
    std::vector<Quaterniond> q(count), got(count);
    std::vector<Vector3d> omega(count), spins(count);
    for (std::size_t i = 0; i < count; i++) {
        const Quaternion p = orientation_of(i);
        q[i] = Quaterniond(p[0], p[1], p[2], p[3]);
        omega[i] = Vector3d(spin_of(i).data());
    }
    copied.set_inertias(std::vector<Matrix3d>(count, Vector3d(1, 2, 3).asDiagonal()));
    copied.set_orientations(q);
    copied.set_angular_velocities(omega);
    bound.set_inertias(diagonal(1, 2, 3));
    bound.bind_orientations(q); // scalar last: the type says so
    bound.bind_angular_velocities(omega, Kind::omega_world);
    CHECK(same(copied.orientations(), plain.orientations()) && same(bound.orientations(), plain.orientations()));

    plain.advance(0.01, 50), copied.advance(0.01, 50), bound.step(0.01);
    CHECK(same(copied.orientations(), plain.orientations()));
    copied.get_orientations(got);
    copied.get_angular_velocities(spins);
    for (std::size_t i = 0; i < count; i++) {
        CHECK(same(from_eigen(got[i])[0], plain.orientations()[i][0]) && same(from_eigen(got[i])[3], plain.orientations()[i][3]));
        CHECK(same(spins[i][1], plain.angular_velocities()[i][1]));
        CHECK(same(from_eigen(q[i])[0], bound.orientations()[i][0]) && same(from_eigen(q[i])[2], bound.orientations()[i][2]));
    }
}

static void a_quaternion_of_eigen_is_never_read_scalar_first()
{
    std::vector<Quaterniond> q(count, Quaterniond::Identity());
    struct Particle {
        Quaterniond q = Quaterniond::Identity();
        Vector3d omega = Vector3d::Zero();
    };
    std::vector<Particle> particles(count);
    Ensemble e(count);
    CHECK_REFUSED(e.bind_orientations(q, Scalar::first), QI_ERR_INVALID, "(x, y, z, w), Scalar::last");
    CHECK_REFUSED(e.bind_orientations(members(particles, &Particle::q), Scalar::first), QI_ERR_INVALID, "Scalar::last");
    const std::vector<std::int32_t> rows(count, 0);
    CHECK_REFUSED(e.bind_orientation_rows(q, rows, Scalar::first), QI_ERR_INVALID, "bind_orientation_rows");
    e.set_orientations(members(particles, &Particle::q));
    CHECK(e.orientations()[3][0] == 1);
    e.set_orientations(Quaterniond(0, 1, 0, 0)); // one for all
    CHECK(e.orientations()[5][1] == 1);
    e.bind_orientations(members(particles, &Particle::q));
    CHECK(e.orientations()[36][0] == 1 && particles[36].q.w() == 1);
    Ensemble(0).set_orientations(std::vector<Quaterniond>());
}

static void a_matrix_of_eigen_has_a_body_in_each_column_or_each_row()
{
    Ensemble plain = with_plain_arrays();
    const auto expected = plain.angular_velocities();
    const Matrix3Xd columns = spins_in_columns();
    const MatrixX3d rows = columns.transpose();
    const Eigen::Matrix<double, Dynamic, 3, Eigen::RowMajor> packed_rows = rows;
    Eigen::Matrix<double, 6, Dynamic> six(6, columns.cols());
    six.bottomRows<3>() = columns;
    for (const ConstView &view : {ConstView(columns), ConstView(rows), ConstView(packed_rows), ConstView(six.bottomRows<3>()),
                                  ConstView(Map<const Matrix3Xd>(columns.data(), 3, columns.cols())),
                                  ConstView(Ref<const Matrix3Xd>(columns))}) {
        Ensemble e = with_plain_arrays();
        e.set_angular_velocities(Vector{0, 0, 0});
        e.set_angular_velocities(view);
        CHECK(same(e.angular_velocities(), expected));
    }

    Matrix3Xd mine = columns;
    MatrixX3d other = rows;
    std::vector<double> numbers(columns.data(), columns.data() + columns.size());
    Ref<Matrix3Xd> ref = mine;
    Ensemble bound = with_plain_arrays();
    for (const View &view : {View(mine), View(other), View(ref), View(Map<Matrix3Xd>(numbers.data(), 3, columns.cols()))}) {
        bound.bind_angular_velocities(view);
        CHECK(same(bound.angular_velocities(), expected));
    }
    plain.step(0.01), bound.step(0.01);
    CHECK(same(bound.orientations(), plain.orientations()));
    Eigen::VectorXd energies(static_cast<Eigen::Index>(count));
    plain.get_kinetic_energies(energies);
    CHECK(same(energies[7], plain.kinetic_energies()[7]));
}

static void points_and_gradients_may_be_of_eigen()
{
    Ensemble a(count), b(count);
    const std::vector<Vector> arms{{1, 2, 3}, {-1, 0, 2}};
    Matrix3Xd columns(3, 2), places(3, 2);
    columns << 1, -1, 2, 0, 3, 2;
    a.set_points({3, 8}, columns), b.set_points({3, 8}, arms);
    a.get_point_positions(Vector3d(0, 1, 0), places);
    const Vector expected = b.point_positions(Vector{0, 1, 0})[1];
    for (Eigen::Index k = 0; k < 3; k++) CHECK(places(k, 1) == expected[static_cast<std::size_t>(k)]);
    Eigen::Matrix<double, 9, Eigen::Dynamic> gradients = Eigen::Matrix<double, 9, Eigen::Dynamic>::Random(9, 37);
    a.set_shear_flow_torque(Vector{1, 2, 3}, 0.1, Matrix{}), b.set_shear_flow_torque(Vector{1, 2, 3}, 0.1, Matrix{});
    a.bind_flow_gradients(gradients), b.bind_flow_gradients(View(gradients.data(), 9));
    a.advance(0.01, 20), b.advance(0.01, 20);
    CHECK(same(a.orientations(), b.orientations()));
}

static void a_matrix_of_eigen_of_the_wrong_size_is_refused()
{
    Ensemble e(count);
    Matrix3Xd few = Matrix3Xd::Zero(3, 36);
    Matrix4Xd four = Matrix4Xd::Zero(4, 37);
    CHECK_REFUSED(e.bind_angular_velocities(few), QI_ERR_INVALID, "36 bodies instead of 37");
    CHECK_REFUSED(e.set_angular_velocities(four), QI_ERR_INVALID, "4 components a body instead of 3");
    CHECK_REFUSED(e.set_inertias(Vector3d(1, 2, 3)), QI_ERR_INVALID, "3 components a body instead of 9");
    CHECK_REFUSED(e.set_angular_velocities(Quaterniond::Identity()), QI_ERR_INVALID, "4 components a body instead of 3");
    // what has no meaning for bodies, and what would be gone before the ensemble reads it, does not compile
    static_assert(!std::is_constructible_v<ConstView, Eigen::MatrixXd>);
    static_assert(!std::is_constructible_v<ConstView, decltype(2 * Eigen::MatrixXd())>);
    static_assert(!std::is_constructible_v<View, decltype(2 * few)>);
    static_assert(!std::is_constructible_v<View, Matrix3Xd &&> && std::is_constructible_v<View, Matrix3Xd &>);
    static_assert(!std::is_constructible_v<View, const Matrix3Xd &> && !std::is_constructible_v<View, Eigen::Matrix3Xf &>);
}

static void one_value_of_eigen_is_for_all_bodies()
{
    Ensemble a(count), b(count);
    Matrix3d inertia;
    inertia << 3, 0.1, 0, 0.1, 5, 0.2, 0, 0.2, 6;
    a.set_inertias(inertia);
    b.set_inertias(from_eigen(inertia));
    a.set_angular_velocities(Vector3d(1, 2, 3));
    b.set_angular_velocities(Vector{1, 2, 3});
    a.set_constant_torque(Vector3d(0, 0, 0.5)), b.set_constant_torque(Vector{0, 0, 0.5});
    a.advance(0.01, 20), b.advance(0.01, 20);
    CHECK(same(a.orientations(), b.orientations()));
}

static void an_expression_is_computed_for_the_call()
{
    const Vector3d v(0.1, -0.2, 0.3);
    const Matrix3d turn = Eigen::AngleAxisd(0.4, Vector3d(1, 2, 2) / 3).toRotationMatrix();
    const Matrix3Xd columns = spins_in_columns();
    Ensemble a = with_plain_arrays(), b = with_plain_arrays();
    a.set_angular_velocities(turn * columns);
    b.set_angular_velocities(Matrix3Xd(turn * columns));
    CHECK(same(a.angular_velocities(), b.angular_velocities()) && !same(a.angular_velocities(), plain_spins()));
    a.set_angular_velocities((2 * columns).transpose()), b.set_angular_velocities(MatrixX3d(2 * columns.transpose()));
    CHECK(same(a.angular_velocities(), b.angular_velocities()));
    a.set_constant_torque(2 * v), b.set_constant_torque(Vector{0.2, -0.4, 0.6});
    a.set_drag(turn * v.cwiseAbs() + Vector3d::Ones(), columns.col(3));
    b.set_drag(from_eigen(turn * v.cwiseAbs() + Vector3d::Ones()), spin_of(3));
    a.set_inertias(turn * Matrix3d(Vector3d(1, 2, 3).asDiagonal()) * turn.transpose());
    b.set_inertias(from_eigen(turn * Matrix3d(Vector3d(1, 2, 3).asDiagonal()) * turn.transpose()));
    a.advance(0.01, 20), b.advance(0.01, 20);
    CHECK(same(a.orientations(), b.orientations()) && same(a.angular_velocities(), b.angular_velocities()));

    const double numbers[4] = {0.5, -0.5, 0.5, 0.5}; // (x, y, z, w) in a map
    a.set_orientations(Map<const Quaterniond>(numbers));
    CHECK(a.orientations()[9] == (Quaternion{0.5, 0.5, -0.5, 0.5}));
    a.kick(1, Map<const Vector3d>(v.data()), Frame::world);
    const Eigen::Matrix<float, 3, Dynamic> floats = columns.cast<float>(); // no array of doubles, but the cast of one is
    b.set_angular_velocities(floats.cast<double>());
    CHECK(std::fabs(b.angular_velocities()[2][0] - static_cast<double>(floats(0, 2))) < 1e-12);

    const ConstView view(2 * v), copy(view); // it keeps the numbers
    CHECK(view.is_computed() && copy.data == view.data && copy.data[2] == 0.6 && !ConstView(v).is_computed());
    Eigen::Matrix<double, 9, Dynamic> gradients = Eigen::Matrix<double, 9, Dynamic>::Random(9, 37);
    CHECK_REFUSED(a.bind_flow_gradients(2 * gradients), QI_ERR_INVALID, "store it first");
}

static void functions_of_rotations_take_values_of_eigen()
{
    const Quaternion q{0.1, 0.7, -0.1, 0.7}, p{0.5, 0.5, -0.5, 0.5};
    const Quaterniond e(0.1, 0.7, -0.1, 0.7), f(0.5, 0.5, -0.5, 0.5);
    const Vector v{0.1, -0.2, 0.3};
    const Vector3d w(0.1, -0.2, 0.3);
    const Matrix3d r = to_eigen<Matrix3d>(orientation_to_matrix(q));
    CHECK(rotate(e, w) == rotate(q, v) && rotate(q, w) == rotate(q, v) && rotate(e, v) == rotate(q, v));
    CHECK((to_eigen<Vector3d>(rotate(e, w)) - e * w).norm() < 1e-15); // they agree on the order of the numbers
    CHECK((to_eigen<Vector3d>(rotate(e, 2 * w)) - 2 * (r * w)).norm() < 1e-15 && rotate_inverse(e.conjugate(), w) == rotate_inverse(Quaternion{0.1, -0.7, 0.1, -0.7}, v));
    CHECK(orientation_from_axis_angle(-w, 0.3) == orientation_from_axis_angle({-0.1, 0.2, -0.3}, 0.3));
    CHECK(orientation_to_axis_angle(e).axis == orientation_to_axis_angle(q).axis);
    CHECK(orientation_from_rotation_vector(w) == orientation_from_rotation_vector(v));
    CHECK(orientation_to_rotation_vector(e) == orientation_to_rotation_vector(q));
    CHECK(orientation_from_matrix(r) == orientation_from_matrix(orientation_to_matrix(q)));
    CHECK(orientation_from_matrix(r.transpose()) == orientation_from_matrix(from_eigen(r.transpose())));
    CHECK(orientation_to_matrix(e) == orientation_to_matrix(q));
    CHECK(orientation_from_euler(w, "ZXZ") == orientation_from_euler(v, "ZXZ"));
    CHECK(orientation_to_euler(e, "ZXZ") == orientation_to_euler(q, "ZXZ"));
    CHECK(angular_velocity_from_euler_rates(w, v, "ZXZ") == angular_velocity_from_euler_rates(v, v, "ZXZ"));
    CHECK(angular_velocity_to_euler_rates(v, w, "ZXZ") == angular_velocity_to_euler_rates(v, v, "ZXZ"));
    CHECK(orientation_from_mrp(w) == orientation_from_mrp(v) && orientation_to_mrp(e) == orientation_to_mrp(q));
    CHECK(orientation_product(e, f) == orientation_product(q, p) && orientation_product(e, p) == orientation_product(q, p));
    CHECK(orientation_inverse(e) == orientation_inverse(q));
    CHECK(orientation_slerp(e, f, 0.3) == orientation_slerp(q, p, 0.3) && orientation_angle(e, f) == orientation_angle(q, p));
    CHECK(turn_by_samples(e, Matrix3Xd(Matrix3Xd::Random(3, 9)) * 0, 0.1) == q);
}

static void torques_are_added_to_values_of_eigen()
{
    const Quaternion q{0.1, 0.7, -0.1, 0.7};
    const Quaterniond e(0.1, 0.7, -0.1, 0.7);
    const Vector v{0.1, -0.2, 0.3}, u{1, 2, 3};
    const Vector3d w(0.1, -0.2, 0.3), x(1, 2, 3);
    Matrix3d gradient;
    gradient << 0, 0, 1, 2, 0, 0, 0, 3, 0;
    const auto resistances = shear_flow_resistances(x, 0.1);
    CHECK(resistances == shear_flow_resistances(u, 0.1));
    Vector sum{1, 1, 1}, half = sum;
    Vector3d whole = Vector3d::Ones();
    Matrix3Xd columns = Matrix3Xd::Ones(3, 2);
    const auto add = [&](const auto &at, const auto &a, const auto &b, const auto &inertia, const auto &flow, auto &&torque) {
        add_body_torque(at, a, torque);
        add_uniform_field_torque(at, a, b, torque);
        add_gravity_gradient_torque(at, inertia, b, 0.5, torque);
        add_linear_drag_torque(at, a, b, torque);
        add_linear_drag_torque(at, a, b, a, torque);
        add_shear_flow_torque(at, a, resistances, flow, torque);
    };
    const Matrix3d inertia = Vector3d(1, 2, 3).asDiagonal();
    add(q, v, u, diagonal(1, 2, 3), from_eigen(gradient), sum);
    add(e, w, x, inertia, gradient, whole);
    add(e, w, 1 * x, inertia, 1 * gradient, columns.col(1));
    add(e, w, x, inertia, gradient, half); // values of Eigen to an array
    CHECK(from_eigen(whole) == sum && from_eigen(columns.col(1)) == sum && half == sum && columns.col(0) == Vector3d::Ones());
}

static void a_state_in_values_of_eigen_is_integrated_in_place()
{
    Quaternion q{1, 0, 0, 0};
    Vector omega{1, 2, 3};
    double numbers[7] = {0, 0, 0, 1, 1, 2, 3};
    Map<Quaterniond> e(numbers);
    Map<Vector3d> w(numbers + 4);
    const auto torque = [](double time, const Quaternion &at, const Vector &) { return Vector{at[1], std::sin(time), 0}; };
    integrate(diagonal(1, 2, 3), q, omega, 0, 0.01, 10);
    integrate(Matrix3d(Vector3d(1, 2, 3).asDiagonal()), e, w, 0, 0.01, 10);
    integrate(diagonal(1, 2, 3), q, omega, 0.1, 0.01, 10, torque);
    integrate(diagonal(1, 2, 3), e, w, 0.1, 0.01, 10, torque);
    CHECK(numbers[3] == q[0] && numbers[0] == q[1] && numbers[2] == q[3] && from_eigen(w) == omega);
    CHECK_REFUSED(integrate(diagonal(1, 2, 3), e, w, 0, NaN, 1), QI_ERR_NON_FINITE, "`dt`");
    CHECK(numbers[3] == q[0] && from_eigen(w) == omega);
}

static void a_body_is_made_from_eigen()
{
    Matrix3d turned; // not symmetric: the rows are rows
    turned << 0, -1, 0, 1, 0, 0, 0, 0, 1;
    CHECK(from_eigen(turned) == Matrix{0, -1, 0, 1, 0, 0, 0, 0, 1});
    CHECK(from_eigen(2 * Vector3d(1, 2, 3)) == Vector{2, 4, 6} && from_eigen(Eigen::RowVector3d(1, 2, 3)) == Vector{1, 2, 3});
    CHECK(from_eigen(Quaterniond(0.1, 0.2, 0.3, 0.4)) == Quaternion{0.1, 0.2, 0.3, 0.4});
    const Body body(from_eigen(2 * Matrix3d::Identity()), from_eigen(Quaterniond::Identity()), from_eigen(Vector3d(1, 0, 0)));
    const Body direct(2 * Matrix3d::Identity(), Quaterniond::Identity(), Vector3d(1, 0, 0));
    CHECK(body.kinetic_energy() == 1 && same(take(body), take(direct)));
    CHECK(Body(Matrix3d::Identity()).kinetic_energy() == 0);
}

static void a_body_takes_and_returns_values_of_eigen()
{
    const Quaternion q{0.5, -0.5, 0.5, 0.5};
    Body a = top(), b = top();
    a.set_state(Quaterniond(q[0], q[1], q[2], q[3]), 2 * Vector3d(1, 2, 3));
    b.set_state(q, {2, 4, 6});
    a.set_inertia(Matrix3d(Vector3d(1, 2, 3).asDiagonal()), Keep::angular_velocity);
    b.set_inertia(diagonal(1, 2, 3), Keep::angular_velocity);
    a.set_uniform_field_torque(Vector3d(0, 0, 1), Vector{1, 0, -2}); // one of Eigen, one not
    b.set_uniform_field_torque({0, 0, 1}, {1, 0, -2});
    a.set_drag(Vector3d(1, 2, 3), Vector3d(0, 0, 1)), b.set_drag({1, 2, 3}, {0, 0, 1});
    a.kick(0.1, Vector3d(1, 0, 0), Frame::body), b.kick(0.1, {1, 0, 0}, Frame::body);
    a.advance(0.01, 20), b.advance(0.01, 20);
    CHECK(same(take(a), take(b)));
    CHECK(from_eigen(a.orientation<Quaterniond>()) == a.orientation());
    CHECK(from_eigen(a.angular_velocity<Vector3d>()) == a.angular_velocity());
    CHECK(from_eigen(a.angular_momentum<Eigen::RowVector3d>()) == a.angular_momentum());
    CHECK(from_eigen(a.acting_torque<Vector3d>()) == a.acting_torque());
    CHECK(a.angular_velocity<Eigen::Vector3f>()[1] == static_cast<float>(a.angular_velocity()[1]));
    CHECK(to_eigen<Matrix3d>(GENERIC)(0, 2) == GENERIC[2] && to_eigen<Matrix3d>(Matrix{0, 1, 2, 3, 4, 5, 6, 7, 8})(1, 2) == 5);
    a.clear_drag();
    a.set_langevin(Vector3d(1, 1, 1), 1, 2u, 3u, Vector3d(0, 0, 0));
    CHECK_REFUSED(a.set_drag(Vector3d(1, 1, 1)), QI_ERR_INVALID, "qi_set_drag");
}

static void an_ensemble_returns_the_type_asked_for()
{
    Ensemble e = with_plain_arrays();
    e.set_gravity_gradient_torque(Vector3d(0, 0, 1), 2);
    e.set_uniform_field_torque(spins_in_columns(), Vector3d(0, 0, 1));
    const auto expected = e.angular_velocities();
    CHECK(same(from_eigen(e.total_angular_momentum<Vector3d>())[1], e.total_angular_momentum()[1]));
    const auto columns = e.angular_velocities<Matrix3Xd>();
    const auto rows = e.angular_velocities<MatrixX3d>();
    const auto vectors = e.angular_velocities<std::vector<Vector3d>>();
    const auto energies = e.kinetic_energies<Eigen::VectorXd>();
    const auto q = e.orientations<std::vector<Quaterniond>>();
    CHECK(columns.cols() == 37 && rows.rows() == 37 && energies.size() == 37 && q.size() == count);
    for (std::size_t i = 0; i < count; i++) {
        const auto at = static_cast<Eigen::Index>(i);
        CHECK(from_eigen(columns.col(at)) == expected[i] && from_eigen(rows.row(at)) == expected[i]);
        CHECK(from_eigen(vectors[i]) == expected[i] && energies[at] == e.kinetic_energies()[i]);
        CHECK(from_eigen(q[i]) == e.orientations()[i]);
    }
}

static void a_torque_may_return_a_vector_of_eigen()
{
    Body a = top(), b = top();
    a.set_torque([](double, const Quaternion &, const Vector &omega) -> Vector3d { return -0.5 * Vector3d(omega.data()); });
    b.set_torque([](double, const Quaternion &, const Vector &w) { return Vector{-0.5*w[0], -0.5*w[1], -0.5*w[2]}; });
    CHECK(same(after_hundred(std::move(a)), after_hundred(std::move(b))));
}

static void torques_and_events_may_take_values_of_eigen()
{
    const Vector3d arm(0.3, -0.2, 0.5), field(0.1, 0.4, -1);
    const auto of_eigen = [&](double, const Eigen::Quaterniond &q, const Vector3d &omega) -> Vector3d {
        return (q * arm).cross(field) - 0.1 * omega;
    };
    const auto of_arrays = [&](double time, const Quaternion &q, const Vector &omega) {
        return of_eigen(time, Eigen::Quaterniond(q[0], q[1], q[2], q[3]), Vector3d(omega.data()));
    };
    Body a = top(), b = top();
    a.set_torque(of_eigen);
    b.set_torque(of_arrays);
    CHECK(same(after_hundred(std::move(a)), after_hundred(std::move(b))));

    Body c = top(), d = top();
    c.set_torque(of_eigen);
    d.set_torque(of_eigen);
    const auto crossed = [](double, Eigen::Quaterniond q, Vector3d) { return (q * Vector3d::UnitX()).y(); };
    const auto the_same = [](double, const Quaternion &q, const Vector &) { return 2 * (q[1] * q[2] + q[0] * q[3]); };
    const auto by_eigen = c.solve_until(50.0, 1e-11, crossed);
    const auto by_arrays = d.solve_until(50.0, 1e-11, the_same);
    CHECK(by_eigen.has_value() && by_arrays.has_value() && std::fabs(*by_eigen - *by_arrays) < 1e-12);

    Ensemble e(3), f(3);
    e.set_torque([&](double time, std::size_t, const Eigen::Quaterniond &q, const Vector3d &omega) -> Vector3d {
        return of_eigen(time, q, omega);
    });
    f.set_torque([&](double time, std::size_t, const Quaternion &q, const Vector &omega) { return of_arrays(time, q, omega); });
    e.advance(0.01, 50u);
    f.advance(0.01, 50u);
    CHECK(e.orientations() == f.orientations() && e.angular_velocities() == f.angular_velocities());
}

int main()
{
    RUN(vectors_of_quaternions_and_vectors_are_set_got_and_bound_with_the_bits_of_arrays);
    RUN(a_quaternion_of_eigen_is_never_read_scalar_first);
    RUN(a_matrix_of_eigen_has_a_body_in_each_column_or_each_row);
    RUN(points_and_gradients_may_be_of_eigen);
    RUN(a_matrix_of_eigen_of_the_wrong_size_is_refused);
    RUN(one_value_of_eigen_is_for_all_bodies);
    RUN(an_expression_is_computed_for_the_call);
    RUN(functions_of_rotations_take_values_of_eigen);
    RUN(torques_are_added_to_values_of_eigen);
    RUN(a_state_in_values_of_eigen_is_integrated_in_place);
    RUN(a_body_is_made_from_eigen);
    RUN(a_body_takes_and_returns_values_of_eigen);
    RUN(an_ensemble_returns_the_type_asked_for);
    RUN(a_torque_may_return_a_vector_of_eigen);
    RUN(torques_and_events_may_take_values_of_eigen);
}
