// Ensemble: rows, changing numbers of bodies, clocks, other orders of rows, exact sums.
#include "check.hpp"

static const std::size_t n = 21;

static Ensemble tops(std::size_t count)
{
    Ensemble e(count);
    e.set_method(Method::splitting);
    e.set_torque([](double time, std::size_t, const Quaternion &q, const Vector &omega) {
        return Vector{time - omega[0], q[1] * q[2], 0.3};
    });
    return e;
}

static Ensemble filled()
{
    Ensemble e = tops(n);
    std::vector<Vector> moments(n), omega(n);
    std::vector<Quaternion> q(n);
    for (std::size_t i = 0; i < n; i++) {
        const double x = static_cast<double>(i);
        moments[i] = {1 + x, 2 + x, 2.5 + x};
        omega[i] = {0.1 * x, 1, 2};
        q[i] = orientation_from_axis_angle({1, 2, 3}, 0.1 * x);
    }
    e.set_principal_inertias(moments);
    e.set_orientations(q);
    e.set_angular_velocities(omega);
    return e;
}

static void a_restart_from_rows_and_clock_has_the_same_bits()
{
    Ensemble run = filled(), first = filled(), second = tops(n);
    run.advance(0.1, 20);
    first.advance(0.1, 10);
    second.set_clock(first.clock());
    second.set_rows(parts::all, first.rows());
    second.advance(0.1, 10);
    CHECK(second.rows() == run.rows() && second.clock() == run.clock());
    CHECK(run.row_size(parts::state | parts::inertia) == 14 && run.row_size() == 20);

    Body body(diagonal(1, 2, 3), {1, 0, 0, 0}, {1, 1, 1}), other(diagonal(1, 2, 3), {1, 0, 0, 0}, {1, 1, 1});
    body.advance(0.1, 7);
    other.set_clock(body.clock());
    body.advance(0.1, 1000);
    other.advance(0.1, 1000);
    CHECK(same(body.time(), other.time()));
}

static void a_restart_of_bound_arrays_has_the_same_bits()
{
    for (const Kind kind : {Kind::omega_world, Kind::omega_body, Kind::angmom_world, Kind::angmom_body}) {
        std::vector<Quaternion> q(n, {1, 0, 0, 0}), p = q;
        std::vector<Vector> omega(n), theirs(n);
        for (std::size_t i = 0; i < n; i++) omega[i] = {std::sin(1.0 * static_cast<double>(i)), 0.3, 2};
        Ensemble run = filled(), again = filled();
        run.bind_orientations(q);
        run.bind_angular_velocities(omega, kind);
        again.bind_orientations(p);
        again.bind_angular_velocities(theirs, kind);
        run.advance(0.1, 20);
        again.set_clock(run.clock());
        again.set_rows(parts::all, run.rows());
        CHECK(q == p && omega == theirs);
        run.advance(0.1, 20);
        again.advance(0.1, 20);
        CHECK(q == p && omega == theirs);
    }
}

static void bodies_leave_and_enter()
{
    Ensemble run = filled(), here = filled(), there = tops(0);
    run.advance(0.1, 20);
    here.advance(0.1, 10);
    const std::vector<std::size_t> leave{20, 3, 7}, stay{0, 1, 2};
    const std::vector<double> rows = here.rows(parts::all, leave);
    there.resize(3);
    there.set_clock(here.clock());
    there.set_rows(parts::all, rows);
    here.select(stay);
    here.advance(0.1, 10);
    there.advance(0.1, 10);
    CHECK(here.count() == 3 && here.rows() == run.rows(parts::all, stay) && there.rows() == run.rows(parts::all, leave));
    there.set_rows(parts::state, {1}, here.rows(parts::state, {2}));
    CHECK(there.rows(parts::state, {1}) == here.rows(parts::state, {2}));
    here.set_active({1});
    here.resize(5); // all bodies are active again
    here.step_with(0.1, [](double, const std::vector<Quaternion> &q, const std::vector<Vector> &, std::vector<Vector> &) {
        CHECK(q.size() == 5);
    });
}

