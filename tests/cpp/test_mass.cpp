// Mass properties of assemblies, beside closed formulas, and principal axes.
#include "check.hpp"

#include <algorithm>

static const Matrix inertia{11.600948941891815, 0.30560892760832625, 1.0400209969838572, 0.30560892760832625, 10.07999641799384,
                            1.1330076497875956, 1.0400209969838572, 1.1330076497875956, 11.69820579132151};

template <std::size_t N>
static bool near(const std::array<double, N> &a, const std::array<double, N> &b)
{
    for (std::size_t i = 0; i < N; i++)
        if (!(std::fabs(a[i] - b[i]) < 4e-14)) return false;
    return true;
}

static std::vector<std::array<Vector, 3>> tetrahedron()
{
    const Vector a{0.1, 0.2, -0.3}, b{1.3, 0.1, 0.2}, c{0.4, 1.5, 0.1}, d{0.2, 0.3, 1.1};
    return {{a, c, b}, {a, b, d}, {b, c, d}, {c, a, d}};
}

// The assembly that the tests of every language build. Nothing in it lies along an axis.
static Mass assembly()
{
    Mass sum;
    sum.add_point(0.7, {0.4, -0.3, 0.9});
    sum.add_sphere(2.5, 0.35, {-0.8, 0.6, 0.2});
    sum.add_ellipsoid(1.9, {0.3, 0.5, 0.7}, {0.2, -0.9, -0.4}, {0.5, -0.1, 0.7, 0.5});
    sum.add_box(3.1, {0.6, 0.9, 1.3}, {0.7, 0.8, -0.5}, {0.1, 0.7, -0.5, 0.5});
    sum.add_cylinder(1.3, 0.25, 1.7, {-0.3, -0.4, 1.1}, {0.7, 0.5, 0.1, -0.5});
    sum.add_capsule(0.9, 0.3, 0.8, {0.6, -0.7, 0.3}, {0.1, -0.5, 0.7, 0.5});
    sum.add_hemisphere(1.7, 0.6, {-0.5, 0.3, -0.8}, {0.7, -0.1, 0.5, 0.5});
    sum.add_cone(1.1, 0.4, 1.2, {-0.2, 0.9, 0.5}, {0.5, 0.7, 0.5, -0.1});
    sum.add_mesh(6.4, tetrahedron());
    sum.add_inertia(-0.4, {-0.11, -0.012, 0.009, -0.012, -0.13, -0.007, 0.009, -0.007, -0.12}, {0.5, 0.7, -0.6},
                    {0.5, 0.5, -0.7, 0.1});
    return sum;
}

static void an_assembly_has_the_mass_properties_of_closed_formulas()
{
    const MassProperties all = assembly().properties();
    CHECK(std::fabs(all.mass - 15.0656) < 1e-13);
    CHECK(near(all.centre, Vector{0.07906090696686491, 0.21905798640611726, 0.039709005947323704}));
    CHECK(near(all.inertia, inertia));
    CHECK(near(assembly().inertia_about({0.3, -0.2, 0.4}), Matrix{16.202272386666667, 1.70047696, -0.1592364, 1.70047696, 12.77106938,
                                                                  3.4076544, -0.1592364, 3.4076544, 15.079283166666666}));
    const Body body(all.inertia);
    CHECK(body.time() == 0);
}

static void without_an_orientation_the_axes_are_those_of_the_assembly()
{
    const Vector lengths{0.4, 0.5, 0.7}, place{0.1, 0.2, -0.3};
    const Quaternion identity{1, 0, 0, 0};
    Mass with, without;
    with.add_ellipsoid(2, lengths, place, identity), without.add_ellipsoid(2, lengths, place);
    with.add_box(2, lengths, place, identity), without.add_box(2, lengths, place);
    with.add_cylinder(2, 0.3, 1.1, place, identity), without.add_cylinder(2, 0.3, 1.1, place);
    with.add_capsule(2, 0.3, 1.1, place, identity), without.add_capsule(2, 0.3, 1.1, place);
    with.add_hemisphere(2, 0.3, place, identity), without.add_hemisphere(2, 0.3, place);
    with.add_cone(2, 0.3, 1.1, place, identity), without.add_cone(2, 0.3, 1.1, place);
    with.add_inertia(2, inertia, place, identity), without.add_inertia(2, inertia, place);
    CHECK(with.numbers == without.numbers);
}

