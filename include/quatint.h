/**
 * @file quatint.h
 * The rotation of rigid bodies under torque: orientation and angular velocity, advanced in time.
 *
 * Made by cbindgen from src/ffi; do not edit. C99 and later, C++98 and later.
 *
 * A program:
 *
 *     const double inertia[9] = {3, 0, 0,  0, 5, 0,  0, 0, 9}, omega[3] = {0, 0.4, 0.001};
 *     double orientation[4];
 *     qi_body *body = qi_create_body(inertia, NULL, omega, NULL);
 *     if (body == NULL || qi_advance(body, 1e-3, 1000, NULL) != QI_OK) puts(qi_last_error());
 *     qi_get_orientation(body, orientation);
 *     qi_destroy_body(body);
 *
 * What holds for every function:
 *
 * Orientation  4 doubles (w, x, y, z), scalar first, of unit length. It takes body vectors to the world:
 *              v_world = q v_body q^-1. An orientation that is given is normalised when its length is within 1e-3 of 1, and
 *              refused otherwise.
 * Frames       world, unless a name or a comment says body.
 * Units        rad/s for angular velocity; any consistent units for torque, inertia and time.
 * Inertia      9 doubles, the full symmetric tensor about the centre of mass in the body frame (row-major and column-major
 *              are the same). Finite, symmetric to 1e-12 of the greatest entry, positive definite. The triangle inequality
 *              is not required: tensors with added mass are welcome.
 * Pointers     must be valid for the number of doubles that the comment gives. NULL is refused, unless "NULL:" says what it
 *              means; so are misaligned pointers. Arrays are read before anything is written, so they may overlap. The
 *              library keeps no pointer, except to bound arrays and to `user_data`.
 * Handles      `body` and `ensemble` are what qi_create_body() and qi_create_ensemble() returned.
 * Failure      The status says what kind of failure it is, qi_last_error() which argument and why. A call that fails changes
 *              nothing. Outputs are written on success only; the comment says so where a count is written on failure too.
 *              Any function may return QI_ERR_NULL or QI_ERR_MISALIGNED for its pointers and QI_ERR_BUSY for its handle. Any
 *              function that changes an ensemble returns QI_ERR_ORDER in the middle of a step of the stage protocol. The
 *              comments list the other statuses.
 * Threads      Calls that take a const handle may run at the same time. Any other call needs its handle to itself. Different
 *              handles are independent. The library has no global state but the last error of each thread. It prints
 *              nothing, installs no signal handlers and starts no threads, except for qi_set_ensemble_threads().
 * Callbacks    must return: no longjmp, no C++ exception through the library.
 * Bits         The same input gives the same 64 bits on every machine: the library uses only + - * / and sqrt, in one fixed
 *              order. Rounding mode and flush-to-zero are settings of the processor: leave them as they are (linking with
 *              gcc -ffast-math changes them).
 */

#ifndef QUATINT_H
#define QUATINT_H


#ifdef MATLAB_LOADLIBRARY /* its parser does not understand what is in the system's headers */
typedef signed int int32_t;
typedef unsigned int uint32_t;
#ifdef _WIN64
typedef unsigned long long uint64_t, size_t;
typedef long long ptrdiff_t;
#else
typedef unsigned long uint64_t, size_t;
typedef long ptrdiff_t;
#endif
#else
#include <stddef.h>
#include <stdint.h>
#endif

/**
 * Version of the header: major.
 */
#define QI_VERSION_MAJOR 0

/**
 * Version of the header: minor.
 */
#define QI_VERSION_MINOR 1

/**
 * Version of the header: patch.
 */
#define QI_VERSION_PATCH 0

/**
 * Version of the header, to compare: `MAJOR << 16 | MINOR << 8 | PATCH`.
 */
#define QI_VERSION_NUMBER (((QI_VERSION_MAJOR << 16) | (QI_VERSION_MINOR << 8)) | QI_VERSION_PATCH)

/**
 * Components along the axes of the world.
 */
#define QI_FRAME_WORLD 0

/**
 * Components along the axes of the body.
 */
#define QI_FRAME_BODY 1

/**
 * Arrays of structs: `orientation[4 * i + c]`, `angular_velocity[3 * i + c]`, `torque[3 * i + c]`.
 */
#define QI_LAYOUT_AOS 0

/**
 * Structs of arrays: `orientation[c * count + i]` and so on. No transposition: the fastest.
 */
#define QI_LAYOUT_SOA 1

/**
 * Orientations as (w, x, y, z).
 */
#define QI_SCALAR_FIRST 0

/**
 * Orientations as (x, y, z, w).
 */
#define QI_SCALAR_LAST 1

/**
 * Angular velocities, world frame.
 */
#define QI_OMEGA_WORLD 0

/**
 * Angular velocities, body frame: what the integrator itself keeps, and the only kind with the bits of a body stepped alone.
 */
#define QI_OMEGA_BODY 1

/**
 * Angular momenta `I omega`, world frame.
 */
#define QI_ANGMOM_WORLD 2

/**
 * Angular momenta `I omega`, body frame.
 */
#define QI_ANGMOM_BODY 3

/**
 * Order 2, two torques a step: PCDM, the default. F. Zhao, B. G. M. van Wachem, Acta Mech. 224, 3091 (2013).
 */
#define QI_METHOD_PCDM 0

/**
 * Order 4, four torques a step, for any torque: the commutator-free Runge-Kutta method of E. Celledoni, A. Marthinsen and
 * B. Owren, Future Gener. Comput. Syst. 19, 341 (2003).
 */
#define QI_METHOD_CF4 3

/**
 * A rigid body: inertia, orientation, angular velocity, a clock and the torque that acts on it.
 *
 * Calls with a `const qi_body *` may run at the same time; any other wants the body to itself. Different bodies are
 * independent.
 */
typedef struct qi_body qi_body;

/**
 * Rigid bodies that step together: their states (in memory of its own or of the caller's), inertias, torque and one clock.
 *
 * The bits of each body are those of the same body stepped alone as a qi_body, for any number of bodies and threads, on every
 * instruction set. Calls with a `const qi_ensemble *` may run at the same time; any other wants the ensemble to itself.
 * Different ensembles are independent.
 */
