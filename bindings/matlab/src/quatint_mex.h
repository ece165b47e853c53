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

/* ---- a body or an ensemble: objects.c, body.c ---- */

typedef struct body body;

typedef struct {
    double id;             /* 0: the slot is free */
    qi_ensemble *ensemble; /* NULL: a body */
    body *body;            /* NULL: an ensemble */
    bool asking;           /* M code evaluates a function, between two calls of the library or while one waits */
    bool random;           /* there are random torques */

    size_t count, moving;  /* number of bodies, and of bodies that move: the rows of a stage */
    void *pin;             /* see keep_pages */
    double *gradients;     /* bound velocity gradients of the fluid, 9 numbers a body by rows; NULL: none */
    bool rotors;           /* the bodies of an ensemble have rotors */
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

typedef enum { NOTHING, TORQUE, EVENT, INERTIA, MONITOR } question;
typedef struct command command;
typedef qi_status run_task(body *b);

enum { MOST_NUMBERS = 9 };

struct body {
    qi_body *handle;
    bool has_function;             /* the torque is an M function */
    bool changes;                  /* an M function gives the inertia */

    run_task *task;                /* calls the library, with what is here: */
    const command *command;
    double numbers[MOST_NUMBERS], *given; /* given: the numbers, or NULL for [] */
    double dt, end, tolerance;
    uint64_t steps, earlier;       /* steps to take, and those that are taken */
    int32_t direction;
    size_t count;                  /* number of times, with a row of 8 numbers for each */
    double *times, *rows;

    qi_status status;              /* what came of it */
    uint64_t completed;
    size_t written;
    char cause[512];

    question question;             /* what M code has to answer; NOTHING: the task has ended */
    double time, q[4], omega[3], answer[MOST_NUMBERS];
    double (*answers)[MOST_NUMBERS]; /* those of the step so far */
    size_t answered, used, room;

    bool on_thread;                /* `task` runs on a thread, which waits while M code answers */
    bool is_running;               /* the thread has not been joined */
    bool cancelled, ended;
    thread thread;
    mutex mutex;
    condition changed;
};

/* ---- a command: quatint_mex.c ---- */

typedef struct {
    const command *command;
    entry *entry; /* the object that the first argument names, for commands on an object */
    int outputs, inputs;
    mxArray **out;
    const mxArray **in; /* the arguments after the command and the object */
} call;

enum { MOST = 4 }; /* inputs of a conversion */
typedef void run_command(call c);
typedef qi_status convert_row(double in[MOST][9], const char *sequence, double out[2][9]);

typedef enum { NO_OBJECT, BODY, ENSEMBLE, EITHER } object;

struct command {
    const char *name;
    run_command *run;
    int inputs;      /* number of arguments after the command and the object */
    object on;
    bool always;     /* allowed while M code evaluates a function for a body */
    int width;       /* numbers per body, or of a total, that are read or written */
    qi_status (*get)(const qi_ensemble *, double *, ptrdiff_t, ptrdiff_t);       /* of get_rows */
    qi_status (*set)(qi_ensemble *, const double *, ptrdiff_t, ptrdiff_t);       /* of set_rows */
    qi_status (*total)(const qi_ensemble *, double *);                           /* of get_totals */
    qi_status (*list)(const qi_ensemble *, double *, ptrdiff_t);                 /* of get_list */
    qi_status (*whole)(const qi_ensemble *, uint64_t *);                         /* of get_whole */
    qi_status (*set_number)(qi_ensemble *, double);                              /* of set_number */
    qi_status (*set_numbers)(qi_ensemble *, const double *);                     /* of set_numbers */
    qi_status (*set_whole)(qi_ensemble *, uint64_t);                             /* of set_whole */
    qi_status (*do_it)(qi_ensemble *);                                           /* of do_it */
    struct {         /* the same for a body */
        qi_status (*get)(const qi_body *, double *);                             /* of get_of_body */
        qi_status (*whole)(const qi_body *, uint64_t *);                         /* of get_whole_of_body */
        qi_status (*set_number)(qi_body *, double);                              /* of set_number_of_body */
        qi_status (*set_numbers)(qi_body *, const double *);                     /* of set_numbers_of_body */
        qi_status (*set_whole)(qi_body *, uint64_t);                             /* of set_whole_of_body */
        qi_status (*do_it)(qi_body *);                                           /* of do_with_body */
        qi_status (*ask)(qi_body *, double *);                                   /* of ask_of_body */
    } body;
    bool may_be_nothing; /* [] is NULL */
    convert_row *convert;                                                        /* of rotations */
    struct { const char *name; int width; } in[MOST];
    int out[2];
    bool sequence;   /* there is one more input, the sequence of axes of Euler angles */
};

/* ---- errors: arguments.c ---- */

void raise_cause(qi_status status, uint64_t steps, const char *place, const char *cause);
void raise_status(qi_status status, uint64_t steps, const char *place);
void raise_no_memory(void);
void refuse_while_asking(const entry *e);
const char *numbered(const char *item, size_t index, size_t items);
void check_after(const entry *e, uint64_t steps, qi_status status);
void check(const entry *e, qi_status status);

/* ---- arguments and matrices: arguments.c. A wrong argument raises an M error ---- */

enum { ANY = -1 }; /* number of items */
const double *real_numbers(const mxArray *a, const char *name);
const int64_t *integers(const mxArray *a, const char *name);
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
mxArray *new_numbers(const double *numbers, size_t count);
void to_rows(size_t n, size_t width, const double *columns, double *rows);
void to_columns(size_t n, size_t width, const double *rows, double *columns);

/* ---- the table of bodies and ensembles: objects.c ---- */

entry *find_entry(const mxArray *id);
void destroy_all(void);
run_command create, create_body, destroy, count_alive, version;

/* ---- states and settings: properties.c, inertia.c, rows.c, sums.c, random.c, rotors.c, torques.c, points.c ---- */

run_command get_rows, set_rows, get_totals, get_list, get_whole, set_number, set_numbers, set_whole, do_it;
run_command get_of_body, get_whole_of_body, set_number_of_body, set_numbers_of_body, set_whole_of_body, do_with_body, ask_of_body;
qi_status get_omega_body(const qi_ensemble *e, double *to, ptrdiff_t body_stride, ptrdiff_t component_stride);
qi_status set_omega_body(qi_ensemble *e, const double *from, ptrdiff_t body_stride, ptrdiff_t component_stride);
qi_status set_orientation_of_body(qi_body *b, const double *orientation);
qi_status set_velocity_of_body(qi_body *b, const double *omega);
qi_status set_velocity_body_of_body(qi_body *b, const double *omega);
run_command set_threads, set_active, set_method, get_method;
bool is_named(const char *given, const char *name);

run_command set_inertias, set_inertia, lock_axes, set_inertia_function, end_inertia_function;

double *room_for_rows(size_t rows, size_t width);
run_command row_size, get_body_rows, set_body_rows, resize, select_bodies;

run_command energy_sums, momentum_sums, add_to_sums, values_of_sums;

run_command set_langevin, set_ids, get_ids, get_degrees;

run_command set_rotors, get_rotors;

run_command no_torque, function_torque, constant_torque, uniform_field, gravity_gradient, linear_drag, shear_flow;
run_command set_drag, set_flow_gradients;

run_command set_points, point_count, point_positions, point_velocities, sum_point_forces;

/* ---- steps, kicks and drifts: steps.c ---- */

run_command advance, begin, supply, supply_in_place, write_one, cancel, kick, kick_drift;

/* ---- a body that asks for torque and inertia, and its solutions: body.c, thread.c, solve.c ---- */

body *make_body(const double *inertia, qi_status *status);
void destroy_body(body *b);
void start_task(call c, run_task *task);
void start_solution(call c, run_task *task, bool asks);
void begin_steps(call c, double dt, uint64_t steps, uint64_t earlier);
void supply_body(call c, double *q, double *omega);
void cancel_task(entry *e);
int32_t ask_torque(double time, const double *q, const double *omega, double *torque, void *user_data);
double ask_event(double time, const double *q, const double *omega, void *user_data);
int32_t ask_inertia(double time, double *inertia, void *user_data);
int32_t ask_monitor(double time, const double *q, const double *omega, void *user_data);

void prepare_turns(body *b);
void release_turns(body *b);
void carry_out(body *b);
bool wait_for_answer(body *b, question what);
bool start_thread(body *b);
void wait_for_question(body *b);
void answer_question(body *b);
void end_thread(body *b);

run_command begin_to_ask, solve, solved_rows, solve_until, solved_event;
run_command solve_statistics, set_longest_step, set_most_evaluations, set_solve_method;

/* ---- conversions and torque functions: rotations.c ---- */

run_command rotations;
convert_row rotate, rotate_inverse, from_axis_angle, to_axis_angle, from_rotation_vector, to_rotation_vector;
convert_row from_matrix, to_matrix, from_euler, to_euler, product, inverse, slerp, angle, orientation_rate;
convert_row from_euler_rates, to_euler_rates, from_mrp, to_mrp, principal_axes;
convert_row body_torque, uniform_field_torque, gravity_gradient_torque, linear_drag_torque;
convert_row shear_flow_resistances, shear_flow_torque;

/* ---- orientations from angular velocities: attitude.c ---- */

run_command turn_times, turn_orientation, turn_by_samples;

/* ---- assemblies: mass.c ---- */

run_command add_point_mass, add_sphere_mass, add_ellipsoid_mass, add_box_mass, add_cylinder_mass, add_capsule_mass, add_hemisphere_mass;
run_command add_cone_mass, add_mesh_mass, add_inertia_mass, mass_properties, inertia_about;

#if defined __GNUC__ && !defined _WIN32
#pragma GCC visibility pop
#endif

#endif
