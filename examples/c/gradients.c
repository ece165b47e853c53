/* gradients.c: four fibres, each in the gradient that a flow solver writes for it before each step. */
/* See docs/torques.md. */
#include <math.h>
#include <quatint.h>
#include <stdio.h>

int main(void)
{
    enum { N = 4 };
    const double semi_axes[3] = {0.1, 0.1, 1}, moments[3] = {0.02, 0.02, 0.004}, zeros[9] = {0};
    double gradients[9 * N] = {0}, q[4 * N];
    qi_ensemble *e = qi_create_ensemble(N, NULL);

    if (e == NULL || qi_set_principal_inertias(e, moments, 0, 1) != QI_OK
        || qi_set_ensemble_shear_flow_torque(e, semi_axes, 0, 1.0, zeros) != QI_OK
        || qi_bind_flow_gradients(e, gradients, 9, 3, 1) != QI_OK) {
        fprintf(stderr, "%s\n", qi_last_error());
        return 1;
    }
    for (int step = 0; step < 400; step++) {
        const double t = 0.01 * (step + 0.5); /* the middle of the step */
        for (int i = 0; i < N; i++) gradients[9 * i + 1] = (i + 1) * cos(0.2 * t), gradients[9 * i + 5] = -0.5 * i; /* du/dy, dv/dz */
        if (qi_step_ensemble(e, 0.01) != QI_OK) {
            fprintf(stderr, "%s\n", qi_last_error());
            return 1;
        }
    }
    if (qi_get_orientations(e, q, 4, 1) != QI_OK) return 1;
    for (int i = 0; i < N; i++) printf("fibre %d: % .4f % .4f % .4f % .4f\n", i, q[4 * i], q[4 * i + 1], q[4 * i + 2], q[4 * i + 3]);
    qi_destroy_ensemble(e);
    return 0;
}

/* It prints:
fibre 0:  0.6274  0.0000  0.0000 -0.7787
fibre 1:  0.0990  0.6462  0.0960 -0.7506
fibre 2: -0.2537  0.5930  0.3508 -0.6789
fibre 3: -0.5401  0.3919  0.5776 -0.4702
*/
