/* test_package.c: a body turns freely, and its angular momentum stays. */
#include <math.h>
#include <quatint.h>
#include <stdio.h>

int main(void)
{
    const double inertia[9] = {1, 0, 0, 0, 2, 0, 0, 0, 2.5}, omega[3] = {0.1, 1, 0.2};
    double before[3], after[3], change = 0;
    qi_body *body = qi_create_body(inertia, NULL, omega, NULL);
    if (body == NULL || qi_set_method(body, QI_METHOD_SPLITTING) != QI_OK || qi_get_angular_momentum(body, before) != QI_OK
        || qi_advance(body, 0.01, 1000, NULL) != QI_OK || qi_get_angular_momentum(body, after) != QI_OK) {
        puts(qi_last_error());
        return 1;
    }
    qi_destroy_body(body);
    for (int k = 0; k < 3; k++) change = fmax(change, fabs(after[k] - before[k]));
    printf("in 1000 steps the angular momentum changes by %.0e\n", change);
    return change < 1e-12 ? 0 : 1;
}