typedef struct qi_ensemble qi_ensemble;

/**
 * The result of a call. QI_OK is 0, errors are negative; a positive status is not an error, but tells something.
 */
typedef int32_t qi_status;

/**
 * A torque on a body, called at each stage of a step: by PCDM twice, at the start and at the predicted middle.
 *
 * It returns 0 when all is well. Anything else abandons the step, which returns QI_ERR_CALLBACK and leaves the body as it
 * was; qi_get_callback_result() tells the value. It must not throw or longjmp, nor use the body it is called for (that is
 * QI_ERR_BUSY). It is called on the thread that takes the step.
 *
 * @param time              the time of the stage (PCDM: the body's clock, then half a step later)
 * @param orientation       4 doubles (w, x, y, z), body to world
 * @param angular_velocity  3 doubles, world frame, rad/s
 * @param torque            receives 3 doubles, world frame; they are 0 before the call
 * @param user_data         what was given to qi_set_torque()
 * @return 0, or any other value to abandon the step
 */
typedef int32_t (*qi_torque_fn)(double time,
                                const double *orientation,
                                const double *angular_velocity,
                                double *torque,
                                void *user_data);

/**
 * A torque on a chunk of bodies, called at each stage of a step for each chunk: by PCDM twice. All arrays are packed.
 *
 * It returns 0 when all is well. Anything else abandons the step, which returns QI_ERR_CALLBACK and leaves all bodies as they
 * were. It must not throw or longjmp, nor use the ensemble it is called for. With one thread it is called on the caller's
 * thread, for the chunks in order; with more, from several threads at once.
 *
 * @param time              the time of the stage (PCDM: the clock, then half a step later)
 * @param first             the first body of the chunk (its position, where there is a list of active bodies)
 * @param count             bodies in the chunk: at most 64
 * @param orientation       4 doubles a body (w, x, y, z), body to world
 * @param angular_velocity  3 doubles a body, rad/s, in the frame that was asked for
 * @param torque            receives 3 doubles a body, in the same frame; they are 0 before the call
 * @param user_data         what was given to qi_set_ensemble_torque()
 * @return 0, or any other value to abandon the step
 */
typedef int32_t (*qi_ensemble_torque_fn)(double time,
                                         size_t first,
                                         size_t count,
                                         const double *orientation,
                                         const double *angular_velocity,
                                         double *torque,
                                         void *user_data);

/**
 * Success.
 */
#define QI_OK 0

/**
 * Not an error: the stage protocol waits for the torque.
 */
#define QI_NEED_TORQUE 1

/**
 * A required pointer is NULL.
 */
#define QI_ERR_NULL -1

/**
 * A pointer is not aligned to its type.
 */
#define QI_ERR_MISALIGNED -2

/**
 * An argument is out of its range.
 */
#define QI_ERR_INVALID -3

/**
 * An argument, a torque or the motion itself is NaN or infinite.
 */
#define QI_ERR_NON_FINITE -4

/**
 * The inertia tensor is not symmetric, not positive definite, or out of range.
 */
#define QI_ERR_INERTIA -5

/**
 * An orientation is too far from unit length, or a matrix from a rotation.
 */
#define QI_ERR_ORIENTATION -6

/**
 * The torque callback returned something other than 0.
 */
#define QI_ERR_CALLBACK -7

/**
 * There is no room for what would be written.
 */
#define QI_ERR_CAPACITY -8

/**
 * The object is in use: its own torque callback, or another thread, calls it during a call that changes it.
 */
#define QI_ERR_BUSY -9

/**
 * Memory is exhausted.
 */
#define QI_ERR_MEMORY -10

/**
 * A defect of the library itself. The object stays valid.
 */
#define QI_ERR_PANIC -11

/**
 * The calls of the stage protocol came in the wrong order.
 */
#define QI_ERR_ORDER -12

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Version of the library that is linked, to compare with QI_VERSION_NUMBER. Any thread may call it; it cannot fail.
 */
uint32_t qi_version_number(void);

/**
 * Version of the library that is linked, such as "0.1.0": a static string. Any thread may call it; it cannot fail.
 */
const char *qi_version_string(void);

/**
 * Name of a status, such as "QI_ERR_CALLBACK": a static string, for any integer. Any thread may call it; it cannot fail.
 */
const char *qi_status_name(qi_status status);

/**
 * Meaning of a status in a few words: a static string, for any integer. Any thread may call it; it cannot fail.
 */
const char *qi_status_message(qi_status status);

/**
 * Detail of the last failure on this thread: the function, the argument or the body, and what was wrong. For people to read;
 * programs find the body in qi_last_error_body().
 *
 * Never NULL, and empty before the first failure. A call that succeeds leaves it as it is. The string belongs to the
 * library and is valid until the next failure on the same thread.
 */
const char *qi_last_error(void);

/**
 * The cause alone: qi_last_error() without the function, the number of steps and the body. For bindings that say these in their
 * own words.
 *
 * Valid as long as qi_last_error().
 */
const char *qi_last_error_cause(void);

/**
 * Index of the body that the last failure on this thread concerns; the first, where there are several. SIZE_MAX where it
 * concerns no single body of an ensemble.
 *
 * @return the index, from 0
 */
size_t qi_last_error_body(void);

/**
 * Take a vector from the body to the world: `v_world = q v_body q^-1`.
 *
 * @param orientation  4 doubles (w, x, y, z), body to world, of unit length (to 1e-3), then normalised
 * @param v_body       3 doubles, body frame
 * @param v_world      receives 3 doubles, world frame; may be `v_body`
 * @return QI_OK, or QI_ERR_ORIENTATION, QI_ERR_NON_FINITE (what goes in, or an overflow)
 */
qi_status qi_rotate(const double *orientation,
                    const double *v_body,
                    double *v_world);

/**
 * Take a vector from the world to the body: `v_body = q^-1 v_world q`.
 *
 * @param orientation  4 doubles (w, x, y, z), body to world, of unit length (to 1e-3), then normalised
 * @param v_world      3 doubles, world frame
 * @param v_body       receives 3 doubles, body frame; may be `v_world`
 * @return as qi_rotate()
 */
qi_status qi_rotate_inverse(const double *orientation,
                            const double *v_world,
                            double *v_body);

