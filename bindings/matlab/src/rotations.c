/* rotations.c: conversions of orientations, and torque functions, row by row. Matrices of M code are column-major. */
#include "quatint_mex.h"

#define ADAPT(name, call) \
    qi_status name(double in[MOST][9], const char *sequence, double out[2][9]) \
    { \
        (void)sequence; \
        return call; \
    }
ADAPT(rotate, qi_rotate(in[0], in[1], out[0]))
ADAPT(rotate_inverse, qi_rotate_inverse(in[0], in[1], out[0]))
ADAPT(from_axis_angle, qi_orientation_from_axis_angle(in[0], in[1][0], out[0]))
ADAPT(to_axis_angle, qi_orientation_to_axis_angle(in[0], out[0], out[1]))
ADAPT(from_rotation_vector, qi_orientation_from_rotation_vector(in[0], out[0]))
ADAPT(to_rotation_vector, qi_orientation_to_rotation_vector(in[0], out[0]))
ADAPT(from_euler, qi_orientation_from_euler(in[0], sequence, out[0]))
ADAPT(to_euler, qi_orientation_to_euler(in[0], sequence, out[0]))
ADAPT(from_euler_rates, qi_angular_velocity_from_euler_rates(in[0], in[1], sequence, out[0]))
ADAPT(to_euler_rates, qi_angular_velocity_to_euler_rates(in[0], in[1], sequence, out[0]))
ADAPT(from_mrp, qi_orientation_from_mrp(in[0], out[0]))
ADAPT(to_mrp, qi_orientation_to_mrp(in[0], out[0]))
ADAPT(principal_axes, qi_get_principal_axes(in[0], out[0], out[1])) /* the tensor is symmetric */
ADAPT(product, qi_orientation_product(in[0], in[1], out[0]))
ADAPT(inverse, qi_orientation_inverse(in[0], out[0]))
ADAPT(slerp, qi_orientation_slerp(in[0], in[1], in[2][0], out[0]))
ADAPT(angle, qi_orientation_angle(in[0], in[1], out[0]))
ADAPT(orientation_rate, qi_orientation_rate(in[0], in[1], out[0]))

ADAPT(body_torque, qi_add_body_torque(in[0], in[1], out[0]))
ADAPT(uniform_field_torque, qi_add_uniform_field_torque(in[0], in[1], in[2], out[0]))
ADAPT(gravity_gradient_torque, qi_add_gravity_gradient_torque(in[0], in[1], in[2], in[3][0], out[0]))
ADAPT(linear_drag_torque, qi_add_linear_drag_torque(in[0], in[1], in[2], in[3], out[0]))
ADAPT(shear_flow_resistances, qi_get_shear_flow_resistances(in[0], in[1][0], out[0]))

qi_status shear_flow_torque(double in[MOST][9], const char *s, double out[2][9])
{
    double gradient[9];
    (void)s;
    to_rows(3, 3, in[3], gradient);
    return qi_add_shear_flow_torque(in[0], in[1], in[2], gradient, out[0]);
}

qi_status from_matrix(double in[MOST][9], const char *s, double out[2][9])
{
    double rows[9];
    (void)s;
    to_rows(3, 3, in[0], rows);
    return qi_orientation_from_matrix(rows, out[0]);
}

qi_status to_matrix(double in[MOST][9], const char *s, double out[2][9])
{
    double rows[9];
    (void)s;
    const qi_status status = qi_orientation_to_matrix(in[0], rows);
    to_columns(3, 3, rows, out[0]);
    return status;
}

/* Index of component `c` of item `i` of `n`, where an item is a row, or a page of 9 numbers. */
static size_t place(size_t i, size_t c, size_t n, int width) { return width == 9 ? 9*i + c : c*n + i; }

void rotations(call c)
{
    const command *how = c.command;
    size_t given[MOST] = {1, 1, 1, 1}, n = 1;
    char sequence[8] = "";
    const double *from[MOST];
    double *to[2] = {NULL, NULL}, in[MOST][9], out[2][9];
    int inputs = 0;

    for (; inputs < MOST && how->in[inputs].name != NULL; inputs++) {
        given[inputs] = count_items(c.in[inputs], how->in[inputs].width, ANY, how->in[inputs].name);
        from[inputs] = mxGetPr(c.in[inputs]);
        if (given[inputs] == 1) continue;
        if (n != 1 && n != given[inputs])
            mexErrMsgIdAndTxt("quatint:Size", "`%s` has %lu rows, what is before it %lu", how->in[inputs].name,
                              (unsigned long)given[inputs], (unsigned long)n);
        n = given[inputs];
    }
    if (how->sequence && (!mxIsChar(c.in[inputs]) || mxGetString(c.in[inputs], sequence, sizeof sequence) != 0))
        mexErrMsgIdAndTxt("quatint:Invalid", "`sequence` must be three axes, such as 'ZXZ' or 'xyz'");
    for (int o = 0; o < 2 && how->out[o] > 0 && (o == 0 || o < c.outputs); o++) {
        const mwSize pages[3] = {3, 3, n};
        c.out[o] = how->out[o] == 9 ? mxCreateNumericArray(3, pages, mxDOUBLE_CLASS, mxREAL) : new_matrix(n, (size_t)how->out[o]);
        to[o] = mxGetPr(c.out[o]);
    }
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < inputs; k++)
            for (int j = 0; j < how->in[k].width; j++)
                in[k][j] = from[k][place(given[k] == 1 ? 0 : i, (size_t)j, given[k], how->in[k].width)];
        memset(out, 0, sizeof out); /* helpers for torques add to it */
        const qi_status status = how->convert(in, sequence, out);
        if (status != QI_OK) raise_status(status, 0, numbered("row", i, n));
        for (int o = 0; o < 2 && to[o] != NULL; o++)
            for (int j = 0; j < how->out[o]; j++) to[o][place(i, (size_t)j, n, how->out[o])] = out[o][j];
    }
}
