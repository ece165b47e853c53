/* quatint_mex.h: what the files of quatint_mex share. Private: nothing else includes it. */
#ifndef QUATINT_MEX_H
#define QUATINT_MEX_H

#if defined __linux__ && !defined _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* for pthread_sigmask with -std=c99 */
#endif
#include <ctype.h>
#include <math.h>
#include <mex.h>
#include <quatint.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <pthread.h>
#include <signal.h>
#endif

/* The process of MATLAB or Octave may have other functions with these names. Hidden, they stay apart from those. */
#if defined __GNUC__ && !defined _WIN32
#pragma GCC visibility push(hidden)
#endif

/* ---- an ensemble, and the body alone of a quatint.Body: ensembles.c, lone_body.c ---- */

typedef struct lone_body lone_body;

typedef struct {
    qi_ensemble *ensemble; /* NULL: the slot is free */
    lone_body *lone;       /* NULL: not the ensemble of a quatint.Body */
    double id;
    size_t count, moving;  /* number of bodies, and of bodies that move: the rows of a stage */
    void *pin;             /* see keep_pages */
    double *gradients;     /* bound velocity gradients of the fluid, 9 numbers a body by rows; NULL: none */
    bool asking;           /* M code evaluates the torque function, between two stages */
    bool rotors;           /* the bodies of the ensemble have rotors; those of a quatint.Body are in `lone` */
    bool random;           /* there are random torques */
} entry;

#ifdef _WIN32
typedef SRWLOCK mutex;
typedef CONDITION_VARIABLE condition;
typedef HANDLE thread;
#else
typedef pthread_mutex_t mutex;
typedef pthread_cond_t condition;
typedef pthread_t thread;
#endif

typedef enum { STEPS, SOLVE, RECORD, UNTIL, ACTING_TORQUE, ACCELERATION, DRIFT, SET_CLOCK, SET_INERTIA } task;
typedef enum { NOTHING, TORQUE, EVENT, INERTIA } question;

typedef struct {
    double row[7], clock[2]; /* the orientation, the angular velocity in the body frame */
} state;

struct lone_body {
    qi_body *body;
    double rotors[3], motor[3];    /* their angular momentum, and the torque that drives them, body frame; between calls */
    double longest;                /* limits of error control; 0: none */
    uint64_t most;
    int32_t solve_method;
    bool function;                 /* the torque is an M function */
    bool changes;                  /* an M function gives the inertia */
    state taken;                   /* the state of the ensemble that the body has; clock NaN: none */
    state before;                  /* the state of the body before `task` */

    task task;
    double dt, end, tolerance;     /* what `task` needs */
    double clock[2];
    uint64_t steps, earlier;       /* steps to take, and those that M code has taken in earlier calls */
    int32_t direction;
    size_t count;                  /* number of times, with a row of 8 numbers for each */
    double *times, *rows;

    qi_status status;              /* what came of it */
    uint64_t completed;
    size_t written;
    double present[3];             /* a vector at the present state, world frame */
    char cause[512];

    bool running;                  /* on the thread, between 'begin' or 'solve' and the end */
    bool cancelled;
    thread thread;
    mutex mutex;
    condition changed;
    question question;             /* what the thread waits for; NOTHING: it works, or has ended */
    bool ended;
    double time, q[4], omega[3], answer[9];
};

/* ---- a command: quatint_mex.c ---- */

typedef struct command command;

typedef struct {
    const command *command;
    entry *entry; /* the ensemble named by the first argument, for commands on an ensemble */
    int outputs, inputs;
    mxArray **out;
    const mxArray **in; /* the arguments after the command and the ensemble */
} call;

enum { MOST = 4 }; /* inputs of a conversion */
typedef void run_command(call c);
typedef qi_status convert_row(double in[MOST][9], const char *sequence, double out[2][9]);

struct command {
    const char *name;
    run_command *run;
    int inputs;      /* number of arguments after the command and the ensemble */
    bool on_ensemble;
    bool rotors;     /* the momentum of the rotors is added to what is read */
    bool always;     /* allowed while a function is evaluated for a body alone; so are those with `get` or `total` */
    int width;       /* numbers per body, or of a total, that are read or written */
    qi_status (*get)(const qi_ensemble *, double *, ptrdiff_t, ptrdiff_t);       /* of get_rows */
    qi_status (*set)(qi_ensemble *, const double *, ptrdiff_t, ptrdiff_t);       /* of set_rows */
    qi_status (*total)(const qi_ensemble *, double *);                           /* of get_totals */
    qi_status (*list)(const qi_ensemble *, double *, ptrdiff_t);                 /* of get_list */
    qi_status (*whole)(const qi_ensemble *, uint64_t *);                         /* of get_whole */
    qi_status (*set_number)(qi_ensemble *, double);                              /* of set_number */
    qi_status (*set_numbers)(qi_ensemble *, const double *);                     /* of set_numbers */
    qi_status (*set_whole)(qi_ensemble *, uint64_t);                             /* of set_whole */
    convert_row *convert;                                                        /* of rotations */
    struct { const char *name; int width; } in[MOST];
    int out[2];
    bool sequence;   /* there is one more input, the sequence of axes of Euler angles */
};

/* ---- errors: arguments.c ---- */

void raise_cause(qi_status status, uint64_t steps, const char *place, const char *cause);
void raise_status(qi_status status, uint64_t steps, const char *place);
const char *numbered(const char *item, size_t index, size_t items);
void check_after(const entry *e, uint64_t steps, qi_status status);
void check(const entry *e, qi_status status);

