/* test_mass.c: mass, centre of mass and inertia of assemblies, beside closed formulas; principal axes. */
#include "check.h"

static const double TURNED[4] = {0.5, -0.1, 0.7, 0.5}, TURNED_2[4] = {0.1, 0.7, -0.5, 0.5}, TURNED_3[4] = {0.7, 0.5, 0.1, -0.5};

/* The assembly that the tests of every language build. Nothing in it lies along an axis. */
static void add_all(double *sum)
{
    const double point[3] = {0.4, -0.3, 0.9}, sphere[3] = {-0.8, 0.6, 0.2}, ellipsoid[3] = {0.2, -0.9, -0.4}, box[3] = {0.7, 0.8, -0.5};
    const double cylinder[3] = {-0.3, -0.4, 1.1}, capsule[3] = {0.6, -0.7, 0.3}, half[3] = {-0.5, 0.3, -0.8}, cone[3] = {-0.2, 0.9, 0.5};
    const double turned_5[4] = {0.1, -0.5, 0.7, 0.5}, turned_6[4] = {0.7, -0.1, 0.5, 0.5}, turned_7[4] = {0.5, 0.7, 0.5, -0.1};
    const double hole[3] = {0.5, 0.7, -0.6}, turned_4[4] = {0.5, 0.5, -0.7, 0.1};
    const double semi_axes[3] = {0.3, 0.5, 0.7}, edges[3] = {0.6, 0.9, 1.3};
    const double known[9] = {-0.11, -0.012, 0.009, -0.012, -0.13, -0.007, 0.009, -0.007, -0.12};
    const double a[3] = {0.1, 0.2, -0.3}, b[3] = {1.3, 0.1, 0.2}, c[3] = {0.4, 1.5, 0.1}, d[3] = {0.2, 0.3, 1.1};
    const double *const faces[4][3] = {{a, c, b}, {a, b, d}, {b, c, d}, {c, a, d}};
    double corners[4][9];
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 9; k++) corners[i][k] = faces[i][k / 3][k % 3];

    CHECK(qi_add_point_mass(0.7, point, sum) == QI_OK);
    CHECK(qi_add_sphere_mass(2.5, 0.35, sphere, sum) == QI_OK);
    CHECK(qi_add_ellipsoid_mass(1.9, semi_axes, ellipsoid, TURNED, sum) == QI_OK);
    CHECK(qi_add_box_mass(3.1, edges, box, TURNED_2, sum) == QI_OK);
    CHECK(qi_add_cylinder_mass(1.3, 0.25, 1.7, cylinder, TURNED_3, sum) == QI_OK);
    CHECK(qi_add_capsule_mass(0.9, 0.3, 0.8, capsule, turned_5, sum) == QI_OK);
    CHECK(qi_add_hemisphere_mass(1.7, 0.6, half, turned_6, sum) == QI_OK);
    CHECK(qi_add_cone_mass(1.1, 0.4, 1.2, cone, turned_7, sum) == QI_OK);
    CHECK(qi_add_mesh_mass(6.4, 4, corners[0], sum) == QI_OK);
    CHECK(qi_add_inertia_mass(-0.4, known, hole, turned_4, sum) == QI_OK);
}

