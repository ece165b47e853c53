/* sundials.c: the contenders of SUNDIALS, CVODE's Adams method and ARKODE's explicit Runge-Kutta method. */
#include "equations.h"
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <sundials/sundials_version.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

typedef struct {
    equations e;
    SUNContext context;
    N_Vector y;
    SUNNonlinearSolver solver;
    void *cvode, *erk; /* one of the two */
} state;

static int rate(realtype time, N_Vector y, N_Vector out, void *of)
{
    equations_rate(of, time, N_VGetArrayPointer(y), N_VGetArrayPointer(out));
    return 0;
}

static void must(int status)
{
    if (status < 0) {
        fprintf(stderr, "SUNDIALS: %d\n", status);
        exit(1);
    }
}

static state *start(const problem *p)
{
    state *s = calloc(1, sizeof *s);
    if (s == NULL) exit(1);
    s->e.p = p;
    must(SUNContext_Create(NULL, &s->context));
    s->y = N_VNew_Serial(EQUATIONS, s->context);
    equations_start(p, N_VGetArrayPointer(s->y));
    return s;
}

static void *start_adams(const problem *p, double tolerance)
{
    state *s = start(p);
    s->cvode = CVodeCreate(CV_ADAMS, s->context);
    s->solver = SUNNonlinSol_FixedPoint(s->y, 0, s->context);
    must(CVodeInit(s->cvode, rate, 0, s->y));
    must(CVodeSetUserData(s->cvode, &s->e));
    must(CVodeSStolerances(s->cvode, tolerance, tolerance));
    must(CVodeSetNonlinearSolver(s->cvode, s->solver));
    must(CVodeSetMaxNumSteps(s->cvode, -1));
    must(CVodeSetStopTime(s->cvode, p->end));
    return s;
}

static void *start_erk(const problem *p, double tolerance)
{
    state *s = start(p);
    s->erk = ERKStepCreate(rate, 0, s->y, s->context);
    must(ERKStepSetUserData(s->erk, &s->e));
    must(ERKStepSetOrder(s->erk, 8));
    must(ERKStepSStolerances(s->erk, tolerance, tolerance));
    must(ERKStepSetMaxNumSteps(s->erk, -1));
    must(ERKStepSetStopTime(s->erk, p->end));
    return s;
}

static void run(void *of)
{
    state *s = of;
    realtype t;
    const int status = s->cvode ? CVode(s->cvode, s->e.p->end, s->y, &t, CV_NORMAL)
                                : ERKStepEvolve(s->erk, s->e.p->end, s->y, &t, ARK_NORMAL);
    if (status < 0) N_VGetArrayPointer(s->y)[0] = NAN; /* it did not reach the end: the tolerance is too small for it */
}

static void finish(void *of, outcome *result)
{
    state *s = of;
    long steps;
    equations_finish(N_VGetArrayPointer(s->y), result);
    result->evaluations = s->e.evaluations;
    if (s->cvode) {
        must(CVodeGetNumSteps(s->cvode, &steps));
        CVodeFree(&s->cvode);
        SUNNonlinSolFree(s->solver);
    } else {
        must(ERKStepGetNumSteps(s->erk, &steps));
        ERKStepFree(&s->erk);
    }
    result->steps = (double)steps;
    N_VDestroy(s->y);
    SUNContext_Free(&s->context);
    free(s);
}

#define LIBRARY "SUNDIALS " SUNDIALS_VERSION

const peer *peers(int *count)
{
    static const peer all[] = {
        {"CVODE Adams", LIBRARY, "Adams-Moulton of order 1 to 12 with fixed-point iteration, adaptive",
         "every iteration, body", "drifts", "double", 0, TOLERANCE, 1,
         start_adams, run, finish},
        {"ARKODE ERK 8", LIBRARY, "Fehlberg 8(7) with 13 stages, adaptive",
         "every stage, body", "drifts", "double", 8, TOLERANCE, 1,
         start_erk, run, finish},
    };
    *count = (int)(sizeof all / sizeof *all);
    return all;
}