/**
 * The orientation turned by `angle` about `axis`, from body axes that coincided with the world's.
 *
 * @param axis         3 doubles, of any length but 0
 * @param angle        rad, right-handed about the axis
 * @param orientation  receives 4 doubles (w, x, y, z), body to world
 * @return QI_OK, or QI_ERR_INVALID (no direction), QI_ERR_NON_FINITE
 */
qi_status qi_orientation_from_axis_angle(const double *axis, double angle, double *orientation);

/**
 * The axis and the angle of an orientation.
 *
 * @param orientation  4 doubles (w, x, y, z), of unit length (to 1e-3), then normalised
 * @param axis         receives 3 doubles, of unit length; (1, 0, 0) where nothing is turned
 * @param angle        receives 1 double, rad, from 0 to pi
 * @return as qi_rotate()
 */
qi_status qi_orientation_to_axis_angle(const double *orientation, double *axis, double *angle);

/**
 * The orientation of a rotation vector: turned by its length (rad) about its direction.
 *
 * @param rotation_vector  3 doubles, rad
 * @param orientation      receives 4 doubles (w, x, y, z), body to world
 * @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_INVALID (longer than 1e154)
 */
qi_status qi_orientation_from_rotation_vector(const double *rotation_vector, double *orientation);

/**
 * The rotation vector of an orientation: the shortest, of length pi at most.
 *
 * @param orientation      4 doubles (w, x, y, z), of unit length (to 1e-3), then normalised
 * @param rotation_vector  receives 3 doubles, rad
 * @return as qi_rotate()
 */
qi_status qi_orientation_to_rotation_vector(const double *orientation, double *rotation_vector);

/**
 * The orientation of a rotation matrix R, with `v_world = R v_body`.
 *
 * @param matrix       9 doubles, row-major (from a column-major language pass the transpose); `R^T R` must be the identity
 *                     to 1e-3 in each entry, and the determinant positive
 * @param orientation  receives 4 doubles (w, x, y, z), body to world
 * @return QI_OK, or QI_ERR_ORIENTATION (not a rotation), QI_ERR_NON_FINITE
 */
qi_status qi_orientation_from_matrix(const double *matrix,
                                     double *orientation);

/**
 * The rotation matrix R of an orientation, with `v_world = R v_body`.
 *
 * @param orientation  4 doubles (w, x, y, z), of unit length (to 1e-3), then normalised
 * @param matrix       receives 9 doubles, row-major
 * @return as qi_rotate()
 */
qi_status qi_orientation_to_matrix(const double *orientation, double *matrix);

/**
 * The orientation of three Euler (or Tait-Bryan) angles.
 *
 * @param angles       3 doubles, rad, in the order of the sequence
 * @param sequence     a string of three axes, no axis twice in a row: "xyz" in lower case turns about the axes of the
 *                     world (extrinsic), "ZXZ" in upper case about those of the turning body (intrinsic)
 * @param orientation  receives 4 doubles (w, x, y, z), body to world
 * @return QI_OK, or QI_ERR_INVALID (sequence), QI_ERR_NON_FINITE
 */
qi_status qi_orientation_from_euler(const double *angles,
                                    const char *sequence,
                                    double *orientation);

/**
 * The Euler (or Tait-Bryan) angles of an orientation.
 *
 * The first and third are in (-pi, pi]. The second is in [0, pi] where the first and third axes are the same, and in
 * [-pi/2, pi/2] where they differ. At the ends of its range only the sum or the difference of the other two is
 * determined (gimbal lock): then the third angle is 0.
 *
 * Source: Bernardes and Viollet, doi 10.1371/journal.pone.0276302.
 *
 * @param orientation  4 doubles (w, x, y, z), of unit length (to 1e-3), then normalised
 * @param sequence     a string of three axes, as for qi_orientation_from_euler()
 * @param angles       receives 3 doubles, rad, in the order of the sequence
 * @return as qi_rotate(), or QI_ERR_INVALID (sequence)
 */
qi_status qi_orientation_to_euler(const double *orientation,
                                  const char *sequence,
                                  double *angles);

/**
 * The product of two orientations: turned by `b` first, then by `a`. With `a` from frame 1 to 0 and `b` from 2 to 1, the
 * product is from 2 to 0.
 *
 * @param a        4 doubles (w, x, y, z), of unit length (to 1e-3), then normalised
 * @param b        4 doubles, likewise
 * @param product  receives 4 doubles; may be `a` or `b`
 * @return as qi_rotate()
 */
qi_status qi_orientation_product(const double *a,
                                 const double *b,
                                 double *product);

/**
 * The inverse of an orientation: world to body, as an orientation.
 *
 * @param orientation  4 doubles (w, x, y, z), of unit length (to 1e-3), then normalised
 * @param inverse      receives 4 doubles; may be `orientation`
 * @return as qi_rotate()
 */
qi_status qi_orientation_inverse(const double *orientation, double *inverse);

/**
 * Between two orientations, along the shortest arc and at constant angular velocity (slerp): `a` at t = 0, `b` at t = 1,
 * as a rotation (the sign of the quaternion may be the other). Beyond 0 and 1 the rotation goes on.
 *
 * @param a            4 doubles (w, x, y, z), of unit length (to 1e-3), then normalised
 * @param b            4 doubles, likewise
 * @param t            the fraction of the way
 * @param orientation  receives 4 doubles; may be `a` or `b`
 * @return as qi_rotate(), QI_ERR_NON_FINITE for `t` too, QI_ERR_INVALID (t of 1e153 or more)
 */
qi_status qi_orientation_slerp(const double *a,
                               const double *b,
                               double t,
                               double *orientation);

/**
 * The angle of the rotation from one orientation to another.
 *
 * @param a      4 doubles (w, x, y, z), of unit length (to 1e-3), then normalised
 * @param b      4 doubles, likewise
 * @param angle  receives 1 double, rad, from 0 to pi
 * @return as qi_rotate()
 */
qi_status qi_orientation_angle(const double *a, const double *b, double *angle);

/**
 * Let a function of the caller's act on the body, in place of the torque before.
 *
 * @param torque     the function; NULL: no torque acts
 * @param user_data  passed to every call as it is; may be NULL
 */