static void an_assembly_has_the_mass_properties_of_closed_formulas(void)
{
    const double expected[9] = {11.600948941891815, 0.30560892760832625, 1.0400209969838572, 0.30560892760832625, 10.07999641799384,
                                1.1330076497875956, 1.0400209969838572, 1.1330076497875956, 11.69820579132151};
    double sum[QI_MASS_SIZE] = {0}, mass, centre[3], inertia[9];
    add_all(sum);
    CHECK(qi_get_mass_properties(sum, &mass, centre, inertia) == QI_OK);
    CHECK_NEAR(mass, 15.0656, 2e-14);
    CHECK_NEAR(centre[0], 0.07906090696686491, 1e-15);
    CHECK_NEAR(centre[1], 0.21905798640611726, 1e-15);
    CHECK_NEAR(centre[2], 0.039709005947323704, 1e-15);
    for (int k = 0; k < 9; k++) CHECK_NEAR(inertia[k], expected[k], 2e-14);

    const double point[3] = {0.3, -0.2, 0.4};
    const double about[9] = {16.202272386666667, 1.70047696, -0.1592364, 1.70047696, 12.77106938, 3.4076544,
                             -0.1592364, 3.4076544, 15.079283166666666};
    double about_point[9];
    CHECK(qi_get_inertia_about(sum, point, about_point) == QI_OK);
    for (int k = 0; k < 9; k++) CHECK_NEAR(about_point[k], about[k], 3e-14);
    CHECK(qi_get_inertia_about(sum, centre, about_point) == QI_OK);
    for (int k = 0; k < 9; k++) CHECK_NEAR(about_point[k], inertia[k], 1e-15);

    qi_body *body = qi_create_body(inertia, TURNED, NULL, NULL); /* it is what a body takes */
    CHECK(body != NULL);
    qi_destroy_body(body);
}

static void a_sum_holds_the_moments_and_two_sums_add_up(void)
{
    const double point[3] = {0.5, -0.25, 2};
    double sum[QI_MASS_SIZE] = {0}, first[QI_MASS_SIZE] = {0}, second[QI_MASS_SIZE] = {0};
    const double moments[QI_MASS_SIZE] = {4, 2, -1, 8, 1, 0.25, 16, -0.5, 4, -2};
    CHECK(qi_add_point_mass(4, point, sum) == QI_OK);
    CHECK(memcmp(sum, moments, sizeof sum) == 0);

    double mass, centre[3], inertia[9], other_mass, other_centre[3], other_inertia[9];
    add_all(sum);
    CHECK(qi_add_point_mass(4, point, first) == QI_OK);
    add_all(second);
    for (int k = 0; k < QI_MASS_SIZE; k++) first[k] += second[k];
    CHECK(qi_get_mass_properties(sum, &mass, centre, inertia) == QI_OK);
    CHECK(qi_get_mass_properties(first, &other_mass, other_centre, other_inertia) == QI_OK);
    CHECK_NEAR(mass, other_mass, 1e-14);
    for (int k = 0; k < 3; k++) CHECK_NEAR(centre[k], other_centre[k], 1e-15);
    for (int k = 0; k < 9; k++) CHECK_NEAR(inertia[k], other_inertia[k], 5e-14);
}

static void many_distant_parts_and_sums_of_sums_keep_their_digits(void)
{
    double total[QI_MASS_SIZE] = {0}, mass, centre[3], inertia[9];
    const double edge = 1 / 16.0, edges[3] = {edge, edge, edge};
    for (int i = 0; i < 16; i++) {
        double layer[QI_MASS_SIZE] = {0};
        for (int k = 0; k < 256; k++) {
            const double place[3] = {1e5 + (i + 0.5) * edge, 2e5 + (k % 16 + 0.5) * edge, 3e5 + (k / 16 + 0.5) * edge};
            CHECK(qi_add_box_mass(1 / 4096.0, edges, place, NULL, layer) == QI_OK);
        }
        for (int k = 0; k < QI_MASS_SIZE; k++) total[k] += layer[k];
    }
    CHECK(qi_get_mass_properties(total, &mass, centre, inertia) == QI_OK);
    CHECK(mass == 1 && centre[0] == 1e5 + 0.5 && centre[2] == 3e5 + 0.5);
    for (int k = 0; k < 9; k++) CHECK_NEAR(inertia[k], k % 4 == 0 ? 1 / 6.0 : 0, 4e-14);
}

