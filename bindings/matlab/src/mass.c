/* mass.c: mass, centre of mass and inertia of assemblies. A sum of parts is 1-by-20. */
#include "quatint_mex.h"

/* Returns a copy of the sum that is the first argument, to which a part is then added. */
static double *copied_sum(call c)
{
    const double *sum = vector(c.in[0], QI_MASS_SIZE, "numbers");
    c.out[0] = new_matrix(1, QI_MASS_SIZE);
    return memcpy(mxGetPr(c.out[0]), sum, QI_MASS_SIZE*sizeof *sum);
}

static const double *orientation_or_null(const mxArray *a)
{
    return is_nothing(a) ? NULL : vector(a, 4, "orientation");
}

void add_point_mass(call c)
{
    check(NULL, qi_add_point_mass(number(c.in[1], "mass"), vector(c.in[2], 3, "position"), copied_sum(c)));
}

void add_sphere_mass(call c)
{
    const double *position = vector(c.in[3], 3, "position");
    check(NULL, qi_add_sphere_mass(number(c.in[1], "mass"), number(c.in[2], "radius"), position, copied_sum(c)));
}

void add_ellipsoid_mass(call c)
{
    const double *semi_axes = vector(c.in[2], 3, "semiAxes"), *position = vector(c.in[3], 3, "position");
    const double *orientation = orientation_or_null(c.in[4]);
    check(NULL, qi_add_ellipsoid_mass(number(c.in[1], "mass"), semi_axes, position, orientation, copied_sum(c)));
}

void add_box_mass(call c)
{
    const double *edges = vector(c.in[2], 3, "edges"), *position = vector(c.in[3], 3, "position");
    const double *orientation = orientation_or_null(c.in[4]);
    check(NULL, qi_add_box_mass(number(c.in[1], "mass"), edges, position, orientation, copied_sum(c)));
}

void add_cylinder_mass(call c)
{
    const double radius = number(c.in[2], "radius"), length = number(c.in[3], "length");
    const double *position = vector(c.in[4], 3, "position"), *orientation = orientation_or_null(c.in[5]);
    check(NULL, qi_add_cylinder_mass(number(c.in[1], "mass"), radius, length, position, orientation, copied_sum(c)));
}

void add_capsule_mass(call c)
{
    const double radius = number(c.in[2], "radius"), length = number(c.in[3], "length");
    const double *position = vector(c.in[4], 3, "position"), *orientation = orientation_or_null(c.in[5]);
    check(NULL, qi_add_capsule_mass(number(c.in[1], "mass"), radius, length, position, orientation, copied_sum(c)));
}

void add_hemisphere_mass(call c)
{
    const double radius = number(c.in[2], "radius");
    const double *position = vector(c.in[3], 3, "position"), *orientation = orientation_or_null(c.in[4]);
    check(NULL, qi_add_hemisphere_mass(number(c.in[1], "mass"), radius, position, orientation, copied_sum(c)));
}

void add_cone_mass(call c)
{
    const double radius = number(c.in[2], "radius"), height = number(c.in[3], "height");
    const double *position = vector(c.in[4], 3, "position"), *orientation = orientation_or_null(c.in[5]);
    check(NULL, qi_add_cone_mass(number(c.in[1], "mass"), radius, height, position, orientation, copied_sum(c)));
}

/* A page for each triangle, a column for each corner. */
void add_mesh_mass(call c)
{
    const double density = number(c.in[1], "density");
    const size_t triangles = count_items(c.in[2], 9, ANY, "corners");
    check(NULL, qi_add_mesh_mass(density, triangles, data_of(c.in[2]), copied_sum(c)));
}

void add_inertia_mass(call c)
{
    const double *inertia = vector(c.in[2], 9, "inertia"), *position = vector(c.in[3], 3, "position");
    const double *orientation = orientation_or_null(c.in[4]);
    check(NULL, qi_add_inertia_mass(number(c.in[1], "mass"), inertia, position, orientation, copied_sum(c)));
}

void mass_properties(call c)
{
    double mass, centre[3], inertia[9];
    check(NULL, qi_get_mass_properties(vector(c.in[0], QI_MASS_SIZE, "numbers"), &mass, centre, inertia));
    c.out[0] = mxCreateDoubleScalar(mass);
    if (c.outputs > 1) memcpy(mxGetPr(c.out[1] = new_matrix(1, 3)), centre, sizeof centre);
    if (c.outputs > 2) memcpy(mxGetPr(c.out[2] = new_matrix(3, 3)), inertia, sizeof inertia);
}

void inertia_about(call c)
{
    double inertia[9];
    const double *sum = vector(c.in[0], QI_MASS_SIZE, "numbers");
    check(NULL, qi_get_inertia_about(sum, vector(c.in[1], 3, "point"), inertia));
    memcpy(mxGetPr(c.out[0] = new_matrix(3, 3)), inertia, sizeof inertia);
}