qi_status qi_set_torque(qi_body *body, qi_torque_fn torque, void *user_data);

/**
 * Let a constant torque act on the body, in place of the torque before.
 *
 * @param torque  3 doubles, in the frame given
 * @param frame   QI_FRAME_WORLD: it keeps its direction in space; QI_FRAME_BODY: it turns with the body, as a thruster does
 * @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_INVALID (frame)
 */
qi_status qi_set_constant_torque(qi_body *body,
                                 const double *torque,
                                 int32_t frame);

/**
 * Let a uniform field act on the body, in place of the torque before: `(R v) x F`.
 *
 * The weight F of a top whose centre of mass is at v from its fixed point; a dipole v in a field F.
 *
 * @param vector_body  3 doubles, v, body frame
 * @param field_world  3 doubles, F, world frame
 * @return QI_OK, or QI_ERR_NON_FINITE
 */
qi_status qi_set_uniform_field_torque(qi_body *body,
                                      const double *vector_body,
                                      const double *field_world);

/**
 * Let a central gravity field act on the body, in place of the torque before: `3 g n x (I n)`.
 *
 * For a body small beside its distance r from the attracting mass; source: Wertz, Spacecraft Attitude Determination and
 * Control, eq. 17-31. The direction n stays fixed in the world: for a body on an orbit, set it anew as it goes.
 *
 * @param direction_world  3 doubles, along the line to the attracting mass, of any length but 0, world frame
 * @param gradient         g = G M / r^3, in 1/time^2: on a circular orbit the square of the orbital rate
 * @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_INVALID (no direction)
 */
qi_status qi_set_gravity_gradient_torque(qi_body *body,
                                         const double *direction_world,
                                         double gradient);

/**
 * Let a linear drag act on the body, in place of the torque before: `-c_i omega_i` about each axis of the body.
 *
 * @param coefficients  3 doubles, c, torque per rad/s about the body axes x, y, z; a negative one drives
 * @return QI_OK, or QI_ERR_NON_FINITE
 */
qi_status qi_set_linear_drag_torque(qi_body *body,
                                    const double *coefficients);

/**
 * Let a viscous fluid in linear flow act on the body, an ellipsoid, in place of the torque before: Jeffery's torque.
 *
 * For slow flow (no inertia of the fluid). Source: G. B. Jeffery, Proc. R. Soc. Lond. A 102, 161 (1922), eq. 36. The body axes
 * are those of the ellipsoid. The bodies' translation is not concerned: the velocity is that relative to its centre.
 *
 * @param semi_axes          3 doubles, along the body axes, positive
 * @param viscosity          dynamic viscosity of the fluid, positive
 * @param velocity_gradient  9 doubles, row-major, world frame: how component i of the velocity changes along axis j
 * @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_INVALID (not positive)
 */
qi_status qi_set_shear_flow_torque(qi_body *body,
                                   const double *semi_axes,
                                   double viscosity,
                                   const double *velocity_gradient);

/**
 * Create a rigid body. Its clock stands at 0 and no torque acts on it.
 *
 * The integrator works about the principal axes of `inertia`, found here once; everything that goes in and comes out is
 * in the body frame in which `inertia` was given.
 *
 * Units:     any consistent set, for example kg m^2 and rad/s.
 * Frames:    `inertia`: body axes, about the centre of mass (or the point that is held fixed); `orientation`: body to
 *            world; `angular_velocity`: world.
 * Ownership: the caller owns the body and gives it to qi_destroy_body() once. The arrays are copied, not kept.
 * Failure:   returns NULL and creates nothing; qi_last_error() names the argument.
 * Threads:   any thread may call it; the body is bound to none.
 *
 * @param inertia           9 doubles, symmetric (to 1e-12, relative) and positive definite
 * @param orientation       4 doubles (w, x, y, z) of unit length (to 1e-3), then normalised; NULL: identity
 * @param angular_velocity  3 doubles, rad/s; NULL: at rest
 * @param status            receives QI_OK or the error (QI_ERR_NULL, QI_ERR_MISALIGNED, QI_ERR_NON_FINITE, QI_ERR_INERTIA,
 *                          QI_ERR_ORIENTATION, QI_ERR_INVALID (angular velocity of 1e154 or more), QI_ERR_MEMORY); NULL:
 *                          not wanted
 * @return the new body, or NULL
 */
qi_body *qi_create_body(const double *inertia,
                        const double *orientation,
                        const double *angular_velocity,
                        qi_status *status);

/**
 * Destroy a body. The pointer must not be used again, and a callback of the body must not do it.
 *
 * @param body  the body; NULL: nothing happens
 */
void qi_destroy_body(qi_body *body);

/**
 * Choose the method that advances the body. Its state, clock and torque stay.
 *
 * @param method  QI_METHOD_PCDM (a new body has it) or QI_METHOD_CF4
 * @return QI_OK, or QI_ERR_INVALID (method)
 */
qi_status qi_set_method(qi_body *body, int32_t method);

/**
 * Get the method that advances the body.
 *
 * @param method  receives the number of the method, a QI_METHOD constant
 */
qi_status qi_get_method(const qi_body *body, int32_t *method);

/**
 * Take one step, by PCDM (two torques, second order) or the method that qi_set_method() chose.
 *
 * Failure: the body and its clock are bitwise as before.
 *
 * @param dt    length of the step, in units of time; negative: backwards in time; 0: nothing happens
 * @return QI_OK, or QI_ERR_NON_FINITE (dt, torque or motion), QI_ERR_CALLBACK
 */
qi_status qi_step(qi_body *body,
                  double dt);

/**
 * Take many steps: the same bits as qi_step() that many times, for less.
 *
 * Failure: the steps before the failing one stand, and `*completed` says how many.
 *
 * @param dt         length of each step; negative: backwards in time; 0: nothing happens
 * @param steps      how many
 * @param completed  receives the number of steps taken, on failure too; NULL: not wanted
 * @return as qi_step()
 */
qi_status qi_advance(qi_body *body, double dt, uint64_t steps, uint64_t *completed);