/* A box without its ends, a tube; and with both ends inside out. */
static void surfaces_that_are_open_on_both_sides_are_refused(void)
{
    static const int faces[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                     {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    for (int far = 0; far <= 1000; far += 500) {
        double corners[12][9], turned[12][9], sum[QI_MASS_SIZE] = {0}, mass, centre[3], inertia[9];
        for (int i = 0; i < 12; i++)
            for (int k = 0; k < 9; k++) corners[i][k] = far + (k % 3 == 2 ? 2 : 1) * (faces[i][k / 3] >> k % 3 & 1);
        memcpy(turned, corners, sizeof corners);
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 3; k++) turned[i][k] = corners[i][3 + k], turned[i][3 + k] = corners[i][k];
        CHECK_REFUSED(qi_add_mesh_mass(1, 8, corners[4], sum), QI_ERR_INVALID, "`corners` must be those of a closed surface");
        CHECK_REFUSED(qi_add_mesh_mass(1, 12, turned[0], sum), QI_ERR_INVALID, "`corners` must be those of a closed surface");
        CHECK(qi_add_mesh_mass(1, 12, corners[0], sum) == QI_OK);
        CHECK(qi_get_mass_properties(sum, &mass, centre, inertia) == QI_OK);
        CHECK_NEAR(mass, 2, 4e-15);
        CHECK_NEAR(inertia[0], 5 / 6.0, 4e-15);
    }
}

static void no_orientation_is_the_identity(void)
{
    const double identity[4] = {1, 0, 0, 0}, place[3] = {0.1, 0.2, -0.3}, lengths[3] = {0.4, 0.5, 0.7};
    const double known[9] = {0.11, 0.012, -0.009, 0.012, 0.13, 0.007, -0.009, 0.007, 0.12};
    double with[QI_MASS_SIZE] = {0}, without[QI_MASS_SIZE] = {0};
    CHECK(qi_add_ellipsoid_mass(2, lengths, place, identity, with) == QI_OK && qi_add_ellipsoid_mass(2, lengths, place, NULL, without) == QI_OK);
    CHECK(qi_add_box_mass(2, lengths, place, identity, with) == QI_OK && qi_add_box_mass(2, lengths, place, NULL, without) == QI_OK);
    CHECK(qi_add_cylinder_mass(2, 0.3, 1.1, place, identity, with) == QI_OK && qi_add_cylinder_mass(2, 0.3, 1.1, place, NULL, without) == QI_OK);
    CHECK(qi_add_capsule_mass(2, 0.3, 1.1, place, identity, with) == QI_OK && qi_add_capsule_mass(2, 0.3, 1.1, place, NULL, without) == QI_OK);
    CHECK(qi_add_hemisphere_mass(2, 0.3, place, identity, with) == QI_OK && qi_add_hemisphere_mass(2, 0.3, place, NULL, without) == QI_OK);
    CHECK(qi_add_cone_mass(2, 0.3, 1.1, place, identity, with) == QI_OK && qi_add_cone_mass(2, 0.3, 1.1, place, NULL, without) == QI_OK);
    CHECK(qi_add_inertia_mass(2, known, place, identity, with) == QI_OK && qi_add_inertia_mass(2, known, place, NULL, without) == QI_OK);
    CHECK(memcmp(with, without, sizeof with) == 0);
}

static void what_cannot_be_added_leaves_the_sum_as_it_was(void)
{
    const double place[3] = {0.1, 0.2, -0.3}, nan_place[3] = {0, NAN, 0}, lengths[3] = {0.4, -0.5, 0.7}, long_q[4] = {2, 0, 0, 0}, far[3] = {1e200, 2, 3};
    const double lopsided[9] = {1, 0.1, 0, 0.2, 1, 0, 0, 0, 1}, open[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    double sum[QI_MASS_SIZE] = {0}, before[QI_MASS_SIZE], room[QI_MASS_SIZE + 1] = {0};
    add_all(sum);
    memcpy(before, sum, sizeof sum);
    CHECK_REFUSED(qi_add_point_mass(NAN, place, sum), QI_ERR_NON_FINITE, "`mass` is NaN");
    CHECK_REFUSED(qi_add_point_mass(1, NULL, sum), QI_ERR_NULL, "`position` is NULL");
    CHECK_REFUSED(qi_add_point_mass(1, place, NULL), QI_ERR_NULL, "`sum` is NULL");
    CHECK_REFUSED(qi_add_point_mass(1, place, misaligned(room)), QI_ERR_MISALIGNED, "`sum` is not aligned");
    CHECK_REFUSED(qi_add_point_mass(1e308, far, sum), QI_ERR_NON_FINITE, "`sum[");
    CHECK_REFUSED(qi_add_sphere_mass(1, -1, place, sum), QI_ERR_INVALID, "`radius` must not be negative");
    CHECK_REFUSED(qi_add_sphere_mass(1, 1, nan_place, sum), QI_ERR_NON_FINITE, "`position[1]` is NaN");
    CHECK_REFUSED(qi_add_ellipsoid_mass(1, lengths, place, NULL, sum), QI_ERR_INVALID, "`semi_axes` must not be negative");
    CHECK_REFUSED(qi_add_box_mass(1, lengths, place, NULL, sum), QI_ERR_INVALID, "`edges` must not be negative");
    CHECK_REFUSED(qi_add_cylinder_mass(1, 1, INFINITY, place, NULL, sum), QI_ERR_NON_FINITE, "`length` is inf");
    CHECK_REFUSED(qi_add_cylinder_mass(1, 1, 1, place, long_q, sum), QI_ERR_ORIENTATION, "`orientation`");
    CHECK_REFUSED(qi_add_capsule_mass(1, -1, 1, place, NULL, sum), QI_ERR_INVALID, "`radius` must not be negative");
    CHECK_REFUSED(qi_add_capsule_mass(1, 1, -1, place, NULL, sum), QI_ERR_INVALID, "`length` must not be negative");
    CHECK_REFUSED(qi_add_capsule_mass(1, 1, 1, NULL, NULL, sum), QI_ERR_NULL, "`position` is NULL");
    CHECK_REFUSED(qi_add_hemisphere_mass(NAN, 1, place, NULL, sum), QI_ERR_NON_FINITE, "`mass` is NaN");
    CHECK_REFUSED(qi_add_hemisphere_mass(1, 1, place, long_q, sum), QI_ERR_ORIENTATION, "`orientation`");
    CHECK_REFUSED(qi_add_hemisphere_mass(1, 1, place, NULL, NULL), QI_ERR_NULL, "`sum` is NULL");
    CHECK_REFUSED(qi_add_cone_mass(1, 1, NAN, place, NULL, sum), QI_ERR_NON_FINITE, "`height` is NaN");
    CHECK_REFUSED(qi_add_cone_mass(1, 1, 1e300, place, NULL, sum), QI_ERR_NON_FINITE, "`sum[");
    CHECK_REFUSED(qi_add_inertia_mass(1, lopsided, place, NULL, sum), QI_ERR_INERTIA, "`inertia`");
    CHECK_REFUSED(qi_add_inertia_mass(1, NULL, place, NULL, sum), QI_ERR_NULL, "`inertia` is NULL");
    CHECK_REFUSED(qi_add_mesh_mass(1, 1, open, sum), QI_ERR_INVALID, "`corners` must be those of a closed surface");
    CHECK_REFUSED(qi_add_mesh_mass(1, 1, NULL, sum), QI_ERR_NULL, "`corners` is NULL");
    CHECK_REFUSED(qi_add_mesh_mass(1, SIZE_MAX, open, sum), QI_ERR_INVALID, "`triangles` must be");
    CHECK_REFUSED(qi_add_mesh_mass(NAN, 0, NULL, sum), QI_ERR_NON_FINITE, "`density` is NaN");
    CHECK(qi_add_mesh_mass(1, 0, NULL, sum) == QI_OK);
    CHECK(memcmp(sum, before, sizeof sum) == 0);
}

static void an_assembly_without_mass_has_no_properties(void)
{
    const double place[3] = {0.1, 0.2, -0.3}, nan_place[3] = {0, NAN, 0};
    double sum[QI_MASS_SIZE] = {0}, mass = 9, centre[3] = {9, 9, 9}, inertia[9] = {9};
    CHECK_REFUSED(qi_get_mass_properties(sum, &mass, centre, inertia), QI_ERR_INVALID, "`sum` must have a positive mass");
    CHECK(qi_add_point_mass(-1, place, sum) == QI_OK);
    CHECK_REFUSED(qi_get_mass_properties(sum, &mass, centre, inertia), QI_ERR_INVALID, "`sum` must have a positive mass");
    CHECK_REFUSED(qi_get_mass_properties(NULL, &mass, centre, inertia), QI_ERR_NULL, "`sum` is NULL");
    CHECK_REFUSED(qi_get_mass_properties(sum, NULL, centre, inertia), QI_ERR_NULL, "`mass` is NULL");
    CHECK_REFUSED(qi_get_mass_properties(sum, &mass, NULL, inertia), QI_ERR_NULL, "`centre` is NULL");
    CHECK_REFUSED(qi_get_mass_properties(sum, &mass, centre, NULL), QI_ERR_NULL, "`inertia` is NULL");
    CHECK_REFUSED(qi_get_inertia_about(sum, place, inertia), QI_ERR_INVALID, "`sum` must have a positive mass");
    CHECK_REFUSED(qi_get_inertia_about(NULL, place, inertia), QI_ERR_NULL, "`sum` is NULL");
    CHECK_REFUSED(qi_get_inertia_about(sum, NULL, inertia), QI_ERR_NULL, "`point` is NULL");
    CHECK_REFUSED(qi_get_inertia_about(sum, place, NULL), QI_ERR_NULL, "`inertia` is NULL");
    CHECK(qi_add_point_mass(3, place, sum) == QI_OK);
    CHECK_REFUSED(qi_get_inertia_about(sum, nan_place, inertia), QI_ERR_NON_FINITE, "`point[1]` is NaN");
    CHECK(mass == 9 && centre[0] == 9 && inertia[0] == 9);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void the_principal_axes_are_those_of_the_tensor(void)
{
    const double inertia[9] = {11.600948941891815, 0.30560892760832625, 1.0400209969838572, 0.30560892760832625, 10.07999641799384,
                               1.1330076497875956, 1.0400209969838572, 1.1330076497875956, 11.69820579132151};
    double moments[3], orientation[4], r[9];
    CHECK(qi_get_principal_axes(inertia, moments, orientation) == QI_OK);
    CHECK(qi_orientation_to_matrix(orientation, r) == QI_OK);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double entry = 0;
            for (int k = 0; k < 3; k++) entry += r[3 * i + k] * moments[k] * r[3 * j + k];
            CHECK_NEAR(entry, inertia[3 * i + j], 2e-14);
        }
    qsort(moments, 3, sizeof *moments, ascending);
    CHECK_NEAR(moments[0], 9.472672911802718, 2e-14);
    CHECK_NEAR(moments[1], 10.843628033272779, 2e-14);
    CHECK_NEAR(moments[2], 13.062850206131667, 2e-14);

    double negative[9];
    for (int k = 0; k < 9; k++) negative[k] = -inertia[k];
    CHECK_REFUSED(qi_get_principal_axes(negative, moments, orientation), QI_ERR_INERTIA, "`inertia`");
    CHECK_REFUSED(qi_get_principal_axes(inertia, NULL, orientation), QI_ERR_NULL, "`moments` is NULL");
    CHECK_REFUSED(qi_get_principal_axes(inertia, moments, NULL), QI_ERR_NULL, "`orientation` is NULL");
    CHECK_REFUSED(qi_get_principal_axes(NULL, moments, orientation), QI_ERR_NULL, "`inertia` is NULL");
}

/* docs/inertia.md: a thin rod along (1, 1, 1) has the moments 0, 1, 1. */
static void products_of_inertia_of_the_other_sign_show_in_the_moments(void)
{
    const double rod[9] = {2 / 3.0, -1 / 3.0, -1 / 3.0, -1 / 3.0, 2 / 3.0, -1 / 3.0, -1 / 3.0, -1 / 3.0, 2 / 3.0};
    double other_sign[9], moments[3], orientation[4];
    for (int k = 0; k < 9; k++) other_sign[k] = fabs(rod[k]);
    CHECK(qi_get_principal_axes(rod, moments, orientation) == QI_OK);
    qsort(moments, 3, sizeof *moments, ascending);
    CHECK(moments[0] == 0);
    CHECK_NEAR(moments[1], 1, 1e-15);
    CHECK(qi_get_principal_axes(other_sign, moments, orientation) == QI_OK);
    qsort(moments, 3, sizeof *moments, ascending);
    CHECK_NEAR(moments[0], 1 / 3.0, 1e-15);
    CHECK_NEAR(moments[2], 4 / 3.0, 1e-15);
    CHECK(moments[2] > moments[0] + moments[1]);
}

/* docs/inertia.md: each axis is followed by the new one that is nearest. A small turn may move the result by a right angle. */
static void principal_axes_of_a_tensor_that_turns_can_be_followed(void)
{
    const double axis[3] = {1, 2, 3}, moments[3] = {1, 2, 2.5};
    double followed[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, before[4] = {1, 0, 0, 0}, jump = 0;
    for (int n = 1; n <= 2000; n++) {
        double q[4], r[9], inertia[9] = {0}, found[3], p[4], axes[9], angle;
        CHECK(qi_orientation_from_axis_angle(axis, 2 * acos(-1) * n / 2000, q) == QI_OK && qi_orientation_to_matrix(q, r) == QI_OK);
        for (int k = 0; k < 27; k++) inertia[k % 9] += r[k % 9 / 3 * 3 + k / 9] * moments[k / 9] * r[k % 3 * 3 + k / 9];
        CHECK(qi_get_principal_axes(inertia, found, p) == QI_OK && qi_orientation_to_matrix(p, axes) == QI_OK);
        CHECK(qi_orientation_angle(before, p, &angle) == QI_OK);
        jump = fmax(jump, angle);
        memcpy(before, p, sizeof p);
        for (int k = 0; k < 3; k++) {
            double product[3];
            int best = 0;
            for (int m = 0; m < 3; m++) {
                product[m] = followed[k][0] * axes[m] + followed[k][1] * axes[3 + m] + followed[k][2] * axes[6 + m];
                if (fabs(product[m]) > fabs(product[best])) best = m;
            }
            for (int i = 0; i < 3; i++) followed[k][i] = (product[best] < 0 ? -1 : 1) * axes[3 * i + best];
            for (int i = 0; i < 3; i++) CHECK_NEAR(followed[k][i], r[3 * i + k], 1e-13);
        }
    }
    CHECK(jump > 1.5);
}

int main(void)
{
    RUN(an_assembly_has_the_mass_properties_of_closed_formulas);
    RUN(a_sum_holds_the_moments_and_two_sums_add_up);
    RUN(many_distant_parts_and_sums_of_sums_keep_their_digits);
    RUN(surfaces_that_are_open_on_both_sides_are_refused);
    RUN(no_orientation_is_the_identity);
    RUN(what_cannot_be_added_leaves_the_sum_as_it_was);
    RUN(an_assembly_without_mass_has_no_properties);
    RUN(the_principal_axes_are_those_of_the_tensor);
    RUN(products_of_inertia_of_the_other_sign_show_in_the_moments);
    RUN(principal_axes_of_a_tensor_that_turns_can_be_followed);
    return 0;
}
