!> The functions and the constants of quatint.h, which documents them. `use quatint` brings them, too.
! ---- `make bindings` writes these lines from include/quatint.h: do not edit
module quatint_c
   use, intrinsic :: iso_c_binding, only: c_char, c_double, c_funptr, c_int32_t, c_int64_t, c_ptr, c_ptrdiff_t, c_size_t
   implicit none
   private :: c_char, c_double, c_funptr, c_int32_t, c_int64_t, c_ptr, c_ptrdiff_t, c_size_t

   private :: frame_equals, frame_differs
   !> The frame of a torque.
   type :: qi_frame_t
      integer(c_int32_t) :: number = 0   !! what the functions of the C library take
   contains
      generic :: operator(==) => equals
      generic :: operator(/=) => differs
      procedure, private :: equals => frame_equals
      procedure, private :: differs => frame_differs
   end type qi_frame_t

   private :: layout_equals, layout_differs
   !> The layout of an array of vectors.
   type :: qi_layout_t
      integer(c_int32_t) :: number = 0   !! what the functions of the C library take
   contains
      generic :: operator(==) => equals
      generic :: operator(/=) => differs
      procedure, private :: equals => layout_equals
      procedure, private :: differs => layout_differs
   end type qi_layout_t

   private :: order_equals, order_differs
   !> The order of the components of a quaternion.
   type :: qi_order_t
      integer(c_int32_t) :: number = 0   !! what the functions of the C library take
   contains
      generic :: operator(==) => equals
      generic :: operator(/=) => differs
      procedure, private :: equals => order_equals
      procedure, private :: differs => order_differs
   end type qi_order_t

   private :: kind_equals, kind_differs
   !> The kind of the bound vectors: angular velocities or momenta, in the world frame or in that of the body.
   type :: qi_kind_t
      integer(c_int32_t) :: number = 0   !! what the functions of the C library take
   contains
      generic :: operator(==) => equals
      generic :: operator(/=) => differs
      procedure, private :: equals => kind_equals
      procedure, private :: differs => kind_differs
   end type qi_kind_t

   private :: method_equals, method_differs
   !> The method of steps.
   type :: qi_method_t
      integer(c_int32_t) :: number = 0   !! what the functions of the C library take
   contains
      generic :: operator(==) => equals
      generic :: operator(/=) => differs
      procedure, private :: equals => method_equals
      procedure, private :: differs => method_differs
   end type qi_method_t

   private :: solve_method_equals, solve_method_differs
   !> The method of solutions with error control.
   type :: qi_solve_method_t
      integer(c_int32_t) :: number = 0   !! what the functions of the C library take
   contains
      generic :: operator(==) => equals
      generic :: operator(/=) => differs
      procedure, private :: equals => solve_method_equals
      procedure, private :: differs => solve_method_differs
   end type qi_solve_method_t

   private :: keep_equals, keep_differs
   !> What a body keeps when its inertia is set.
   type :: qi_keep_t
      integer(c_int32_t) :: number = 0   !! what the functions of the C library take
   contains
      generic :: operator(==) => equals
      generic :: operator(/=) => differs
      procedure, private :: equals => keep_equals
      procedure, private :: differs => keep_differs
   end type qi_keep_t

   private :: crossing_equals, crossing_differs
   !> The events that count.
   type :: qi_crossing_t
      integer(c_int32_t) :: number = 0   !! what the functions of the C library take
   contains
      generic :: operator(==) => equals
      generic :: operator(/=) => differs
      procedure, private :: equals => crossing_equals
      procedure, private :: differs => crossing_differs
   end type qi_crossing_t

   integer(c_int32_t), parameter :: QI_VERSION_MAJOR = 0     !! Major version of the header.
   integer(c_int32_t), parameter :: QI_VERSION_MINOR = 2     !! Minor version of the header.
   integer(c_int32_t), parameter :: QI_VERSION_PATCH = 0     !! Patch version of the header.
   integer(c_int32_t), parameter :: QI_OK = 0                !! Success.
   integer(c_int32_t), parameter :: QI_NEED_TORQUE = 1       !! The stage protocol needs the torque of the current stage. This
                                                             !! is not an error.
   integer(c_int32_t), parameter :: QI_EVENT = 2             !! qi_solve_until() has stopped at an event. This is not an
                                                             !! error.
   integer(c_int32_t), parameter :: QI_ERR_NULL = -1         !! A required pointer is NULL.
   integer(c_int32_t), parameter :: QI_ERR_MISALIGNED = -2   !! A pointer is not aligned for its type.
   integer(c_int32_t), parameter :: QI_ERR_INVALID = -3      !! An argument is out of range.
   integer(c_int32_t), parameter :: QI_ERR_NON_FINITE = -4   !! An argument, a torque or a result is NaN or infinite.
   integer(c_int32_t), parameter :: QI_ERR_INERTIA = -5      !! The inertia tensor is not symmetric, is not positive definite,
                                                             !! or is out of range.
   integer(c_int32_t), parameter :: QI_ERR_ORIENTATION = -6  !! A quaternion is too far from unit length, or a matrix is too
                                                             !! far from a rotation.
   integer(c_int32_t), parameter :: QI_ERR_CALLBACK = -7     !! A torque callback, an inertia function or a monitor returned a
                                                             !! value other than 0.
   integer(c_int32_t), parameter :: QI_ERR_CAPACITY = -8     !! An output array is too small.
   integer(c_int32_t), parameter :: QI_ERR_BUSY = -9         !! The object is in use.
   integer(c_int32_t), parameter :: QI_ERR_MEMORY = -10      !! Out of memory.
   integer(c_int32_t), parameter :: QI_ERR_PANIC = -11       !! A defect of the library itself. The object stays valid.
   integer(c_int32_t), parameter :: QI_ERR_ORDER = -12       !! The calls of the stage protocol came in the wrong order.
   integer(c_int32_t), parameter :: QI_ERR_STEP = -13        !! Error control finds no step that is short enough, because the
                                                             !! torque or the motion is singular.
   integer(c_int32_t), parameter :: QI_MASS_SIZE = 20        !! Number of doubles in the sum of an assembly's parts.
   type(qi_method_t), parameter :: QI_METHOD_PCDM = qi_method_t(0)            !! PCDM, the default.
   type(qi_method_t), parameter :: QI_METHOD_SPLITTING = qi_method_t(1)       !! Order 2, one torque evaluation per step.
   type(qi_method_t), parameter :: QI_METHOD_SPLITTING_4 = qi_method_t(2)     !! Order 4, six torque evaluations per step, for
                                                                              !! torques that depend on orientation and time
                                                                              !! only. Callbacks and the stage protocol are
                                                                              !! given NaN for the angular velocity.
   type(qi_method_t), parameter :: QI_METHOD_CF4 = qi_method_t(3)             !! Order 4, four torque evaluations per step,
                                                                              !! for any torque.
   type(qi_method_t), parameter :: QI_METHOD_SPLITTING_6 = qi_method_t(4)     !! Order 6, eleven torque evaluations per step
                                                                              !! (with rotors ten), for torques that depend on
                                                                              !! orientation and time only.
   type(qi_method_t), parameter :: QI_METHOD_FORCE_GRADIENT = qi_method_t(5)  !! Order 4, three torque evaluations per step,
                                                                              !! for torques that depend on orientation and
                                                                              !! time only, as QI_METHOD_SPLITTING_4.
   type(qi_method_t), parameter :: QI_METHOD_BROWNIAN = qi_method_t(6)        !! Overdamped rotation with noise, without
                                                                              !! inertia.
   type(qi_frame_t), parameter :: QI_FRAME_WORLD = qi_frame_t(0)  !! The components are given in the world frame.
   type(qi_frame_t), parameter :: QI_FRAME_BODY = qi_frame_t(1)   !! The components are given in the body frame.
   type(qi_keep_t), parameter :: QI_KEEP_ANGULAR_VELOCITY = qi_keep_t(0)  !! qi_set_inertia().
   type(qi_keep_t), parameter :: QI_KEEP_ANGULAR_MOMENTUM = qi_keep_t(1)  !! qi_set_inertia().
   integer(c_int32_t), parameter :: QI_AXIS_X = 1  !! The body axis x, for qi_set_locked_axes(). The constants may be added.
   integer(c_int32_t), parameter :: QI_AXIS_Y = 2  !! The body axis y.
   integer(c_int32_t), parameter :: QI_AXIS_Z = 4  !! The body axis z.
   type(qi_crossing_t), parameter :: QI_RISING = qi_crossing_t(1)        !! Crossings of zero from negative to positive.
   type(qi_crossing_t), parameter :: QI_FALLING = qi_crossing_t(-1)      !! Crossings of zero from positive to negative.
   type(qi_crossing_t), parameter :: QI_ANY_CROSSING = qi_crossing_t(0)  !! Crossings of zero in both directions.
   type(qi_solve_method_t), parameter :: QI_SOLVE_NONSTIFF = qi_solve_method_t(0)   !! DOP853, the default of
                                                                                    !! qi_set_solve_method().
   type(qi_solve_method_t), parameter :: QI_SOLVE_STIFF = qi_solve_method_t(1)      !! RODAS, a Rosenbrock method of order 4,
                                                                                    !! wherever it costs less than DOP853. It
                                                                                    !! is meant for torques that change faster
                                                                                    !! than the motion, such as drag in a
                                                                                    !! callback and stiff, damped springs. E.
                                                                                    !! Hairer, G. Wanner, Solving Ordinary
                                                                                    !! Differential Equations II, IV.7.
   type(qi_solve_method_t), parameter :: QI_SOLVE_SPLITTING = qi_solve_method_t(2)  !! Strang's splitting with the exact free
                                                                                    !! rotation, extrapolated to an order from
                                                                                    !! 4 to 20, for torques that depend on
                                                                                    !! orientation and time.
   integer(c_int32_t), parameter :: QI_MAX_THREADS = 1024  !! The largest number of threads of an ensemble.
   type(qi_layout_t), parameter :: QI_LAYOUT_AOS = qi_layout_t(0)  !! A column for each body, `orientation(4, n)`.
   type(qi_layout_t), parameter :: QI_LAYOUT_SOA = qi_layout_t(1)  !! A row for each body, `orientation(n, 4)`: the fastest.
   type(qi_order_t), parameter :: QI_SCALAR_FIRST = qi_order_t(0)  !! Quaternions stored as (w, x, y, z).
   type(qi_order_t), parameter :: QI_SCALAR_LAST = qi_order_t(1)   !! Quaternions stored as (x, y, z, w).
   type(qi_kind_t), parameter :: QI_OMEGA_WORLD = qi_kind_t(0)   !! Angular velocities in the world frame.
   type(qi_kind_t), parameter :: QI_OMEGA_BODY = qi_kind_t(1)    !! Angular velocities in the body frame, as the integrator
                                                                 !! keeps them. With any other kind, the bits are not those of
                                                                 !! a body stepped alone. (Nor are they for what rounding
                                                                 !! leaves about a locked axis that is no body axis: bound
                                                                 !! arrays do not hold it.)
   type(qi_kind_t), parameter :: QI_ANGMOM_WORLD = qi_kind_t(2)  !! Angular momenta `I omega` in the world frame.
   type(qi_kind_t), parameter :: QI_ANGMOM_BODY = qi_kind_t(3)   !! Angular momenta `I omega` in the body frame.
   integer(c_int32_t), parameter :: QI_PART_STATE = 1    !! Part of a row, 7 doubles.
   integer(c_int32_t), parameter :: QI_PART_INERTIA = 2  !! Part of a row, 7 doubles.
   integer(c_int32_t), parameter :: QI_PART_TORQUE = 4   !! Part of a row.
   integer(c_int32_t), parameter :: QI_PART_MEMORY = 8   !! Part of a row.
   integer(c_int32_t), parameter :: QI_PART_ID = 16      !! Part of a row, 1 double.
   integer(c_int32_t), parameter :: QI_PART_BOUND = 32   !! Part of a row, 3 doubles.
   integer(c_int32_t), parameter :: QI_SUM_SIZE = 68     !! Number of int64_t in an exact sum.

   !> QI_VERSION_NUMBER of quatint.h, to compare with qi_version_number(); Fortran cannot tell the two names apart.
   integer(c_int32_t), parameter :: QI_MODULE_VERSION_NUMBER = ior(ishft(QI_VERSION_MAJOR, 16), &
      ior(ishft(QI_VERSION_MINOR, 8), QI_VERSION_PATCH))

   ! The C library. Arrays with strides are `type(c_ptr)`: c_loc of the first number, of a target that stays.
   interface
      !> Get the version of the linked library, to compare with QI_VERSION_NUMBER.
      integer(c_int32_t) function qi_version_number() bind(C)
         import
      end function

      !> Get the version of the linked library, such as "1.2.3": a static string, never NULL.
      type(c_ptr) function qi_version_string() bind(C)
         import
      end function

      !> Get the name of a status, such as "QI_ERR_CALLBACK": a static string, for any integer.
      type(c_ptr) function qi_status_name(status) bind(C)
         import
         integer(c_int32_t), value :: status
      end function

      !> Get a short description of a status: a static string, for any integer.
      type(c_ptr) function qi_status_message(status) bind(C)
         import
         integer(c_int32_t), value :: status
      end function

      !> Get the message of the last failure on this thread: the function, the argument or body, and the cause.
      type(c_ptr) function qi_last_error() bind(C)
         import
      end function

      !> Get the cause of the last failure on this thread.
      type(c_ptr) function qi_last_error_cause() bind(C)
         import
      end function

      !> Get the index (from 0) of the body that the last failure on this thread concerns, or of the first one if it concerns
      !> several.
      integer(c_size_t) function qi_last_error_body() bind(C)
         import
      end function

      !> Rotate a vector from the body frame to the world frame: `v_world = q v_body q^-1`.
      integer(c_int32_t) function qi_rotate(orientation, v_body, v_world) bind(C)
         import
         real(c_double), intent(in) :: orientation(4), v_body(3)
         real(c_double), intent(out) :: v_world(3)
      end function

      !> Rotate a vector from the world frame to the body frame: `v_body = q^-1 v_world q`.
      integer(c_int32_t) function qi_rotate_inverse(orientation, v_world, v_body) bind(C)
         import
         real(c_double), intent(in) :: orientation(4), v_world(3)
         real(c_double), intent(out) :: v_body(3)
      end function

      !> Compute the orientation of a body that is rotated by `angle` about `axis`, starting from the axes of the world.
      integer(c_int32_t) function qi_orientation_from_axis_angle(axis, angle, orientation) bind(C)
         import
         real(c_double), intent(in) :: axis(3)
         real(c_double), value :: angle
         real(c_double), intent(out) :: orientation(4)
      end function

      !> Compute the axis and the angle of an orientation.
      integer(c_int32_t) function qi_orientation_to_axis_angle(orientation, axis, angle) bind(C)
         import
         real(c_double), intent(in) :: orientation(4)
         real(c_double), intent(out) :: axis(3), angle
      end function

      !> Compute the orientation of a rotation vector.
      integer(c_int32_t) function qi_orientation_from_rotation_vector(rotation_vector, orientation) bind(C)
         import
         real(c_double), intent(in) :: rotation_vector(3)
         real(c_double), intent(out) :: orientation(4)
      end function

      !> Compute the rotation vector of an orientation: the shortest one, whose length is at most pi.
      integer(c_int32_t) function qi_orientation_to_rotation_vector(orientation, rotation_vector) bind(C)
         import
         real(c_double), intent(in) :: orientation(4)
         real(c_double), intent(out) :: rotation_vector(3)
      end function

      !> Compute the orientation of a rotation matrix R, where `v_world = R v_body`.
      integer(c_int32_t) function qi_orientation_from_matrix(matrix, orientation) bind(C)
         import
         real(c_double), intent(in) :: matrix(9)
         real(c_double), intent(out) :: orientation(4)
      end function

      !> Compute the rotation matrix R of an orientation, where `v_world = R v_body`.
      integer(c_int32_t) function qi_orientation_to_matrix(orientation, matrix) bind(C)
         import
         real(c_double), intent(in) :: orientation(4)
         real(c_double), intent(out) :: matrix(9)
      end function

      !> Compute the orientation of three Euler (or Tait-Bryan) angles.
      integer(c_int32_t) function qi_orientation_from_euler(angles, sequence, orientation) bind(C)
         import
         real(c_double), intent(in) :: angles(3)
         character(kind=c_char), intent(in) :: sequence(*)
         real(c_double), intent(out) :: orientation(4)
      end function

      !> Compute the Euler (or Tait-Bryan) angles of an orientation.
      integer(c_int32_t) function qi_orientation_to_euler(orientation, sequence, angles) bind(C)
         import
         real(c_double), intent(in) :: orientation(4)
         character(kind=c_char), intent(in) :: sequence(*)
         real(c_double), intent(out) :: angles(3)
      end function

      !> Compute the product of two orientations: the rotation by `b`, followed by the rotation by `a`.
      integer(c_int32_t) function qi_orientation_product(a, b, product) bind(C)
         import
         real(c_double), intent(in) :: a(4), b(4)
         real(c_double), intent(out) :: product(4)
      end function

      !> Compute the inverse of an orientation: the rotation from the world frame to the body frame.
      integer(c_int32_t) function qi_orientation_inverse(orientation, inverse) bind(C)
         import
         real(c_double), intent(in) :: orientation(4)
         real(c_double), intent(out) :: inverse(4)
      end function

      !> Interpolate between two orientations along the shortest arc, at constant angular velocity (slerp).
      integer(c_int32_t) function qi_orientation_slerp(a, b, t, orientation) bind(C)
         import
         real(c_double), intent(in) :: a(4), b(4)
         real(c_double), value :: t
         real(c_double), intent(out) :: orientation(4)
      end function

      !> Compute the angle of the rotation from one orientation to another.
      integer(c_int32_t) function qi_orientation_angle(a, b, angle) bind(C)
         import
         real(c_double), intent(in) :: a(4), b(4)
         real(c_double), intent(out) :: angle
      end function

      !> Compute the angular velocity of a body from its Euler (or Tait-Bryan) angles and their rates.
      integer(c_int32_t) function qi_angular_velocity_from_euler_rates(angles, rates, sequence, angular_velocity) bind(C)
         import
         real(c_double), intent(in) :: angles(3), rates(3)
         character(kind=c_char), intent(in) :: sequence(*)
         real(c_double), intent(out) :: angular_velocity(3)
      end function

      !> Compute the rates of the Euler (or Tait-Bryan) angles of a body from its angular velocity.
      integer(c_int32_t) function qi_angular_velocity_to_euler_rates(angles, angular_velocity, sequence, rates) bind(C)
         import
         real(c_double), intent(in) :: angles(3), angular_velocity(3)
         character(kind=c_char), intent(in) :: sequence(*)
         real(c_double), intent(out) :: rates(3)
      end function

      !> Compute the orientation of modified Rodrigues parameters, `tan(angle / 4) axis`.
      integer(c_int32_t) function qi_orientation_from_mrp(parameters, orientation) bind(C)
         import
         real(c_double), intent(in) :: parameters(3)
         real(c_double), intent(out) :: orientation(4)
      end function

      !> Compute the modified Rodrigues parameters of an orientation, `tan(angle / 4) axis`.
      integer(c_int32_t) function qi_orientation_to_mrp(orientation, parameters) bind(C)
         import
         real(c_double), intent(in) :: orientation(4)
         real(c_double), intent(out) :: parameters(3)
      end function

      !> Turn an orientation with a given angular velocity, from one time to another.
      integer(c_int32_t) function qi_turn_orientation(orientation, start, end, steps, rate, frame, user_data) bind(C)
         import
         real(c_double), intent(inout) :: orientation(4)
         real(c_double), value :: start, end
         integer(c_size_t), value :: steps
         type(c_funptr), value :: rate
         integer(c_int32_t), value :: frame
         type(c_ptr), value :: user_data
      end function

      !> Turn an orientation with angular velocities that are sampled at equal intervals, as gyroscopes give them.
      integer(c_int32_t) function qi_turn_by_samples(orientation, samples, angular_velocities, sample_stride, dt, &
         frame) bind(C)
         import
         real(c_double), intent(inout) :: orientation(4)
         integer(c_size_t), value :: samples
         type(c_ptr), value :: angular_velocities
         integer(c_ptrdiff_t), value :: sample_stride
         real(c_double), value :: dt
         integer(c_int32_t), value :: frame
      end function

      !> Compute the derivative of an orientation with respect to time, `dq/dt = (0, omega) q / 2`, for a solver of your own.
      integer(c_int32_t) function qi_orientation_rate(orientation, angular_velocity, rate) bind(C)
         import
         real(c_double), intent(in) :: orientation(4), angular_velocity(3)
         real(c_double), intent(out) :: rate(4)
      end function

      !> Add a point to the sum of an assembly.
      integer(c_int32_t) function qi_add_point_mass(mass, position, sum) bind(C)
         import
         real(c_double), value :: mass
         real(c_double), intent(in) :: position(3)
         real(c_double), intent(inout) :: sum(*)
      end function

      !> Add a solid sphere to the sum of an assembly.
      integer(c_int32_t) function qi_add_sphere_mass(mass, radius, position, sum) bind(C)
         import
         real(c_double), value :: mass, radius
         real(c_double), intent(in) :: position(3)
         real(c_double), intent(inout) :: sum(*)
      end function

      !> Add a solid ellipsoid to the sum of an assembly.
      integer(c_int32_t) function qi_add_ellipsoid_mass(mass, semi_axes, position, orientation, sum) bind(C)
         import
         real(c_double), value :: mass
         real(c_double), intent(in) :: semi_axes(3), position(3)
         real(c_double), intent(in), optional :: orientation(4)
         real(c_double), intent(inout) :: sum(*)
      end function

      !> Add a solid box to the sum of an assembly.
      integer(c_int32_t) function qi_add_box_mass(mass, edges, position, orientation, sum) bind(C)
         import
         real(c_double), value :: mass
         real(c_double), intent(in) :: edges(3), position(3)
         real(c_double), intent(in), optional :: orientation(4)
         real(c_double), intent(inout) :: sum(*)
      end function

      !> Add a solid cylinder along its z axis to the sum of an assembly.
      integer(c_int32_t) function qi_add_cylinder_mass(mass, radius, length, position, orientation, sum) bind(C)
         import
         real(c_double), value :: mass, radius, length
         real(c_double), intent(in) :: position(3)
         real(c_double), intent(in), optional :: orientation(4)
         real(c_double), intent(inout) :: sum(*)
      end function

      !> Add a solid capsule to the sum of an assembly: a cylinder along its z axis with half a sphere on each end.
      integer(c_int32_t) function qi_add_capsule_mass(mass, radius, length, position, orientation, sum) bind(C)
         import
         real(c_double), value :: mass, radius, length
         real(c_double), intent(in) :: position(3)
         real(c_double), intent(in), optional :: orientation(4)
         real(c_double), intent(inout) :: sum(*)
      end function

      !> Add half of a solid sphere to the sum of an assembly.
      integer(c_int32_t) function qi_add_hemisphere_mass(mass, radius, position, orientation, sum) bind(C)
         import
         real(c_double), value :: mass, radius
         real(c_double), intent(in) :: position(3)
         real(c_double), intent(in), optional :: orientation(4)
         real(c_double), intent(inout) :: sum(*)
      end function

      !> Add a solid cone along its z axis to the sum of an assembly.
      integer(c_int32_t) function qi_add_cone_mass(mass, radius, height, position, orientation, sum) bind(C)
         import
         real(c_double), value :: mass, radius, height
         real(c_double), intent(in) :: position(3)
         real(c_double), intent(in), optional :: orientation(4)
         real(c_double), intent(inout) :: sum(*)
      end function

      !> Add the solid inside a closed surface of triangles to the sum of an assembly.
      integer(c_int32_t) function qi_add_mesh_mass(density, triangles, corners, sum) bind(C)
         import
         real(c_double), value :: density
         integer(c_size_t), value :: triangles
         real(c_double), intent(in) :: corners(3, 3, *)
         real(c_double), intent(inout) :: sum(*)
      end function

      !> Add a part whose inertia is known to the sum of an assembly.
      integer(c_int32_t) function qi_add_inertia_mass(mass, inertia, position, orientation, sum) bind(C)
         import
         real(c_double), value :: mass
         real(c_double), intent(in) :: inertia(9), position(3)
         real(c_double), intent(in), optional :: orientation(4)
         real(c_double), intent(inout) :: sum(*)
      end function

      !> Get the mass, the centre of mass and the inertia of an assembly from the sum of its parts.
      integer(c_int32_t) function qi_get_mass_properties(sum, mass, centre, inertia) bind(C)
         import
         real(c_double), intent(in) :: sum(*)
         real(c_double), intent(out) :: mass, centre(3), inertia(9)
      end function

      !> Get the inertia of an assembly about any point, for example that of a hinge or of a fixed tip.
      integer(c_int32_t) function qi_get_inertia_about(sum, point, inertia) bind(C)
         import
         real(c_double), intent(in) :: sum(*), point(3)
         real(c_double), intent(out) :: inertia(9)
      end function

      !> Get the principal moments and axes of an inertia tensor, as the library computes with them.
      integer(c_int32_t) function qi_get_principal_axes(inertia, moments, orientation) bind(C)
         import
         real(c_double), intent(in) :: inertia(9)
         real(c_double), intent(out) :: moments(3), orientation(4)
      end function

      !> Create a rigid body.
      type(c_ptr) function qi_create_body(inertia, orientation, angular_velocity, status) bind(C)
         import
         real(c_double), intent(in) :: inertia(9)
         real(c_double), intent(in), optional :: orientation(4), angular_velocity(3)
         integer(c_int32_t), intent(out), optional :: status
      end function

      !> Destroy a body; NULL: nothing happens.
      subroutine qi_destroy_body(body) bind(C)
         import
         type(c_ptr), value :: body
      end subroutine

      !> Tell the method that something which the torque reads has changed, such as a sampled command, or a field that another
      !> program computes.
      integer(c_int32_t) function qi_forget_torque(body) bind(C)
         import
         type(c_ptr), value :: body
      end function

      !> Get the total torque on the body at its present state.
      integer(c_int32_t) function qi_get_torque(body, torque) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), intent(out) :: torque(3)
      end function

      !> Get the angular acceleration `d omega / dt` at the present state, rad/s^2.
      integer(c_int32_t) function qi_get_angular_acceleration(body, angular_acceleration) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), intent(out) :: angular_acceleration(3)
      end function

      !> Choose the integration method.
      integer(c_int32_t) function qi_set_method(body, method) bind(C)
         import
         type(c_ptr), value :: body
         integer(c_int32_t), value :: method
      end function

      !> Get the integration method.
      integer(c_int32_t) function qi_get_method(body, method) bind(C)
         import
         type(c_ptr), value :: body
         integer(c_int32_t), intent(out) :: method
      end function

      !> Take one step with the method chosen by qi_set_method().
      integer(c_int32_t) function qi_step(body, dt) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), value :: dt
      end function

      !> Take many steps.
      integer(c_int32_t) function qi_advance(body, dt, steps, completed) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), value :: dt
         integer(c_int64_t), value :: steps
         integer(c_int64_t), intent(out), optional :: completed
      end function

      !> Take many steps and record the trajectory as rows: one at the start, and one after every `every` steps.
      integer(c_int32_t) function qi_record(body, dt, steps, every, records, capacity, written) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), value :: dt
         integer(c_int64_t), value :: steps, every
         real(c_double), intent(out) :: records(8, *)
         integer(c_size_t), value :: capacity
         integer(c_size_t), intent(out), optional :: written
      end function

      !> Get the orientation.
      integer(c_int32_t) function qi_get_orientation(body, orientation) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), intent(out) :: orientation(4)
      end function

      !> Get the angular velocity in the world frame.
      integer(c_int32_t) function qi_get_angular_velocity(body, angular_velocity) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), intent(out) :: angular_velocity(3)
      end function

      !> Get the angular velocity in the body frame, as the body stores it.
      integer(c_int32_t) function qi_get_angular_velocity_body(body, angular_velocity) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), intent(out) :: angular_velocity(3)
      end function

      !> Set the orientation and the angular velocity.
      integer(c_int32_t) function qi_set_state(body, orientation, angular_velocity) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), intent(in) :: orientation(4), angular_velocity(3)
      end function

      !> Set the angular momentum, which includes that of rotors, as qi_get_angular_momentum() does.
      integer(c_int32_t) function qi_set_angular_momentum(body, angular_momentum) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), intent(in) :: angular_momentum(3)
      end function

      !> Set the orientation, and the angular velocity in the body frame.
      integer(c_int32_t) function qi_set_state_body(body, orientation, angular_velocity_body) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), intent(in) :: orientation(4), angular_velocity_body(3)
      end function

      !> Get the body's clock.
      integer(c_int32_t) function qi_get_time(body, time) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), intent(out) :: time
      end function

      !> Set the body's clock.
      integer(c_int32_t) function qi_set_time(body, time) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), value :: time
      end function

      !> Get the angular momentum `I omega`.
      integer(c_int32_t) function qi_get_angular_momentum(body, angular_momentum) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), intent(out) :: angular_momentum(3)
      end function

      !> Get the rotational kinetic energy `omega.I omega / 2`.
      integer(c_int32_t) function qi_get_kinetic_energy(body, energy) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), intent(out) :: energy
      end function

      !> Advance a state that the caller keeps, without a handle.
      integer(c_int32_t) function qi_integrate(inertia, orientation, angular_velocity, time, dt, steps, torque, &
         user_data) bind(C)
         import
         real(c_double), intent(in) :: inertia(9)
         real(c_double), intent(inout) :: orientation(4), angular_velocity(3)
         real(c_double), value :: time, dt
         integer(c_int64_t), value :: steps
         type(c_funptr), value :: torque
         type(c_ptr), value :: user_data
      end function

      !> Replace the torque on the body by a callback.
      integer(c_int32_t) function qi_set_torque(body, torque, user_data) bind(C)
         import
         type(c_ptr), value :: body
         type(c_funptr), value :: torque
         type(c_ptr), value :: user_data
      end function

      !> Replace the torque on the body by a constant torque.
      integer(c_int32_t) function qi_set_constant_torque(body, torque, frame) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), intent(in) :: torque(3)
         integer(c_int32_t), value :: frame
      end function

      !> Replace the torque on the body by that of a uniform field: `(R v) x F`, where R is the rotation matrix of the body.
      integer(c_int32_t) function qi_set_uniform_field_torque(body, vector_body, field_world) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), intent(in) :: vector_body(3), field_world(3)
      end function

      !> Replace the torque on the body by that of a central gravity field: `3 g n x (I n)`.
      integer(c_int32_t) function qi_set_gravity_gradient_torque(body, direction_world, gradient) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), intent(in) :: direction_world(3)
         real(c_double), value :: gradient
      end function

      !> Replace the torque on the body by a linear drag: `-c_i omega_i` about each body axis i.
      integer(c_int32_t) function qi_set_linear_drag_torque(body, coefficients) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), intent(in) :: coefficients(3)
      end function

      !> Replace the torque on the body by Jeffery's torque: that of a viscous fluid in linear flow on an ellipsoid.
      integer(c_int32_t) function qi_set_shear_flow_torque(body, semi_axes, viscosity, velocity_gradient) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), intent(in) :: semi_axes(3)
         real(c_double), value :: viscosity
         real(c_double), intent(in) :: velocity_gradient(9)
      end function

      !> Get the last return value of the torque callback.
      pure integer(c_int32_t) function qi_get_callback_result(body) bind(C)
         import
         type(c_ptr), value :: body
      end function

      !> Set the inertia, a constant one.
      integer(c_int32_t) function qi_set_inertia(body, inertia, keep) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), intent(in) :: inertia(9)
         integer(c_int32_t), value :: keep
      end function

      !> Give the body an inertia that changes with its clock: panels unfold, propellant burns, a skater draws in the arms.
      integer(c_int32_t) function qi_set_inertia_function(body, inertia, user_data) bind(C)
         import
         type(c_ptr), value :: body
         type(c_funptr), value :: inertia
         type(c_ptr), value :: user_data
      end function

      !> Lock body axes: from now on the body does not turn about them.
      integer(c_int32_t) function qi_set_locked_axes(body, axes) bind(C)
         import
         type(c_ptr), value :: body
         integer(c_int32_t), value :: axes
      end function

      !> Lock body axes of each body of an ensemble.
      integer(c_int32_t) function qi_set_ensemble_locked_axes(ensemble, axes, stride) bind(C)
         import
         type(c_ptr), value :: ensemble
         integer(c_int32_t), intent(in) :: axes(*)
         integer(c_ptrdiff_t), value :: stride
      end function

      !> Advance the body to a time, in steps whose lengths follow from a tolerance.
      integer(c_int32_t) function qi_solve(body, end_time, tolerance, evaluations) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), value :: end_time, tolerance
         integer(c_int64_t), intent(out), optional :: evaluations
      end function

      !> As qi_solve() to the last of several times, with a row for each of them, which is as exact as the steps.
      integer(c_int32_t) function qi_solve_record(body, times, count, tolerance, records, written) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), intent(in) :: times(*)
         integer(c_size_t), value :: count
         real(c_double), value :: tolerance
         real(c_double), intent(out) :: records(8, *)
         integer(c_size_t), intent(out), optional :: written
      end function

      !> As qi_solve_record(), and call a function after the steps that the solution takes.
      integer(c_int32_t) function qi_solve_monitored(body, times, count, tolerance, records, written, every, monitor, &
         user_data) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), intent(in) :: times(*)
         integer(c_size_t), value :: count
         real(c_double), value :: tolerance
         real(c_double), intent(out), optional :: records(8, *)
         integer(c_size_t), intent(out), optional :: written
         integer(c_int64_t), value :: every
         type(c_funptr), value :: monitor
         type(c_ptr), value :: user_data
      end function

      !> As qi_solve(), but stop at an event, if there is one before `end_time`.
      integer(c_int32_t) function qi_solve_until(body, end_time, tolerance, event, direction, user_data) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), value :: end_time, tolerance
         type(c_funptr), value :: event
         integer(c_int32_t), value :: direction
         type(c_ptr), value :: user_data
      end function

      !> Set the longest step of solutions of this body, by qi_solve() and so on.
      integer(c_int32_t) function qi_set_solve_longest_step(body, longest) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), value :: longest
      end function

      !> Limit the number of evaluations in a solution of this body, by qi_solve() and so on.
      integer(c_int32_t) function qi_set_solve_most_evaluations(body, most) bind(C)
         import
         type(c_ptr), value :: body
         integer(c_int64_t), value :: most
      end function

      !> Choose the steps of solutions of this body, by qi_solve() and so on.
      integer(c_int32_t) function qi_set_solve_method(body, method) bind(C)
         import
         type(c_ptr), value :: body
         integer(c_int32_t), value :: method
      end function

      !> Get the cost of the last solution of this body, by qi_solve() and so on, also if it failed.
      integer(c_int32_t) function qi_get_solve_statistics(body, evaluations, accepted, rejected) bind(C)
         import
         type(c_ptr), value :: body
         integer(c_int64_t), intent(out), optional :: evaluations, accepted, rejected
      end function

      !> Create an ensemble.
      type(c_ptr) function qi_create_ensemble(count, status) bind(C)
         import
         integer(c_size_t), value :: count
         integer(c_int32_t), intent(out), optional :: status
      end function

      !> Destroy an ensemble; see qi_destroy_body().
      subroutine qi_destroy_ensemble(ensemble) bind(C)
         import
         type(c_ptr), value :: ensemble
      end subroutine

      !> Get the number of bodies.
      pure integer(c_size_t) function qi_get_ensemble_count(ensemble) bind(C)
         import
         type(c_ptr), value :: ensemble
      end function

      !> Get the ensemble's clock; see qi_get_time().
      integer(c_int32_t) function qi_get_ensemble_time(ensemble, time) bind(C)
         import
         type(c_ptr), value :: ensemble
         real(c_double), intent(out) :: time
      end function

      !> Set the ensemble's clock.
      integer(c_int32_t) function qi_set_ensemble_time(ensemble, time) bind(C)
         import
         type(c_ptr), value :: ensemble
         real(c_double), value :: time
      end function

      !> Choose the integration method; see qi_set_method().
      integer(c_int32_t) function qi_set_ensemble_method(ensemble, method) bind(C)
         import
         type(c_ptr), value :: ensemble
         integer(c_int32_t), value :: method
      end function

      !> Get the integration method; see qi_get_method().
      integer(c_int32_t) function qi_get_ensemble_method(ensemble, method) bind(C)
         import
         type(c_ptr), value :: ensemble
         integer(c_int32_t), intent(out) :: method
      end function

      !> Tell the method that something which the torque reads has changed, or that states in bound arrays have been written.
      integer(c_int32_t) function qi_forget_ensemble_torques(ensemble) bind(C)
         import
         type(c_ptr), value :: ensemble
      end function

      !> Choose the active bodies: only they move.
      integer(c_int32_t) function qi_set_ensemble_active(ensemble, indices, count) bind(C)
         import
         type(c_ptr), value :: ensemble
         integer(c_size_t), intent(in), optional :: indices(*)
         integer(c_size_t), value :: count
      end function

      !> Get the number of active bodies, which is the number of bodies in a stage of qi_next_ensemble_stage().
      integer(c_int32_t) function qi_get_ensemble_active_count(ensemble, count) bind(C)
         import
         type(c_ptr), value :: ensemble
         integer(c_size_t), intent(out) :: count
      end function

      !> Set the number of threads that step the ensemble, including the caller's thread.
      integer(c_int32_t) function qi_set_ensemble_threads(ensemble, threads) bind(C)
         import
         type(c_ptr), value :: ensemble
         integer(c_size_t), value :: threads
      end function

      !> Take one step of all active bodies.
      integer(c_int32_t) function qi_step_ensemble(ensemble, dt) bind(C)
         import
         type(c_ptr), value :: ensemble
         real(c_double), value :: dt
      end function

      !> Take many steps; see qi_advance().
      integer(c_int32_t) function qi_advance_ensemble(ensemble, dt, steps, completed) bind(C)
         import
         type(c_ptr), value :: ensemble
         real(c_double), value :: dt
         integer(c_int64_t), value :: steps
         integer(c_int64_t), intent(out), optional :: completed
      end function

      !> Get the return value of the torque callback that last aborted a step.
      pure integer(c_int32_t) function qi_get_ensemble_callback_result(ensemble) bind(C)
         import
         type(c_ptr), value :: ensemble
      end function

      !> Replace the torque on the bodies by a callback; see qi_set_torque().
      integer(c_int32_t) function qi_set_ensemble_torque(ensemble, torque, layout, frame, user_data) bind(C)
         import
         type(c_ptr), value :: ensemble
         type(c_funptr), value :: torque
         integer(c_int32_t), value :: layout, frame
         type(c_ptr), value :: user_data
      end function

      !> Replace the torque on each body by a constant torque; see qi_set_constant_torque().
      integer(c_int32_t) function qi_set_ensemble_constant_torque(ensemble, torques, body_stride, frame) bind(C)
         import
         type(c_ptr), value :: ensemble, torques
         integer(c_ptrdiff_t), value :: body_stride
         integer(c_int32_t), value :: frame
      end function

      !> Replace the torque on each body by that of a uniform field; see qi_set_uniform_field_torque().
      integer(c_int32_t) function qi_set_ensemble_uniform_field_torque(ensemble, vectors_body, body_stride, &
         field_world) bind(C)
         import
         type(c_ptr), value :: ensemble, vectors_body
         integer(c_ptrdiff_t), value :: body_stride
         real(c_double), intent(in) :: field_world(3)
      end function

      !> Replace the torque on each body by that of a central gravity field; see qi_set_gravity_gradient_torque().
      integer(c_int32_t) function qi_set_ensemble_gravity_gradient_torque(ensemble, direction_world, gradients, &
         body_stride) bind(C)
         import
         type(c_ptr), value :: ensemble
         real(c_double), intent(in) :: direction_world(3)
         type(c_ptr), value :: gradients
         integer(c_ptrdiff_t), value :: body_stride
      end function

      !> Replace the torque on each body by a linear drag, with coefficients of each body; see qi_set_linear_drag_torque().
      integer(c_int32_t) function qi_set_ensemble_linear_drag_torque(ensemble, coefficients, body_stride) bind(C)
         import
         type(c_ptr), value :: ensemble, coefficients
         integer(c_ptrdiff_t), value :: body_stride
      end function

      !> Replace the torque on each body, an ellipsoid with semi-axes of its own, by that of a viscous fluid.
      integer(c_int32_t) function qi_set_ensemble_shear_flow_torque(ensemble, semi_axes, body_stride, viscosity, &
         velocity_gradient) bind(C)
         import
         type(c_ptr), value :: ensemble, semi_axes
         integer(c_ptrdiff_t), value :: body_stride
         real(c_double), value :: viscosity
         real(c_double), intent(in) :: velocity_gradient(9)
      end function

      !> Bind an array of velocity gradients, one at each body, in place of the one that all bodies share in
      !> qi_set_ensemble_shear_flow_torque().
      integer(c_int32_t) function qi_bind_flow_gradients(ensemble, gradients, body_stride, row_stride, &
         column_stride) bind(C)
         import
         type(c_ptr), value :: ensemble, gradients
         integer(c_ptrdiff_t), value :: body_stride, row_stride, column_stride
      end function

      !> Set the inertias of the bodies.
      integer(c_int32_t) function qi_set_inertias(ensemble, inertia, body_stride) bind(C)
         import
         type(c_ptr), value :: ensemble, inertia
         integer(c_ptrdiff_t), value :: body_stride
      end function

      !> Set the inertias by their principal moments, for bodies whose principal axes are the body axes.
      integer(c_int32_t) function qi_set_principal_inertias(ensemble, moments, body_stride, component_stride) bind(C)
         import
         type(c_ptr), value :: ensemble, moments
         integer(c_ptrdiff_t), value :: body_stride, component_stride
      end function

      !> Set the orientations.
      integer(c_int32_t) function qi_set_orientations(ensemble, data, body_stride, component_stride) bind(C)
         import
         type(c_ptr), value :: ensemble, data
         integer(c_ptrdiff_t), value :: body_stride, component_stride
      end function

      !> Get the orientations.
      integer(c_int32_t) function qi_get_orientations(ensemble, data, body_stride, component_stride) bind(C)
         import
         type(c_ptr), value :: ensemble, data
         integer(c_ptrdiff_t), value :: body_stride, component_stride
      end function

      !> Set the angular velocities in the world frame.
      integer(c_int32_t) function qi_set_angular_velocities(ensemble, data, body_stride, component_stride) bind(C)
         import
         type(c_ptr), value :: ensemble, data
         integer(c_ptrdiff_t), value :: body_stride, component_stride
      end function

      !> Set the angular momenta in the world frame; the angular velocities follow from orientations and inertias.
      integer(c_int32_t) function qi_set_angular_momenta(ensemble, data, body_stride, component_stride) bind(C)
         import
         type(c_ptr), value :: ensemble, data
         integer(c_ptrdiff_t), value :: body_stride, component_stride
      end function

      !> Get the angular velocities in the world frame.
      integer(c_int32_t) function qi_get_angular_velocities(ensemble, data, body_stride, component_stride) bind(C)
         import
         type(c_ptr), value :: ensemble, data
         integer(c_ptrdiff_t), value :: body_stride, component_stride
      end function

      !> Get the rotational kinetic energy of each body.
      integer(c_int32_t) function qi_get_kinetic_energies(ensemble, energy, body_stride) bind(C)
         import
         type(c_ptr), value :: ensemble, energy
         integer(c_ptrdiff_t), value :: body_stride
      end function

      !> Get the angular momenta in the world frame.
      integer(c_int32_t) function qi_get_angular_momenta(ensemble, data, body_stride, component_stride) bind(C)
         import
         type(c_ptr), value :: ensemble, data
         integer(c_ptrdiff_t), value :: body_stride, component_stride
      end function

      !> Get the total rotational kinetic energy of the active bodies; see qi_get_kinetic_energy().
      integer(c_int32_t) function qi_get_total_kinetic_energy(ensemble, energy) bind(C)
         import
         type(c_ptr), value :: ensemble
         real(c_double), intent(out) :: energy
      end function

      !> Get the total angular momentum of the active bodies in the world frame; see qi_get_angular_momentum().
      integer(c_int32_t) function qi_get_total_angular_momentum(ensemble, angular_momentum) bind(C)
         import
         type(c_ptr), value :: ensemble
         real(c_double), intent(out) :: angular_momentum(3)
      end function

      !> Bind the orientations to an array of the caller: the ensemble works in this array, without a copy.
      integer(c_int32_t) function qi_bind_orientations(ensemble, data, body_stride, component_stride, order) bind(C)
         import
         type(c_ptr), value :: ensemble, data
         integer(c_ptrdiff_t), value :: body_stride, component_stride
         integer(c_int32_t), value :: order
      end function

      !> Bind the angular velocities or angular momenta to an array of the caller; see qi_bind_orientations().
      integer(c_int32_t) function qi_bind_angular_velocities(ensemble, data, body_stride, component_stride, kind) bind(C)
         import
         type(c_ptr), value :: ensemble, data
         integer(c_ptrdiff_t), value :: body_stride, component_stride
         integer(c_int32_t), value :: kind
      end function

      !> Bind the orientations to an array of the caller in which the bodies have another order, for codes that keep
      !> orientations and angular velocities in different orders.
      integer(c_int32_t) function qi_bind_orientation_rows(ensemble, data, body_stride, component_stride, order, &
         rows) bind(C)
         import
         type(c_ptr), value :: ensemble, data
         integer(c_ptrdiff_t), value :: body_stride, component_stride
         integer(c_int32_t), value :: order
         integer(c_int32_t), intent(in), optional :: rows(*)
      end function

      !> Bind the angular velocities or angular momenta to an array of the caller in which the bodies have another order.
      integer(c_int32_t) function qi_bind_angular_velocity_rows(ensemble, data, body_stride, component_stride, kind, &
         rows) bind(C)
         import
         type(c_ptr), value :: ensemble, data
         integer(c_ptrdiff_t), value :: body_stride, component_stride
         integer(c_int32_t), value :: kind
         integer(c_int32_t), intent(in), optional :: rows(*)
      end function

      !> Get the number of doubles in a row; see qi_get_ensemble_rows().
      integer(c_size_t) function qi_get_ensemble_row_size(ensemble, parts) bind(C)
         import
         type(c_ptr), value :: ensemble
         integer(c_int32_t), value :: parts
      end function

      !> Get the data of bodies as rows of plain numbers: for messages, files and restarts.
      integer(c_int32_t) function qi_get_ensemble_rows(ensemble, parts, bodies, count, rows) bind(C)
         import
         type(c_ptr), value :: ensemble
         integer(c_int32_t), value :: parts
         integer(c_size_t), intent(in), optional :: bodies(*)
         integer(c_size_t), value :: count
         real(c_double), intent(inout) :: rows(*)
      end function

      !> Set the data of bodies from rows; see qi_get_ensemble_rows().
      integer(c_int32_t) function qi_set_ensemble_rows(ensemble, parts, bodies, count, rows) bind(C)
         import
         type(c_ptr), value :: ensemble
         integer(c_int32_t), value :: parts
         integer(c_size_t), intent(in), optional :: bodies(*)
         integer(c_size_t), value :: count
         real(c_double), intent(in) :: rows(*)
      end function

      !> Get the number of doubles in a row of one body; see qi_get_body_row().
      integer(c_size_t) function qi_get_body_row_size(body, parts) bind(C)
         import
         type(c_ptr), value :: body
         integer(c_int32_t), value :: parts
      end function

      !> Get the data of a body as a row of plain numbers.
      integer(c_int32_t) function qi_get_body_row(body, parts, row) bind(C)
         import
         type(c_ptr), value :: body
         integer(c_int32_t), value :: parts
         real(c_double), intent(inout) :: row(*)
      end function

      !> Set the data of a body from a row of a body or of an ensemble.
      integer(c_int32_t) function qi_set_body_row(body, parts, row) bind(C)
         import
         type(c_ptr), value :: body
         integer(c_int32_t), value :: parts
         real(c_double), intent(in) :: row(*)
      end function

      !> Get the whole clock: the time, and what rounding has left of the sum of the steps; see qi_set_clock().
      integer(c_int32_t) function qi_get_clock(body, clock) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), intent(out) :: clock(2)
      end function

      !> Restore the whole clock.
      integer(c_int32_t) function qi_set_clock(body, clock) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), intent(in) :: clock(2)
      end function

      !> Get the whole clock of an ensemble; see qi_get_clock().
      integer(c_int32_t) function qi_get_ensemble_clock(ensemble, clock) bind(C)
         import
         type(c_ptr), value :: ensemble
         real(c_double), intent(out) :: clock(2)
      end function

      !> Restore the whole clock of an ensemble; see qi_set_clock().
      integer(c_int32_t) function qi_set_ensemble_clock(ensemble, clock) bind(C)
         import
         type(c_ptr), value :: ensemble
         real(c_double), intent(in) :: clock(2)
      end function

      !> Change the number of bodies.
      integer(c_int32_t) function qi_resize_ensemble(ensemble, count) bind(C)
         import
         type(c_ptr), value :: ensemble
         integer(c_size_t), value :: count
      end function

      !> Make body i what body `from[i]` is now: this removes, sorts and copies bodies.
      integer(c_int32_t) function qi_select_bodies(ensemble, from, count) bind(C)
         import
         type(c_ptr), value :: ensemble
         integer(c_size_t), intent(in) :: from(*)
         integer(c_size_t), value :: count
      end function

      !> Keep all states in the ensemble's own memory from now on.
      integer(c_int32_t) function qi_release_arrays(ensemble) bind(C)
         import
         type(c_ptr), value :: ensemble
      end function

      !> Get the exact sum of the rotational kinetic energies of the active bodies.
      integer(c_int32_t) function qi_get_kinetic_energy_sums(ensemble, sums) bind(C)
         import
         type(c_ptr), value :: ensemble
         integer(c_int64_t), intent(out) :: sums(*)
      end function

      !> Get the exact sums of the angular momenta of the active bodies in the world frame.
      integer(c_int32_t) function qi_get_angular_momentum_sums(ensemble, sums) bind(C)
         import
         type(c_ptr), value :: ensemble
         integer(c_int64_t), intent(out) :: sums(*)
      end function

      !> Add numbers to an exact sum: for example potential energies, or quantities of bodies outside the library.
      integer(c_int32_t) function qi_add_to_sum(sum, values, count) bind(C)
         import
         integer(c_int64_t), intent(inout) :: sum(*)
         real(c_double), intent(in) :: values(*)
         integer(c_size_t), value :: count
      end function

      !> Get the double nearest to an exact sum.
      integer(c_int32_t) function qi_get_sum(sum, value) bind(C)
         import
         integer(c_int64_t), intent(in) :: sum(*)
         real(c_double), intent(out) :: value
      end function

      !> Begin a step of the stage protocol, in which the caller computes the torques itself.
      integer(c_int32_t) function qi_begin_ensemble_step(ensemble, dt) bind(C)
         import
         type(c_ptr), value :: ensemble
         real(c_double), value :: dt
      end function

      !> Begin many steps of the stage protocol.
      integer(c_int32_t) function qi_begin_ensemble_steps(ensemble, dt, steps) bind(C)
         import
         type(c_ptr), value :: ensemble
         real(c_double), value :: dt
         integer(c_int64_t), value :: steps
      end function

      !> Choose the layout of the arrays in the stage protocol, for all later steps.
      integer(c_int32_t) function qi_set_ensemble_stage_layout(ensemble, layout) bind(C)
         import
         type(c_ptr), value :: ensemble
         integer(c_int32_t), value :: layout
      end function

      !> Get the layout of the arrays in the stage protocol.
      integer(c_int32_t) function qi_get_ensemble_stage_layout(ensemble, layout) bind(C)
         import
         type(c_ptr), value :: ensemble
         integer(c_int32_t), intent(out) :: layout
      end function

      !> Get the next stage of a step that has begun, and its time.
      integer(c_int32_t) function qi_next_ensemble_stage(ensemble, time, orientation, angular_velocity) bind(C)
         import
         type(c_ptr), value :: ensemble
         real(c_double), intent(out) :: time
         real(c_double), intent(inout) :: orientation(4, *), angular_velocity(3, *)
      end function

      !> Supply the torque of the last stage that was written.
      integer(c_int32_t) function qi_supply_ensemble_torque(ensemble, torque) bind(C)
         import
         type(c_ptr), value :: ensemble
         real(c_double), intent(in) :: torque(3, *)
      end function

      !> Supply the torque of the last stage and get the next one, in one call.
      integer(c_int32_t) function qi_continue_ensemble_step(ensemble, torque, time, orientation, angular_velocity) bind(C)
         import
         type(c_ptr), value :: ensemble
         real(c_double), intent(in) :: torque(3, *)
         real(c_double), intent(out) :: time
         real(c_double), intent(inout) :: orientation(4, *), angular_velocity(3, *)
      end function

      !> Cancel the current step and all steps that were begun with it.
      integer(c_int32_t) function qi_cancel_ensemble_step(ensemble) bind(C)
         import
         type(c_ptr), value :: ensemble
      end function

      !> Kick a body: add `duration * torque` to its angular momentum.
      integer(c_int32_t) function qi_kick(body, duration, torque, frame) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), value :: duration
         real(c_double), intent(in) :: torque(3)
         integer(c_int32_t), value :: frame
      end function

      !> Rotate a body freely for a duration, exactly but for rounding, whatever its length.
      integer(c_int32_t) function qi_drift(body, duration) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), value :: duration
      end function

      !> Kick the (active) bodies; see qi_kick().
      integer(c_int32_t) function qi_kick_ensemble(ensemble, duration, torque, body_stride, component_stride, frame) bind(C)
         import
         type(c_ptr), value :: ensemble
         real(c_double), value :: duration
         type(c_ptr), value :: torque
         integer(c_ptrdiff_t), value :: body_stride, component_stride
         integer(c_int32_t), value :: frame
      end function

      !> Rotate the (active) bodies freely for a duration, exactly, whatever its length; see qi_drift().
      integer(c_int32_t) function qi_drift_ensemble(ensemble, duration) bind(C)
         import
         type(c_ptr), value :: ensemble
         real(c_double), value :: duration
      end function

      !> Kick for the duration `kick` and then drift for the duration `drift`, in one pass over the bodies.
      integer(c_int32_t) function qi_kick_drift_ensemble(ensemble, kick, drift, torque, body_stride, component_stride, &
         frame) bind(C)
         import
         type(c_ptr), value :: ensemble
         real(c_double), value :: kick, drift
         type(c_ptr), value :: torque
         integer(c_ptrdiff_t), value :: body_stride, component_stride
         integer(c_int32_t), value :: frame
      end function

      !> Choose an array for predicted angular velocities (world frame), which qi_kick_drift_ensemble() then writes.
      integer(c_int32_t) function qi_bind_predicted_velocities(ensemble, data, body_stride, component_stride, ahead) bind(C)
         import
         type(c_ptr), value :: ensemble, data
         integer(c_ptrdiff_t), value :: body_stride, component_stride
         real(c_double), value :: ahead
      end function

      !> Set a linear drag on the body toward the rotation of a fluid, in addition to the torque.
      integer(c_int32_t) function qi_set_drag(body, coefficients, flow) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), intent(in), optional :: coefficients(3), flow(3)
      end function

      !> Set a linear drag on each body, in addition to the torque; see qi_set_drag().
      integer(c_int32_t) function qi_set_ensemble_drag(ensemble, coefficients, coefficient_stride, flow, &
         flow_stride) bind(C)
         import
         type(c_ptr), value :: ensemble, coefficients
         integer(c_ptrdiff_t), value :: coefficient_stride
         type(c_ptr), value :: flow
         integer(c_ptrdiff_t), value :: flow_stride
      end function

      !> Set the angular momentum h of rotors in the body, such as reaction wheels.
      integer(c_int32_t) function qi_set_rotor_momentum(body, momentum) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), intent(in), optional :: momentum(3)
      end function

      !> Get the angular momentum of rotors in the body.
      integer(c_int32_t) function qi_get_rotor_momentum(body, momentum) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), intent(out) :: momentum(3)
      end function

      !> Set the torque u of the motors that drive the rotors; qi_set_rotor_momentum() says to which inertia it belongs.
      integer(c_int32_t) function qi_set_rotor_torque(body, torque_body) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), intent(in), optional :: torque_body(3)
      end function

      !> Get the torque of the motors that drive the rotors.
      integer(c_int32_t) function qi_get_rotor_torque(body, torque_body) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), intent(out) :: torque_body(3)
      end function

      !> Set the angular momentum of rotors in each body of an ensemble; see qi_set_rotor_momentum().
      integer(c_int32_t) function qi_set_ensemble_rotor_momentum(ensemble, rotor, body_stride) bind(C)
         import
         type(c_ptr), value :: ensemble, rotor
         integer(c_ptrdiff_t), value :: body_stride
      end function

      !> Fix points to the bodies, such as the spheres of clumps or the atoms of rigid molecules.
      integer(c_int32_t) function qi_set_points(ensemble, count, bodies, arms, point_stride, component_stride) bind(C)
         import
         type(c_ptr), value :: ensemble
         integer(c_size_t), value :: count
         integer(c_size_t), intent(in) :: bodies(*)
         type(c_ptr), value :: arms
         integer(c_ptrdiff_t), value :: point_stride, component_stride
      end function

      !> Get the number of points of all bodies.
      integer(c_int32_t) function qi_get_point_count(ensemble, count) bind(C)
         import
         type(c_ptr), value :: ensemble
         integer(c_size_t), intent(out) :: count
      end function

      !> Get the positions of the points in the world frame.
      integer(c_int32_t) function qi_get_point_positions(ensemble, centres, body_stride, centre_component_stride, positions, &
         point_stride, component_stride) bind(C)
         import
         type(c_ptr), value :: ensemble, centres
         integer(c_ptrdiff_t), value :: body_stride, centre_component_stride
         type(c_ptr), value :: positions
         integer(c_ptrdiff_t), value :: point_stride, component_stride
      end function

      !> Get the velocities of the points in the world frame.
      integer(c_int32_t) function qi_get_point_velocities(ensemble, predicted, centre_velocities, body_stride, &
         centre_component_stride, velocities, point_stride, component_stride) bind(C)
         import
         type(c_ptr), value :: ensemble
         integer(c_int32_t), value :: predicted
         type(c_ptr), value :: centre_velocities
         integer(c_ptrdiff_t), value :: body_stride, centre_component_stride
         type(c_ptr), value :: velocities
         integer(c_ptrdiff_t), value :: point_stride, component_stride
      end function

      !> Sum the forces on the points of each body, and their torques about its centre of mass.
      integer(c_int32_t) function qi_sum_point_forces(ensemble, forces, point_stride, component_stride, body_forces, &
         force_body_stride, force_component_stride, body_torques, torque_body_stride, torque_component_stride) bind(C)
         import
         type(c_ptr), value :: ensemble, forces
         integer(c_ptrdiff_t), value :: point_stride, component_stride
         type(c_ptr), value :: body_forces
         integer(c_ptrdiff_t), value :: force_body_stride, force_component_stride
         type(c_ptr), value :: body_torques
         integer(c_ptrdiff_t), value :: torque_body_stride, torque_component_stride
      end function

      !> Add a torque that is given in the body frame, such as that of a thruster or a wheel, to a torque in the world frame.
      integer(c_int32_t) function qi_add_body_torque(orientation, torque_body, torque) bind(C)
         import
         real(c_double), intent(in) :: orientation(4), torque_body(3)
         real(c_double), intent(inout) :: torque(3)
      end function

      !> Add the torque of a uniform field, `(R v) x F`; see qi_set_uniform_field_torque() and qi_add_body_torque().
      integer(c_int32_t) function qi_add_uniform_field_torque(orientation, vector_body, field_world, torque) bind(C)
         import
         real(c_double), intent(in) :: orientation(4), vector_body(3), field_world(3)
         real(c_double), intent(inout) :: torque(3)
      end function

      !> Add the torque of a central gravity field, `3 g n x (I n)`.
      integer(c_int32_t) function qi_add_gravity_gradient_torque(orientation, inertia, direction_world, gradient, &
         torque) bind(C)
         import
         real(c_double), intent(in) :: orientation(4), inertia(9), direction_world(3)
         real(c_double), value :: gradient
         real(c_double), intent(inout) :: torque(3)
      end function

      !> Add a linear drag toward the rotation of a fluid, `-c_i (omega_i - flow_i)` about each body axis i.
      integer(c_int32_t) function qi_add_linear_drag_torque(orientation, angular_velocity, coefficients, flow, &
         torque) bind(C)
         import
         real(c_double), intent(in) :: orientation(4), angular_velocity(3), coefficients(3)
         real(c_double), intent(in), optional :: flow(3)
         real(c_double), intent(inout) :: torque(3)
      end function

      !> Compute the resistances of an ellipsoid that qi_add_shear_flow_torque() needs; see qi_set_shear_flow_torque().
      integer(c_int32_t) function qi_get_shear_flow_resistances(semi_axes, viscosity, resistances) bind(C)
         import
         real(c_double), intent(in) :: semi_axes(3)
         real(c_double), value :: viscosity
         real(c_double), intent(out) :: resistances(6)
      end function

      !> Add Jeffery's torque; see qi_set_shear_flow_torque() and qi_add_body_torque().
      integer(c_int32_t) function qi_add_shear_flow_torque(orientation, angular_velocity, resistances, velocity_gradient, &
         torque) bind(C)
         import
         real(c_double), intent(in) :: orientation(4), angular_velocity(3), resistances(6), velocity_gradient(9)
         real(c_double), intent(inout) :: torque(3)
      end function

      !> Set random torques on the body, in addition to the torque.
      integer(c_int32_t) function qi_set_langevin(body, coefficients, flow, kt, seed, id) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), intent(in), optional :: coefficients(3), flow(3)
         real(c_double), value :: kt
         integer(c_int64_t), value :: seed, id
      end function

      !> Get the number of draws, which is how many times noise has been drawn.
      integer(c_int32_t) function qi_get_noise(body, draws) bind(C)
         import
         type(c_ptr), value :: body
         integer(c_int64_t), intent(out) :: draws
      end function

      !> Restore the number `draws` that qi_get_noise() gave; any number is allowed.
      integer(c_int32_t) function qi_set_noise(body, draws) bind(C)
         import
         type(c_ptr), value :: body
         integer(c_int64_t), value :: draws
      end function

      !> Let drag and noise alone act for a duration, exactly, at constant orientation.
      integer(c_int32_t) function qi_thermalize(body, duration) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), value :: duration
      end function

      !> Set random torques on each body, in addition to the torque; see qi_set_langevin().
      integer(c_int32_t) function qi_set_ensemble_langevin(ensemble, coefficients, coefficient_stride, flow, flow_stride, &
         kt, seed) bind(C)
         import
         type(c_ptr), value :: ensemble, coefficients
         integer(c_ptrdiff_t), value :: coefficient_stride
         type(c_ptr), value :: flow
         integer(c_ptrdiff_t), value :: flow_stride
         real(c_double), value :: kt
         integer(c_int64_t), value :: seed
      end function

      !> Set the id of each body, on which its noise depends.
      integer(c_int32_t) function qi_set_ensemble_ids(ensemble, ids) bind(C)
         import
         type(c_ptr), value :: ensemble
         integer(c_int64_t), intent(in), optional :: ids(*)
      end function

      !> Get the number of draws; see qi_get_noise().
      integer(c_int32_t) function qi_get_ensemble_noise(ensemble, draws) bind(C)
         import
         type(c_ptr), value :: ensemble
         integer(c_int64_t), intent(out) :: draws
      end function

      !> Restore the number that qi_get_ensemble_noise() gave; see qi_set_noise().
      integer(c_int32_t) function qi_set_ensemble_noise(ensemble, draws) bind(C)
         import
         type(c_ptr), value :: ensemble
         integer(c_int64_t), value :: draws
      end function

      !> Let drag and noise alone act on the (active) bodies for a duration; see qi_thermalize().
      integer(c_int32_t) function qi_thermalize_ensemble(ensemble, duration) bind(C)
         import
         type(c_ptr), value :: ensemble
         real(c_double), value :: duration
      end function

      !> Multiply the angular momenta of the (active) bodies by a `factor`, for thermostats of the host program such as
      !> Nose-Hoover chains.
      integer(c_int32_t) function qi_scale_angular_momenta(ensemble, factor) bind(C)
         import
         type(c_ptr), value :: ensemble
         real(c_double), value :: factor
      end function

      !> Get the number of rotational degrees of freedom of the active bodies: 3 for each body, less the axes of zero moment.
      integer(c_int32_t) function qi_get_ensemble_degrees_of_freedom(ensemble, degrees) bind(C)
         import
         type(c_ptr), value :: ensemble
         integer(c_int64_t), intent(out) :: degrees
      end function
   end interface