/**
 * Take many steps and write the trajectory: a row for the start, and one after every `every` steps.
 *
 * A row is 8 doubles: time; orientation w, x, y, z (body to world); angular velocity x, y, z (world frame, rad/s). There
 * are `steps / every + 1` rows. The bits are those of qi_step(). Steps beyond the last row are taken all the same.
 *
 * Failure: with too little `capacity`, or an argument refused, nothing has moved. Where a step fails, the steps and the
 * rows before it stand.
 *
 * @param dt        length of each step; negative: backwards in time
 * @param steps     how many
 * @param every     steps from row to row, at least 1
 * @param records   receives the rows
 * @param capacity  rows that have room in `records`
 * @param written   receives the number of rows written, on failure too; NULL: not wanted
 * @return as qi_step(), or QI_ERR_CAPACITY, QI_ERR_INVALID (every)
 */
qi_status qi_record(qi_body *body,
                    double dt,
                    uint64_t steps,
                    uint64_t every,
                    double *records,
                    size_t capacity,
                    size_t *written);

/**
 * Get the orientation.
 *
 * @param orientation  receives 4 doubles (w, x, y, z), body to world, of unit length to rounding
 */
qi_status qi_get_orientation(const qi_body *body, double *orientation);

/**
 * Get the angular velocity in the world frame.
 *
 * @param angular_velocity  receives 3 doubles, world frame, rad/s
 */
qi_status qi_get_angular_velocity(const qi_body *body, double *angular_velocity);

/**
 * Get the angular velocity in the body frame: the number that the body keeps.
 *
 * @param angular_velocity  receives 3 doubles, body frame, rad/s
 */
qi_status qi_get_angular_velocity_body(const qi_body *body, double *angular_velocity);

/**
 * Put the body into a state. Its clock runs on and its torque stays.
 *
 * @param orientation       4 doubles (w, x, y, z), body to world, of unit length (to 1e-3), then normalised
 * @param angular_velocity  3 doubles, world frame, rad/s
 * @return QI_OK, or QI_ERR_ORIENTATION, QI_ERR_NON_FINITE, QI_ERR_INVALID (angular velocity of 1e154 or more)
 */
qi_status qi_set_state(qi_body *body,
                       const double *orientation,
                       const double *angular_velocity);

/**
 * Put the body into a state, its angular velocity in the body frame. What qi_get_orientation() and
 * qi_get_angular_velocity_body() gave is restored bit for bit: for checkpoints. (The clock carries the rounding of its sum
 * along, which qi_set_time() clears: under a torque that depends on time, the times after a restart may differ by an ulp.)
 *
 * @param orientation            4 doubles (w, x, y, z), body to world, of unit length (to 1e-3), then normalised
 * @param angular_velocity_body  3 doubles, body frame, rad/s
 * @return as qi_set_state()
 */
qi_status qi_set_state_body(qi_body *body,
                            const double *orientation,
                            const double *angular_velocity_body);

/**
 * Get the body's clock.
 *
 * Each step adds its dt with the rounding carried along: after n steps from 0 the clock shows n dt, to an ulp.
 *
 * @param time  receives 1 double
 */
qi_status qi_get_time(const qi_body *body,
                      double *time);

/**
 * Set the body's clock.
 *
 * @param time  finite
 * @return QI_OK, or QI_ERR_NON_FINITE
 */
qi_status qi_set_time(qi_body *body, double time);

/**
 * Get the angular momentum `I omega`.
 *
 * @param angular_momentum  receives 3 doubles, world frame
 * @return QI_OK, or QI_ERR_NON_FINITE (it overflows)
 */
qi_status qi_get_angular_momentum(const qi_body *body, double *angular_momentum);

/**
 * Get the rotational kinetic energy `omega.I omega / 2`.
 *
 * @param energy  receives 1 double
 * @return QI_OK, or QI_ERR_NON_FINITE (it overflows)
 */
qi_status qi_get_kinetic_energy(const qi_body *body, double *energy);

/**
 * What the torque callback returned when it was last called: 0 when all was well, or before its first call, or when the
 * body has no callback or is NULL.
 *
 * @return the callback's value
 */
int32_t qi_get_callback_result(const qi_body *body);

/**
 * Advance a state that the caller keeps: no handle, nothing to destroy. The bits are those of a body created with the same
 * numbers, set to `time`, and advanced.
 *
 * The angular velocity goes through the world frame at each call, which costs it an ulp or two; and the inertia is checked
 * and diagonalised each time. For many calls of few steps a body is faster.
 *
 * Failure: unlike qi_advance(), all or nothing: `orientation` and `angular_velocity` are as before the call.
 *
 * @param inertia           9 doubles, as for qi_create_body()
 * @param orientation       4 doubles (w, x, y, z), body to world: start in, end out
 * @param angular_velocity  3 doubles, world frame, rad/s: start in, end out
 * @param time              the time at the start, for the torque
 * @param dt                length of each step; negative: backwards in time; 0: nothing happens
 * @param steps             how many
 * @param torque            the torque; NULL: none acts
 * @param user_data         passed to every call of `torque`; may be NULL
 * @return as qi_create_body() and qi_step()
 */
qi_status qi_integrate(const double *inertia,
                       double *orientation,
                       double *angular_velocity,
                       double time,
                       double dt,
                       uint64_t steps,
                       qi_torque_fn torque,
                       void *user_data);

/**
 * Let a function of the caller's act on the bodies, in place of the torque before.
 *
 * @param torque     the function; NULL: no torque acts
 * @param layout     QI_LAYOUT_AOS or QI_LAYOUT_SOA
 * @param frame      QI_FRAME_WORLD or QI_FRAME_BODY: of the angular velocity and the torque
 * @param user_data  passed to every call as it is; may be NULL
 * @return QI_OK, or QI_ERR_INVALID (layout, frame)
 */
qi_status qi_set_ensemble_torque(qi_ensemble *ensemble,
                                 qi_ensemble_torque_fn torque,
                                 int32_t layout,
                                 int32_t frame,
                                 void *user_data);

/**
 * Let a constant torque act on each body, in place of the torque before.
 *
 * @param torques      3 doubles a body, in the frame given: body i's begin at `torques[i * body_stride]`; copied
 * @param body_stride  doubles from body to body; 0: one for all
 * @param frame        QI_FRAME_WORLD or QI_FRAME_BODY
 * @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_INVALID (frame, stride, or a number out of range), QI_ERR_MEMORY
 */