static void sums_add_up()
{
    Mass sum = assembly(), other;
    other.add_point(4, {0.5, -0.25, 2});
    CHECK(other.numbers == std::array<double, QI_MASS_SIZE>{4, 2, -1, 8, 1, 0.25, 16, -0.5, 4, -2});
    sum += other;
    Mass one = assembly();
    one.add_point(4, {0.5, -0.25, 2});
    const MassProperties both = sum.properties(), all = one.properties();
    CHECK(both.mass == all.mass && near(both.centre, all.centre) && near(both.inertia, all.inertia));
    Mass far;
    other = Mass();
    far.add_box(1, {1, 1, 1}, {1e5, 2e5, 3e5});
    other.add_box(1, {1, 1, 1}, {1e5, 2e5, 3e5 + 1});
    far += other;
    CHECK(near(far.properties().inertia, Matrix{5 / 6.0, 0, 0, 0, 5 / 6.0, 0, 0, 0, 2 / 6.0}));
}

static void what_cannot_be_added_leaves_the_sum_as_it_was()
{
    Mass sum = assembly();
    CHECK_REFUSED(sum.add_point(NaN, {1, 2, 3}), QI_ERR_NON_FINITE, "`mass`");
    CHECK_REFUSED(sum.add_sphere(1, -1, {1, 2, 3}), QI_ERR_INVALID, "`radius`");
    CHECK_REFUSED(sum.add_ellipsoid(1, {1, -2, 3}, {1, 2, 3}), QI_ERR_INVALID, "`semi_axes`");
    CHECK_REFUSED(sum.add_box(1, {1, -2, 3}, {1, 2, 3}), QI_ERR_INVALID, "`edges`");
    CHECK_REFUSED(sum.add_cylinder(1, 1, 1, {1, 2, 3}, {2, 0, 0, 0}), QI_ERR_ORIENTATION, "`orientation`");
    CHECK_REFUSED(sum.add_capsule(1, 1, -1, {1, 2, 3}), QI_ERR_INVALID, "`length`");
    CHECK_REFUSED(sum.add_hemisphere(1, -1, {1, 2, 3}), QI_ERR_INVALID, "`radius`");
    CHECK_REFUSED(sum.add_cone(1, 1, -1, {1, 2, 3}), QI_ERR_INVALID, "`height`");
    CHECK_REFUSED(sum.add_mesh(1, {{Vector{0, 0, 0}, Vector{1, 0, 0}, Vector{0, 1, 0}}}), QI_ERR_INVALID, "closed surface");
    CHECK_REFUSED(sum.add_inertia(1, {1, 0.1, 0, 0.2, 1, 0, 0, 0, 1}, {1, 2, 3}), QI_ERR_INERTIA, "`inertia`");
    sum.add_mesh(1, {});
    CHECK(sum.numbers == assembly().numbers);
    CHECK_REFUSED(Mass().properties(), QI_ERR_INVALID, "positive mass");
    CHECK_REFUSED(Mass().inertia_about({1, 2, 3}), QI_ERR_INVALID, "positive mass");
}

static void the_principal_axes_are_those_of_the_tensor()
{
    auto [moments, orientation] = principal_axes(inertia);
    const Matrix r = orientation_to_matrix(orientation);
    Matrix product{};
    for (std::size_t i = 0; i < 3; i++)
        for (std::size_t j = 0; j < 3; j++)
            for (std::size_t k = 0; k < 3; k++) product[3 * i + j] += r[3 * i + k] * moments[k] * r[3 * j + k];
    CHECK(near(product, inertia));
    std::sort(moments.begin(), moments.end());
    CHECK(near(moments, Vector{9.472672911802718, 10.843628033272779, 13.062850206131667}));
    CHECK_REFUSED(principal_axes(diagonal(-1, 1, 1)), QI_ERR_INERTIA, "`inertia`");
}

int main()
{
    RUN(an_assembly_has_the_mass_properties_of_closed_formulas);
    RUN(without_an_orientation_the_axes_are_those_of_the_assembly);
    RUN(sums_add_up);
    RUN(what_cannot_be_added_leaves_the_sum_as_it_was);
    RUN(the_principal_axes_are_those_of_the_tensor);
    return 0;
}
