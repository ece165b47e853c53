/* changing_inertia.c: a body alone whose inertia an M function gives.
 *
 * The library asks for the inertia whenever time passes. So the body alone takes all steps then, on its thread, and the clock is
 * set there, too. The ensemble has the inertia of the moment.
 */
#include "quatint_mex.h"

/* Whether the body alone takes the steps, and not the ensemble. */
bool uses_lone(const entry *e) { return uses_rotors(e) || (e->lone != NULL && e->lone->changes); }

/* M code answers the questions for the function. */
void set_inertia_function(call c)
{
    lone_body *l = lone_of(c);
    if (c.entry->random) mexErrMsgIdAndTxt("quatint:Invalid", "a body with random torques takes no inertia function");
    l->task = SET_INERTIA;
    start_task(c);
}

/* The inertia stays that of this moment, which the ensemble has already. */
void end_inertia_function(call c)
{
    lone_body *l = lone_of(c);
    check(c.entry, qi_set_inertia_function(l->body, NULL, NULL));
    l->changes = false;
}

void begin_drift(call c)
{
    lone_body *l = lone_of(c);
    l->dt = number(c.in[0], "duration");
    l->task = DRIFT;
    start_task(c);
}

void move_clock(call c)
{
    lone_body *l = lone_of(c);
    const double *clock = vector(c.in[0], 2, "clock");
    memcpy(l->clock, clock, sizeof l->clock);
    l->task = SET_CLOCK;
    start_task(c);
}