qi_status qi_set_ensemble_constant_torque(qi_ensemble *ensemble,
                                          const double *torques,
                                          ptrdiff_t body_stride,
                                          int32_t frame);

/**
 * Let a uniform field act on each body, in place of the torque before: `(R v) x F`; see qi_set_uniform_field_torque().
 *
 * @param vectors_body  3 doubles a body, v, body frame: body i's begin at `vectors_body[i * body_stride]`; copied
 * @param body_stride   doubles from body to body; 0: one vector for all
 * @param field_world   3 doubles, F, world frame
 * @return as qi_set_ensemble_constant_torque()
 */
qi_status qi_set_ensemble_uniform_field_torque(qi_ensemble *ensemble,
                                               const double *vectors_body,
                                               ptrdiff_t body_stride,
                                               const double *field_world);

/**
 * Let a central gravity field act on each body, in place of the torque before; see qi_set_gravity_gradient_torque().
 *
 * @param direction_world  3 doubles, along the line to the attracting mass, of any length but 0, world frame
 * @param gradients        1 double a body, G M / r^3: body i's is `gradients[i * body_stride]`; copied
 * @param body_stride      doubles from body to body; 0: one for all
 * @return as qi_set_ensemble_constant_torque()
 */
qi_status qi_set_ensemble_gravity_gradient_torque(qi_ensemble *ensemble,
                                                  const double *direction_world,
                                                  const double *gradients,
                                                  ptrdiff_t body_stride);

/**
 * Let a linear drag act on each body, in place of the torque before; see qi_set_linear_drag_torque().
 *
 * @param coefficients  3 doubles a body, about its axes: body i's begin at `coefficients[i * body_stride]`; copied
 * @param body_stride   doubles from body to body; 0: one for all
 * @return as qi_set_ensemble_constant_torque()
 */
qi_status qi_set_ensemble_linear_drag_torque(qi_ensemble *ensemble,
                                             const double *coefficients,
                                             ptrdiff_t body_stride);

/**
 * Let a linear flow act on each body, an ellipsoid, in place of the torque before; see qi_set_shear_flow_torque().
 *
 * @param semi_axes          3 doubles a body, along its axes: body i's begin at `semi_axes[i * body_stride]`
 * @param body_stride        doubles from body to body; 0: one ellipsoid for all
 * @param viscosity          dynamic viscosity of the fluid
 * @param velocity_gradient  9 doubles, row-major, world frame: how component i of the velocity changes along axis j
 * @return as qi_set_ensemble_constant_torque()
 */
qi_status qi_set_ensemble_shear_flow_torque(qi_ensemble *ensemble,
                                            const double *semi_axes,
                                            ptrdiff_t body_stride,
                                            double viscosity,
                                            const double *velocity_gradient);

/**
 * Create an ensemble: every body at the identity, at rest, with unit inertia and no torque; the clock at 0; one thread.
 *
 * Memory:    112 bytes a body, and what is set for each body besides (inertia 24, or 56 where axes are turned).
 * Ownership: the caller owns it and gives it to qi_destroy_ensemble() once.
 *
 * @param count   number of bodies; 0 is allowed
 * @param status  receives QI_OK or the error (QI_ERR_MEMORY, QI_ERR_MISALIGNED); NULL: not wanted
 * @return the new ensemble, or NULL
 */
qi_ensemble *qi_create_ensemble(size_t count,
                                qi_status *status);

/**
 * Destroy an ensemble. Arrays that were bound to it stay, with the last states in them.
 *
 * @param ensemble  the ensemble; NULL: nothing happens
 */
void qi_destroy_ensemble(qi_ensemble *ensemble);

/**
 * The number of bodies; 0 for NULL.
 *
 * @return the number
 */
size_t qi_get_ensemble_count(const qi_ensemble *ensemble);

/**
 * Get the clock of the ensemble; see qi_get_time().
 *
 * @param time      receives 1 double
 */
qi_status qi_get_ensemble_time(const qi_ensemble *ensemble, double *time);

/**
 * Set the clock of the ensemble.
 *
 * @param time      finite
 * @return QI_OK, or QI_ERR_NON_FINITE
 */
qi_status qi_set_ensemble_time(qi_ensemble *ensemble, double time);

/**
 * Choose the method that advances the bodies. States, clock and torque stay.
 *
 * @param method    QI_METHOD_PCDM (a new ensemble has it) or QI_METHOD_CF4
 * @return QI_OK, or QI_ERR_INVALID (method)
 */
qi_status qi_set_ensemble_method(qi_ensemble *ensemble, int32_t method);

/**
 * Get the method that advances the bodies.
 *
 * @param method    receives the number of the method, a QI_METHOD constant
 */
qi_status qi_get_ensemble_method(const qi_ensemble *ensemble, int32_t *method);

/**
 * Which bodies move: the others keep their states and are asked no torque. `first` of a torque callback, and the arrays of the
 * stage protocol, then count positions in this list.
 *
 * @param indices   strictly ascending, each below the number of bodies; copied. NULL: all bodies move
 * @param count     how many
 * @return QI_OK, or QI_ERR_INVALID (indices), QI_ERR_MEMORY
 */
qi_status qi_set_ensemble_active(qi_ensemble *ensemble,
                                 const size_t *indices,
                                 size_t count);

/**
 * How many threads step the ensemble, the caller's own among them. The others are started here, belong to the ensemble and end
 * with it. They stay awake for a tenth of a millisecond after a step, so that the next one finds them ready; then they sleep, and
 * to wake them takes some 50 us: worth it from some ten thousand bodies on. They do not outlive a fork().
 *
 * @param threads   1 (the default): the caller's own thread does everything, callbacks too. More: callbacks are called from
 *                  several threads at once, and must bear it
 * @return QI_OK, or QI_ERR_INVALID (0), QI_ERR_MEMORY (they cannot be started)
 */
qi_status qi_set_ensemble_threads(qi_ensemble *ensemble,
                                  size_t threads);

/**
 * Take one step of all (active) bodies.
 *
 * Failure: every body, in the library's memory or in bound arrays, is bitwise as before. qi_last_error_body() gives the first body
 * concerned. (Within a group of 64 bodies it is the first one to fail at the earliest stage.)
 *
 * @param dt        length of the step; negative: backwards in time; 0: nothing happens
 * @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_CALLBACK, QI_ERR_ORIENTATION (one in a bound array is not within 1e-3 of unit length)
 */