static void rows_that_do_not_fit_are_refused()
{
    Ensemble e = filled();
    std::vector<double> rows = e.rows();
    CHECK_REFUSED(e.set_rows(parts::state, rows), QI_ERR_INVALID,
                  "set_rows: 420 numbers instead of 147: a row has 7 here. Are parts, torque, drag, rotors, random torques and method those");
    CHECK_REFUSED(e.row_size(64), QI_ERR_INVALID, "row_size: parts must combine");
    rows[20 * 4] = 7;
    CHECK_REFUSED(e.set_rows(parts::all, rows), QI_ERR_ORIENTATION, "body 4");
    CHECK_REFUSED(e.rows(parts::all, {n}), QI_ERR_INVALID, "`bodies`");
    CHECK_REFUSED(e.select({n}), QI_ERR_INVALID, "`from`");
    CHECK(e.rows(parts::all, {}).empty());
}

static void bodies_are_bound_in_other_rows()
{
    Ensemble own = filled(), bound = filled();
    std::vector<Quaternion> q(2 * n, Quaternion{9, 9, 9, 9});
    std::vector<Vector> omega(n);
    std::vector<std::int32_t> q_rows(n), omega_rows(n);
    for (std::size_t i = 0; i < n; i++) {
        q_rows[i] = static_cast<std::int32_t>(2 * n - 1 - 2 * i);
        omega_rows[i] = static_cast<std::int32_t>((i + 5) % n);
        const std::vector<double> row = own.rows(parts::state, {i});
        std::copy_n(row.begin(), 4, q[2 * n - 1 - 2 * i].begin());
        std::copy_n(row.begin() + 4, 3, omega[(i + 5) % n].begin());
    }
    CHECK_REFUSED(bound.bind_orientation_rows(q, {1, 2}), QI_ERR_INVALID, "2 rows for bodies: 21");
    q_rows[0] = 2 * n;
    CHECK_REFUSED(bound.bind_orientation_rows(q, q_rows), QI_ERR_INVALID, "42 is a row of an array of 42");
    q_rows[0] = 2 * n - 1;
    bound.bind_orientation_rows(q, q_rows);
    bound.bind_angular_velocity_rows(omega, omega_rows, Kind::omega_body);
    own.advance(0.1, 10);
    bound.advance(0.1, 10);
    CHECK(q[0] == (Quaternion{9, 9, 9, 9}) && bound.rows(parts::state) == own.rows(parts::state));
    bound.release_arrays();
    q.assign(2 * n, Quaternion{});
    CHECK(bound.rows(parts::state) == own.rows(parts::state));
}

static void angular_momenta_are_set()
{
    Body body(diagonal(1, 2, 3), {1, 0, 0, 0}, {1, 1, 1});
    body.set_angular_momentum({1, 2, 3});
    CHECK(body.angular_momentum() == (Vector{1, 2, 3}) && body.angular_velocity() == (Vector{1, 1, 1}));
    Ensemble e(2);
    e.set_angular_momenta(std::vector<Vector>{{1, 2, 3}, {4, 5, 6}});
    CHECK(e.angular_momenta() == (std::vector<Vector>{{1, 2, 3}, {4, 5, 6}}));
    CHECK_REFUSED(e.set_angular_momenta(Vector{NaN, 0, 0}), QI_ERR_NON_FINITE, "`data[0]` is NaN");
}

static void exact_sums_add_up_in_any_order()
{
    Ensemble all = filled(), part = filled(), rest = filled();
    part.select({20, 4});
    rest.select({0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19});
    ExactSum sum = part.kinetic_energy_sum();
    sum += rest.kinetic_energy_sum();
    CHECK(same(sum.value(), all.kinetic_energy_sum().value()));
    CHECK(std::abs(sum.value() - all.total_kinetic_energy()) < 1e-12 * sum.value());
    const Vector total = all.total_angular_momentum();
    const std::array<ExactSum, 3> sums = all.angular_momentum_sums();
    for (std::size_t c = 0; c < 3; c++) CHECK(std::abs(sums[c].value() - total[c]) < 1e-12 * std::abs(total[c]));
    ExactSum own;
    own += 1e300;
    own += 1.0;
    own += -1e300;
    CHECK(own.value() == 1);
    CHECK_REFUSED(own += NAN, QI_ERR_NON_FINITE, "`values[0]` is NaN");
}

int main()
{
    RUN(a_restart_from_rows_and_clock_has_the_same_bits);
    RUN(a_restart_of_bound_arrays_has_the_same_bits);
    RUN(bodies_leave_and_enter);
    RUN(rows_that_do_not_fit_are_refused);
    RUN(bodies_are_bound_in_other_rows);
    RUN(angular_momenta_are_set);
    RUN(exact_sums_add_up_in_any_order);
    return 0;
}
