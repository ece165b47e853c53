/* rotors.c: rotors, and their angular momentum. */
#include "quatint_mex.h"

static bool is_zero(const double *v) { return v[0] == 0 && v[1] == 0 && v[2] == 0; }
bool uses_rotors(const entry *e) { return e->lone != NULL && !(is_zero(e->lone->rotors) && is_zero(e->lone->motor)); }
void read_rotors(lone_body *l) { check(NULL, qi_get_rotor_momentum(l->body, l->rotors)); }

void set_rotors(call c)
{
    lone_body *l = c.entry->lone;
    if (l == NULL) { /* with [] the rotors are removed */
        static const double no_bodies[3] = {0, 0, 0};
        ptrdiff_t stride = 0;
        const double *momenta = NULL;
        if (!is_nothing(c.in[0])) momenta = for_each_body(c.entry, c.in[0], 3, "rotorMomentum", &stride);
        if (!is_nothing(c.in[0]) && c.entry->count == 0) momenta = no_bodies;
        check(c.entry, qi_set_ensemble_rotor_momentum(c.entry->ensemble, momenta, stride));
        c.entry->rotors = momenta != NULL;
        return;
    }
    const double *momentum = is_nothing(c.in[0]) ? NULL : vector(c.in[0], 3, "rotorMomentum");
    take_state(c.entry);
    check(c.entry, qi_set_rotor_momentum(l->body, momentum));
    read_rotors(l);
}

/* Of an ensemble they are the last 3 of the parameters, or before the 6 of random torques: N-by-3, or [] for none. */
void get_rotors(call c)
{
    const entry *e = c.entry;
    if (e->lone != NULL) {
        give_vector(c, e->lone->rotors);
        return;
    }
    if (!e->rotors) {
        c.out[0] = mxCreateDoubleMatrix(0, 0, mxREAL);
        return;
    }
    const size_t n = e->count, width = qi_get_ensemble_row_size(e->ensemble, QI_PART_TORQUE);
    const size_t first = width - (e->random ? 9 : 3);
    double *rows = mxMalloc((n*width + 1)*sizeof *rows), *to = mxGetPr(c.out[0] = new_matrix(n, 3));
    check(e, qi_get_ensemble_rows(e->ensemble, QI_PART_TORQUE, NULL, n, rows));
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 3; k++) to[k*n + i] = rows[i*width + first + k];
    mxFree(rows);
}

void set_motor(call c)
{
    lone_body *l = lone_of(c);
    const double *torque = is_nothing(c.in[0]) ? NULL : vector(c.in[0], 3, "rotorTorque");
    take_state(c.entry);
    check(c.entry, qi_set_rotor_torque(l->body, torque));
    check(NULL, qi_get_rotor_torque(l->body, l->motor));
}

void get_motor(call c)
{
    give_vector(c, lone_of(c)->motor);
}

void set_momenta(call c)
{
    if (!uses_rotors(c.entry)) {
        set_rows(c);
        return;
    }
    count_items(c.in[0], c.command->width, 1, c.command->in[0].name);
    take_state(c.entry);
    check(NULL, qi_set_angular_momentum(c.entry->lone->body, mxGetPr(c.in[0])));
    give_state(c.entry);
}

/* The angular momentum of an ensemble of one includes that of its rotors. */
void add_rotors(const entry *e, double *momentum)
{
    double q[4], rotors[3];
    if (!uses_rotors(e)) return;
    check(e, qi_get_orientations(e->ensemble, q, 4, 1));
    check(e, qi_rotate(q, e->lone->rotors, rotors));
    for (int k = 0; k < 3; k++) momentum[k] += rotors[k];
}