qi_status qi_step_ensemble(qi_ensemble *ensemble,
                           double dt);

/**
 * Take many steps: the bits of qi_step_ensemble() that many times, and what failures leave too. Without a callback, steps are
 * taken chunk by chunk while the bodies are in the cache.
 *
 * @param dt         length of each step; negative: backwards in time; 0: nothing happens
 * @param steps      how many
 * @param completed  receives the number of steps that stand, on failure too; NULL: not wanted
 * @return as qi_step_ensemble()
 */
qi_status qi_advance_ensemble(qi_ensemble *ensemble,
                              double dt,
                              uint64_t steps,
                              uint64_t *completed);

/**
 * What a torque callback returned when it last stopped a step; 0 where none has, or for NULL.
 *
 * @return the callback's value
 */
int32_t qi_get_ensemble_callback_result(const qi_ensemble *ensemble);

/**
 * Set the inertias. Angular velocities stay (where the caller's array holds angular momenta, those).
 *
 * @param inertia      9 doubles a body, packed, as for qi_create_body(): body i's begin at `inertia[i * body_stride]`
 * @param body_stride  doubles from body to body; 0: one tensor for all
 * @return QI_OK, or QI_ERR_INERTIA, QI_ERR_NON_FINITE, QI_ERR_INVALID (stride), QI_ERR_MEMORY
 */
qi_status qi_set_inertias(qi_ensemble *ensemble,
                          const double *inertia,
                          ptrdiff_t body_stride);

/**
 * Set the orientations; the angular velocities in the world frame stay.
 *
 * @param data              component c of body i, in the order w, x, y, z, is `data[i * body_stride + c * component_stride]`;
 *                          each of unit length (to 1e-3), then normalised
 * @param body_stride       doubles from body to body: 4 for packed quaternions, 1 for columns; 0: one for all
 * @param component_stride  doubles from component to component: 1 for packed quaternions
 * @return QI_OK, or QI_ERR_ORIENTATION, QI_ERR_NON_FINITE, QI_ERR_INVALID (strides), QI_ERR_MEMORY
 */
qi_status qi_set_orientations(qi_ensemble *ensemble,
                              const double *data,
                              ptrdiff_t body_stride,
                              ptrdiff_t component_stride);

/**
 * Get the orientations.
 *
 * @param data              receives component c of body i, in the order w, x, y, z, at
 *                          `data[i * body_stride + c * component_stride]`
 * @param body_stride       doubles from body to body
 * @param component_stride  doubles from component to component
 * @return QI_OK, or QI_ERR_INVALID (strides that overlap)
 */
qi_status qi_get_orientations(const qi_ensemble *ensemble,
                              double *data,
                              ptrdiff_t body_stride,
                              ptrdiff_t component_stride);

/**
 * Set the angular velocities, world frame.
 *
 * @param data              component c of body i is `data[i * body_stride + c * component_stride]`, rad/s
 * @param body_stride       doubles from body to body; 0: one for all
 * @param component_stride  doubles from component to component
 * @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_INVALID (strides, or 1e154 rad/s and more), QI_ERR_MEMORY
 */
qi_status qi_set_angular_velocities(qi_ensemble *ensemble,
                                    const double *data,
                                    ptrdiff_t body_stride,
                                    ptrdiff_t component_stride);

/**
 * Get the angular velocities, world frame.
 *
 * @param data              receives component c of body i at `data[i * body_stride + c * component_stride]`, rad/s
 * @param body_stride       doubles from body to body
 * @param component_stride  doubles from component to component
 * @return as qi_get_orientations()
 */
qi_status qi_get_angular_velocities(const qi_ensemble *ensemble,
                                    double *data,
                                    ptrdiff_t body_stride,
                                    ptrdiff_t component_stride);

/**
 * Get the rotational kinetic energies.
 *
 * @param energy       receives that of body i at `energy[i * body_stride]`
 * @param body_stride  doubles from body to body
 * @return as qi_get_orientations()
 */
qi_status qi_get_kinetic_energies(const qi_ensemble *ensemble,
                                  double *energy,
                                  ptrdiff_t body_stride);

/**
 * Get the angular momenta, world frame.
 *
 * @param data              receives component c of body i at `data[i * body_stride + c * component_stride]`
 * @param body_stride       doubles from body to body
 * @param component_stride  doubles from component to component
 * @return as qi_get_orientations()
 */
qi_status qi_get_angular_momenta(const qi_ensemble *ensemble,
                                 double *data,
                                 ptrdiff_t body_stride,
                                 ptrdiff_t component_stride);

/**
 * Get the rotational kinetic energy of all bodies: a compensated sum in the order of their indices, the same bits for any
 * number of threads.
 *
 * @param energy    receives 1 double
 */
qi_status qi_get_total_kinetic_energy(const qi_ensemble *ensemble,
                                      double *energy);

/**
 * Get the angular momentum of all bodies (the sum of their spins, without that of their motion), world frame; summed like the
 * energy.
 *
 * @param angular_momentum  receives 3 doubles
 */
qi_status qi_get_total_angular_momentum(const qi_ensemble *ensemble,
                                        double *angular_momentum);

/**
 * Let the orientations be in the caller's array from now on: the ensemble works there, without a copy. The array's contents
 * become the orientations (normalised there); the angular velocities in the world frame stay (those in an array stay there).
 *
 * The array must stay until the ensemble is destroyed or bound to another. It may be read and written between calls: what is
 * written must be of unit length to 1e-3, or the next step is refused. What is between the numbers is never touched. A step that
 * fails leaves all of it as it was.
 *
 * @param data              component c of body i is `data[i * body_stride + c * component_stride]`
 * @param body_stride       doubles from body to body: 4 for packed quaternions (Fortran `q(4,n)`), 1 for columns (`q(n,4)`),
 *                          the size of a struct over 8 for an array of structs
 * @param component_stride  doubles from component to component: 1 for packed quaternions, n for columns
 * @param order             QI_SCALAR_FIRST or QI_SCALAR_LAST
 * @return QI_OK, or QI_ERR_ORIENTATION, QI_ERR_NON_FINITE, QI_ERR_INVALID (strides, order, or an overlap with the bound angular
 *         velocities), QI_ERR_MEMORY
 */