/* ---- arguments and matrices: arguments.c. A wrong argument raises an M error ---- */

enum { ANY = -1 }; /* number of items */
const double *real_numbers(const mxArray *a, const char *name);
double number(const mxArray *a, const char *name);
uint64_t whole_number(const mxArray *a, const char *name);
const uint64_t *whole_numbers(const mxArray *a, size_t count, const char *name);
size_t count_items(const mxArray *a, int width, double count, const char *name);
const double *vector(const mxArray *a, int width, const char *name);
const double *vector_each(const mxArray *a, size_t n, const char *name);
const double *for_each_body(const entry *e, const mxArray *a, int width, const char *name, ptrdiff_t *stride);
const size_t *body_list(const entry *e, const mxArray *a, const char *name, size_t *n);
const size_t *listed_bodies(const entry *e, const mxArray *a, const char *name, size_t *n);
int32_t frame(const mxArray *a);
bool is_nothing(const mxArray *a);
double *data_of(const mxArray *a);
void wrong_size(const mxArray *a, const char *name, const char *must);
void wrong_size_because(const mxArray *a, const char *name, const char *must, const char *why);
mxArray *new_matrix(size_t rows, size_t columns);
uint64_t *new_whole_numbers(mxArray **out, size_t count);
void give_vector(call c, const double *v);
void to_rows(size_t n, size_t width, const double *columns, double *rows);
void to_columns(size_t n, size_t width, const double *rows, double *columns);

/* ---- the table of ensembles: ensembles.c ---- */

entry *find_entry(const mxArray *id);
void destroy_all(void);
run_command create, destroy, count_alive, version;

/* ---- states and settings of an ensemble: properties.c, inertia.c, rows.c, sums.c, random.c, torques.c, points.c ---- */

run_command get_rows, set_rows, get_totals, get_list, get_whole, set_number, set_numbers, set_whole;
qi_status get_omega_body(const qi_ensemble *e, double *to, ptrdiff_t body_stride, ptrdiff_t component_stride);
qi_status set_omega_body(qi_ensemble *e, const double *from, ptrdiff_t body_stride, ptrdiff_t component_stride);
run_command set_threads, set_active, set_inertia, set_principal_inertias, set_method, get_method;
bool is_named(const char *given, const char *name);

run_command set_inertia_keeping, set_inertia_row, lock_axes;
void give_inertia(entry *e);

double *room_for_rows(size_t rows, size_t width);
run_command row_size, get_body_rows, set_body_rows, resize, select_bodies;

run_command energy_sums, momentum_sums, add_to_sums, values_of_sums;

run_command set_langevin, set_ids, get_ids, get_degrees;

run_command no_torque, function_torque, constant_torque, uniform_field, gravity_gradient, linear_drag, shear_flow;
run_command set_drag, forget_torque, set_flow_gradients;

run_command set_points, point_count, point_positions, point_velocities, sum_point_forces;

/* ---- steps, kicks and drifts: steps.c ---- */

run_command advance, begin, supply, supply_in_place, write_one, cancel, kick, drift, kick_drift;

/* ---- a body alone: lone_body.c, thread.c, solve.c, rotors.c, changing_inertia.c ---- */

void destroy_lone(lone_body *l);
lone_body *lone_of(call c);
void refuse_lone(const entry *e);
bool is_running(const entry *e);
void take_state(entry *e);
void give_state(entry *e);
void carry_out(lone_body *l);
void conclude(entry *e);
void begin_lone(call c, double dt, uint64_t steps, uint64_t earlier);
void supply_lone(call c, const double *answer, size_t count, double *q, double *omega);
run_command make_alone, start_task;

void prepare_turns(lone_body *l);
void release_turns(lone_body *l);
int32_t ask_torque(double time, const double *q, const double *omega, double *torque, void *user_data);
double ask_event(double time, const double *q, const double *omega, void *user_data);
int32_t ask_inertia(double time, double *inertia, void *user_data);
bool start_thread(lone_body *l);
question wait_for_question(lone_body *l);
void answer_question(lone_body *l);
void end_thread(lone_body *l);

run_command solve, solved_rows, solve_until, solved_event, get_acting_torque, get_acceleration, present_vector;
run_command solve_statistics, set_longest_step, set_most_evaluations, set_solve_method;

bool uses_rotors(const entry *e);
void read_rotors(lone_body *l);
void add_rotors(const entry *e, double *momentum);
run_command set_rotors, get_rotors, set_motor, get_motor, set_momenta;

bool uses_lone(const entry *e);
run_command set_inertia_function, end_inertia_function, begin_drift, move_clock;

/* ---- conversions and torque functions: rotations.c ---- */

run_command rotations;
convert_row rotate, rotate_inverse, from_axis_angle, to_axis_angle, from_rotation_vector, to_rotation_vector;
convert_row from_matrix, to_matrix, from_euler, to_euler, product, inverse, slerp, angle;
convert_row from_euler_rates, to_euler_rates, from_mrp, to_mrp, principal_axes;
convert_row body_torque, uniform_field_torque, gravity_gradient_torque, linear_drag_torque;
convert_row shear_flow_resistances, shear_flow_torque;

/* ---- assemblies: mass.c ---- */

run_command add_point_mass, add_sphere_mass, add_ellipsoid_mass, add_box_mass, add_cylinder_mass, add_mesh_mass, add_inertia_mass;
run_command mass_properties;

#if defined __GNUC__ && !defined _WIN32
#pragma GCC visibility pop
#endif

#endif
