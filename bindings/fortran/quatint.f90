!> quatint in Fortran: the rotation of rigid bodies under torque. Fortran 2018.
!!
!! The module has two layers. The types `qi_body_t` and `qi_ensemble_t` have type-bound procedures. Below them is an interface
!! for every function of quatint.h, which documents units, frames, errors and threads. Every public name begins with `qi_`.
!!
!! Conventions:
!!
!! Arrays       orientation(4) is (w, x, y, z). The type-bound procedures take matrices in mathematical order:
!!              velocity_gradient(i,j). The functions of the C library use row-major matrices: transpose them. The library
!!              works in bound arrays in place, with any strides. It reads or writes all other arrays only during the call.
!! Indices      count from 1. Error texts come from the library, which counts from 0. If an error concerns a body, its
!!              number counted from 1 is appended to the text, and qi_error_body() returns it.
!! Errors       Without `stat`, an error stops the program: `error stop` with the error text. With `stat`, the procedure returns
!!              the status in `stat` (QI_OK is 0) and the text in `errmsg`, if present. Without an error, `errmsg` keeps its
!!              value, as with ALLOCATE. After an error the other results are undefined; bodies, ensembles and bound arrays are
!!              as they were, except that advance, record and the solve procedures keep the completed steps.
!! Seeds, ids   are unsigned in the library. Fortran has no unsigned integers: the 64 bits of an integer(c_int64_t) are taken as
!!              they are, so -1 is the greatest id.
!! Callbacks    must be module procedures. An internal procedure is called through code on the stack, which is gone when its
!!              host returns.
!! Objects      A finalizer destroys an object together with its variable. Objects cannot be copied: an assignment is
!!              `error stop`. `call a%move_to(b)` moves an object. Fortran does not finalize the variables of a main program;
!!              call `destroy`.
module quatint
   use, intrinsic :: iso_c_binding, only: c_char, c_double, c_f_pointer, c_funloc, c_funptr, c_int32_t, c_int64_t, &
      c_intptr_t, c_loc, c_associated, c_null_char, c_null_funptr, c_null_ptr, c_ptr, c_ptrdiff_t, c_size_t
   implicit none
   private
   public :: qi_body_t, qi_ensemble_t, qi_mass_t, qi_torque, qi_chunk_torque, qi_chunk_torque_soa, qi_event_value, qi_text, &
      qi_inertia, qi_error_body, qi_frame_t, qi_layout_t, qi_order_t, qi_kind_t, QI_MODULE_VERSION_NUMBER, qi_add_in_body_frame, &
      qi_add_uniform_field, qi_add_gravity_gradient, qi_add_linear_drag, qi_add_shear_flow, qi_add_values_to_sum, &
      qi_get_sum_value

   abstract interface
      !> A torque on one body, called in each stage of a step: by the default method twice. All vectors are in the world frame.
      subroutine qi_torque(time, orientation, angular_velocity, torque, data, stat)
         import :: c_double
         real(c_double), intent(in) :: time                 !! the time of the stage
         real(c_double), intent(in) :: orientation(4)       !! (w, x, y, z), body to world
         real(c_double), intent(in) :: angular_velocity(3)  !! rad/s
         real(c_double), intent(inout) :: torque(3)         !! zero on entry
         class(*), intent(inout) :: data                    !! the `data` passed to set_torque; the integer 0 if there was none
         integer, intent(inout) :: stat                     !! 0 on entry; set any other value to abandon the step
      end subroutine qi_torque

      !> A torque on a chunk of at most 64 bodies: first .. first + count - 1; after set_active, positions in that list.
      subroutine qi_chunk_torque(time, first, count, orientation, angular_velocity, torque, data, stat)
         import :: c_double
         real(c_double), intent(in) :: time
         integer, intent(in) :: first, count
         real(c_double), intent(in) :: orientation(4, count), angular_velocity(3, count)
         real(c_double), intent(inout) :: torque(3, count)
         class(*), intent(inout) :: data
         integer, intent(inout) :: stat
      end subroutine qi_chunk_torque

      !> The same with a column for each component, which is the ensemble's own layout. It needs no transposition, and the
      !! compiler can vectorise loops over a chunk.
      subroutine qi_chunk_torque_soa(time, first, count, orientation, angular_velocity, torque, data, stat)
         import :: c_double
         real(c_double), intent(in) :: time
         integer, intent(in) :: first, count
         real(c_double), intent(in) :: orientation(count, 4), angular_velocity(count, 3)
         real(c_double), intent(inout) :: torque(count, 3)
         class(*), intent(inout) :: data
         integer, intent(inout) :: stat
      end subroutine qi_chunk_torque_soa

      !> A function of the motion for solve_until: an event is where `value` crosses zero. It is called at many times within each
      !! step, not in their order. All vectors are in the world frame.
      subroutine qi_event_value(time, orientation, angular_velocity, value, data, stat)
         import :: c_double
         real(c_double), intent(in) :: time
         real(c_double), intent(in) :: orientation(4)       !! (w, x, y, z), body to world
         real(c_double), intent(in) :: angular_velocity(3)  !! rad/s
         real(c_double), intent(out) :: value
         class(*), intent(inout) :: data                    !! the `data` passed to solve_until; the integer 0 if there was none
         integer, intent(inout) :: stat                     !! 0 on entry; set any other value to end the solution
      end subroutine qi_event_value

      !> The inertia of a body as a function of the time, for set_inertia_function. It is called at times that are not in order,
      !! and gives the same inertia for the same time. It must not use the body.
      subroutine qi_inertia(time, inertia, data, stat)
         import :: c_double
         real(c_double), intent(in) :: time
         real(c_double), intent(inout) :: inertia(3, 3)     !! zero on entry
         class(*), intent(inout) :: data                    !! the `data` passed with it; the integer 0 if there was none
         integer, intent(inout) :: stat                     !! 0 on entry; set any other value to stop the call that moves the body
      end subroutine qi_inertia
   end interface

   !> User data that the library passes to our callbacks. Allocated separately: its address stays when an object is moved.
   type :: callback_t
      procedure(qi_torque), pointer, nopass :: torque => null()
      procedure(qi_chunk_torque), pointer, nopass :: chunk => null()
      procedure(qi_chunk_torque_soa), pointer, nopass :: chunk_soa => null()
      procedure(qi_inertia), pointer, nopass :: inertia => null()
      class(*), pointer :: data => null()
   end type callback_t

   !> The same for the event function of solve_until, which is called only during that call.
   type :: event_t
      procedure(qi_event_value), pointer, nopass :: value => null()
      class(*), pointer :: data => null()
      integer :: stat = 0            !! what the event function returned, if it ended the solution
      real(c_double) :: time = 0     !! and at what time
   end type event_t

   !> Target of `data` for a callback without data, and an address for arrays without elements.
   integer, target, save :: no_data = 0
   real(c_double), target, save :: no_number = 0

   !> A rigid body: inertia, orientation, angular velocity, a clock and the torque that acts on it.
   type :: qi_body_t
      private
      type(c_ptr) :: handle = c_null_ptr
      type(callback_t), pointer :: callback => null()
      type(callback_t), pointer :: inertia_callback => null()
   contains
      procedure :: create => body_create
      procedure :: destroy => body_destroy
      procedure :: exists => body_exists
      procedure :: move_to => body_move_to
      procedure :: c_handle => body_c_handle
      procedure :: set_torque => body_set_torque
      procedure :: clear_torque => body_clear_torque
      procedure :: step => body_step
      procedure :: advance => body_advance
      procedure :: record => body_record
      procedure :: solve => body_solve
      procedure :: solve_record => body_solve_record
      procedure :: solve_until => body_solve_until
      procedure :: solve_statistics => body_solve_statistics
      procedure :: row_size => body_row_size
      procedure :: get_row => body_get_row
      procedure :: set_row => body_set_row
      ! ---- `make bindings` writes these lines from the rows of tools/bindings/interface.toml, for Body: do not edit
      procedure :: get_time => body_get_time
      procedure :: set_time => body_set_time
      procedure :: get_clock => body_get_clock
      procedure :: set_clock => body_set_clock
      procedure :: get_orientation => body_get_orientation
      procedure :: get_angular_velocity => body_get_angular_velocity
      procedure :: get_angular_velocity_body => body_get_angular_velocity_body
      procedure :: set_state => body_set_state
      procedure :: set_state_body => body_set_state_body
      procedure :: get_angular_momentum => body_get_angular_momentum
      procedure :: set_angular_momentum => body_set_angular_momentum
      procedure :: get_kinetic_energy => body_get_kinetic_energy
      procedure :: set_inertia => body_set_inertia
      procedure :: lock_axes => body_lock_axes
      procedure :: set_constant_torque => body_set_constant_torque
      procedure :: set_uniform_field_torque => body_set_uniform_field_torque
      procedure :: set_gravity_gradient_torque => body_set_gravity_gradient_torque
      procedure :: set_linear_drag_torque => body_set_linear_drag_torque
      procedure :: set_shear_flow_torque => body_set_shear_flow_torque
      procedure :: set_drag => body_set_drag
      procedure :: clear_drag => body_clear_drag
      procedure :: set_langevin => body_set_langevin
      procedure :: clear_langevin => body_clear_langevin
      procedure :: thermalize => body_thermalize
      procedure :: get_noise_draws => body_get_noise_draws
      procedure :: set_noise_draws => body_set_noise_draws
      procedure :: get_rotor_momentum => body_get_rotor_momentum
      procedure :: set_rotor_momentum => body_set_rotor_momentum
      procedure :: clear_rotor_momentum => body_clear_rotor_momentum
      procedure :: get_rotor_torque => body_get_rotor_torque
      procedure :: set_rotor_torque => body_set_rotor_torque
      procedure :: clear_rotor_torque => body_clear_rotor_torque
      procedure :: method => body_method
      procedure :: set_method => body_set_method
      procedure :: kick => body_kick
      procedure :: drift => body_drift
      procedure :: forget_torque => body_forget_torque
      procedure :: get_acting_torque => body_get_acting_torque
      procedure :: get_angular_acceleration => body_get_angular_acceleration
      procedure :: callback_result => body_callback_result
      procedure :: set_solve_longest_step => body_set_solve_longest_step
      procedure :: set_solve_most_evaluations => body_set_solve_most_evaluations
      procedure :: set_solve_method => body_set_solve_method
      ! ---- end of what `make bindings` writes
      procedure :: set_inertia_function => body_set_inertia_function
      procedure :: clear_inertia_function => body_clear_inertia_function
      generic :: assignment(=) => refuse_copy
      procedure, private :: refuse_copy => body_refuse_copy
      final :: body_finalize
   end type qi_body_t

   !> Rigid bodies that step together. Their states are in the ensemble's own memory or in your arrays.
   type :: qi_ensemble_t
      private
      type(c_ptr) :: handle = c_null_ptr
      type(callback_t), pointer :: callback => null()
   contains
      procedure :: create => ensemble_create
      procedure :: destroy => ensemble_destroy
      procedure :: exists => ensemble_exists
      procedure :: move_to => ensemble_move_to
      procedure :: c_handle => ensemble_c_handle
      procedure :: count => ensemble_count
      procedure :: select => ensemble_select
      procedure :: row_size => ensemble_row_size
      procedure :: get_rows => ensemble_get_rows
      procedure :: set_rows => ensemble_set_rows
      !> The axes are a number for all bodies, or an array with one for each body.
      generic :: lock_axes => lock_axes_of_all, lock_axes_of_each
      procedure :: get_kinetic_energy_sums => ensemble_get_kinetic_energy_sums
      procedure :: get_angular_momentum_sums => ensemble_get_angular_momentum_sums
      procedure :: set_active => ensemble_set_active
      procedure :: set_all_active => ensemble_set_all_active
      procedure :: set_torque => ensemble_set_torque
      procedure :: set_torque_soa => ensemble_set_torque_soa
      procedure :: clear_torque => ensemble_clear_torque
      procedure :: set_ids => ensemble_set_ids
      procedure :: step => ensemble_step
      procedure :: advance => ensemble_advance
      !> The torques are an array, or the vectors in an array of records: then pass those of the first two records.
      generic :: kick => kick_array, kick_records
      generic :: kick_drift => kick_drift_array, kick_drift_records
      procedure :: set_points => ensemble_set_points
      procedure :: get_point_positions => ensemble_get_point_positions
      procedure :: get_point_velocities => ensemble_get_point_velocities
      procedure :: sum_point_forces => ensemble_sum_point_forces
      procedure :: begin_steps => ensemble_begin_steps
      procedure :: next_stage => ensemble_next_stage
      procedure :: supply_torque => ensemble_supply_torque
      procedure :: continue_step => ensemble_continue_step
      !> Binds an array of vectors, or the vectors in an array of records: then pass those of the first two records.
      generic :: bind_orientations => bind_orientations_array, bind_orientations_records
      generic :: bind_angular_velocities => bind_angular_velocities_array, bind_angular_velocities_records
      generic :: bind_predicted_velocities => bind_predicted_velocities_array, bind_predicted_velocities_records
      procedure :: unbind_predicted_velocities => ensemble_unbind_predicted_velocities
      generic :: bind_flow_gradients => bind_flow_gradients_array, bind_flow_gradients_records
      procedure :: unbind_flow_gradients => ensemble_unbind_flow_gradients
      procedure, private :: lock_axes_of_all => ensemble_lock_axes_of_all
      procedure, private :: lock_axes_of_each => ensemble_lock_axes_of_each
      procedure, private :: kick_array => ensemble_kick
      procedure, private :: kick_records => ensemble_kick_records
      procedure, private :: kick_drift_array => ensemble_kick_drift
      procedure, private :: kick_drift_records => ensemble_kick_drift_records
      procedure, private :: bind_orientations_array => ensemble_bind_orientations
      procedure, private :: bind_orientations_records => ensemble_bind_orientations_records
      procedure, private :: bind_angular_velocities_array => ensemble_bind_angular_velocities
      procedure, private :: bind_angular_velocities_records => ensemble_bind_angular_velocities_records
      procedure, private :: bind_predicted_velocities_array => ensemble_bind_predicted_velocities
      procedure, private :: bind_predicted_velocities_records => ensemble_bind_predicted_velocities_records
      procedure, private :: bind_flow_gradients_array => ensemble_bind_flow_gradients
      procedure, private :: bind_flow_gradients_records => ensemble_bind_flow_gradients_records
      ! ---- `make bindings` writes these lines from the rows of tools/bindings/interface.toml, for Ensemble: do not edit
      procedure :: get_time => ensemble_get_time
      procedure :: set_time => ensemble_set_time
      procedure :: get_clock => ensemble_get_clock
      procedure :: set_clock => ensemble_set_clock
      procedure :: get_orientations => ensemble_get_orientations
      procedure :: set_orientations => ensemble_set_orientations
      procedure :: get_angular_velocities => ensemble_get_angular_velocities
      procedure :: set_angular_velocities => ensemble_set_angular_velocities
      procedure :: get_angular_momenta => ensemble_get_angular_momenta
      procedure :: set_angular_momenta => ensemble_set_angular_momenta
      procedure :: get_kinetic_energies => ensemble_get_kinetic_energies
      procedure :: get_total_kinetic_energy => ensemble_get_total_kinetic_energy
      procedure :: get_total_angular_momentum => ensemble_get_total_angular_momentum
      procedure :: scale_angular_momenta => ensemble_scale_angular_momenta
      procedure :: get_degrees_of_freedom => ensemble_get_degrees_of_freedom
      procedure :: release_arrays => ensemble_release_arrays
      procedure :: resize => ensemble_resize
      procedure :: set_inertias => ensemble_set_inertias
      procedure :: set_principal_inertias => ensemble_set_principal_inertias
      procedure :: set_constant_torque => ensemble_set_constant_torque
      procedure :: set_uniform_field_torque => ensemble_set_uniform_field_torque
      procedure :: set_gravity_gradient_torque => ensemble_set_gravity_gradient_torque
      procedure :: set_linear_drag_torque => ensemble_set_linear_drag_torque
      procedure :: set_shear_flow_torque => ensemble_set_shear_flow_torque
      procedure :: set_drag => ensemble_set_drag
      procedure :: clear_drag => ensemble_clear_drag
      procedure :: set_langevin => ensemble_set_langevin
      procedure :: clear_langevin => ensemble_clear_langevin
      procedure :: thermalize => ensemble_thermalize
      procedure :: get_noise_draws => ensemble_get_noise_draws
      procedure :: set_noise_draws => ensemble_set_noise_draws
      procedure :: set_rotor_momentum => ensemble_set_rotor_momentum
      procedure :: clear_rotor_momentum => ensemble_clear_rotor_momentum
      procedure :: method => ensemble_method
      procedure :: set_method => ensemble_set_method
      procedure :: drift => ensemble_drift
      procedure :: forget_torques => ensemble_forget_torques
      procedure :: callback_result => ensemble_callback_result
      procedure :: set_threads => ensemble_set_threads
      procedure :: active_count => ensemble_active_count
      procedure :: point_count => ensemble_point_count
      procedure :: set_stage_layout => ensemble_set_stage_layout
      procedure :: begin_step => ensemble_begin_step
      procedure :: cancel_step => ensemble_cancel_step
      ! ---- end of what `make bindings` writes
      generic :: assignment(=) => refuse_copy
      procedure, private :: refuse_copy => ensemble_refuse_copy
      final :: ensemble_finalize
   end type qi_ensemble_t

   !> The choices of an argument are of a type of their own, so that the compiler refuses, say, QI_SCALAR_LAST as a frame. `number`
   !! is what the functions of the C library take.
   type :: qi_frame_t
      integer(c_int32_t) :: number = 0
   end type qi_frame_t

   type :: qi_layout_t
      integer(c_int32_t) :: number = 0
   end type qi_layout_t

   !> The order of the components of a quaternion.
   type :: qi_order_t
      integer(c_int32_t) :: number = 0
   end type qi_order_t

   !> The kind of the bound vectors: angular velocities or momenta, in the world frame or in that of the body.
   type :: qi_kind_t
      integer(c_int32_t) :: number = 0
   end type qi_kind_t

   !> Location of the vectors of an array, as the library needs it. Strides count doubles.
   type :: view_t
      type(c_ptr) :: first = c_null_ptr
      integer(c_ptrdiff_t) :: body_stride = 0, component_stride = 1
   end type view_t

   ! ---- `make bindings` writes these lines from include/quatint.h: do not edit
   public :: QI_VERSION_MAJOR, QI_VERSION_MINOR, QI_VERSION_PATCH, QI_FRAME_WORLD, QI_FRAME_BODY, QI_LAYOUT_AOS, &
      QI_LAYOUT_SOA, QI_SCALAR_FIRST, QI_SCALAR_LAST, QI_OMEGA_WORLD, QI_OMEGA_BODY, QI_ANGMOM_WORLD, QI_ANGMOM_BODY, &
      QI_METHOD_PCDM, QI_METHOD_SPLITTING, QI_METHOD_SPLITTING_4, QI_METHOD_CF4, QI_METHOD_SPLITTING_6, &
      QI_METHOD_FORCE_GRADIENT, QI_METHOD_BROWNIAN, QI_RISING, QI_FALLING, QI_ANY_CROSSING, QI_SOLVE_NONSTIFF, &
      QI_SOLVE_STIFF, QI_MASS_SIZE, QI_KEEP_ANGULAR_VELOCITY, QI_KEEP_ANGULAR_MOMENTUM, QI_AXIS_X, QI_AXIS_Y, QI_AXIS_Z, &
      QI_MAX_THREADS, QI_PART_STATE, QI_PART_INERTIA, QI_PART_TORQUE, QI_PART_MEMORY, QI_PART_ID, QI_SUM_SIZE, QI_OK, &
      QI_NEED_TORQUE, QI_EVENT, QI_ERR_NULL, QI_ERR_MISALIGNED, QI_ERR_INVALID, QI_ERR_NON_FINITE, QI_ERR_INERTIA, &
      QI_ERR_ORIENTATION, QI_ERR_CALLBACK, QI_ERR_CAPACITY, QI_ERR_BUSY, QI_ERR_MEMORY, QI_ERR_PANIC, QI_ERR_ORDER, &
      QI_ERR_STEP
   public :: qi_version_number, qi_version_string, qi_status_name, qi_status_message, qi_last_error, qi_last_error_cause, &
      qi_last_error_body, qi_rotate, qi_rotate_inverse, qi_orientation_from_axis_angle, qi_orientation_to_axis_angle, &
      qi_orientation_from_rotation_vector, qi_orientation_to_rotation_vector, qi_orientation_from_matrix, &
      qi_orientation_to_matrix, qi_orientation_from_euler, qi_orientation_to_euler, qi_orientation_product, &
      qi_orientation_inverse, qi_orientation_slerp, qi_orientation_angle, qi_angular_velocity_from_euler_rates, &
      qi_angular_velocity_to_euler_rates, qi_orientation_from_mrp, qi_orientation_to_mrp, qi_add_point_mass, &
      qi_add_sphere_mass, qi_add_ellipsoid_mass, qi_add_box_mass, qi_add_cylinder_mass, qi_add_mesh_mass, &
      qi_add_inertia_mass, qi_get_mass_properties, qi_get_principal_axes, qi_create_body, qi_destroy_body, qi_forget_torque, &
      qi_get_torque, qi_get_angular_acceleration, qi_set_method, qi_get_method, qi_step, qi_advance, qi_record, &
      qi_get_orientation, qi_get_angular_velocity, qi_get_angular_velocity_body, qi_set_state, qi_set_angular_momentum, &
      qi_set_state_body, qi_get_time, qi_set_time, qi_get_angular_momentum, qi_get_kinetic_energy, qi_integrate, &
      qi_set_torque, qi_set_constant_torque, qi_set_uniform_field_torque, qi_set_gravity_gradient_torque, &
      qi_set_linear_drag_torque, qi_set_shear_flow_torque, qi_get_callback_result, qi_set_inertia, qi_set_inertia_function, &
      qi_set_locked_axes, qi_set_ensemble_locked_axes, qi_solve, qi_solve_record, qi_solve_until, qi_set_solve_longest_step, &
      qi_set_solve_most_evaluations, qi_set_solve_method, qi_get_solve_statistics, qi_create_ensemble, qi_destroy_ensemble, &
      qi_get_ensemble_count, qi_get_ensemble_time, qi_set_ensemble_time, qi_set_ensemble_method, qi_get_ensemble_method, &
      qi_forget_ensemble_torques, qi_set_ensemble_active, qi_get_ensemble_active_count, qi_set_ensemble_threads, &
      qi_step_ensemble, qi_advance_ensemble, qi_get_ensemble_callback_result, qi_set_ensemble_torque, &
      qi_set_ensemble_constant_torque, qi_set_ensemble_uniform_field_torque, qi_set_ensemble_gravity_gradient_torque, &
      qi_set_ensemble_linear_drag_torque, qi_set_ensemble_shear_flow_torque, qi_bind_flow_gradients, qi_set_inertias, &
      qi_set_principal_inertias, qi_set_orientations, qi_get_orientations, qi_set_angular_velocities, &
      qi_set_angular_momenta, qi_get_angular_velocities, qi_get_kinetic_energies, qi_get_angular_momenta, &
      qi_get_total_kinetic_energy, qi_get_total_angular_momentum, qi_bind_orientations, qi_bind_angular_velocities, &
      qi_bind_orientation_rows, qi_bind_angular_velocity_rows, qi_get_ensemble_row_size, qi_get_ensemble_rows, &
      qi_set_ensemble_rows, qi_get_body_row_size, qi_get_body_row, qi_set_body_row, qi_get_clock, qi_set_clock, &
      qi_get_ensemble_clock, qi_set_ensemble_clock, qi_resize_ensemble, qi_select_bodies, qi_release_arrays, &
      qi_get_kinetic_energy_sums, qi_get_angular_momentum_sums, qi_add_to_sum, qi_get_sum, qi_begin_ensemble_step, &
      qi_begin_ensemble_steps, qi_set_ensemble_stage_layout, qi_get_ensemble_stage_layout, qi_next_ensemble_stage, &
      qi_supply_ensemble_torque, qi_continue_ensemble_step, qi_cancel_ensemble_step, qi_kick, qi_drift, qi_kick_ensemble, &
      qi_drift_ensemble, qi_kick_drift_ensemble, qi_bind_predicted_velocities, qi_set_drag, qi_set_ensemble_drag, &
      qi_set_rotor_momentum, qi_get_rotor_momentum, qi_set_rotor_torque, qi_get_rotor_torque, &
      qi_set_ensemble_rotor_momentum, qi_set_points, qi_get_point_count, qi_get_point_positions, qi_get_point_velocities, &
      qi_sum_point_forces, qi_add_body_torque, qi_add_uniform_field_torque, qi_add_gravity_gradient_torque, &
      qi_add_linear_drag_torque, qi_get_shear_flow_resistances, qi_add_shear_flow_torque, qi_set_langevin, qi_get_noise, &
      qi_set_noise, qi_thermalize, qi_set_ensemble_langevin, qi_set_ensemble_ids, qi_get_ensemble_noise, &
      qi_set_ensemble_noise, qi_thermalize_ensemble, qi_scale_angular_momenta, qi_get_ensemble_degrees_of_freedom

   integer(c_int32_t), parameter :: QI_VERSION_MAJOR = 0           !! Major version of the header.
   integer(c_int32_t), parameter :: QI_VERSION_MINOR = 2           !! Minor version of the header.
   integer(c_int32_t), parameter :: QI_VERSION_PATCH = 0           !! Patch version of the header.
   type(qi_frame_t), parameter :: QI_FRAME_WORLD = qi_frame_t(0)   !! The components are given in the world frame.
   type(qi_frame_t), parameter :: QI_FRAME_BODY = qi_frame_t(1)    !! The components are given in the body frame.
   type(qi_layout_t), parameter :: QI_LAYOUT_AOS = qi_layout_t(0)  !! A column for each body, `orientation(4, n)`.
   type(qi_layout_t), parameter :: QI_LAYOUT_SOA = qi_layout_t(1)  !! A row for each body, `orientation(n, 4)`: the fastest.
   type(qi_order_t), parameter :: QI_SCALAR_FIRST = qi_order_t(0)  !! Quaternions stored as (w, x, y, z).
   type(qi_order_t), parameter :: QI_SCALAR_LAST = qi_order_t(1)   !! Quaternions stored as (x, y, z, w).
   type(qi_kind_t), parameter :: QI_OMEGA_WORLD = qi_kind_t(0)     !! Angular velocities in the world frame.
   type(qi_kind_t), parameter :: QI_OMEGA_BODY = qi_kind_t(1)      !! Angular velocities in the body frame, as the integrator
                                                                   !! keeps them. With any other kind, the bits are not those
                                                                   !! of a body stepped alone.
   type(qi_kind_t), parameter :: QI_ANGMOM_WORLD = qi_kind_t(2)    !! Angular momenta `I omega` in the world frame.
   type(qi_kind_t), parameter :: QI_ANGMOM_BODY = qi_kind_t(3)     !! Angular momenta `I omega` in the body frame.
   integer(c_int32_t), parameter :: QI_METHOD_PCDM = 0             !! PCDM, the default.
   integer(c_int32_t), parameter :: QI_METHOD_SPLITTING = 1        !! Order 2, one torque evaluation per step.
   integer(c_int32_t), parameter :: QI_METHOD_SPLITTING_4 = 2      !! Order 4, six torque evaluations per step, for torques
                                                                   !! that depend on orientation and time only. S. Blanes, P.
                                                                   !! C. Moan, J. Comput. Appl. Math. 142, 313 (2002).
   integer(c_int32_t), parameter :: QI_METHOD_CF4 = 3              !! Order 4, four torque evaluations per step, for any
                                                                   !! torque.
   integer(c_int32_t), parameter :: QI_METHOD_SPLITTING_6 = 4      !! Order 6, eleven torque evaluations per step, for torques
                                                                   !! that depend on orientation and time only. The source is
                                                                   !! that of QI_METHOD_SPLITTING_4.
   integer(c_int32_t), parameter :: QI_METHOD_FORCE_GRADIENT = 5   !! Order 4, three torque evaluations per step, for torques
                                                                   !! that depend on orientation and time only.
   integer(c_int32_t), parameter :: QI_METHOD_BROWNIAN = 6         !! Overdamped rotation with noise, without inertia.
   integer(c_int32_t), parameter :: QI_RISING = 1                  !! Crossings of zero from negative to positive.
   integer(c_int32_t), parameter :: QI_FALLING = -1                !! Crossings of zero from positive to negative.
   integer(c_int32_t), parameter :: QI_ANY_CROSSING = 0            !! Crossings of zero in both directions.
   integer(c_int32_t), parameter :: QI_SOLVE_NONSTIFF = 0          !! DOP853, the default of qi_set_solve_method().
   integer(c_int32_t), parameter :: QI_SOLVE_STIFF = 1             !! RODAS, a Rosenbrock method of order 4, wherever it costs
                                                                   !! less than DOP853. It is meant for torques that change
                                                                   !! faster than the motion, such as drag in a callback and
                                                                   !! stiff, damped springs. E. Hairer, G. Wanner, Solving
                                                                   !! Ordinary Differential Equations II, IV.7.
   integer(c_int32_t), parameter :: QI_MASS_SIZE = 10              !! Number of doubles in the sum of an assembly's parts.
   integer(c_int32_t), parameter :: QI_KEEP_ANGULAR_VELOCITY = 0   !! qi_set_inertia().
   integer(c_int32_t), parameter :: QI_KEEP_ANGULAR_MOMENTUM = 1   !! qi_set_inertia().
   integer(c_int32_t), parameter :: QI_AXIS_X = 1                  !! The body axis x, for qi_set_locked_axes(). The constants
                                                                   !! may be added.
   integer(c_int32_t), parameter :: QI_AXIS_Y = 2                  !! The body axis y.
   integer(c_int32_t), parameter :: QI_AXIS_Z = 4                  !! The body axis z.
   integer(c_int32_t), parameter :: QI_MAX_THREADS = 1024          !! The largest number of threads of an ensemble.
   integer(c_int32_t), parameter :: QI_PART_STATE = 1              !! Part of a row, 7 doubles.
   integer(c_int32_t), parameter :: QI_PART_INERTIA = 2            !! Part of a row, 7 doubles.
   integer(c_int32_t), parameter :: QI_PART_TORQUE = 4             !! Part of a row.
   integer(c_int32_t), parameter :: QI_PART_MEMORY = 8             !! Part of a row.
   integer(c_int32_t), parameter :: QI_PART_ID = 16                !! Part of a row, 1 double.
   integer(c_int32_t), parameter :: QI_SUM_SIZE = 68               !! Number of int64_t in an exact sum.
   integer(c_int32_t), parameter :: QI_OK = 0                      !! Success.
   integer(c_int32_t), parameter :: QI_NEED_TORQUE = 1             !! The stage protocol needs the torque of the current
                                                                   !! stage. This is not an error.
   integer(c_int32_t), parameter :: QI_EVENT = 2                   !! qi_solve_until() has stopped at an event. This is not an
                                                                   !! error.
   integer(c_int32_t), parameter :: QI_ERR_NULL = -1               !! A required pointer is NULL.
   integer(c_int32_t), parameter :: QI_ERR_MISALIGNED = -2         !! A pointer is not aligned for its type.
   integer(c_int32_t), parameter :: QI_ERR_INVALID = -3            !! An argument is out of range.
   integer(c_int32_t), parameter :: QI_ERR_NON_FINITE = -4         !! An argument, a torque or a result is NaN or infinite.
   integer(c_int32_t), parameter :: QI_ERR_INERTIA = -5            !! The inertia tensor is not symmetric, is not positive
                                                                   !! definite, or is out of range.
   integer(c_int32_t), parameter :: QI_ERR_ORIENTATION = -6        !! A quaternion is too far from unit length, or a matrix is
                                                                   !! too far from a rotation.
   integer(c_int32_t), parameter :: QI_ERR_CALLBACK = -7           !! The torque callback returned a value other than 0.
   integer(c_int32_t), parameter :: QI_ERR_CAPACITY = -8           !! An output array is too small.
   integer(c_int32_t), parameter :: QI_ERR_BUSY = -9               !! The object is in use.
   integer(c_int32_t), parameter :: QI_ERR_MEMORY = -10            !! Out of memory.
   integer(c_int32_t), parameter :: QI_ERR_PANIC = -11             !! A defect of the library itself. The object stays valid.
   integer(c_int32_t), parameter :: QI_ERR_ORDER = -12             !! The calls of the stage protocol came in the wrong order.
   integer(c_int32_t), parameter :: QI_ERR_STEP = -13              !! Error control finds no step that is short enough,
                                                                   !! because the torque or the motion is singular.

   ! The C library. Arrays with strides are `type(c_ptr)`: c_loc of the first number, of a target that stays.
   interface
      !> Get the version of the linked library, to compare with QI_VERSION_NUMBER.
      integer(c_int32_t) function qi_version_number() bind(C)
         import
      end function

      !> Get the version of the linked library, such as "0.1.0": a static string, never NULL.
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

      !> Say that something which the torque reads has changed, such as a sampled command, or a field that another program
      !> computes.
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

      !> Lock body axes of each body of an ensemble; see qi_set_locked_axes(). qi_set_inertias() and its kin unlock.
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

      !> As qi_solve(), but stop where an event function crosses zero, if it does so before `end_time`.
      integer(c_int32_t) function qi_solve_until(body, end_time, tolerance, event, direction, user_data) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), value :: end_time, tolerance
         type(c_funptr), value :: event
         integer(c_int32_t), value :: direction
         type(c_ptr), value :: user_data
      end function

      !> Set the longest step of qi_solve(), qi_solve_record() and qi_solve_until() of this body.
      integer(c_int32_t) function qi_set_solve_longest_step(body, longest) bind(C)
         import
         type(c_ptr), value :: body
         real(c_double), value :: longest
      end function

      !> Limit the number of evaluations in a call of qi_solve(), qi_solve_record() or qi_solve_until() of this body.
      integer(c_int32_t) function qi_set_solve_most_evaluations(body, most) bind(C)
         import
         type(c_ptr), value :: body
         integer(c_int64_t), value :: most
      end function

      !> Choose how qi_solve(), qi_solve_record() and qi_solve_until() of this body take their steps.
      integer(c_int32_t) function qi_set_solve_method(body, method) bind(C)
         import
         type(c_ptr), value :: body
         integer(c_int32_t), value :: method
      end function

      !> Get the cost of the last qi_solve(), qi_solve_record() or qi_solve_until() of this body, also if it failed.
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

      !> Say that something which the torque reads has changed, or that states in bound arrays have been written.
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
      integer(c_int32_t) function qi_bind_flow_gradients(ensemble, gradients, body_stride) bind(C)
         import
         type(c_ptr), value :: ensemble, gradients
         integer(c_ptrdiff_t), value :: body_stride
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

      !> Supply the torque of the last stage and get the next one.
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

      !> Rotate a body freely for a duration, exactly, whatever its length.
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
   ! ---- end of what `make bindings` writes

   !> QI_VERSION_NUMBER of quatint.h, to compare with qi_version_number(); Fortran cannot tell the two names apart.
   integer(c_int32_t), parameter :: QI_MODULE_VERSION_NUMBER = ior(ishft(QI_VERSION_MAJOR, 16), &
      ior(ishft(QI_VERSION_MINOR, 8), QI_VERSION_PATCH))

   !> The mass, the centre of mass and the inertia of an assembly of parts. All positions are in the axes of the assembly. A part
   !! with a negative mass is a hole. The elements of `sum` are those of QI_MASS_SIZE; those of two assemblies add up.
   type :: qi_mass_t
      real(c_double) :: sum(QI_MASS_SIZE) = 0
   contains
      procedure :: add_point => mass_add_point
      procedure :: add_sphere => mass_add_sphere
      procedure :: add_ellipsoid => mass_add_ellipsoid
      procedure :: add_box => mass_add_box
      procedure :: add_cylinder => mass_add_cylinder
      procedure :: add_mesh => mass_add_mesh
      procedure :: add_inertia => mass_add_inertia
      procedure :: get_properties => mass_get_properties
   end type qi_mass_t