qi_status qi_bind_orientations(qi_ensemble *ensemble,
                               double *data,
                               ptrdiff_t body_stride,
                               ptrdiff_t component_stride,
                               int32_t order);

/**
 * Let the angular velocities, or angular momenta, be in the caller's array from now on; the array's contents become them.
 * Otherwise as qi_bind_orientations().
 *
 * With QI_OMEGA_BODY the bits are those of a body stepped alone; the others are converted at the beginning and the end of each
 * step, which costs an ulp or two.
 *
 * @param data              component c of body i is `data[i * body_stride + c * component_stride]`
 * @param body_stride       doubles from body to body
 * @param component_stride  doubles from component to component
 * @param kind              QI_OMEGA_WORLD, QI_OMEGA_BODY, QI_ANGMOM_WORLD or QI_ANGMOM_BODY
 * @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_INVALID (strides, kind, or an overlap with the bound orientations), QI_ERR_MEMORY
 */
qi_status qi_bind_angular_velocities(qi_ensemble *ensemble,
                                     double *data,
                                     ptrdiff_t body_stride,
                                     ptrdiff_t component_stride,
                                     int32_t kind);

/**
 * Begin a step whose torques the caller computes: for codes that cannot be called back. Then, until QI_OK comes:
 *
 *   while ((status = qi_next_ensemble_stage(e, &time, q, omega)) == QI_NEED_TORQUE) {
 *       ... torque for every body, at this time, orientation and angular velocity ...
 *       qi_supply_ensemble_torque(e, torque);
 *   }
 *
 * The arrays are packed as qi_set_ensemble_stage_layout() says. Any torque that was set is not asked. Until the step is taken or
 * cancelled nothing else may change the ensemble, and a bound array must not be written. The bits are those of a torque callback
 * in the world frame. qi_continue_ensemble_step() does both in one pass over the bodies.
 *
 * @param dt        length of the step; negative: backwards in time; 0: no stage is needed
 * @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_ORDER (one has been begun)
 */
qi_status qi_begin_ensemble_step(qi_ensemble *ensemble,
                                 double dt);

/**
 * Begin many steps whose torques the caller computes: as qi_begin_ensemble_step() for each, where QI_OK comes when all are taken.
 * When one fails, those before it stand; qi_get_ensemble_time() tells how far it came.
 *
 * @param dt        length of each step
 * @param steps     how many; 0: no stage is needed
 * @return as qi_begin_ensemble_step()
 */
qi_status qi_begin_ensemble_steps(qi_ensemble *ensemble,
                                  double dt,
                                  uint64_t steps);

/**
 * Lay out the arrays of the stage protocol: a packed row for each body, or packed columns, as in `q(n,4)` of Fortran, Julia and
 * MATLAB. Columns spare a transposition each way. It stays until it is set again.
 *
 * @param layout    for n bodies that move: QI_LAYOUT_AOS, `orientation[4 * i + c]` and so on, as before this is called; or
 *                  QI_LAYOUT_SOA, `orientation[c * n + i]`
 * @return QI_OK, or QI_ERR_INVALID (layout), QI_ERR_ORDER (a step has been begun)
 */
qi_status qi_set_ensemble_stage_layout(qi_ensemble *ensemble,
                                       int32_t layout);

/**
 * Ask for the next stage of a step that has been begun.
 *
 * @param time              receives the time of the stage
 * @param orientation       receives 4 doubles (w, x, y, z) a body, packed; not in a bound array, which holds the start of the step
 * @param angular_velocity  receives 3 doubles a body, packed, world frame; likewise
 * @return QI_NEED_TORQUE: the stage has been written; supply the torque and ask again. QI_OK: the step is taken, or all that were
 *         begun, and nothing was written. Or QI_ERR_ORIENTATION and QI_ERR_NON_FINITE (as qi_step_ensemble()), QI_ERR_INVALID (an overlap), QI_ERR_ORDER,
 *         QI_ERR_NULL, QI_ERR_MISALIGNED, QI_ERR_BUSY
 */
qi_status qi_next_ensemble_stage(qi_ensemble *ensemble,
                                 double *time,
                                 double *orientation,
                                 double *angular_velocity);

/**
 * Supply the torque of the stage that was written last.
 *
 * Failure: a torque that is not finite is named and still awaited. Where the motion overflows, the step is cancelled, and those
 * that were to come.
 *
 * @param torque    3 doubles a body, packed, world frame
 * @return QI_OK, or QI_ERR_NON_FINITE
 */
qi_status qi_supply_ensemble_torque(qi_ensemble *ensemble,
                                    const double *torque);

/**
 * Supply the torque of the stage that was written last, and ask for the next: qi_supply_ensemble_torque() and
 * qi_next_ensemble_stage() to the same bits, in one pass over the bodies (the last of a step in two, with bound arrays or a list
 * of active bodies). With many steps:
 *
 *   qi_begin_ensemble_steps(e, dt, steps);
 *   status = qi_next_ensemble_stage(e, &time, q, omega);
 *   while (status == QI_NEED_TORQUE) {
 *       ... torque for every body, at this time, orientation and angular velocity ...
 *       status = qi_continue_ensemble_step(e, torque, &time, q, omega);
 *   }
 *
 * Failure: as for both. If a torque is not finite, nothing is written. On overflow the output arrays may be partly overwritten.
 *
 * @param torque            3 doubles a body, packed, world frame; in memory of its own
 * @param time              receives the time of the stage
 * @param orientation       as for qi_next_ensemble_stage()
 * @param angular_velocity  likewise
 * @return as qi_next_ensemble_stage()
 */
qi_status qi_continue_ensemble_step(qi_ensemble *ensemble,
                                    const double *torque,
                                    double *time,
                                    double *orientation,
                                    double *angular_velocity);

/**
 * Give up the step in hand, and those that were begun with it: the ensemble is as before this step. Without one nothing happens.
 */
qi_status qi_cancel_ensemble_step(qi_ensemble *ensemble);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* QUATINT_H */