contains

   elemental logical function frame_equals(self, other)
      class(qi_frame_t), intent(in) :: self
      type(qi_frame_t), intent(in) :: other

      frame_equals = self%number == other%number
   end function frame_equals

   elemental logical function frame_differs(self, other)
      class(qi_frame_t), intent(in) :: self
      type(qi_frame_t), intent(in) :: other

      frame_differs = self%number /= other%number
   end function frame_differs

   elemental logical function layout_equals(self, other)
      class(qi_layout_t), intent(in) :: self
      type(qi_layout_t), intent(in) :: other

      layout_equals = self%number == other%number
   end function layout_equals

   elemental logical function layout_differs(self, other)
      class(qi_layout_t), intent(in) :: self
      type(qi_layout_t), intent(in) :: other

      layout_differs = self%number /= other%number
   end function layout_differs

   elemental logical function order_equals(self, other)
      class(qi_order_t), intent(in) :: self
      type(qi_order_t), intent(in) :: other

      order_equals = self%number == other%number
   end function order_equals

   elemental logical function order_differs(self, other)
      class(qi_order_t), intent(in) :: self
      type(qi_order_t), intent(in) :: other

      order_differs = self%number /= other%number
   end function order_differs

   elemental logical function kind_equals(self, other)
      class(qi_kind_t), intent(in) :: self
      type(qi_kind_t), intent(in) :: other

      kind_equals = self%number == other%number
   end function kind_equals

   elemental logical function kind_differs(self, other)
      class(qi_kind_t), intent(in) :: self
      type(qi_kind_t), intent(in) :: other

      kind_differs = self%number /= other%number
   end function kind_differs

   elemental logical function method_equals(self, other)
      class(qi_method_t), intent(in) :: self
      type(qi_method_t), intent(in) :: other

      method_equals = self%number == other%number
   end function method_equals

   elemental logical function method_differs(self, other)
      class(qi_method_t), intent(in) :: self
      type(qi_method_t), intent(in) :: other

      method_differs = self%number /= other%number
   end function method_differs

   elemental logical function solve_method_equals(self, other)
      class(qi_solve_method_t), intent(in) :: self
      type(qi_solve_method_t), intent(in) :: other

      solve_method_equals = self%number == other%number
   end function solve_method_equals

   elemental logical function solve_method_differs(self, other)
      class(qi_solve_method_t), intent(in) :: self
      type(qi_solve_method_t), intent(in) :: other

      solve_method_differs = self%number /= other%number
   end function solve_method_differs

   elemental logical function keep_equals(self, other)
      class(qi_keep_t), intent(in) :: self
      type(qi_keep_t), intent(in) :: other

      keep_equals = self%number == other%number
   end function keep_equals

   elemental logical function keep_differs(self, other)
      class(qi_keep_t), intent(in) :: self
      type(qi_keep_t), intent(in) :: other

      keep_differs = self%number /= other%number
   end function keep_differs

   elemental logical function crossing_equals(self, other)
      class(qi_crossing_t), intent(in) :: self
      type(qi_crossing_t), intent(in) :: other

      crossing_equals = self%number == other%number
   end function crossing_equals

   elemental logical function crossing_differs(self, other)
      class(qi_crossing_t), intent(in) :: self
      type(qi_crossing_t), intent(in) :: other

      crossing_differs = self%number /= other%number
   end function crossing_differs

end module quatint_c
! ---- end of what `make bindings` writes