contains

   ! ---- one body

   !> Creates a body with its clock at 0 and without a torque. On success, the previous body of this variable is destroyed.
   subroutine body_create(self, inertia, orientation, angular_velocity, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(in) :: inertia(:, :)   !! (3, 3), about the centre of mass, body frame
      real(c_double), intent(in), optional :: orientation(:)   !! (4), absent: body and world axes coincide
      real(c_double), intent(in), optional :: angular_velocity(:)   !! (3), world frame, rad/s; absent: at rest
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      if (.not. has_size('inertia', shape(inertia), [3, 3], stat, errmsg)) return
      if (present(orientation)) then
         if (.not. has_size('orientation', shape(orientation), [4], stat, errmsg)) return
      end if
      if (present(angular_velocity)) then
         if (.not. has_size('angular_velocity', shape(angular_velocity), [3], stat, errmsg)) return
      end if
      handle = qi_create_body(inertia, orientation, angular_velocity, status)
      call settle(status, stat, errmsg)
      if (.not. c_associated(handle)) return
      call self%destroy()
      self%handle = handle
   end subroutine body_create

   !> Destroys the body, if it exists.
   impure elemental subroutine body_destroy(self)
      class(qi_body_t), intent(inout) :: self

      call qi_destroy_body(self%handle)
      self%handle = c_null_ptr
      if (associated(self%callback)) deallocate (self%callback)
      if (associated(self%inertia_callback)) deallocate (self%inertia_callback)
   end subroutine body_destroy

   impure elemental subroutine body_finalize(self)
      type(qi_body_t), intent(inout) :: self

      call self%destroy()
   end subroutine body_finalize

   !> Whether the body exists: it was created, and neither destroyed nor moved away.
   elemental logical function body_exists(self)
      class(qi_body_t), intent(in) :: self

      body_exists = c_associated(self%handle)
   end function body_exists

   !> Moves the body to another variable and destroys the body that was there.
   subroutine body_move_to(self, to)
      class(qi_body_t), intent(inout) :: self
      class(qi_body_t), intent(inout) :: to

      if (c_associated(self%handle, to%handle)) return
      call to%destroy()
      to%handle = self%handle
      to%callback => self%callback
      to%inertia_callback => self%inertia_callback
      self%handle = c_null_ptr
      self%callback => null()
      self%inertia_callback => null()
   end subroutine body_move_to

   impure elemental subroutine body_refuse_copy(to, from)
      class(qi_body_t), intent(inout) :: to
      type(qi_body_t), intent(in) :: from

      if (to%exists() .or. from%exists()) error stop 'quatint: a body cannot be copied by an assignment; use move_to'
   end subroutine body_refuse_copy

   !> The C handle, for the functions of the C library. The body keeps ownership of it.
   type(c_ptr) function body_c_handle(self)
      class(qi_body_t), intent(in) :: self

      body_c_handle = self%handle
   end function body_c_handle

   !> Sets a procedure that gives the inertia at each time: see qi_set_inertia_function. set_inertia and lock_axes end the change.
   subroutine body_set_inertia_function(self, inertia, data, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      procedure(qi_inertia) :: inertia                     !! a module procedure
      class(*), intent(inout), target, optional :: data    !! passed to every call; a target that exists as long as the function
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(callback_t), pointer :: callback
      integer(c_int32_t) :: status

      if (.not. is_data(data, stat, errmsg)) return
      callback => new_callback(data)
      callback%inertia => inertia
      status = qi_set_inertia_function(self%handle, c_funloc(call_inertia), c_loc(callback))
      call keep_callback(status, callback, self%inertia_callback)
      call settle(status, stat, errmsg)
   end subroutine body_set_inertia_function

   !> The inertia is constant from now on: that of this moment.
   subroutine body_clear_inertia_function(self, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_set_inertia_function(self%handle, c_null_funptr, c_null_ptr), stat, errmsg)
   end subroutine body_clear_inertia_function

   !> Sets a procedure as the torque on the body, replacing any previous torque.
   subroutine body_set_torque(self, torque, data, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      procedure(qi_torque) :: torque                       !! a module procedure
      class(*), intent(inout), target, optional :: data    !! passed to every call; a target that exists as long as the torque
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(callback_t), pointer :: callback
      integer(c_int32_t) :: status

      if (.not. is_data(data, stat, errmsg)) return
      callback => new_callback(data)
      callback%torque => torque
      status = qi_set_torque(self%handle, c_funloc(call_torque), c_loc(callback))
      call keep_callback(status, callback, self%callback)
      call settle(status, stat, errmsg)
   end subroutine body_set_torque

   !> Removes the torque.
   subroutine body_clear_torque(self, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_set_torque(self%handle, c_null_funptr, c_null_ptr), stat, errmsg)
   end subroutine body_clear_torque

   !> Takes one step. If it fails, the body and its clock are unchanged.
   subroutine body_step(self, dt, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(in) :: dt
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_step(self%handle, dt), stat, errmsg)
   end subroutine body_step

   !> Takes many steps. If one fails, the steps before it are kept.
   subroutine body_advance(self, dt, steps, completed, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(in) :: dt
      integer, intent(in) :: steps
      integer, intent(out), optional :: completed, stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t) :: done
      integer(c_int32_t) :: status

      if (present(completed)) completed = 0
      if (.not. is_count(steps, 'steps', stat, errmsg)) return
      done = 0
      status = qi_advance(self%handle, dt, int(steps, c_int64_t), done)
      if (present(completed)) completed = int(done)
      call settle(status, stat, errmsg)
   end subroutine body_advance

   !> Takes many steps and records the trajectory: the initial state and the state after every `every` steps, one column each.
   subroutine body_record(self, dt, steps, every, records, written, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(in) :: dt
      integer, intent(in) :: steps, every
      real(c_double), intent(inout), contiguous :: records(:, :)   !! (8, steps/every + 1): time, w, x, y, z, omega (world)
      integer, intent(out), optional :: written, stat              !! written: the number of columns written
      character(*), intent(inout), optional :: errmsg
      integer(c_size_t) :: columns
      integer(c_int32_t) :: status

      if (present(written)) written = 0
      if (steps < 0 .or. every < 0) then
         call refuse('`steps` or `every` is negative', stat, errmsg)
         return
      else if (size(records, 1) /= 8) then
         call refuse('`records` has '//list([size(records, 1)])//' rows; it must have 8', stat, errmsg)
         return
      end if
      columns = 0
      status = qi_record(self%handle, dt, int(steps, c_int64_t), int(every, c_int64_t), records, &
         size(records, 2, c_size_t), columns)
      if (present(written)) written = int(columns)
      call settle(status, stat, errmsg)
   end subroutine body_record

   !> Advances the body to a time, in steps that a tolerance determines. The method of set_method does not matter. If it fails,
   !! the body is where its last accepted step ended.
   subroutine body_solve(self, end_time, tolerance, evaluations, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(in) :: end_time                !! before or after that of the body
      real(c_double), intent(in) :: tolerance               !! local error of a step, 1e-15 to 0.1: rad, and relative for omega
      integer, intent(out), optional :: evaluations, stat   !! evaluations: the number of torques, also after an error
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t) :: torques
      integer(c_int32_t) :: status

      torques = 0
      status = qi_solve(self%handle, end_time, tolerance, torques)
      if (present(evaluations)) evaluations = at_most_huge(torques)
      call settle(status, stat, errmsg)
   end subroutine body_solve

   !> Solves to the last of some times and records the state at each of them, one column each. The steps do not depend on the times.
   subroutine body_solve_record(self, times, tolerance, records, written, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(in), contiguous :: times(:)           !! ascend or descend from the body's time, which may be the first
      real(c_double), intent(in) :: tolerance                      !! as for solve
      real(c_double), intent(inout), contiguous :: records(:, :)   !! (8, size(times)): time, w, x, y, z, omega (world)
      integer, intent(out), optional :: written, stat              !! written: the number of columns written, also after an error
      character(*), intent(inout), optional :: errmsg
      integer(c_size_t) :: columns
      integer(c_int32_t) :: status

      if (present(written)) written = 0
      if (size(records, 1) /= 8) then
         call refuse('`records` has '//list([size(records, 1)])//' rows; it must have 8', stat, errmsg)
         return
      else if (size(records, 2) < size(times)) then
         call fail_here(QI_ERR_CAPACITY, '`records` is too small: '//list([size(times)])//' needed, '// &
            list([size(records, 2)])//' given', stat, errmsg)
         return
      end if
      columns = 0
      status = qi_solve_record(self%handle, times, size(times, kind=c_size_t), tolerance, records, columns)
      if (present(written)) written = int(columns)
      call settle(status, stat, errmsg)
   end subroutine body_solve_record

   !> Solves to a time, or to the first zero of an event function before it. The next call finds the next event.
   subroutine body_solve_until(self, end_time, tolerance, event, direction, happened, data, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(in) :: end_time, tolerance            !! as for solve
      procedure(qi_event_value) :: event                                 !! a module procedure
      integer(c_int32_t), intent(in), optional :: direction        !! QI_RISING, QI_FALLING or QI_ANY_CROSSING, the default
      logical, intent(out) :: happened                             !! true: the body is at the event; false: at end_time
      class(*), intent(inout), target, optional :: data            !! passed to every call
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(event_t), target :: callback
      integer(c_int32_t) :: crossing, status
      character(30) :: time

      happened = .false.
      if (.not. is_data(data, stat, errmsg)) return
      callback%value => event
      callback%data => no_data
      if (present(data)) callback%data => data
      crossing = QI_ANY_CROSSING
      if (present(direction)) crossing = direction
      status = qi_solve_until(self%handle, end_time, tolerance, c_funloc(call_event), crossing, c_loc(callback))
      happened = status == QI_EVENT
      if (callback%stat /= 0) then
         write (time, '(g0.6)') callback%time
         call fail_here(QI_ERR_CALLBACK, 'the event function returned '//list([callback%stat])//' at time '//trim(time), &
            stat, errmsg)
      else
         call settle(status, stat, errmsg)
      end if
   end subroutine body_solve_until

   !> Gets the cost of the last solve, solve_record or solve_until, also if it failed; 0 before the first.
   subroutine body_solve_statistics(self, evaluations, accepted, rejected, stat, errmsg)
      class(qi_body_t), intent(in) :: self
      integer, intent(out), optional :: evaluations                !! number of torques
      integer, intent(out), optional :: accepted, rejected, stat   !! steps taken; steps tried and not taken
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t) :: counts(3)
      integer(c_int32_t) :: status

      counts = 0
      status = qi_get_solve_statistics(self%handle, counts(1), counts(2), counts(3))
      if (present(evaluations)) evaluations = at_most_huge(counts(1))
      if (present(accepted)) accepted = at_most_huge(counts(2))
      if (present(rejected)) rejected = at_most_huge(counts(3))
      call settle(status, stat, errmsg)
   end subroutine body_solve_statistics

   !> How many numbers get_row gives. It depends on torque, method, drag, rotors and random torques.
   integer function body_row_size(self, parts)
      class(qi_body_t), intent(in) :: self
      integer(c_int32_t), intent(in) :: parts   !! a sum of QI_PART constants

      body_row_size = int(qi_get_body_row_size(self%handle, parts))
   end function body_row_size

   !> Gets the data of the body as numbers, for a file: with clock, and with torque, method, drag and motors set again, all that
   !! a restart needs.
   subroutine body_get_row(self, parts, row, stat, errmsg)
      class(qi_body_t), intent(in) :: self
      integer(c_int32_t), intent(in) :: parts               !! a sum of QI_PART constants
      real(c_double), intent(inout), contiguous :: row(:)   !! (row_size(parts))
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_size('row', shape(row), [self%row_size(parts)], stat, errmsg)) return
      call settle(qi_get_body_row(self%handle, parts, row), stat, errmsg)
   end subroutine body_get_row

   !> Sets the data of the body from get_row, or from a column of an ensemble's get_rows. Torque, method, drag, rotors and random
   !! torques are set before.
   subroutine body_set_row(self, parts, row, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      integer(c_int32_t), intent(in) :: parts
      real(c_double), intent(in), contiguous :: row(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_size('row', shape(row), [self%row_size(parts)], stat, errmsg)) return
      call settle(qi_set_body_row(self%handle, parts, row), stat, errmsg)
   end subroutine body_set_row

   ! ---- `make bindings` writes these lines from the rows of tools/bindings/interface.toml, for Body: do not edit
   !> Gets the clock: the sum of the steps since it was set.
   subroutine body_get_time(self, time, stat, errmsg)
      class(qi_body_t), intent(in) :: self
      real(c_double), intent(out) :: time
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_get_time(self%handle, time), stat, errmsg)
   end subroutine body_get_time

   !> Sets the clock: the sum of the steps since it was set.
   subroutine body_set_time(self, time, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(in) :: time
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_set_time(self%handle, time), stat, errmsg)
   end subroutine body_set_time

   !> Gets the whole clock: the time, and what rounding has left of the sum of the steps. Set again, it gives a run the same
   !! times bit for bit.
   subroutine body_get_clock(self, clock, stat, errmsg)
      class(qi_body_t), intent(in) :: self
      real(c_double), intent(out) :: clock(:)   !! (2)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_size('clock', shape(clock), [2], stat, errmsg)) return
      call settle(qi_get_clock(self%handle, clock), stat, errmsg)
   end subroutine body_get_clock

   !> Sets the whole clock: the time, and what rounding has left of the sum of the steps.
   subroutine body_set_clock(self, clock, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(in) :: clock(:)   !! (2)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_size('clock', shape(clock), [2], stat, errmsg)) return
      call settle(qi_set_clock(self%handle, clock), stat, errmsg)
   end subroutine body_set_clock

   !> Gets the orientation (w, x, y, z), body to world.
   subroutine body_get_orientation(self, orientation, stat, errmsg)
      class(qi_body_t), intent(in) :: self
      real(c_double), intent(out) :: orientation(:)   !! (4)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_size('orientation', shape(orientation), [4], stat, errmsg)) return
      call settle(qi_get_orientation(self%handle, orientation), stat, errmsg)
   end subroutine body_get_orientation

   !> Gets the angular velocity, rad/s, world frame.
   subroutine body_get_angular_velocity(self, angular_velocity, stat, errmsg)
      class(qi_body_t), intent(in) :: self
      real(c_double), intent(out) :: angular_velocity(:)   !! (3)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_size('angular_velocity', shape(angular_velocity), [3], stat, errmsg)) return
      call settle(qi_get_angular_velocity(self%handle, angular_velocity), stat, errmsg)
   end subroutine body_get_angular_velocity

   !> Gets the angular velocity, rad/s, body frame, which is the stored form.
   subroutine body_get_angular_velocity_body(self, angular_velocity, stat, errmsg)
      class(qi_body_t), intent(in) :: self
      real(c_double), intent(out) :: angular_velocity(:)   !! (3)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_size('angular_velocity', shape(angular_velocity), [3], stat, errmsg)) return
      call settle(qi_get_angular_velocity_body(self%handle, angular_velocity), stat, errmsg)
   end subroutine body_get_angular_velocity_body

   !> Sets the orientation and the angular velocity, world frame. Clock and torque stay.
   subroutine body_set_state(self, orientation, angular_velocity, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(in) :: orientation(:)   !! (4)
      real(c_double), intent(in) :: angular_velocity(:)   !! (3)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_size('orientation', shape(orientation), [4], stat, errmsg)) return
      if (.not. has_size('angular_velocity', shape(angular_velocity), [3], stat, errmsg)) return
      call settle(qi_set_state(self%handle, orientation, angular_velocity), stat, errmsg)
   end subroutine body_set_state

   !> Sets the orientation and the angular velocity, body frame. It restores the values of get_orientation and
   !! get_angular_velocity_body bit for bit.
   subroutine body_set_state_body(self, orientation, angular_velocity_body, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(in) :: orientation(:)   !! (4)
      real(c_double), intent(in) :: angular_velocity_body(:)   !! (3), body frame, rad/s
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_size('orientation', shape(orientation), [4], stat, errmsg)) return
      if (.not. has_size('angular_velocity_body', shape(angular_velocity_body), [3], stat, errmsg)) return
      call settle(qi_set_state_body(self%handle, orientation, angular_velocity_body), stat, errmsg)
   end subroutine body_set_state_body

   !> Gets the angular momentum, world frame, with that of rotors.
   subroutine body_get_angular_momentum(self, angular_momentum, stat, errmsg)
      class(qi_body_t), intent(in) :: self
      real(c_double), intent(out) :: angular_momentum(:)   !! (3)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_size('angular_momentum', shape(angular_momentum), [3], stat, errmsg)) return
      call settle(qi_get_angular_momentum(self%handle, angular_momentum), stat, errmsg)
   end subroutine body_get_angular_momentum

   !> Sets the angular momentum, world frame, with that of rotors. The angular velocity follows from it. Orientation and clock
   !! stay.
   subroutine body_set_angular_momentum(self, angular_momentum, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(in) :: angular_momentum(:)   !! (3)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_size('angular_momentum', shape(angular_momentum), [3], stat, errmsg)) return
      call settle(qi_set_angular_momentum(self%handle, angular_momentum), stat, errmsg)
   end subroutine body_set_angular_momentum

   !> Gets the rotational kinetic energy, without that of rotors.
   subroutine body_get_kinetic_energy(self, energy, stat, errmsg)
      class(qi_body_t), intent(in) :: self
      real(c_double), intent(out) :: energy
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_get_kinetic_energy(self%handle, energy), stat, errmsg)
   end subroutine body_get_kinetic_energy

   !> Sets the inertia. Orientation, clock and torque stay. No axis is locked then, unless a moment is zero.
   subroutine body_set_inertia(self, inertia, keep, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(in) :: inertia(:, :)   !! (3, 3)
      integer(c_int32_t), intent(in) :: keep   !! QI_KEEP_ANGULAR_VELOCITY or QI_KEEP_ANGULAR_MOMENTUM; what belongs to axes
         !! of zero moment is taken away in any case
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_size('inertia', shape(inertia), [3, 3], stat, errmsg)) return
      call settle(qi_set_inertia(self%handle, inertia, keep), stat, errmsg)
   end subroutine body_set_inertia

   !> Locks body axes, which must be principal axes: the body does not turn about them, whatever the torque. Their moments
   !! become zero. Locks add up until set_inertia.
   subroutine body_lock_axes(self, axes, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      integer(c_int32_t), intent(in) :: axes   !! a sum of QI_AXIS_X, QI_AXIS_Y and QI_AXIS_Z; 0: nothing changes
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_set_locked_axes(self%handle, axes), stat, errmsg)
   end subroutine body_lock_axes

   !> Sets a constant torque. In the body frame it turns with the body.
   subroutine body_set_constant_torque(self, torque, frame, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(in) :: torque(:)   !! (3), in the frame that `frame` selects
      type(qi_frame_t), intent(in), optional :: frame   !! of the torque: QI_FRAME_WORLD, the default, or QI_FRAME_BODY
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_size('torque', shape(torque), [3], stat, errmsg)) return
      call settle(qi_set_constant_torque(self%handle, torque, frame_or_world(frame)), stat, errmsg)
   end subroutine body_set_constant_torque

   !> Sets the torque of a uniform field, `(R v) x F`. For example the weight F of a top whose centre of mass is at v.
   subroutine body_set_uniform_field_torque(self, vector_body, field_world, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(in) :: vector_body(:)   !! (3), v, body frame
      real(c_double), intent(in) :: field_world(:)   !! (3), F, world frame
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_size('vector_body', shape(vector_body), [3], stat, errmsg)) return
      if (.not. has_size('field_world', shape(field_world), [3], stat, errmsg)) return
      call settle(qi_set_uniform_field_torque(self%handle, vector_body, field_world), stat, errmsg)
   end subroutine body_set_uniform_field_torque

   !> Sets the torque of a central gravity field, `3 g n x (I n)`. The direction n is along the line to the attracting mass,
   !! and g is G M / r^3.
   subroutine body_set_gravity_gradient_torque(self, direction_world, gradient, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(in) :: direction_world(:)   !! (3), n, world frame, along the line to the attracting mass, of any
         !! length but 0
      real(c_double), intent(in) :: gradient   !! g = G M / r^3, in 1/time^2; on a circular orbit, this is the square of the
         !! orbital rate
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_size('direction_world', shape(direction_world), [3], stat, errmsg)) return
      call settle(qi_set_gravity_gradient_torque(self%handle, direction_world, gradient), stat, errmsg)
   end subroutine body_set_gravity_gradient_torque

   !> Sets a linear drag as the torque: `-c_i omega_i` about each body axis i.
   subroutine body_set_linear_drag_torque(self, coefficients, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(in) :: coefficients(:)   !! (3), c, torque per rad/s about the body axes x, y, z; a negative
         !! coefficient drives the rotation
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_size('coefficients', shape(coefficients), [3], stat, errmsg)) return
      call settle(qi_set_linear_drag_torque(self%handle, coefficients), stat, errmsg)
   end subroutine body_set_linear_drag_torque

   !> Sets Jeffery's torque: that of a viscous fluid in linear flow on an ellipsoid. Entry (i, j) of the gradient is the
   !! derivative of velocity component i along axis j, world frame.
   subroutine body_set_shear_flow_torque(self, semi_axes, viscosity, velocity_gradient, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(in) :: semi_axes(:)   !! (3), along the body axes, positive
      real(c_double), intent(in) :: viscosity   !! dynamic viscosity of the fluid, positive
      real(c_double), intent(in) :: velocity_gradient(:, :)   !! (3, 3), world frame: entry (i, j) is d(velocity component i)
         !! / d(position j)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_size('semi_axes', shape(semi_axes), [3], stat, errmsg)) return
      if (.not. has_size('velocity_gradient', shape(velocity_gradient), [3, 3], stat, errmsg)) return
      call settle(qi_set_shear_flow_torque(self%handle, semi_axes, viscosity, transpose(velocity_gradient)), stat, errmsg)
   end subroutine body_set_shear_flow_torque

   !> Sets a linear drag besides the torque: `-c_i (omega_i - flow_i)` about each body axis i. It is taken implicitly, so that
   !! no coefficient is too large for the step. Kicks include it.
   subroutine body_set_drag(self, coefficients, flow, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(in) :: coefficients(:)   !! (3), c, torque per rad/s about the body axes
      real(c_double), intent(in), optional :: flow(:)   !! (3), angular velocity of the fluid, world frame, rad/s; absent: at
         !! rest
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_size('coefficients', shape(coefficients), [3], stat, errmsg)) return
      if (present(flow)) then
         if (.not. has_size('flow', shape(flow), [3], stat, errmsg)) return
      end if
      call settle(qi_set_drag(self%handle, coefficients, flow), stat, errmsg)
   end subroutine body_set_drag

   !> Removes the drag. The torque stays.
   subroutine body_clear_drag(self, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_set_drag(self%handle), stat, errmsg)
   end subroutine body_clear_drag

   !> Sets random torques besides the torque: a drag about each body axis, and the noise that belongs to it at the energy
   !! `kt`. They act in steps by the splitting of order 2 and by the Brownian method; other methods refuse them.
   subroutine body_set_langevin(self, coefficients, kt, seed, id, flow, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(in) :: coefficients(:)   !! (3), c, torque per rad/s about the body axes, not negative
      real(c_double), intent(in) :: kt   !! energy, not negative; 0: drag alone
      integer(c_int64_t), intent(in) :: seed   !! seed of all noise of a simulation
      integer(c_int64_t), intent(in) :: id   !! id of the noise of this body
      real(c_double), intent(in), optional :: flow(:)   !! (3), angular velocity of the fluid, world frame, rad/s; absent: at
         !! rest
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_size('coefficients', shape(coefficients), [3], stat, errmsg)) return
      if (present(flow)) then
         if (.not. has_size('flow', shape(flow), [3], stat, errmsg)) return
      end if
      call settle(qi_set_langevin(self%handle, coefficients, flow, kt, seed, id), stat, errmsg)
   end subroutine body_set_langevin

   !> Removes the random torques. The torque and the number of draws stay.
   subroutine body_clear_langevin(self, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_set_langevin(self%handle, kt=0.0_c_double, seed=0_c_int64_t, id=0_c_int64_t), stat, errmsg)
   end subroutine body_clear_langevin

   !> Lets drag and noise alone act for a duration, exactly, at constant orientation. The clock stays. It is one draw.
   !! Programs that kick and drift call it between two drifts of half a step.
   subroutine body_thermalize(self, duration, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(in) :: duration   !! not negative
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_thermalize(self%handle, duration), stat, errmsg)
   end subroutine body_thermalize

   !> Gets how many times noise has been drawn. Each step with random torques draws, and so does thermalize. A restart needs
   !! the number besides the state and the clock.
   subroutine body_get_noise_draws(self, draws, stat, errmsg)
      class(qi_body_t), intent(in) :: self
      integer(c_int64_t), intent(out) :: draws
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_get_noise(self%handle, draws), stat, errmsg)
   end subroutine body_get_noise_draws

   !> Sets how many times noise has been drawn.
   subroutine body_set_noise_draws(self, draws, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      integer(c_int64_t), intent(in) :: draws
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_set_noise(self%handle, draws), stat, errmsg)
   end subroutine body_set_noise_draws

   !> Gets the angular momentum of rotors within the body, such as reaction wheels, body frame.
   subroutine body_get_rotor_momentum(self, momentum, stat, errmsg)
      class(qi_body_t), intent(in) :: self
      real(c_double), intent(out) :: momentum(:)   !! (3), body frame; 0 without rotors
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_size('momentum', shape(momentum), [3], stat, errmsg)) return
      call settle(qi_get_rotor_momentum(self%handle, momentum), stat, errmsg)
   end subroutine body_get_rotor_momentum

   !> Sets the angular momentum of rotors within the body, such as reaction wheels, body frame. Only the torque of
   !! set_rotor_torque changes it. Orientation and angular velocity stay. get_angular_momentum includes it, get_kinetic_energy
   !! does not. The inertia of the body is that with the rotors locked.
   subroutine body_set_rotor_momentum(self, momentum, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(in) :: momentum(:)   !! (3), h, body frame
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_size('momentum', shape(momentum), [3], stat, errmsg)) return
      call settle(qi_set_rotor_momentum(self%handle, momentum), stat, errmsg)
   end subroutine body_set_rotor_momentum

   !> Removes the rotors.
   subroutine body_clear_rotor_momentum(self, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_set_rotor_momentum(self%handle), stat, errmsg)
   end subroutine body_clear_rotor_momentum

   !> Gets the torque of the motors that drive the rotors, body frame.
   subroutine body_get_rotor_torque(self, torque_body, stat, errmsg)
      class(qi_body_t), intent(in) :: self
      real(c_double), intent(out) :: torque_body(:)   !! (3), body frame; 0 without motors
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_size('torque_body', shape(torque_body), [3], stat, errmsg)) return
      call settle(qi_get_rotor_torque(self%handle, torque_body), stat, errmsg)
   end subroutine body_get_rotor_torque

   !> Sets the torque of the motors that drive the rotors, body frame. While time passes it acts on the body, and its opposite
   !! on the rotors. It stays until it is set anew: a controller sets it once per sample.
   subroutine body_set_rotor_torque(self, torque_body, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(in) :: torque_body(:)   !! (3), u, body frame
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_size('torque_body', shape(torque_body), [3], stat, errmsg)) return
      call settle(qi_set_rotor_torque(self%handle, torque_body), stat, errmsg)
   end subroutine body_set_rotor_torque

   !> Removes the motors.
   subroutine body_clear_rotor_torque(self, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_set_rotor_torque(self%handle), stat, errmsg)
   end subroutine body_clear_rotor_torque

   !> The method.
   integer(c_int32_t) function body_method(self) result(method)
      class(qi_body_t), intent(in) :: self

      call settle(qi_get_method(self%handle, method))
   end function body_method

   !> Sets the method. State, clock and torque stay.
   subroutine body_set_method(self, method, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      integer(c_int32_t), intent(in) :: method   !! a QI_METHOD constant; QI_METHOD_PCDM is the default
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_set_method(self%handle, method), stat, errmsg)
   end subroutine body_set_method

   !> Adds `duration * torque` to the angular momentum, and the drag of this duration. Orientation and clock stay. A step of
   !! velocity Verlet is a kick of half a step, a drift of a step, and, with a new torque, a kick of half a step.
   subroutine body_kick(self, duration, torque, frame, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(in) :: duration
      real(c_double), intent(in) :: torque(:)   !! (3), in the frame that `frame` selects
      type(qi_frame_t), intent(in), optional :: frame   !! of the torque: QI_FRAME_WORLD, the default, or QI_FRAME_BODY
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_size('torque', shape(torque), [3], stat, errmsg)) return
      call settle(qi_kick(self%handle, duration, torque, frame_or_world(frame)), stat, errmsg)
   end subroutine body_kick

   !> Rotates freely for a duration of any length: exactly, or with rotors by the method. The clock moves on. The torque is
   !! not called.
   subroutine body_drift(self, duration, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(in) :: duration
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_drift(self%handle, duration), stat, errmsg)
   end subroutine body_drift

   !> Says that something has changed that the torque reads, such as a sampled command: the splitting methods then ask for the
   !! torque anew.
   subroutine body_forget_torque(self, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_forget_torque(self%handle), stat, errmsg)
   end subroutine body_forget_torque

   !> Gets the sum of all torques at the present state, those of drag and motors too, world frame. The torque is asked once.
   subroutine body_get_acting_torque(self, torque, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(out) :: torque(:)   !! (3), world frame
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_size('torque', shape(torque), [3], stat, errmsg)) return
      call settle(qi_get_torque(self%handle, torque), stat, errmsg)
   end subroutine body_get_acting_torque

   !> Gets the angular acceleration at the present state, rad/s^2, world frame. The torque is asked once.
   subroutine body_get_angular_acceleration(self, angular_acceleration, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(out) :: angular_acceleration(:)   !! (3), world frame
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_size('angular_acceleration', shape(angular_acceleration), [3], stat, errmsg)) return
      call settle(qi_get_angular_acceleration(self%handle, angular_acceleration), stat, errmsg)
   end subroutine body_get_angular_acceleration

   !> The value that the torque returned when it last stopped a step; 0 if it was content.
   pure integer function body_callback_result(self)
      class(qi_body_t), intent(in) :: self

      body_callback_result = qi_get_callback_result(self%handle)
   end function body_callback_result

   !> Sets the longest step of solve and its kin; 0, the default: any length. A torque that acts for a shorter time, such as a
   !! pulse, may not be seen. A body without torque takes one exact step as before.
   subroutine body_set_solve_longest_step(self, longest, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(in) :: longest   !! length of time, not negative, for both directions; 0 (the default): any
         !! length
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_set_solve_longest_step(self%handle, longest), stat, errmsg)
   end subroutine body_set_solve_longest_step

   !> Sets the most evaluations of the torque in a call of solve or its kin; where no torque acts, of the event function; 0,
   !! the default: no limit. A call that needs more fails, and the body is where its last accepted step ended; another call
   !! goes on from there.
   subroutine body_set_solve_most_evaluations(self, most, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      integer, intent(in) :: most   !! number of torque evaluations; in qi_solve_until() of a body without torque, of
         !! evaluations of the event function. 0 (the default): no limit
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. is_count(most, 'most', stat, errmsg)) return
      call settle(qi_set_solve_most_evaluations(self%handle, int(most, c_int64_t)), stat, errmsg)
   end subroutine body_set_solve_most_evaluations

   !> Sets how solve and its kin take their steps. The default is an explicit method of order 8. The stiff one, of order 4,
   !! costs less for torques that change faster than the motion, such as stiff drag and springs. The error of a solution that
   !! takes too many evaluations says whether the torque looks stiff.
   subroutine body_set_solve_method(self, method, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      integer(c_int32_t), intent(in) :: method   !! QI_SOLVE_NONSTIFF, the default, or QI_SOLVE_STIFF
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_set_solve_method(self%handle, method), stat, errmsg)
   end subroutine body_set_solve_method
   ! ---- end of what `make bindings` writes

   ! ---- many bodies

   !> Creates an ensemble: every body at rest, with identity orientation, unit inertia and no torque; the clock at 0.
   subroutine ensemble_create(self, count, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      integer, intent(in) :: count
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      if (.not. is_count(count, 'count', stat, errmsg)) return
      handle = qi_create_ensemble(int(count, c_size_t), status)
      call settle(status, stat, errmsg)
      if (.not. c_associated(handle)) return
      call self%destroy()
      self%handle = handle
   end subroutine ensemble_create

   !> Destroys the ensemble, if it exists. Bound arrays keep the last states.
   impure elemental subroutine ensemble_destroy(self)
      class(qi_ensemble_t), intent(inout) :: self

      call qi_destroy_ensemble(self%handle)
      self%handle = c_null_ptr
      if (associated(self%callback)) deallocate (self%callback)
   end subroutine ensemble_destroy

   impure elemental subroutine ensemble_finalize(self)
      type(qi_ensemble_t), intent(inout) :: self

      call self%destroy()
   end subroutine ensemble_finalize

   !> Whether the ensemble exists: it was created, and neither destroyed nor moved away.
   elemental logical function ensemble_exists(self)
      class(qi_ensemble_t), intent(in) :: self

      ensemble_exists = c_associated(self%handle)
   end function ensemble_exists

   !> Moves the ensemble to another variable and destroys the ensemble that was there.
   subroutine ensemble_move_to(self, to)
      class(qi_ensemble_t), intent(inout) :: self
      class(qi_ensemble_t), intent(inout) :: to

      if (c_associated(self%handle, to%handle)) return
      call to%destroy()
      to%handle = self%handle
      to%callback => self%callback
      self%handle = c_null_ptr
      self%callback => null()
   end subroutine ensemble_move_to

   impure elemental subroutine ensemble_refuse_copy(to, from)
      class(qi_ensemble_t), intent(inout) :: to
      type(qi_ensemble_t), intent(in) :: from

      if (to%exists() .or. from%exists()) error stop 'quatint: an ensemble cannot be copied by an assignment; use move_to'
   end subroutine ensemble_refuse_copy

   !> The C handle, for the functions of the C library. The ensemble keeps ownership of it.
   type(c_ptr) function ensemble_c_handle(self)
      class(qi_ensemble_t), intent(in) :: self

      ensemble_c_handle = self%handle
   end function ensemble_c_handle

   !> The number of bodies; 0 if the ensemble does not exist.
   pure integer function ensemble_count(self)
      class(qi_ensemble_t), intent(in) :: self

      ensemble_count = int(qi_get_ensemble_count(self%handle))
   end function ensemble_count

   !> Body i becomes a copy of body from(i), for each i: this removes, sorts and copies bodies. Otherwise as resize.
   subroutine ensemble_select(self, from, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      integer, intent(in) :: from(:)   !! counts from 1
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_size_t), allocatable :: from_0(:)
      integer(c_int32_t) :: status

      if (.not. counted_from_0('from', from, from_0, stat, errmsg)) return
      status = qi_select_bodies(self%handle, from_0, size(from, kind=c_size_t))
      call settle(status, stat, errmsg)
   end subroutine ensemble_select

   !> How many numbers describe a body in the rows of get_rows and set_rows. It depends on torque and method.
   integer function ensemble_row_size(self, parts)
      class(qi_ensemble_t), intent(in) :: self
      integer(c_int32_t), intent(in) :: parts   !! a sum of QI_PART constants

      ensemble_row_size = int(qi_get_ensemble_row_size(self%handle, parts))
   end function ensemble_row_size

   !> Gets the data of bodies as numbers: a column rows(:, i) for each body.
   subroutine ensemble_get_rows(self, parts, rows, bodies, stat, errmsg)
      class(qi_ensemble_t), intent(in) :: self
      integer(c_int32_t), intent(in) :: parts                   !! a sum of QI_PART constants
      real(c_double), intent(inout), contiguous :: rows(:, :)   !! (row_size(parts), number of bodies)
      integer, intent(in), optional :: bodies(:)                !! column i is body bodies(i), from 1; absent: all bodies
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_size_t), allocatable :: from_0(:)

      if (.not. are_rows(self, parts, shape(rows), bodies, from_0, stat, errmsg)) return
      call settle(qi_get_ensemble_rows(self%handle, parts, from_0, size(rows, 2, c_size_t), rows), stat, errmsg)
   end subroutine ensemble_get_rows

   !> Replaces the data of bodies by columns from get_rows. All are checked before the first is written. In a restart, rows,
   !! clock, torque and method are set in any order.
   subroutine ensemble_set_rows(self, parts, rows, bodies, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      integer(c_int32_t), intent(in) :: parts
      real(c_double), intent(in), contiguous :: rows(:, :)
      integer, intent(in), optional :: bodies(:)   !! column i is for body bodies(i), from 1; absent: all bodies
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_size_t), allocatable :: from_0(:)

      if (.not. are_rows(self, parts, shape(rows), bodies, from_0, stat, errmsg)) return
      call settle(qi_set_ensemble_rows(self%handle, parts, from_0, size(rows, 2, c_size_t), rows), stat, errmsg)
   end subroutine ensemble_set_rows

   !> Checks the shape of rows, and converts the list of their bodies. Without a list, `from_0` is not allocated, and so absent
   !! where it is passed on.
   logical function are_rows(self, parts, given, bodies, from_0, stat, errmsg)
      class(qi_ensemble_t), intent(in) :: self
      integer(c_int32_t), intent(in) :: parts
      integer, intent(in) :: given(2)
      integer, intent(in), optional :: bodies(:)
      integer(c_size_t), allocatable, intent(out) :: from_0(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer :: count

      are_rows = iand(parts, not(QI_PART_STATE + QI_PART_INERTIA + QI_PART_TORQUE + QI_PART_MEMORY + QI_PART_ID)) == 0
      if (.not. are_rows) then
         call refuse('`parts` must be a sum of QI_PART constants', stat, errmsg)
         return
      end if
      count = self%count()
      if (present(bodies)) then
         count = size(bodies)
         are_rows = counted_from_0('bodies', bodies, from_0, stat, errmsg)
      else if (given(2) == 0) then
         count = 0 ! nothing happens. To gfortran an empty array constructor is an absent argument.
      end if
      if (are_rows) are_rows = has_shape(self, 'rows', given, [self%row_size(parts), count], stat, errmsg, &
         '. Are parts, torque, drag, rotors, random torques and method those of the ensemble that wrote the rows?')
   end function are_rows

   !> Locks the same body axes of all bodies; see body_lock_axes. set_inertias and set_principal_inertias unlock.
   subroutine ensemble_lock_axes_of_all(self, axes, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      integer(c_int32_t), intent(in) :: axes   !! a sum of QI_AXIS_X, QI_AXIS_Y and QI_AXIS_Z
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_set_ensemble_locked_axes(self%handle, [axes], 0_c_ptrdiff_t), stat, errmsg)
   end subroutine ensemble_lock_axes_of_all

   !> Locks body axes of each body.
   subroutine ensemble_lock_axes_of_each(self, axes, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      integer(c_int32_t), intent(in) :: axes(:)   !! (n), each a sum of QI_AXIS_X, QI_AXIS_Y and QI_AXIS_Z; 0: none
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_shape(self, 'axes', shape(axes), [self%count()], stat, errmsg)) return
      call settle(qi_set_ensemble_locked_axes(self%handle, axes, 1_c_ptrdiff_t), stat, errmsg)
   end subroutine ensemble_lock_axes_of_each

   !> Gets the exact sum of the kinetic energies of the (active) bodies. The sums of ensembles, added element by element, are the
   !! exact sum over all their bodies; qi_get_sum_value gives its value.
   subroutine ensemble_get_kinetic_energy_sums(self, sums, stat, errmsg)
      class(qi_ensemble_t), intent(in) :: self
      integer(c_int64_t), intent(inout), contiguous :: sums(:)   !! (QI_SUM_SIZE)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (has_shape(self, 'sums', shape(sums), [integer :: QI_SUM_SIZE], stat, errmsg)) &
         call settle(qi_get_kinetic_energy_sums(self%handle, sums), stat, errmsg)
   end subroutine ensemble_get_kinetic_energy_sums

   !> Gets the exact sums of the angular momenta of the (active) bodies, world frame. See get_kinetic_energy_sums.
   subroutine ensemble_get_angular_momentum_sums(self, sums, stat, errmsg)
      class(qi_ensemble_t), intent(in) :: self
      integer(c_int64_t), intent(inout), contiguous :: sums(:, :)   !! (QI_SUM_SIZE, 3): x, y, z
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (has_shape(self, 'sums', shape(sums), [integer :: QI_SUM_SIZE, 3], stat, errmsg)) &
         call settle(qi_get_angular_momentum_sums(self%handle, sums), stat, errmsg)
   end subroutine ensemble_get_angular_momentum_sums

   !> Binds an array of orientations: from now on the ensemble reads and writes them there, without a copy. The shape is (4, n),
   !! or (n, 4) with layout = QI_LAYOUT_SOA; array sections are allowed. The contents become the orientations of the bodies. The
   !! array must stay at its address until the ensemble is destroyed, bound to another array or told to release_arrays: assign an
   !! allocatable array as q(:, :) = ..., because q = ... may move it. (The dummy argument is a pointer, so that the compiler
   !! requires a target and does not copy a section.)
   !!
   !! With `rows`, body i is in orientations(:, rows(i)), and the array may be longer: (4, m). Columns of no body are not
   !! touched.
   subroutine ensemble_bind_orientations(self, orientations, layout, order, stat, errmsg, rows)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), pointer, intent(in) :: orientations(:, :)
      type(qi_layout_t), intent(in), optional :: layout
      type(qi_order_t), intent(in), optional :: order     !! QI_SCALAR_FIRST, the default, or QI_SCALAR_LAST
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer, intent(in), optional :: rows(:)              !! of each body, from 1, none twice; copied; absent: rows(i) = i
      type(view_t) :: view

      if (view_of(self, 'orientations', orientations, 4, layout, view, stat, errmsg, rows)) &
         call bind_orientations(self, view, order, stat, errmsg, rows)
   end subroutine ensemble_bind_orientations

   !> Binds the orientations in an array of records: `call e%bind_orientations(p(1)%q, p(2)%q)`.
   subroutine ensemble_bind_orientations_records(self, first, second, order, stat, errmsg, rows)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), pointer, intent(in) :: first(:), second(:)   !! of the first two records; if there is only one, the same
      type(qi_order_t), intent(in), optional :: order
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer, intent(in), optional :: rows(:)                     !! body i is in record rows(i), from 1; absent: record i
      type(view_t) :: view

      if (view_of_records(self, 'orientations', first, second, 4, view, stat, errmsg, rows)) &
         call bind_orientations(self, view, order, stat, errmsg, rows)
   end subroutine ensemble_bind_orientations_records

   subroutine bind_orientations(self, view, order, stat, errmsg, rows)
      class(qi_ensemble_t), intent(inout) :: self
      type(view_t), intent(in) :: view
      type(qi_order_t), intent(in), optional :: order
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer, intent(in), optional :: rows(:)
      integer(c_int32_t) :: in_order

      in_order = QI_SCALAR_FIRST%number
      if (present(order)) in_order = order%number
      if (present(rows)) then
         call settle(qi_bind_orientation_rows(self%handle, view%first, view%body_stride, view%component_stride, in_order, &
            int(rows - 1, c_int32_t)), stat, errmsg)
      else
         call settle(qi_bind_orientations(self%handle, view%first, view%body_stride, view%component_stride, in_order), &
            stat, errmsg)
      end if
   end subroutine bind_orientations

   !> Binds an array of angular velocities or momenta: (3, n), or (n, 3) with layout = QI_LAYOUT_SOA. See bind_orientations.
   subroutine ensemble_bind_angular_velocities(self, angular_velocities, layout, kind, stat, errmsg, rows)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), pointer, intent(in) :: angular_velocities(:, :)
      type(qi_layout_t), intent(in), optional :: layout
      type(qi_kind_t), intent(in), optional :: kind   !! QI_OMEGA_WORLD, the default, QI_OMEGA_BODY, QI_ANGMOM_WORLD, ...
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer, intent(in), optional :: rows(:)           !! as for bind_orientations
      type(view_t) :: view

      if (view_of(self, 'angular_velocities', angular_velocities, 3, layout, view, stat, errmsg, rows)) &
         call bind_angular_velocities(self, view, kind, stat, errmsg, rows)
   end subroutine ensemble_bind_angular_velocities

   !> Binds the angular velocities in an array of records: `call e%bind_angular_velocities(p(1)%omega, p(2)%omega)`.
   subroutine ensemble_bind_angular_velocities_records(self, first, second, kind, stat, errmsg, rows)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), pointer, intent(in) :: first(:), second(:)
      type(qi_kind_t), intent(in), optional :: kind
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer, intent(in), optional :: rows(:)
      type(view_t) :: view

      if (view_of_records(self, 'angular_velocities', first, second, 3, view, stat, errmsg, rows)) &
         call bind_angular_velocities(self, view, kind, stat, errmsg, rows)
   end subroutine ensemble_bind_angular_velocities_records

   subroutine bind_angular_velocities(self, view, kind, stat, errmsg, rows)
      class(qi_ensemble_t), intent(inout) :: self
      type(view_t), intent(in) :: view
      type(qi_kind_t), intent(in), optional :: kind
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer, intent(in), optional :: rows(:)
      integer(c_int32_t) :: of_kind

      of_kind = QI_OMEGA_WORLD%number
      if (present(kind)) of_kind = kind%number
      if (present(rows)) then
         call settle(qi_bind_angular_velocity_rows(self%handle, view%first, view%body_stride, view%component_stride, of_kind, &
            int(rows - 1, c_int32_t)), stat, errmsg)
      else
         call settle(qi_bind_angular_velocities(self%handle, view%first, view%body_stride, view%component_stride, of_kind), &
            stat, errmsg)
      end if
   end subroutine bind_angular_velocities

   !> Binds an array for predicted angular velocities, world frame: (3, n), or (n, 3) with layout = QI_LAYOUT_SOA. From now on
   !! kick_drift writes them there, for torques that depend on the angular velocity. The array must stay at its address until
   !! the ensemble is destroyed, bound to another array or unbound; see bind_orientations.
   subroutine ensemble_bind_predicted_velocities(self, angular_velocities, ahead, layout, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), pointer, intent(in) :: angular_velocities(:, :)
      real(c_double), intent(in) :: ahead   !! how long after the end of the drift: usually half a step
      type(qi_layout_t), intent(in), optional :: layout
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(view_t) :: view

      if (view_of(self, 'angular_velocities', angular_velocities, 3, layout, view, stat, errmsg)) &
         call bind_predicted_velocities(self, view, ahead, stat, errmsg)
   end subroutine ensemble_bind_predicted_velocities

   !> The same in an array of records: `call e%bind_predicted_velocities(p(1)%predicted, p(2)%predicted, dt/2)`.
   subroutine ensemble_bind_predicted_velocities_records(self, first, second, ahead, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), pointer, intent(in) :: first(:), second(:)
      real(c_double), intent(in) :: ahead
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(view_t) :: view

      if (view_of_records(self, 'angular_velocities', first, second, 3, view, stat, errmsg)) &
         call bind_predicted_velocities(self, view, ahead, stat, errmsg)
   end subroutine ensemble_bind_predicted_velocities_records

   subroutine bind_predicted_velocities(self, view, ahead, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      type(view_t), intent(in) :: view
      real(c_double), intent(in) :: ahead
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_bind_predicted_velocities(self%handle, view%first, view%body_stride, view%component_stride, ahead), &
         stat, errmsg)
   end subroutine bind_predicted_velocities

   !> Ends the predictions: kick_drift no longer writes the array, which you may then deallocate.
   subroutine ensemble_unbind_predicted_velocities(self, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(view_t) :: none

      call bind_predicted_velocities(self, none, 0.0_c_double, stat, errmsg)
   end subroutine ensemble_unbind_predicted_velocities

   !> Binds an array of velocity gradients, (3, 3, n), in place of the one that all bodies share in set_shear_flow_torque. The
   !! index of the axis comes first: gradients(k, j, i) is the derivative of velocity component j along axis k at body i, world
   !! frame. So gradients(:, :, i) is the transpose of what set_shear_flow_torque takes. Steps read the array and never write it:
   !! write it between the calls. The array must stay at its address until the ensemble is destroyed, bound to another array or
   !! unbound; see bind_orientations. release_arrays, resize and select release it; bind it again before the next step.
   subroutine ensemble_bind_flow_gradients(self, gradients, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), pointer, intent(in) :: gradients(:, :, :)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(view_t) :: view
      integer :: second

      if (.not. is_there('gradients', merge(c_loc(no_number), c_null_ptr, associated(gradients)), stat, errmsg)) return
      if (.not. has_shape(self, 'gradients', shape(gradients), [3, 3, self%count()], stat, errmsg)) return
      view = view_t(c_loc(no_number), 9)
      if (size(gradients) > 0) then
         second = min(2, self%count())
         if (.not. view_of_gradients(self, gradients(:, :, 1), gradients(:, :, second), view, stat, errmsg)) return
      end if
      call settle(qi_bind_flow_gradients(self%handle, view%first, view%body_stride), stat, errmsg)
   end subroutine ensemble_bind_flow_gradients

   !> The same in an array of records: `call e%bind_flow_gradients(p(1)%gradient, p(2)%gradient)`.
   subroutine ensemble_bind_flow_gradients_records(self, first, second, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), pointer, intent(in) :: first(:, :), second(:, :)   !! of the first two records; if there is only one, the same
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(view_t) :: view

      if (view_of_gradients(self, first, second, view, stat, errmsg)) &
         call settle(qi_bind_flow_gradients(self%handle, view%first, view%body_stride), stat, errmsg)
   end subroutine ensemble_bind_flow_gradients_records

   !> From now on all bodies share the velocity gradient of set_shear_flow_torque again. You may then deallocate the array.
   subroutine ensemble_unbind_flow_gradients(self, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_bind_flow_gradients(self%handle, c_null_ptr, 0_c_ptrdiff_t), stat, errmsg)
   end subroutine ensemble_unbind_flow_gradients

   !> Selects the bodies that move. `indices` counts from 1, is strictly ascending, and is copied. If empty, no body moves.
   subroutine ensemble_set_active(self, indices, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      integer, intent(in) :: indices(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_size_t), allocatable :: from_0(:)
      integer(c_int32_t) :: status

      if (.not. counted_from_0('indices', indices, from_0, stat, errmsg)) return
      status = qi_set_ensemble_active(self%handle, from_0, size(indices, kind=c_size_t))
      call settle(status, stat, errmsg)
   end subroutine ensemble_set_active

   !> Lets all bodies move again.
   subroutine ensemble_set_all_active(self, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: status

      status = qi_set_ensemble_active(self%handle, count=0_c_size_t)
      call settle(status, stat, errmsg)
   end subroutine ensemble_set_all_active

   !> Sets a procedure as the torque, replacing any previous torque. Its arrays are (4, count) and (3, count).
   subroutine ensemble_set_torque(self, torque, data, frame, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      procedure(qi_chunk_torque) :: torque                      !! a module procedure
      class(*), intent(inout), target, optional :: data         !! passed to every call; must exist as long as the torque
      type(qi_frame_t), intent(in), optional :: frame         !! QI_FRAME_WORLD, the default, or QI_FRAME_BODY
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(callback_t), pointer :: callback

      if (.not. is_data(data, stat, errmsg)) return
      callback => new_callback(data)
      callback%chunk => torque
      call set_chunk_torque(self, callback, c_funloc(call_chunk_torque), QI_LAYOUT_AOS, frame, stat, errmsg)
   end subroutine ensemble_set_torque

   !> The same for a procedure with arrays (count, 4) and (count, 3): the fastest.
   subroutine ensemble_set_torque_soa(self, torque, data, frame, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      procedure(qi_chunk_torque_soa) :: torque
      class(*), intent(inout), target, optional :: data
      type(qi_frame_t), intent(in), optional :: frame
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(callback_t), pointer :: callback

      if (.not. is_data(data, stat, errmsg)) return
      callback => new_callback(data)
      callback%chunk_soa => torque
      call set_chunk_torque(self, callback, c_funloc(call_chunk_torque_soa), QI_LAYOUT_SOA, frame, stat, errmsg)
   end subroutine ensemble_set_torque_soa

   subroutine set_chunk_torque(self, callback, called, layout, frame, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      type(callback_t), pointer, intent(inout) :: callback
      type(c_funptr), value :: called
      type(qi_layout_t), intent(in) :: layout
      type(qi_frame_t), intent(in), optional :: frame
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: status

      status = qi_set_ensemble_torque(self%handle, called, layout%number, frame_or_world(frame), c_loc(callback))
      call keep_callback(status, callback, self%callback)
      call settle(status, stat, errmsg)
   end subroutine set_chunk_torque

   pure integer(c_int32_t) function frame_or_world(frame)
      type(qi_frame_t), intent(in), optional :: frame

      frame_or_world = QI_FRAME_WORLD%number
      if (present(frame)) frame_or_world = frame%number
   end function frame_or_world

   !> Removes the torque.
   subroutine ensemble_clear_torque(self, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_set_ensemble_torque(self%handle, c_null_funptr, QI_LAYOUT_AOS%number, QI_FRAME_WORLD%number, &
         c_null_ptr), &
         stat, errmsg)
   end subroutine ensemble_clear_torque

   !> Sets which noise belongs to which body. Bodies keep their ids in select and resize; new ones get the numbers after the
   !! greatest. To read the ids, get rows of QI_PART_ID: `transfer(rows, ids)`.
   subroutine ensemble_set_ids(self, ids, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      integer(c_int64_t), intent(in), optional :: ids(:)   !! (n), no two the same; absent: the number of the body, from 0
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (present(ids)) then
         if (.not. has_shape(self, 'ids', shape(ids), [self%count()], stat, errmsg)) return
      end if
      call settle(qi_set_ensemble_ids(self%handle, ids), stat, errmsg)
   end subroutine ensemble_set_ids

   !> Takes one step of all (active) bodies. If it fails, all bodies are unchanged.
   subroutine ensemble_step(self, dt, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in) :: dt
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_step_ensemble(self%handle, dt), stat, errmsg)
   end subroutine ensemble_step

   !> Takes many steps. If one fails, the steps before it are kept.
   subroutine ensemble_advance(self, dt, steps, completed, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in) :: dt
      integer, intent(in) :: steps
      integer, intent(out), optional :: completed, stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int64_t) :: done
      integer(c_int32_t) :: status

      if (present(completed)) completed = 0
      if (.not. is_count(steps, 'steps', stat, errmsg)) return
      done = 0
      status = qi_advance_ensemble(self%handle, dt, int(steps, c_int64_t), done)
      if (present(completed)) completed = int(done)
      call settle(status, stat, errmsg)
   end subroutine ensemble_advance

   !> Adds `duration * torque` to the angular momenta of the (active) bodies. Orientations and clock do not change. The torques
   !! are (3, n), or (n, 3) with layout = QI_LAYOUT_SOA, or (3) for all bodies; array sections are allowed. A torque of zero leaves
   !! the drag of this duration.
   subroutine ensemble_kick(self, duration, torque, frame, layout, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in) :: duration                         !! may be negative
      real(c_double), intent(in), target :: torque(..)   !! of all bodies, active or not
      type(qi_frame_t), intent(in), optional :: frame              !! QI_FRAME_WORLD, the default, or QI_FRAME_BODY
      type(qi_layout_t), intent(in), optional :: layout
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(view_t) :: view

      if (one_or_each(self, 'torque', torque, 3, layout, view, stat, errmsg)) &
         call kick_by(self, duration, view, frame, stat, errmsg)
   end subroutine ensemble_kick

   !> The same with the torques in an array of records: `call e%kick(dt/2, p(1)%torque, p(2)%torque)`.
   subroutine ensemble_kick_records(self, duration, first, second, frame, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in) :: duration
      real(c_double), pointer, intent(in) :: first(:), second(:)   !! of the first two records; if there is only one, the same
      type(qi_frame_t), intent(in), optional :: frame
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(view_t) :: view

      if (view_of_records(self, 'torque', first, second, 3, view, stat, errmsg)) &
         call kick_by(self, duration, view, frame, stat, errmsg)
   end subroutine ensemble_kick_records

   subroutine kick_by(self, duration, view, frame, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in) :: duration
      type(view_t), intent(in) :: view
      type(qi_frame_t), intent(in), optional :: frame
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_kick_ensemble(self%handle, duration, view%first, view%body_stride, view%component_stride, &
         frame_or_world(frame)), stat, errmsg)
   end subroutine kick_by

   !> A kick and then a drift, in one pass over the bodies: the first half of a step, usually `kick_drift(dt/2, dt, torque)`.
   !! `kick(dt/2, torque)` with the next torque is the second half. The torques are as for kick.
   subroutine ensemble_kick_drift(self, kick, drift, torque, frame, layout, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in) :: kick, drift                      !! their durations
      real(c_double), intent(in), target :: torque(..)
      type(qi_frame_t), intent(in), optional :: frame
      type(qi_layout_t), intent(in), optional :: layout
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(view_t) :: view

      if (one_or_each(self, 'torque', torque, 3, layout, view, stat, errmsg)) &
         call kick_drift_by(self, kick, drift, view, frame, stat, errmsg)
   end subroutine ensemble_kick_drift

   !> The same with the torques in an array of records: `call e%kick_drift(dt/2, dt, p(1)%torque, p(2)%torque)`.
   subroutine ensemble_kick_drift_records(self, kick, drift, first, second, frame, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in) :: kick, drift
      real(c_double), pointer, intent(in) :: first(:), second(:)
      type(qi_frame_t), intent(in), optional :: frame
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(view_t) :: view

      if (view_of_records(self, 'torque', first, second, 3, view, stat, errmsg)) &
         call kick_drift_by(self, kick, drift, view, frame, stat, errmsg)
   end subroutine ensemble_kick_drift_records

   subroutine kick_drift_by(self, kick, drift, view, frame, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in) :: kick, drift
      type(view_t), intent(in) :: view
      type(qi_frame_t), intent(in), optional :: frame
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_kick_drift_ensemble(self%handle, kick, drift, view%first, view%body_stride, view%component_stride, &
         frame_or_world(frame)), stat, errmsg)
   end subroutine kick_drift_by

   !> Fixes points to the bodies, such as the spheres of clumps or the atoms of rigid molecules, in place of the points before.
   !! They do not change the inertia. resize and select drop them.
   subroutine ensemble_set_points(self, bodies, arms, layout, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      integer, intent(in) :: bodies(:)                   !! the body of each point, from 1, ascending; copied
      real(c_double), intent(in), target :: arms(:, :)   !! (3, m), or (m, 3): from the centre of mass, body frame; copied
      type(qi_layout_t), intent(in), optional :: layout
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_size_t), allocatable :: from_0(:)
      type(view_t) :: view

      if (.not. counted_from_0('bodies', bodies, from_0, stat, errmsg)) return
      if (view_of(self, 'arms', arms, 3, layout, view, stat, errmsg, count=size(bodies))) &
         call settle(qi_set_points(self%handle, size(bodies, kind=c_size_t), from_0, view%first, view%body_stride, &
         view%component_stride), stat, errmsg)
   end subroutine ensemble_set_points

   !> Gets the positions of the points, world frame: (3, m), or (m, 3) with layout = QI_LAYOUT_SOA.
   subroutine ensemble_get_point_positions(self, positions, centres, layout, stat, errmsg)
      class(qi_ensemble_t), intent(in) :: self
      real(c_double), intent(inout), target :: positions(:, :)
      real(c_double), intent(in), target, optional :: centres(:, :)   !! of mass: (3, n), or (n, 3); absent: zeros
      type(qi_layout_t), intent(in), optional :: layout               !! of both arrays
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(view_t) :: points, bodies

      if (.not. view_of_points(self, 'positions', positions, layout, points, stat, errmsg)) return
      if (present(centres)) then
         if (.not. view_of(self, 'centres', centres, 3, layout, bodies, stat, errmsg)) return
      end if
      call settle(qi_get_point_positions(self%handle, bodies%first, bodies%body_stride, bodies%component_stride, &
         points%first, points%body_stride, points%component_stride), stat, errmsg)
   end subroutine ensemble_get_point_positions

   !> Gets the velocities of the points, world frame: (3, m), or (m, 3) with layout = QI_LAYOUT_SOA.
   subroutine ensemble_get_point_velocities(self, velocities, centre_velocities, predicted, layout, stat, errmsg)
      class(qi_ensemble_t), intent(in) :: self
      real(c_double), intent(inout), target :: velocities(:, :)
      real(c_double), intent(in), target, optional :: centre_velocities(:, :)   !! (3, n), or (n, 3); absent: zeros
      logical, intent(in), optional :: predicted   !! by the velocities of bind_predicted_velocities, not by the present ones
      type(qi_layout_t), intent(in), optional :: layout                         !! of both arrays
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(view_t) :: points, bodies
      integer(c_int32_t) :: are_predicted

      are_predicted = 0
      if (present(predicted)) are_predicted = merge(1, 0, predicted)
      if (.not. view_of_points(self, 'velocities', velocities, layout, points, stat, errmsg)) return
      if (present(centre_velocities)) then
         if (.not. view_of(self, 'centre_velocities', centre_velocities, 3, layout, bodies, stat, errmsg)) return
      end if
      call settle(qi_get_point_velocities(self%handle, are_predicted, bodies%first, bodies%body_stride, &
         bodies%component_stride, points%first, points%body_stride, points%component_stride), stat, errmsg)
   end subroutine ensemble_get_point_velocities

   !> Sums the forces on the points of each body, and their torques about its centre of mass, in the order of the points. All
   !! arrays are of the world frame. Bodies without points get zeros. The torques are what kick takes.
   subroutine ensemble_sum_point_forces(self, forces, body_forces, body_torques, layout, stat, errmsg)
      class(qi_ensemble_t), intent(in) :: self
      real(c_double), intent(in), target :: forces(:, :)                       !! (3, m), or (m, 3) with QI_LAYOUT_SOA
      real(c_double), intent(inout), target, optional :: body_forces(:, :)     !! (3, n), or (n, 3); absent: not wanted
      real(c_double), intent(inout), target, optional :: body_torques(:, :)    !! (3, n), or (n, 3); absent: not wanted
      type(qi_layout_t), intent(in), optional :: layout                        !! of all arrays
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(view_t) :: points, sums, moments

      if (.not. view_of_points(self, 'forces', forces, layout, points, stat, errmsg)) return
      if (present(body_forces)) then
         if (.not. view_of(self, 'body_forces', body_forces, 3, layout, sums, stat, errmsg)) return
      end if
      if (present(body_torques)) then
         if (.not. view_of(self, 'body_torques', body_torques, 3, layout, moments, stat, errmsg)) return
      end if
      call settle(qi_sum_point_forces(self%handle, points%first, points%body_stride, points%component_stride, sums%first, &
         sums%body_stride, sums%component_stride, moments%first, moments%body_stride, moments%component_stride), stat, errmsg)
   end subroutine ensemble_sum_point_forces

   !> Begins many such steps: after the last stage of a step, next_stage gives the first stage of the following step.
   subroutine ensemble_begin_steps(self, dt, steps, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in) :: dt
      integer, intent(in) :: steps
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. is_count(steps, 'steps', stat, errmsg)) return
      call settle(qi_begin_ensemble_steps(self%handle, dt, int(steps, c_int64_t)), stat, errmsg)
   end subroutine ensemble_begin_steps

   function stage_shape(self, components)
      class(qi_ensemble_t), intent(in) :: self
      integer, intent(in) :: components
      integer :: stage_shape(2)
      integer(c_int32_t) :: layout

      layout = QI_LAYOUT_AOS%number
      stage_shape = [components, self%active_count()]
      if (qi_get_ensemble_stage_layout(self%handle, layout) /= QI_OK) return
      if (layout == QI_LAYOUT_SOA%number) stage_shape = stage_shape([2, 1])
   end function stage_shape

   logical function is_stage(self, orientation, angular_velocity, stat, errmsg)
      class(qi_ensemble_t), intent(in) :: self
      integer, intent(in) :: orientation(:), angular_velocity(:)   !! their shapes
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      is_stage = has_shape(self, 'orientation', orientation, stage_shape(self, 4), stat, errmsg)
      if (is_stage) is_stage = has_shape(self, 'angular_velocity', angular_velocity, stage_shape(self, 3), stat, errmsg)
   end function is_stage

   !> Gets the next stage. If `needed` is true, the stage was written and you must supply its torque. If it is false, the step
   !! is complete.
   subroutine ensemble_next_stage(self, needed, time, orientation, angular_velocity, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      logical, intent(out) :: needed
      real(c_double), intent(out) :: time
      real(c_double), intent(inout), contiguous, target :: orientation(:, :)        !! (4, active bodies); see set_stage_layout
      real(c_double), intent(inout), contiguous, target :: angular_velocity(:, :)   !! (3, active bodies), world frame
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: status

      needed = .false.
      time = 0
      if (.not. is_there('orientation', c_loc(orientation), stat, errmsg)) return
      if (.not. is_there('angular_velocity', c_loc(angular_velocity), stat, errmsg)) return
      if (.not. is_stage(self, shape(orientation), shape(angular_velocity), stat, errmsg)) return
      status = qi_next_ensemble_stage(self%handle, time, orientation, angular_velocity)
      needed = status == QI_NEED_TORQUE
      call settle(status, stat, errmsg)
   end subroutine ensemble_next_stage

   !> Supplies the torque of the current stage.
   subroutine ensemble_supply_torque(self, torque, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in), contiguous, target :: torque(:, :)   !! (3, active bodies), world frame; see set_stage_layout
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. is_there('torque', c_loc(torque), stat, errmsg)) return
      if (.not. has_shape(self, 'torque', shape(torque), stage_shape(self, 3), stat, errmsg)) return
      call settle(qi_supply_ensemble_torque(self%handle, torque), stat, errmsg)
   end subroutine ensemble_supply_torque

   !> Supplies the torque of the current stage and gets the next stage, in one pass over the bodies. If a torque is not finite,
   !! the call fails and writes nothing; supply the torque again. If the motion overflows, the steps are cancelled.
   subroutine ensemble_continue_step(self, torque, needed, time, orientation, angular_velocity, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in), contiguous, target :: torque(:, :)                !! as for supply_torque
      logical, intent(out) :: needed
      real(c_double), intent(out) :: time
      real(c_double), intent(inout), contiguous, target :: orientation(:, :)        !! as for next_stage
      real(c_double), intent(inout), contiguous, target :: angular_velocity(:, :)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: status

      needed = .false.
      time = 0
      if (.not. is_there('torque', c_loc(torque), stat, errmsg)) return
      if (.not. has_shape(self, 'torque', shape(torque), stage_shape(self, 3), stat, errmsg)) return
      if (.not. is_there('orientation', c_loc(orientation), stat, errmsg)) return
      if (.not. is_there('angular_velocity', c_loc(angular_velocity), stat, errmsg)) return
      if (.not. is_stage(self, shape(orientation), shape(angular_velocity), stat, errmsg)) return
      status = qi_continue_ensemble_step(self%handle, torque, time, orientation, angular_velocity)
      needed = status == QI_NEED_TORQUE
      call settle(status, stat, errmsg)
   end subroutine ensemble_continue_step

   ! ---- `make bindings` writes these lines from the rows of tools/bindings/interface.toml, for Ensemble: do not edit
   !> Gets the clock: the sum of the steps since it was set.
   subroutine ensemble_get_time(self, time, stat, errmsg)
      class(qi_ensemble_t), intent(in) :: self
      real(c_double), intent(out) :: time
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_get_ensemble_time(self%handle, time), stat, errmsg)
   end subroutine ensemble_get_time

   !> Sets the clock: the sum of the steps since it was set.
   subroutine ensemble_set_time(self, time, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in) :: time
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_set_ensemble_time(self%handle, time), stat, errmsg)
   end subroutine ensemble_set_time

   !> Gets the whole clock: the time, and what rounding has left of the sum of the steps. Set again, it gives a run the same
   !! times bit for bit.
   subroutine ensemble_get_clock(self, clock, stat, errmsg)
      class(qi_ensemble_t), intent(in) :: self
      real(c_double), intent(out) :: clock(:)   !! (2)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_size('clock', shape(clock), [2], stat, errmsg)) return
      call settle(qi_get_ensemble_clock(self%handle, clock), stat, errmsg)
   end subroutine ensemble_get_clock

   !> Sets the whole clock: the time, and what rounding has left of the sum of the steps.
   subroutine ensemble_set_clock(self, clock, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in) :: clock(:)   !! (2)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_size('clock', shape(clock), [2], stat, errmsg)) return
      call settle(qi_set_ensemble_clock(self%handle, clock), stat, errmsg)
   end subroutine ensemble_set_clock

   !> Gets the orientations (w, x, y, z), body to world.
   subroutine ensemble_get_orientations(self, orientations, layout, stat, errmsg)
      class(qi_ensemble_t), intent(in) :: self
      real(c_double), intent(inout), target :: orientations(:, :)   !! (4, n), or (n, 4) with layout = QI_LAYOUT_SOA
      type(qi_layout_t), intent(in), optional :: layout
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(view_t) :: view

      if (.not. view_of(self, 'orientations', orientations, 4, layout, view, stat, errmsg)) return
      call settle(qi_get_orientations(self%handle, view%first, view%body_stride, view%component_stride), stat, errmsg)
   end subroutine ensemble_get_orientations

   !> Sets the orientations (w, x, y, z), body to world. The angular velocities in the world frame stay.
   subroutine ensemble_set_orientations(self, orientations, layout, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in), target :: orientations(..)   !! (4) for all bodies, or (4, n), or (n, 4) with layout =
         !! QI_LAYOUT_SOA
      type(qi_layout_t), intent(in), optional :: layout
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(view_t) :: view

      if (.not. one_or_each(self, 'orientations', orientations, 4, layout, view, stat, errmsg)) return
      call settle(qi_set_orientations(self%handle, view%first, view%body_stride, view%component_stride), stat, errmsg)
   end subroutine ensemble_set_orientations

   !> Gets the angular velocities, rad/s, world frame.
   subroutine ensemble_get_angular_velocities(self, angular_velocities, layout, stat, errmsg)
      class(qi_ensemble_t), intent(in) :: self
      real(c_double), intent(inout), target :: angular_velocities(:, :)   !! (3, n), or (n, 3) with layout = QI_LAYOUT_SOA
      type(qi_layout_t), intent(in), optional :: layout
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(view_t) :: view

      if (.not. view_of(self, 'angular_velocities', angular_velocities, 3, layout, view, stat, errmsg)) return
      call settle(qi_get_angular_velocities(self%handle, view%first, view%body_stride, view%component_stride), stat, errmsg)
   end subroutine ensemble_get_angular_velocities

   !> Sets the angular velocities, rad/s, world frame.
   subroutine ensemble_set_angular_velocities(self, angular_velocities, layout, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in), target :: angular_velocities(..)   !! (3) for all bodies, or (3, n), or (n, 3) with layout =
         !! QI_LAYOUT_SOA
      type(qi_layout_t), intent(in), optional :: layout
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(view_t) :: view

      if (.not. one_or_each(self, 'angular_velocities', angular_velocities, 3, layout, view, stat, errmsg)) return
      call settle(qi_set_angular_velocities(self%handle, view%first, view%body_stride, view%component_stride), stat, errmsg)
   end subroutine ensemble_set_angular_velocities

   !> Gets the angular momenta, world frame.
   subroutine ensemble_get_angular_momenta(self, angular_momenta, layout, stat, errmsg)
      class(qi_ensemble_t), intent(in) :: self
      real(c_double), intent(inout), target :: angular_momenta(:, :)   !! (3, n), or (n, 3) with layout = QI_LAYOUT_SOA
      type(qi_layout_t), intent(in), optional :: layout
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(view_t) :: view

      if (.not. view_of(self, 'angular_momenta', angular_momenta, 3, layout, view, stat, errmsg)) return
      call settle(qi_get_angular_momenta(self%handle, view%first, view%body_stride, view%component_stride), stat, errmsg)
   end subroutine ensemble_get_angular_momenta

   !> Sets the angular momenta, world frame. The angular velocities follow from orientations and inertias.
   subroutine ensemble_set_angular_momenta(self, angular_momenta, layout, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in), target :: angular_momenta(..)   !! (3) for all bodies, or (3, n), or (n, 3) with layout =
         !! QI_LAYOUT_SOA
      type(qi_layout_t), intent(in), optional :: layout
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(view_t) :: view

      if (.not. one_or_each(self, 'angular_momenta', angular_momenta, 3, layout, view, stat, errmsg)) return
      call settle(qi_set_angular_momenta(self%handle, view%first, view%body_stride, view%component_stride), stat, errmsg)
   end subroutine ensemble_set_angular_momenta

   !> Gets the rotational kinetic energy of each body.
   subroutine ensemble_get_kinetic_energies(self, energies, stat, errmsg)
      class(qi_ensemble_t), intent(in) :: self
      real(c_double), intent(inout), target, contiguous :: energies(:)   !! (n)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. is_there('energies', c_loc(energies), stat, errmsg)) return
      if (.not. has_shape(self, 'energies', shape(energies), [self%count()], stat, errmsg)) return
      call settle(qi_get_kinetic_energies(self%handle, c_loc(energies), 1_c_ptrdiff_t), stat, errmsg)
   end subroutine ensemble_get_kinetic_energies

   !> Gets the rotational kinetic energy of the active bodies. It has the same bits for any number of threads.
   subroutine ensemble_get_total_kinetic_energy(self, energy, stat, errmsg)
      class(qi_ensemble_t), intent(in) :: self
      real(c_double), intent(out) :: energy
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_get_total_kinetic_energy(self%handle, energy), stat, errmsg)
   end subroutine ensemble_get_total_kinetic_energy

   !> Gets the angular momentum of rotation of the active bodies, world frame. It has the same bits for any number of threads.
   subroutine ensemble_get_total_angular_momentum(self, angular_momentum, stat, errmsg)
      class(qi_ensemble_t), intent(in) :: self
      real(c_double), intent(out) :: angular_momentum(:)   !! (3)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_size('angular_momentum', shape(angular_momentum), [3], stat, errmsg)) return
      call settle(qi_get_total_angular_momentum(self%handle, angular_momentum), stat, errmsg)
   end subroutine ensemble_get_total_angular_momentum

   !> Multiplies the angular momenta of the active bodies by a factor, for a thermostat of your own.
   subroutine ensemble_scale_angular_momenta(self, factor, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in) :: factor
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_scale_angular_momenta(self%handle, factor), stat, errmsg)
   end subroutine ensemble_scale_angular_momenta

   !> Gets the number of rotational degrees of freedom of the active bodies: 3 each, less the axes of zero moment. At thermal
   !! equilibrium the mean of the kinetic energy is kT/2 for each.
   subroutine ensemble_get_degrees_of_freedom(self, degrees, stat, errmsg)
      class(qi_ensemble_t), intent(in) :: self
      integer(c_int64_t), intent(out) :: degrees
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_get_ensemble_degrees_of_freedom(self%handle, degrees), stat, errmsg)
   end subroutine ensemble_get_degrees_of_freedom

   !> Keeps all states in the ensemble's own memory from now on. Bound arrays keep the last states, and are no longer used.
   subroutine ensemble_release_arrays(self, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_release_arrays(self%handle), stat, errmsg)
   end subroutine ensemble_release_arrays

   !> Changes the number of bodies. The first bodies stay; new ones are as created. Bound arrays are released, and all bodies
   !! are active.
   subroutine ensemble_resize(self, count, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      integer, intent(in) :: count   !! the new number of bodies
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. is_count(count, 'count', stat, errmsg)) return
      call settle(qi_resize_ensemble(self%handle, int(count, c_size_t)), stat, errmsg)
   end subroutine ensemble_resize

   !> Sets the inertias. The angular velocities stay. No axis is locked then, unless a moment is zero.
   subroutine ensemble_set_inertias(self, inertia, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in), target, contiguous :: inertia(..)   !! (3, 3) for all bodies, or (3, 3, n)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(view_t) :: view

      if (.not. parameters(self, 'inertia', inertia, [3, 3], view, stat, errmsg)) return
      call settle(qi_set_inertias(self%handle, view%first, view%body_stride), stat, errmsg)
   end subroutine ensemble_set_inertias

   !> Sets the inertias of bodies whose axes are principal axes, by the moments about them. Otherwise as set_inertias, but
   !! faster.
   subroutine ensemble_set_principal_inertias(self, moments, layout, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in), target :: moments(..)   !! (3) for all bodies, or (3, n), or (n, 3) with layout =
         !! QI_LAYOUT_SOA
      type(qi_layout_t), intent(in), optional :: layout
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(view_t) :: view

      if (.not. one_or_each(self, 'moments', moments, 3, layout, view, stat, errmsg)) return
      call settle(qi_set_principal_inertias(self%handle, view%first, view%body_stride, view%component_stride), stat, errmsg)
   end subroutine ensemble_set_principal_inertias

   !> Sets a constant torque. In the body frame it turns with the body.
   subroutine ensemble_set_constant_torque(self, torques, frame, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in), target, contiguous :: torques(..)   !! (3) for all bodies, or (3, n)
      type(qi_frame_t), intent(in), optional :: frame   !! of the torque: QI_FRAME_WORLD, the default, or QI_FRAME_BODY
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(view_t) :: view

      if (.not. parameters(self, 'torques', torques, [3], view, stat, errmsg)) return
      call settle(qi_set_ensemble_constant_torque(self%handle, view%first, view%body_stride, frame_or_world(frame)), stat, &
         errmsg)
   end subroutine ensemble_set_constant_torque

   !> Sets the torque of a uniform field, `(R v) x F`. For example the weight F of a top whose centre of mass is at v.
   subroutine ensemble_set_uniform_field_torque(self, vectors_body, field_world, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in), target, contiguous :: vectors_body(..)   !! (3) for all bodies, or (3, n)
      real(c_double), intent(in) :: field_world(:)   !! (3), F, world frame
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(view_t) :: view

      if (.not. parameters(self, 'vectors_body', vectors_body, [3], view, stat, errmsg)) return
      if (.not. has_size('field_world', shape(field_world), [3], stat, errmsg)) return
      call settle(qi_set_ensemble_uniform_field_torque(self%handle, view%first, view%body_stride, field_world), stat, &
         errmsg)
   end subroutine ensemble_set_uniform_field_torque

   !> Sets the torque of a central gravity field, `3 g n x (I n)`. The direction n is along the line to the attracting mass,
   !! and g is G M / r^3.
   subroutine ensemble_set_gravity_gradient_torque(self, direction_world, gradients, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in) :: direction_world(:)   !! (3), n, world frame, along the line to the attracting mass, of any
         !! length but 0
      real(c_double), intent(in), target, contiguous :: gradients(..)   !! one for all bodies, or (n)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(view_t) :: view

      if (.not. has_size('direction_world', shape(direction_world), [3], stat, errmsg)) return
      if (.not. parameters(self, 'gradients', gradients, [integer ::], view, stat, errmsg)) return
      call settle(qi_set_ensemble_gravity_gradient_torque(self%handle, direction_world, view%first, view%body_stride), stat, &
         errmsg)
   end subroutine ensemble_set_gravity_gradient_torque

   !> Sets a linear drag as the torque: `-c_i omega_i` about each body axis i.
   subroutine ensemble_set_linear_drag_torque(self, coefficients, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in), target, contiguous :: coefficients(..)   !! (3) for all bodies, or (3, n)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(view_t) :: view

      if (.not. parameters(self, 'coefficients', coefficients, [3], view, stat, errmsg)) return
      call settle(qi_set_ensemble_linear_drag_torque(self%handle, view%first, view%body_stride), stat, errmsg)
   end subroutine ensemble_set_linear_drag_torque

   !> Sets Jeffery's torque: that of a viscous fluid in linear flow on an ellipsoid. Entry (i, j) of the gradient is the
   !! derivative of velocity component i along axis j, world frame.
   subroutine ensemble_set_shear_flow_torque(self, semi_axes, viscosity, velocity_gradient, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in), target, contiguous :: semi_axes(..)   !! (3) for all bodies, or (3, n)
      real(c_double), intent(in) :: viscosity   !! dynamic viscosity of the fluid, positive
      real(c_double), intent(in) :: velocity_gradient(:, :)   !! (3, 3), world frame: entry (i, j) is d(velocity component i)
         !! / d(position j)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(view_t) :: view

      if (.not. parameters(self, 'semi_axes', semi_axes, [3], view, stat, errmsg)) return
      if (.not. has_size('velocity_gradient', shape(velocity_gradient), [3, 3], stat, errmsg)) return
      call settle(qi_set_ensemble_shear_flow_torque(self%handle, view%first, view%body_stride, viscosity, &
         transpose(velocity_gradient)), stat, errmsg)
   end subroutine ensemble_set_shear_flow_torque

   !> Sets a linear drag besides the torque: `-c_i (omega_i - flow_i)` about each body axis i. It is taken implicitly, so that
   !! no coefficient is too large for the step. Kicks include it.
   subroutine ensemble_set_drag(self, coefficients, flow, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in), target, contiguous :: coefficients(..)   !! (3) for all bodies, or (3, n)
      real(c_double), intent(in), target, contiguous, optional :: flow(..)   !! (3) for all bodies, or (3, n); absent: at rest
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(view_t) :: of_coefficients, of_flow

      if (.not. parameters(self, 'coefficients', coefficients, [3], of_coefficients, stat, errmsg)) return
      if (present(flow)) then
         if (.not. parameters(self, 'flow', flow, [3], of_flow, stat, errmsg)) return
      end if
      call settle(qi_set_ensemble_drag(self%handle, of_coefficients%first, of_coefficients%body_stride, of_flow%first, &
         of_flow%body_stride), stat, errmsg)
   end subroutine ensemble_set_drag

   !> Removes the drag. The torque stays.
   subroutine ensemble_clear_drag(self, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_set_ensemble_drag(self%handle, c_null_ptr, 0_c_ptrdiff_t, c_null_ptr, 0_c_ptrdiff_t), stat, errmsg)
   end subroutine ensemble_clear_drag

   !> Sets random torques besides the torque: a drag about each body axis, and the noise that belongs to it at the energy
   !! `kt`. They act in steps by the splitting of order 2 and by the Brownian method; other methods refuse them.
   subroutine ensemble_set_langevin(self, coefficients, kt, seed, flow, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in), target, contiguous :: coefficients(..)   !! (3) for all bodies, or (3, n)
      real(c_double), intent(in) :: kt   !! energy, not negative; 0: drag alone
      integer(c_int64_t), intent(in) :: seed   !! seed of all noise; the ids are those of qi_set_ensemble_ids()
      real(c_double), intent(in), target, contiguous, optional :: flow(..)   !! (3) for all bodies, or (3, n); absent: at rest
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(view_t) :: of_coefficients, of_flow

      if (.not. parameters(self, 'coefficients', coefficients, [3], of_coefficients, stat, errmsg)) return
      if (present(flow)) then
         if (.not. parameters(self, 'flow', flow, [3], of_flow, stat, errmsg)) return
      end if
      call settle(qi_set_ensemble_langevin(self%handle, of_coefficients%first, of_coefficients%body_stride, of_flow%first, &
         of_flow%body_stride, kt, seed), stat, errmsg)
   end subroutine ensemble_set_langevin

   !> Removes the random torques. The torque and the number of draws stay.
   subroutine ensemble_clear_langevin(self, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_set_ensemble_langevin(self%handle, c_null_ptr, 0_c_ptrdiff_t, c_null_ptr, 0_c_ptrdiff_t, 0.0_c_double, &
         0_c_int64_t), stat, errmsg)
   end subroutine ensemble_clear_langevin

   !> Lets drag and noise alone act for a duration, exactly, at constant orientation. The clock stays. It is one draw.
   !! Programs that kick and drift call it between two drifts of half a step.
   subroutine ensemble_thermalize(self, duration, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in) :: duration   !! not negative
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_thermalize_ensemble(self%handle, duration), stat, errmsg)
   end subroutine ensemble_thermalize

   !> Gets how many times noise has been drawn. Each step with random torques draws, and so does thermalize. A restart needs
   !! the number besides the state and the clock.
   subroutine ensemble_get_noise_draws(self, draws, stat, errmsg)
      class(qi_ensemble_t), intent(in) :: self
      integer(c_int64_t), intent(out) :: draws
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_get_ensemble_noise(self%handle, draws), stat, errmsg)
   end subroutine ensemble_get_noise_draws

   !> Sets how many times noise has been drawn.
   subroutine ensemble_set_noise_draws(self, draws, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      integer(c_int64_t), intent(in) :: draws
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_set_ensemble_noise(self%handle, draws), stat, errmsg)
   end subroutine ensemble_set_noise_draws

   !> Sets the angular momentum of rotors within each body, such as reaction wheels, body frame. Nothing else changes it.
   !! Orientations and angular velocities stay.
   subroutine ensemble_set_rotor_momentum(self, momentum, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in), target, contiguous :: momentum(..)   !! (3) for all bodies, or (3, n)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(view_t) :: view

      if (.not. parameters(self, 'momentum', momentum, [3], view, stat, errmsg)) return
      call settle(qi_set_ensemble_rotor_momentum(self%handle, view%first, view%body_stride), stat, errmsg)
   end subroutine ensemble_set_rotor_momentum

   !> Removes the rotors.
   subroutine ensemble_clear_rotor_momentum(self, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_set_ensemble_rotor_momentum(self%handle, c_null_ptr, 0_c_ptrdiff_t), stat, errmsg)
   end subroutine ensemble_clear_rotor_momentum

   !> The method.
   integer(c_int32_t) function ensemble_method(self) result(method)
      class(qi_ensemble_t), intent(in) :: self

      call settle(qi_get_ensemble_method(self%handle, method))
   end function ensemble_method

   !> Sets the method. State, clock and torque stay.
   subroutine ensemble_set_method(self, method, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      integer(c_int32_t), intent(in) :: method   !! a QI_METHOD constant; QI_METHOD_PCDM is the default
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_set_ensemble_method(self%handle, method), stat, errmsg)
   end subroutine ensemble_set_method

   !> Rotates freely for a duration of any length: exactly, or with rotors by the method. The clock moves on. The torque is
   !! not called.
   subroutine ensemble_drift(self, duration, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in) :: duration
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_drift_ensemble(self%handle, duration), stat, errmsg)
   end subroutine ensemble_drift

   !> Says that something has changed that the torque reads, or that states in bound arrays have been written: the splitting
   !! methods then ask for the torque anew.
   subroutine ensemble_forget_torques(self, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_forget_ensemble_torques(self%handle), stat, errmsg)
   end subroutine ensemble_forget_torques

   !> The value that the torque returned when it last stopped a step; 0 if it was content.
   pure integer function ensemble_callback_result(self)
      class(qi_ensemble_t), intent(in) :: self

      ensemble_callback_result = qi_get_ensemble_callback_result(self%handle)
   end function ensemble_callback_result

   !> Sets the number of threads that step the ensemble. With more than one, torques are called from several threads at once.
   subroutine ensemble_set_threads(self, threads, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      integer, intent(in) :: threads   !! at most QI_MAX_THREADS. 1 (the default): everything runs on the caller's thread,
         !! callbacks too. More: several threads run the callback at once, so it must be thread-safe
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. is_count(threads, 'threads', stat, errmsg)) return
      call settle(qi_set_ensemble_threads(self%handle, int(threads, c_size_t)), stat, errmsg)
   end subroutine ensemble_set_threads

   !> The number of bodies that move, and so that of the bodies in a stage.
   integer function ensemble_active_count(self)
      class(qi_ensemble_t), intent(in) :: self
      integer(c_size_t) :: count

      count = 0
      if (qi_get_ensemble_active_count(self%handle, count) /= QI_OK) count = 0
      ensemble_active_count = int(count)
   end function ensemble_active_count

   !> The number of points of all bodies. It is an error if none have been set for these bodies.
   integer function ensemble_point_count(self)
      class(qi_ensemble_t), intent(in) :: self
      integer(c_size_t) :: count

      count = 0
      if (qi_get_point_count(self%handle, count) /= QI_OK) count = 0
      ensemble_point_count = int(count)
   end function ensemble_point_count

   !> Sets the layout of the arrays of a stage: rows, one for each body, which is the default, or columns, one for each
   !! component, which saves a transposition each way.
   subroutine ensemble_set_stage_layout(self, layout, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      type(qi_layout_t), intent(in) :: layout   !! for n active bodies: QI_LAYOUT_AOS (the default), rows, `orientation[4 * i
         !! + c]`; or QI_LAYOUT_SOA, columns, `orientation[c * n + i]`, as `q(n,4)` in Fortran, Julia and MATLAB
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_set_ensemble_stage_layout(self%handle, layout%number), stat, errmsg)
   end subroutine ensemble_set_stage_layout

   !> Begins a step whose torques the caller supplies, stage by stage.
   subroutine ensemble_begin_step(self, dt, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in) :: dt   !! length of the step; 0: no stage is needed
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_begin_ensemble_step(self%handle, dt), stat, errmsg)
   end subroutine ensemble_begin_step

   !> Gives up the steps that have begun. Those that are complete stay.
   subroutine ensemble_cancel_step(self, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_cancel_ensemble_step(self%handle), stat, errmsg)
   end subroutine ensemble_cancel_step
   ! ---- end of what `make bindings` writes

   ! ---- parts of a torque, for torque procedures: each adds its part to `torque` (world frame). It does nothing if `stat` is not
   !      0, so `stat` keeps the first error

   !> Adds a torque that is given in the body frame.
   subroutine qi_add_in_body_frame(orientation, torque_body, torque, stat)
      real(c_double), intent(in) :: orientation(4), torque_body(3)
      real(c_double), intent(inout) :: torque(3)
      integer, intent(inout) :: stat

      if (stat == 0) stat = qi_add_body_torque(orientation, torque_body, torque)
   end subroutine qi_add_in_body_frame

   !> Adds the torque of a uniform field, as set_uniform_field_torque sets it.
   subroutine qi_add_uniform_field(orientation, vector_body, field_world, torque, stat)
      real(c_double), intent(in) :: orientation(4), vector_body(3), field_world(3)
      real(c_double), intent(inout) :: torque(3)
      integer, intent(inout) :: stat

      if (stat == 0) stat = qi_add_uniform_field_torque(orientation, vector_body, field_world, torque)
   end subroutine qi_add_uniform_field

   !> Adds the torque of a central gravity field, as set_gravity_gradient_torque sets it.
   subroutine qi_add_gravity_gradient(orientation, inertia, direction_world, gradient, torque, stat)
      real(c_double), intent(in) :: orientation(4), inertia(3, 3), direction_world(3), gradient
      real(c_double), intent(inout) :: torque(3)
      integer, intent(inout) :: stat

      if (stat == 0) stat = qi_add_gravity_gradient_torque(orientation, inertia, direction_world, gradient, torque)
   end subroutine qi_add_gravity_gradient

   !> Adds a linear drag, `-c_i (omega_i - flow_i)` about each body axis i. It is explicit, unlike that of set_drag.
   subroutine qi_add_linear_drag(orientation, angular_velocity, coefficients, torque, stat, flow)
      real(c_double), intent(in) :: orientation(4), angular_velocity(3), coefficients(3)
      real(c_double), intent(inout) :: torque(3)
      integer, intent(inout) :: stat
      real(c_double), intent(in), optional :: flow(3)    !! angular velocity of the fluid, world frame; absent: at rest

      if (stat == 0) stat = qi_add_linear_drag_torque(orientation, angular_velocity, coefficients, flow, torque)
   end subroutine qi_add_linear_drag

   !> Adds Jeffery's torque on an ellipsoid in linear flow.
   subroutine qi_add_shear_flow(orientation, angular_velocity, resistances, velocity_gradient, torque, stat)
      real(c_double), intent(in) :: orientation(4), angular_velocity(3)
      real(c_double), intent(in) :: resistances(6)            !! from qi_get_shear_flow_resistances, once
      real(c_double), intent(in) :: velocity_gradient(3, 3)   !! (i, j): derivative of component i along axis j, world frame
      real(c_double), intent(inout) :: torque(3)
      integer, intent(inout) :: stat

      if (stat == 0) stat = qi_add_shear_flow_torque(orientation, angular_velocity, resistances, &
         transpose(velocity_gradient), torque)
   end subroutine qi_add_shear_flow

   ! ---- exact sums: QI_SUM_SIZE integers hold a sum of doubles without rounding

   !> Adds values to an exact sum. Its first value is added to a sum of zeros.
   subroutine qi_add_values_to_sum(sum, values, stat, errmsg)
      integer(c_int64_t), intent(inout), contiguous :: sum(:)   !! (QI_SUM_SIZE)
      real(c_double), intent(in), contiguous :: values(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (is_sum(sum, stat, errmsg)) call settle(qi_add_to_sum(sum, values, size(values, kind=c_size_t)), stat, errmsg)
   end subroutine qi_add_values_to_sum

   !> Gets the number nearest to an exact sum.
   subroutine qi_get_sum_value(sum, value, stat, errmsg)
      integer(c_int64_t), intent(in), contiguous :: sum(:)   !! (QI_SUM_SIZE)
      real(c_double), intent(out) :: value
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (is_sum(sum, stat, errmsg)) call settle(qi_get_sum(sum, value), stat, errmsg)
   end subroutine qi_get_sum_value

   logical function is_sum(sum, stat, errmsg)
      integer(c_int64_t), intent(in) :: sum(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      is_sum = size(sum) == QI_SUM_SIZE
      if (.not. is_sum) call refuse('`sum` has the shape ('//list(shape(sum))//'); it must be ('//list([integer :: QI_SUM_SIZE]) &
         //')', stat, errmsg)
   end function is_sum

   ! ---- mass, centre of mass and inertia of assemblies

   !> Adds a point.
   subroutine mass_add_point(self, mass, position, stat, errmsg)
      class(qi_mass_t), intent(inout) :: self
      real(c_double), intent(in) :: mass          !! negative: a hole
      real(c_double), intent(in) :: position(:)   !! (3), axes of the assembly
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. is_vector('position', position, stat, errmsg)) return
      call settle(qi_add_point_mass(mass, position, self%sum), stat, errmsg)
   end subroutine mass_add_point

   !> Adds a solid sphere.
   subroutine mass_add_sphere(self, mass, radius, position, stat, errmsg)
      class(qi_mass_t), intent(inout) :: self
      real(c_double), intent(in) :: mass, radius
      real(c_double), intent(in) :: position(:)   !! (3), its centre, axes of the assembly
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. is_vector('position', position, stat, errmsg)) return
      call settle(qi_add_sphere_mass(mass, radius, position, self%sum), stat, errmsg)
   end subroutine mass_add_sphere

   !> Adds a solid ellipsoid.
   subroutine mass_add_ellipsoid(self, mass, semi_axes, position, orientation, stat, errmsg)
      class(qi_mass_t), intent(inout) :: self
      real(c_double), intent(in) :: mass
      real(c_double), intent(in) :: semi_axes(:)   !! (3), along its x, y and z axes
      real(c_double), intent(in) :: position(:)    !! (3), its centre, axes of the assembly
      real(c_double), intent(in), optional :: orientation(:)   !! (4), from its axes to those of the assembly; absent: the same
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. is_vector('semi_axes', semi_axes, stat, errmsg)) return
      if (.not. is_place(position, orientation, stat, errmsg)) return
      call settle(qi_add_ellipsoid_mass(mass, semi_axes, position, orientation, self%sum), stat, errmsg)
   end subroutine mass_add_ellipsoid

   !> Adds a solid box.
   subroutine mass_add_box(self, mass, edges, position, orientation, stat, errmsg)
      class(qi_mass_t), intent(inout) :: self
      real(c_double), intent(in) :: mass
      real(c_double), intent(in) :: edges(:)      !! (3), along its x, y and z axes
      real(c_double), intent(in) :: position(:)   !! (3), its centre, axes of the assembly
      real(c_double), intent(in), optional :: orientation(:)   !! (4), from its axes to those of the assembly; absent: the same
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. is_vector('edges', edges, stat, errmsg)) return
      if (.not. is_place(position, orientation, stat, errmsg)) return
      call settle(qi_add_box_mass(mass, edges, position, orientation, self%sum), stat, errmsg)
   end subroutine mass_add_box

   !> Adds a solid cylinder along its z axis.
   subroutine mass_add_cylinder(self, mass, radius, length, position, orientation, stat, errmsg)
      class(qi_mass_t), intent(inout) :: self
      real(c_double), intent(in) :: mass, radius, length
      real(c_double), intent(in) :: position(:)   !! (3), its centre, axes of the assembly
      real(c_double), intent(in), optional :: orientation(:)   !! (4), from its axes to those of the assembly; absent: the same
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. is_place(position, orientation, stat, errmsg)) return
      call settle(qi_add_cylinder_mass(mass, radius, length, position, orientation, self%sum), stat, errmsg)
   end subroutine mass_add_cylinder

   !> Adds the solid inside of a closed surface of triangles. Hollows have triangles of their own, counterclockwise as seen from
   !! within them.
   subroutine mass_add_mesh(self, density, corners, stat, errmsg)
      class(qi_mass_t), intent(inout) :: self
      real(c_double), intent(in) :: density
      real(c_double), intent(in), contiguous :: corners(:, :, :)   !! (3, 3, n): x, y, z of the three corners of each triangle,
                                                                   !! counterclockwise as seen from outside
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_size_t) :: n

      n = size(corners, 3, kind=c_size_t)
      if (.not. has_size('corners', shape(corners), [3, 3, int(n)], stat, errmsg)) return
      call settle(qi_add_mesh_mass(density, n, corners, self%sum), stat, errmsg)
   end subroutine mass_add_mesh

   !> Adds a part whose inertia about its own centre of mass is known, along its own axes.
   subroutine mass_add_inertia(self, mass, inertia, position, orientation, stat, errmsg)
      class(qi_mass_t), intent(inout) :: self
      real(c_double), intent(in) :: mass
      real(c_double), intent(in), contiguous :: inertia(:, :)   !! (3, 3)
      real(c_double), intent(in) :: position(:)   !! (3), its centre of mass, axes of the assembly
      real(c_double), intent(in), optional :: orientation(:)   !! (4), from its axes to those of the assembly; absent: the same
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. has_size('inertia', shape(inertia), [3, 3], stat, errmsg)) return
      if (.not. is_place(position, orientation, stat, errmsg)) return
      call settle(qi_add_inertia_mass(mass, inertia, position, orientation, self%sum), stat, errmsg)
   end subroutine mass_add_inertia

   !> Gets the mass, the centre of mass (axes of the assembly), and the inertia about it: what create of a body takes.
   subroutine mass_get_properties(self, mass, centre, inertia, stat, errmsg)
      class(qi_mass_t), intent(in) :: self
      real(c_double), intent(out) :: mass
      real(c_double), intent(out) :: centre(:)                   !! (3)
      real(c_double), intent(out), contiguous :: inertia(:, :)   !! (3, 3)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      mass = 0
      if (.not. is_vector('centre', centre, stat, errmsg)) return
      if (.not. has_size('inertia', shape(inertia), [3, 3], stat, errmsg)) return
      call settle(qi_get_mass_properties(self%sum, mass, centre, inertia), stat, errmsg)
   end subroutine mass_get_properties

   logical function is_vector(name, vector, stat, errmsg)
      character(*), intent(in) :: name
      real(c_double), intent(in) :: vector(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      is_vector = has_size(name, shape(vector), [3], stat, errmsg)
   end function is_vector

   logical function is_place(position, orientation, stat, errmsg)
      real(c_double), intent(in) :: position(:)
      real(c_double), intent(in), optional :: orientation(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      is_place = is_vector('position', position, stat, errmsg)
      if (is_place .and. present(orientation)) is_place = has_size('orientation', shape(orientation), [4], stat, errmsg)
   end function is_place

   ! ---- callbacks: module procedures that the library calls with the address of a callback_t as user data

   function new_callback(data) result(callback)
      class(*), intent(inout), target, optional :: data
      type(callback_t), pointer :: callback

      allocate (callback)
      callback%data => no_data
      if (present(data)) callback%data => data
   end function new_callback

   !> Refuses an integer: it is nearly always the `stat` of the call, given without its keyword.
   logical function is_data(data, stat, errmsg)
      class(*), intent(in), optional :: data
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      is_data = .true.
      if (.not. present(data)) return
      select type (data)
      type is (integer)
         is_data = .false.
         call refuse('`data` is an integer: for the status write stat=..., an integer of yours put into a derived type', &
            stat, errmsg)
      end select
   end function is_data

   !> If the library accepted the new callback, frees the old one; otherwise frees the new one.
   subroutine keep_callback(status, new, kept)
      integer(c_int32_t), intent(in) :: status
      type(callback_t), pointer, intent(inout) :: new, kept

      if (status == QI_OK) then
         if (associated(kept)) deallocate (kept)
         kept => new
      else
         deallocate (new)
      end if
   end subroutine keep_callback

   recursive integer(c_int32_t) function call_torque(time, orientation, angular_velocity, torque, user_data) bind(C, name='')
      real(c_double), value :: time
      real(c_double), intent(in) :: orientation(4), angular_velocity(3)
      real(c_double), intent(inout) :: torque(3)
      type(c_ptr), value :: user_data
      type(callback_t), pointer :: callback
      integer :: stat

      call c_f_pointer(user_data, callback)
      stat = 0
      call callback%torque(time, orientation, angular_velocity, torque, callback%data, stat)
      call_torque = stat
   end function call_torque

   recursive integer(c_int32_t) function call_inertia(time, inertia, user_data) bind(C, name='')
      real(c_double), value :: time
      real(c_double), intent(inout) :: inertia(3, 3)   ! symmetric, so that rows are columns
      type(c_ptr), value :: user_data
      type(callback_t), pointer :: callback
      integer :: stat

      call c_f_pointer(user_data, callback)
      stat = 0
      call callback%inertia(time, inertia, callback%data, stat)
      call_inertia = stat
   end function call_inertia

   !> The event function has no status in C: if it sets `stat`, its value is NaN, which ends the solution.
   recursive real(c_double) function call_event(time, orientation, angular_velocity, user_data) bind(C, name='')
      real(c_double), value :: time
      real(c_double), intent(in) :: orientation(4), angular_velocity(3)
      type(c_ptr), value :: user_data
      type(event_t), pointer :: callback

      call c_f_pointer(user_data, callback)
      call callback%value(time, orientation, angular_velocity, call_event, callback%data, callback%stat)
      if (callback%stat == 0) return
      callback%time = time
      call_event = not_a_number()
   end function call_event

   ! alone in its procedure, because a compiler may save and restore the floating-point status wherever this module is used
   real(c_double) function not_a_number()
      use, intrinsic :: ieee_arithmetic, only: ieee_quiet_nan, ieee_value

      not_a_number = ieee_value(not_a_number, ieee_quiet_nan)
   end function not_a_number

   ! recursive: several threads may call it at the same time
   recursive integer(c_int32_t) function call_chunk_torque(time, first, count, orientation, angular_velocity, torque, &
      user_data) bind(C, name='')
      real(c_double), value :: time
      integer(c_size_t), value :: first, count
      real(c_double), intent(in) :: orientation(4, count), angular_velocity(3, count)
      real(c_double), intent(inout) :: torque(3, count)
      type(c_ptr), value :: user_data
      type(callback_t), pointer :: callback
      integer :: stat

      call c_f_pointer(user_data, callback)
      stat = 0
      call callback%chunk(time, int(first) + 1, int(count), orientation, angular_velocity, torque, callback%data, stat)
      call_chunk_torque = stat
   end function call_chunk_torque

   recursive integer(c_int32_t) function call_chunk_torque_soa(time, first, count, orientation, angular_velocity, torque, &
      user_data) bind(C, name='')
      real(c_double), value :: time
      integer(c_size_t), value :: first, count
      real(c_double), intent(in) :: orientation(count, 4), angular_velocity(count, 3)
      real(c_double), intent(inout) :: torque(count, 3)
      type(c_ptr), value :: user_data
      type(callback_t), pointer :: callback
      integer :: stat

      call c_f_pointer(user_data, callback)
      stat = 0
      call callback%chunk_soa(time, int(first) + 1, int(count), orientation, angular_velocity, torque, callback%data, stat)
      call_chunk_torque_soa = stat
   end function call_chunk_torque_soa

   ! ---- errors

   !> Converts a string of the library to a Fortran string: `qi_text(qi_version_string())`.
   function qi_text(string) result(text)
      type(c_ptr), intent(in) :: string
      character(:), allocatable :: text
      character(kind=c_char), pointer :: characters(:)
      integer :: length, i

      length = 0
      if (c_associated(string)) then
         call c_f_pointer(string, characters, [huge(length)])
         do while (characters(length + 1) /= c_null_char)
            length = length + 1
         end do
      end if
      allocate (character(length) :: text)
      do i = 1, length
         text(i:i) = characters(i)
      end do
   end function qi_text

   !> Turns the status of a library call into `stat` and `errmsg`, or into `error stop`.
   subroutine settle(status, stat, errmsg)
      integer(c_int32_t), intent(in) :: status
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (status >= QI_OK) then
         if (present(stat)) stat = QI_OK
      else if (status == QI_ERR_NULL) then ! arrays are never NULL here, so the object is
         call fail(status, qi_text(qi_last_error())//' (not created yet, destroyed, or moved)', stat, errmsg)
      else
         call fail(status, qi_text(qi_last_error())//counted_from_1(qi_error_body()), stat, errmsg)
      end if
   end subroutine settle

   !> Reports an argument error found by this module.
   subroutine refuse(text, stat, errmsg)
      character(*), intent(in) :: text
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call fail_here(QI_ERR_INVALID, text, stat, errmsg)
   end subroutine refuse

   subroutine fail(status, text, stat, errmsg)
      integer(c_int32_t), intent(in) :: status
      character(*), intent(in) :: text
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. present(stat)) error stop text
      stat = status
      if (present(errmsg)) errmsg = text
   end subroutine fail

   !> Reports an error found by this module, which concerns no body.
   subroutine fail_here(status, text, stat, errmsg)
      integer(c_int32_t), intent(in) :: status
      character(*), intent(in) :: text
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: refused

      refused = qi_step(c_null_ptr, 0.0_c_double) ! so that qi_error_body() is no longer that of an earlier error
      call fail(status, 'quatint: '//text, stat, errmsg)
   end subroutine fail_here

   !> The body that the last error on this thread concerns, counted from 1; the first, if there are several. 0 if the error
   !! concerns no single body of an ensemble.
   integer function qi_error_body()
      qi_error_body = int(qi_last_error_body()) + 1 ! SIZE_MAX, which means no body, is -1 as a Fortran integer
   end function qi_error_body

   !> The text that is appended to an error text of the library, which counts from 0. Empty if the error concerns no body.
   function counted_from_1(body) result(text)
      integer, intent(in) :: body
      character(:), allocatable :: text

      text = ''
      if (body > 0) text = ' (counted from 0; from 1 it is body '//list([body])//')'
   end function counted_from_1

   ! ---- arrays: each function checks its arguments; on an error it reports the error and returns false

   !> Locates the vectors of an array with one vector for each body, or `count` vectors. With `rows`, body i has vector number
   !! rows(i).
   logical function view_of(self, name, array, components, layout, view, stat, errmsg, rows, count)
      class(qi_ensemble_t), intent(in) :: self
      character(*), intent(in) :: name
      real(c_double), intent(in), target :: array(:, :)
      integer, intent(in) :: components
      type(qi_layout_t), intent(in), optional :: layout
      type(view_t), intent(out) :: view
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer, intent(in), optional :: rows(:), count
      integer :: expected(2), second(2)
      logical :: columns

      view_of = .true.
      columns = .false.
      if (present(layout)) then
         columns = layout%number == QI_LAYOUT_SOA%number
         view_of = columns .or. layout%number == QI_LAYOUT_AOS%number
      end if
      if (.not. view_of) then
         call refuse('`layout` must be QI_LAYOUT_AOS or QI_LAYOUT_SOA', stat, errmsg)
         return
      end if
      view_of = is_there(name, c_loc(array), stat, errmsg)
      if (.not. view_of) return
      expected = [components, self%count()]
      if (present(count)) expected(2) = count
      if (present(rows)) then
         expected(2) = size(array, merge(1, 2, columns))
         view_of = are_rows_of(self, rows, expected(2), stat, errmsg)
         if (.not. view_of) return
      end if
      second = [1, min(2, size(array, 2))]
      if (columns) then
         expected = expected([2, 1])
         second = [min(2, size(array, 1)), 1]
      end if
      view%first = c_loc(no_number)
      view%body_stride = components ! where there is no body; 0 would mean one vector for all
      view_of = has_shape(self, name, shape(array), expected, stat, errmsg)
      if (.not. view_of .or. size(array) == 0) return
      view%first = c_loc(array(1, 1))
      view_of = distance(name, array(1, 1), array(second(1), second(2)), view%body_stride, stat, errmsg)
      second = merge([1, 2], [2, 1], columns)
      if (view_of) view_of = distance(name, array(1, 1), array(second(1), second(2)), view%component_stride, stat, errmsg)
   end function view_of

   !> Locates the vectors of an array with one vector for each point.
   logical function view_of_points(self, name, array, layout, view, stat, errmsg)
      class(qi_ensemble_t), intent(in) :: self
      character(*), intent(in) :: name
      real(c_double), intent(in), target :: array(:, :)
      type(qi_layout_t), intent(in), optional :: layout
      type(view_t), intent(out) :: view
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_size_t) :: count
      integer(c_int32_t) :: status

      status = qi_get_point_count(self%handle, count)
      view_of_points = status == QI_OK
      if (view_of_points) then
         view_of_points = view_of(self, name, array, 3, layout, view, stat, errmsg, count=int(count))
      else
         call settle(status, stat, errmsg)
      end if
   end function view_of_points

   !> Locates the vectors of an array with one vector for each body, or takes one vector for all bodies.
   logical function one_or_each(self, name, array, components, layout, view, stat, errmsg)
      class(qi_ensemble_t), intent(in) :: self
      character(*), intent(in) :: name
      real(c_double), intent(in), target :: array(..)
      integer, intent(in) :: components
      type(qi_layout_t), intent(in), optional :: layout
      type(view_t), intent(out) :: view
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      select rank (array)
      rank (1)
         one_or_each = is_there(name, c_loc(array), stat, errmsg)
         if (one_or_each) one_or_each = has_shape(self, name, shape(array), [components], stat, errmsg)
         if (one_or_each) one_or_each = distance(name, array(1), array(2), view%component_stride, stat, errmsg)
         if (one_or_each) view%first = c_loc(array(1))
      rank (2)
         one_or_each = view_of(self, name, array, components, layout, view, stat, errmsg)
      rank default
         one_or_each = has_shape(self, name, shape(array), [components, self%count()], stat, errmsg)
      end select
   end function one_or_each

   !> Locates the vectors of an array of records, from the first two vectors.
   logical function view_of_records(self, name, first, second, components, view, stat, errmsg, rows)
      class(qi_ensemble_t), intent(in) :: self
      character(*), intent(in) :: name
      real(c_double), intent(in), target :: first(:), second(:)
      integer, intent(in) :: components
      type(view_t), intent(out) :: view
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer, intent(in), optional :: rows(:)

      view_of_records = is_there(name, c_loc(first), stat, errmsg)
      if (view_of_records) view_of_records = is_there(name, c_loc(second), stat, errmsg)
      if (view_of_records) view_of_records = has_shape(self, name, shape(first), [components], stat, errmsg)
      if (view_of_records .and. present(rows)) view_of_records = are_rows_of(self, rows, huge(rows), stat, errmsg)
      if (view_of_records) view_of_records = has_shape(self, name, shape(second), [components], stat, errmsg)
      if (.not. view_of_records) return
      view%first = c_loc(first(1))
      view_of_records = distance(name, first(1), first(2), view%component_stride, stat, errmsg)
      if (view_of_records) view_of_records = distance(name, first(1), second(1), view%body_stride, stat, errmsg)
   end function view_of_records

   !> Locates the velocity gradients of all bodies, from the first two. The library takes no strides within a gradient.
   logical function view_of_gradients(self, first, second, view, stat, errmsg)
      class(qi_ensemble_t), intent(in) :: self
      real(c_double), pointer, intent(in) :: first(:, :), second(:, :)
      type(view_t), intent(out) :: view
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: have_memory

      have_memory = associated(first) .and. associated(second)
      view_of_gradients = is_there('gradients', merge(c_loc(no_number), c_null_ptr, have_memory), stat, errmsg)
      if (view_of_gradients) view_of_gradients = has_shape(self, 'gradients', shape(first), [3, 3], stat, errmsg)
      if (view_of_gradients) view_of_gradients = has_shape(self, 'gradients', shape(second), [3, 3], stat, errmsg)
      if (.not. view_of_gradients) return
      view_of_gradients = is_contiguous(first) .and. is_contiguous(second)
      if (.not. view_of_gradients) then
         call refuse('`gradients`: the nine numbers of a body must lie side by side', stat, errmsg)
         return
      end if
      view%first = c_loc(first(1, 1))
      view_of_gradients = distance('gradients', first(1, 1), second(1, 1), view%body_stride, stat, errmsg)
   end function view_of_gradients

   !> Checks the rows of the bodies in an array. The library checks that no two are the same.
   logical function are_rows_of(self, rows, last, stat, errmsg)
      class(qi_ensemble_t), intent(in) :: self
      integer, intent(in) :: rows(:), last
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      are_rows_of = has_shape(self, 'rows', shape(rows), [self%count()], stat, errmsg)
      if (.not. are_rows_of) return
      are_rows_of = all(rows >= 1 .and. rows <= last)
      if (.not. are_rows_of) call refuse('`rows` must count from 1, and the array has '//list([last])//' rows', stat, errmsg)
   end function are_rows_of

   !> Locates torque parameters or inertias: one for all bodies, or one for each body (then the last extent is n).
   logical function parameters(self, name, values, of_one, view, stat, errmsg)
      class(qi_ensemble_t), intent(in) :: self
      character(*), intent(in) :: name
      real(c_double), intent(in), target, contiguous :: values(..)
      integer, intent(in) :: of_one(:)   !! the shape for one body
      type(view_t), intent(out) :: view
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      view%first = c_null_ptr
      select rank (values) ! the standard allows c_loc for any rank, but not every compiler supports it
      rank (0)
         view%first = c_loc(values)
      rank (1)
         view%first = c_loc(values)
      rank (2)
         view%first = c_loc(values)
      rank (3)
         view%first = c_loc(values)
      end select
      parameters = is_there(name, view%first, stat, errmsg)
      if (.not. parameters) return
      if (rank(values) == size(of_one)) then
         parameters = has_shape(self, name, shape(values), of_one, stat, errmsg)
      else
         parameters = has_shape(self, name, shape(values), [of_one, self%count()], stat, errmsg)
         view%body_stride = product(of_one)
      end if
      if (size(values) == 0) view%first = c_loc(no_number)
   end function parameters

   !> Refuses an array that is not allocated, or a pointer without a target, by its address. It has no shape to report.
   logical function is_there(name, address, stat, errmsg)
      character(*), intent(in) :: name
      type(c_ptr), intent(in) :: address
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      is_there = c_associated(address)
      if (.not. is_there) call refuse('`'//name//'` is not allocated, or is a pointer without a target', stat, errmsg)
   end function is_there

   logical function has_shape(self, name, given, expected, stat, errmsg, hint)
      class(qi_ensemble_t), intent(in) :: self
      character(*), intent(in) :: name
      integer, intent(in) :: given(:), expected(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      character(*), intent(in), optional :: hint
      character(:), allocatable :: more

      has_shape = .false.
      if (.not. self%exists()) then
         call fail_here(QI_ERR_NULL, 'there is no ensemble (not created yet, destroyed, or moved)', stat, errmsg)
         return
      end if
      if (size(given) == size(expected)) has_shape = all(given == expected)
      if (has_shape) return
      more = ''
      if (present(hint)) more = hint
      call refuse('`'//name//'` has the shape ('//list(given)//'); it must be ('//list(expected)//')'//more, stat, errmsg)
   end function has_shape

   !> Checks the shape of a vector or matrix of fixed size.
   logical function has_size(name, given, expected, stat, errmsg)
      character(*), intent(in) :: name
      integer, intent(in) :: given(:), expected(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      has_size = all(given == expected)
      if (.not. has_size) call refuse('`'//name//'` has the shape ('//list(given)//'); it must be ('// &
         list(expected)//')', stat, errmsg)
   end function has_size

   logical function is_count(number, name, stat, errmsg)
      integer, intent(in) :: number
      character(*), intent(in) :: name
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      is_count = number >= 0
      if (.not. is_count) call refuse('`'//name//'` is negative', stat, errmsg)
   end function is_count

   !> Converts a list of bodies that counts from 1 to one that counts from 0.
   logical function counted_from_0(name, indices, from_0, stat, errmsg)
      character(*), intent(in) :: name
      integer, intent(in) :: indices(:)
      integer(c_size_t), allocatable, intent(out) :: from_0(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      counted_from_0 = all(indices >= 1)
      if (counted_from_0) then
         allocate (from_0(size(indices)), source=int(indices, c_size_t) - 1)
      else
         call refuse('`'//name//'` must count from 1', stat, errmsg)
      end if
   end function counted_from_0

   !> A count as a default integer; the greatest, if it is greater.
   pure integer function at_most_huge(count)
      integer(c_int64_t), intent(in) :: count

      at_most_huge = int(min(count, int(huge(at_most_huge), c_int64_t)))
   end function at_most_huge

   !> Distance between two numbers in memory, in doubles.
   logical function distance(name, from, to, doubles, stat, errmsg)
      character(*), intent(in) :: name
      real(c_double), intent(in), target :: from, to
      integer(c_ptrdiff_t), intent(out) :: doubles
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_intptr_t) :: bytes

      bytes = transfer(c_loc(to), bytes) - transfer(c_loc(from), bytes)
      doubles = bytes/8
      distance = mod(bytes, 8_c_intptr_t) == 0
      if (.not. distance) call fail_here(QI_ERR_MISALIGNED, '`'//name//'`: the numbers are '//list([int(bytes)])// &
         ' bytes apart, which is not a whole number of doubles', stat, errmsg)
   end function distance

   function list(numbers) result(text)
      integer, intent(in) :: numbers(:)
      character(:), allocatable :: text
      character(12) :: digits
      integer :: i

      text = ''
      do i = 1, size(numbers)
         write (digits, '(i0)') numbers(i)
         if (i > 1) text = text//', '
         text = text//trim(digits)
      end do
   end function list

end module quatint
