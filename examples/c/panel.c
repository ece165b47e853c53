/* panel.c: a satellite with one panel, tilted by 0.4 rad. */
/* See docs/inertia.md. */
#include <quatint.h>
#include <stdio.h>

int main(void)
{
    const double bus[3] = {1.0, 0.8, 1.2}, panel[3] = {0.02, 2.4, 0.8}; /* edges, m */
    const double origin[3] = {0, 0, 0}, beside[3] = {0.1, 1.6, 0.3}, y[3] = {0, 1, 0};
    double sum[QI_MASS_SIZE] = {0}, tilt[4], mass, centre[3], inertia[9];

    if (qi_orientation_from_axis_angle(y, 0.4, tilt) != QI_OK || qi_add_box_mass(120, bus, origin, NULL, sum) != QI_OK
        || qi_add_box_mass(9, panel, beside, tilt, sum) != QI_OK
        || qi_get_mass_properties(sum, &mass, centre, inertia) != QI_OK) {
        fprintf(stderr, "%s\n", qi_last_error());
        return 1;
    }
    printf("mass %.1f kg, centre of mass (%.4f, %.4f, %.4f) m\n", mass, centre[0], centre[1], centre[2]);
    for (int i = 0; i < 9; i += 3) printf("%9.4f %9.4f %9.4f\n", inertia[i], inertia[i + 1], inertia[i + 2]);
    return 0;
}

/* It prints:
mass 129.0 kg, centre of mass (0.0070, 0.1116, 0.0209) m
  47.7133   -1.3395   -0.4232
  -1.3395   25.7175   -4.0186
  -0.4232   -4.0186   42.3093
*/
