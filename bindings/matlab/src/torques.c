/* torques.c: torques and drag of a body or an ensemble. */
#include "quatint_mex.h"

/* Checks the status with which a torque has been set. */
static void check_torque(call c, qi_status status, bool is_function)
{
    check(c.entry, status);
    if (c.entry->body != NULL) c.entry->body->has_function = is_function;
}

/* The body, or NULL. */
static qi_body *body_of(call c) { return c.entry->body == NULL ? NULL : c.entry->body->handle; }

static qi_status set_no_torque(call c)
{
    return body_of(c) != NULL ? qi_set_torque(body_of(c), NULL, NULL)
                              : qi_set_ensemble_torque(c.entry->ensemble, NULL, QI_LAYOUT_AOS, QI_FRAME_WORLD, NULL);
}

void no_torque(call c) { check_torque(c, set_no_torque(c), false); }

/* An ensemble has no torque of its own then: M code evaluates the function by the stage protocol. */
void function_torque(call c)
{
    body *b = c.entry->body;
    check_torque(c, b != NULL ? qi_set_torque(b->handle, ask_torque, b) : set_no_torque(c), true);
}

void constant_torque(call c)
{
    ptrdiff_t stride;
    const double *torques = for_each_body(c.entry, c.in[0], 3, "torque", &stride);
    const int32_t of = frame(c.in[1]);
    check_torque(c, body_of(c) != NULL ? qi_set_constant_torque(body_of(c), torques, of)
                                       : qi_set_ensemble_constant_torque(c.entry->ensemble, torques, stride, of), false);
}

void uniform_field(call c)
{
    ptrdiff_t stride;
    const double *vectors = for_each_body(c.entry, c.in[0], 3, "vectorBody", &stride);
    const double *field = vector(c.in[1], 3, "fieldWorld");
    check_torque(c, body_of(c) != NULL ? qi_set_uniform_field_torque(body_of(c), vectors, field)
                                       : qi_set_ensemble_uniform_field_torque(c.entry->ensemble, vectors, stride, field), false);
}

void gravity_gradient(call c)
{
    ptrdiff_t stride;
    const double *direction = vector(c.in[0], 3, "directionWorld");
    const double *gradients = for_each_body(c.entry, c.in[1], 1, "gradient", &stride);
    check_torque(c, body_of(c) != NULL
                        ? qi_set_gravity_gradient_torque(body_of(c), direction, gradients[0])
                        : qi_set_ensemble_gravity_gradient_torque(c.entry->ensemble, direction, gradients, stride), false);
}

void linear_drag(call c)
{
    ptrdiff_t stride;
    const double *coefficients = for_each_body(c.entry, c.in[0], 3, "coefficients", &stride);
    check_torque(c, body_of(c) != NULL ? qi_set_linear_drag_torque(body_of(c), coefficients)
                                       : qi_set_ensemble_linear_drag_torque(c.entry->ensemble, coefficients, stride), false);
}

void shear_flow(call c)
{
    ptrdiff_t stride;
    double gradient[9]; /* row-major */
    const double *axes = for_each_body(c.entry, c.in[0], 3, "semiAxes", &stride);
    const double viscosity = number(c.in[1], "viscosity");
    to_columns(3, 3, vector(c.in[2], 9, "velocityGradient"), gradient);
    check_torque(c, body_of(c) != NULL
                        ? qi_set_shear_flow_torque(body_of(c), axes, viscosity, gradient)
                        : qi_set_ensemble_shear_flow_torque(c.entry->ensemble, axes, stride, viscosity, gradient), false);
}

/* With [] as the coefficients the drag is removed; with [] as the flow the fluid is at rest. */
void set_drag(call c)
{
    ptrdiff_t stride = 0, flow_stride = 0;
    const double *coefficients = NULL, *flow = NULL;
    if (!is_nothing(c.in[0])) coefficients = for_each_body(c.entry, c.in[0], 3, "coefficients", &stride);
    if (!is_nothing(c.in[1])) flow = for_each_body(c.entry, c.in[1], 3, "flow", &flow_stride);
    check(c.entry, body_of(c) != NULL ? qi_set_drag(body_of(c), coefficients, flow)
                                      : qi_set_ensemble_drag(c.entry->ensemble, coefficients, stride, flow, flow_stride));
}

/* Gives back `fresh` to the system if the ensemble refuses it; else the ensemble reads it, and no longer those before. */
static void bind_gradients(entry *e, double *fresh)
{
    const qi_status status = qi_bind_flow_gradients(e->ensemble, fresh, 9, 1, 3); /* as M code has them: by columns */
    if (status != QI_OK) free(fresh);
    check(e, status);
    free(e->gradients);
    e->gradients = fresh;
}

/* M code cannot lend a matrix, so the ensemble reads a copy. Each call binds a new one: the library checks it, and refuses it in
 * the middle of a step. With [] the bodies share the gradient of the shear flow again. */
void set_flow_gradients(call c)
{
    const size_t n = c.entry->count;
    if (is_nothing(c.in[0])) {
        bind_gradients(c.entry, NULL);
        return;
    }
    const size_t given = count_items(c.in[0], 9, (double)n, "velocityGradients");
    const double *columns = data_of(c.in[0]);
    double *copy = malloc((n + 1)*9*sizeof *copy);
    if (copy == NULL) raise_no_memory();
    for (size_t i = 0; i < n; i++) memcpy(copy + 9*i, columns + (given == 1 ? 0 : 9*i), 9*sizeof *copy);
    bind_gradients(c.entry, copy);
}
