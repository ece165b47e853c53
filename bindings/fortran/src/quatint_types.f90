!> The types and their procedures, with what each procedure takes and does. What they consist of is in submodules, so that a
!! change there leaves the .mod file as it is.
module quatint_types
   use, intrinsic :: iso_c_binding
   use quatint_c
   use quatint_support
   use quatint_callbacks
   implicit none
   private
   public :: qi_body_t, qi_ensemble_t, qi_mass_t, qi_add_in_body_frame, qi_add_uniform_field, qi_add_gravity_gradient, &
      qi_add_linear_drag, qi_add_shear_flow, qi_add_values_to_sum, qi_get_sum_value, qi_turn, qi_turn_through

   !> A rigid body: inertia, orientation, angular velocity, a clock and the torque that acts on it.
   type :: qi_body_t
      private
      type(owned_t) :: owned
      type(callback_t), pointer :: callback => null()
      type(callback_t), pointer :: inertia_callback => null()
   contains
      procedure :: create => body_create
      procedure :: destroy => body_destroy
      procedure :: exists => body_exists
      procedure :: move_to => body_move_to
      procedure :: c_handle => body_c_handle
      generic :: set_torque => set_torque_procedure, set_torque_object
      procedure :: clear_torque => body_clear_torque
      procedure :: step => body_step
      procedure :: advance => body_advance
      procedure :: record => body_record
      procedure :: solve => body_solve
      procedure :: solve_record => body_solve_record
      generic :: solve_monitored => solve_monitored_procedure, solve_monitored_object
      generic :: solve_until => solve_until_procedure, solve_until_object
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
      generic :: set_inertia_function => set_inertia_procedure, set_inertia_object
      procedure :: clear_inertia_function => body_clear_inertia_function
      generic :: assignment(=) => refuse_copy
      procedure, private :: refuse_copy => body_refuse_copy
      procedure, private :: set_torque_procedure => body_set_torque_procedure
      procedure, private :: set_torque_object => body_set_torque_object
      procedure, private :: set_inertia_procedure => body_set_inertia_procedure
      procedure, private :: set_inertia_object => body_set_inertia_object
      procedure, private :: solve_monitored_procedure => body_solve_monitored_procedure
      procedure, private :: solve_monitored_object => body_solve_monitored_object
      procedure, private :: solve_until_procedure => body_solve_until_procedure
      procedure, private :: solve_until_object => body_solve_until_object
      final :: body_finalize
   end type qi_body_t

   !> Rigid bodies that step together. Their states are in the ensemble's own memory or in your arrays.
   type :: qi_ensemble_t
      private
      type(owned_t) :: owned
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
      generic :: set_torque => set_torque_procedure, set_torque_object, set_torque_soa_object
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
      procedure, private :: set_torque_procedure => ensemble_set_torque_procedure
      procedure, private :: set_torque_object => ensemble_set_torque_object
      procedure, private :: set_torque_soa_object => ensemble_set_torque_soa_object
      final :: ensemble_finalize
   end type qi_ensemble_t

   !> The mass, the centre of mass and the inertia of an assembly of parts. All positions are in the axes of the assembly. A
   !! part with a negative mass is a hole. The elements of `sum` are those of QI_MASS_SIZE; those of two assemblies add up.
   type :: qi_mass_t
      real(c_double) :: sum(QI_MASS_SIZE) = 0
   contains
      procedure :: add_point => mass_add_point
      procedure :: add_sphere => mass_add_sphere
      procedure :: add_ellipsoid => mass_add_ellipsoid
      procedure :: add_box => mass_add_box
      procedure :: add_cylinder => mass_add_cylinder
      procedure :: add_capsule => mass_add_capsule
      procedure :: add_hemisphere => mass_add_hemisphere
      procedure :: add_cone => mass_add_cone
      procedure :: add_mesh => mass_add_mesh
      procedure :: add_inertia => mass_add_inertia
      procedure :: get_properties => mass_get_properties
      procedure :: get_inertia_about => mass_get_inertia_about
   end type qi_mass_t

   ! ---- one body

   interface
      !> Creates a body with its clock at 0 and without a torque. On success, the previous body of this variable is destroyed.
      module subroutine body_create(self, inertia, orientation, angular_velocity, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(in), target :: inertia(..)   !! (3, 3), about the centre of mass, body frame
         real(c_double), intent(in), optional :: orientation(:)   !! (4), absent: body and world axes coincide
         real(c_double), intent(in), optional :: angular_velocity(:)   !! (3), world frame, rad/s; absent: at rest
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_create

      !> Destroys the body, if it exists.
      module impure elemental subroutine body_destroy(self)
         class(qi_body_t), intent(inout) :: self
      end subroutine body_destroy

      module impure elemental subroutine body_finalize(self)
         type(qi_body_t), intent(inout) :: self
      end subroutine body_finalize

      !> Whether the body exists: it was created, and neither destroyed nor moved away.
      module elemental logical function body_exists(self)
         class(qi_body_t), intent(in) :: self
      end function body_exists

      !> Moves the body to another variable and destroys the body that was there.
      module subroutine body_move_to(self, to)
         class(qi_body_t), intent(inout) :: self
         class(qi_body_t), intent(inout) :: to
      end subroutine body_move_to

      module impure elemental subroutine body_refuse_copy(to, from)
         class(qi_body_t), intent(inout) :: to
         type(qi_body_t), intent(in) :: from
      end subroutine body_refuse_copy

      !> The C handle, for the functions of the C library. The body keeps ownership of it.
      module pure type(c_ptr) function body_c_handle(self)
         class(qi_body_t), intent(in) :: self
      end function body_c_handle

      !> Sets a procedure that gives the inertia at each time: see qi_set_inertia_function. set_inertia and lock_axes end the
      !! change.
      module subroutine body_set_inertia_procedure(self, inertia, data, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         procedure(qi_inertia) :: inertia                     !! a module procedure
         class(*), intent(inout), target, optional :: data   !! passed to every call; a target that exists as long as the function
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_set_inertia_procedure

      !> The same with an object of a type of yours.
      module subroutine body_set_inertia_object(self, inertia, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         class(qi_inertia_t), intent(inout), target :: inertia   !! a target that exists as long as the function
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_set_inertia_object

      !> The inertia is constant from now on: that of this moment.
      module subroutine body_clear_inertia_function(self, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_clear_inertia_function

      !> Sets a procedure as the torque on the body, replacing any previous torque.
      module subroutine body_set_torque_procedure(self, torque, data, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         procedure(qi_torque) :: torque                       !! a module procedure
         class(*), intent(inout), target, optional :: data   !! passed to every call; a target that exists as long as the torque
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_set_torque_procedure

      !> The same with an object of a type of yours. (A pointer as the dummy argument would make the compiler require a target,
      !! but gfortran 12 then overlooks that the object is read and changed later.)
      module subroutine body_set_torque_object(self, torque, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         class(qi_torque_t), intent(inout), target :: torque   !! a target that exists as long as the torque
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_set_torque_object

      !> Removes the torque.
      module subroutine body_clear_torque(self, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_clear_torque

      !> Takes one step. If it fails, the body and its clock are unchanged.
      module subroutine body_step(self, dt, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(in) :: dt
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_step

      !> Takes many steps. If one fails, the steps before it are kept.
      module subroutine body_advance(self, dt, steps, completed, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(in) :: dt
         integer, intent(in) :: steps
         integer, intent(out), optional :: completed, stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_advance

      !> Takes many steps and records the trajectory: the initial state and the state after every `every` steps, one column
      !! each.
      module subroutine body_record(self, dt, steps, every, records, written, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(in) :: dt
         integer, intent(in) :: steps, every
         real(c_double), intent(inout) :: records(:, :)   !! (8, steps/every + 1): time, w, x, y, z, omega (world)
         integer, intent(out), optional :: written, stat              !! written: the number of columns written
         character(*), intent(inout), optional :: errmsg
      end subroutine body_record

      !> Advances the body to a time, in steps that a tolerance determines. The method of set_method does not matter. If it
      !! fails, the body is where its last accepted step ended.
      module subroutine body_solve(self, end_time, tolerance, evaluations, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(in) :: end_time                !! before or after that of the body
         real(c_double), intent(in) :: tolerance   !! local error of a step, 1e-15 to 0.1: rad, and relative for omega
         integer, intent(out), optional :: evaluations, stat   !! evaluations: the number of torques, also after an error
         character(*), intent(inout), optional :: errmsg
      end subroutine body_solve

      !> Solves to the last of some times and records the state at each of them, one column each. The steps do not depend on
      !! the times.
      module subroutine body_solve_record(self, times, tolerance, records, written, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(in) :: times(:)   !! ascend or descend from the body's time, which may be the first
         real(c_double), intent(in) :: tolerance                      !! as for solve
         real(c_double), intent(inout) :: records(:, :)   !! (8, size(times)): time, w, x, y, z, omega (world)
         integer, intent(out), optional :: written, stat   !! written: the number of columns written, also after an error
         character(*), intent(inout), optional :: errmsg
      end subroutine body_solve_record

      !> As solve, with the same bits, and calls a monitor after each step that is taken. If it ends the solution, the body is
      !! where the step has ended.
      module subroutine body_solve_monitored_procedure(self, end_time, tolerance, monitor, data, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(in) :: end_time, tolerance            !! as for solve
         procedure(qi_monitor) :: monitor                             !! a module procedure
         class(*), intent(inout), target, optional :: data            !! passed to every call
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_solve_monitored_procedure

      !> The same with an object of a type of yours.
      module subroutine body_solve_monitored_object(self, end_time, tolerance, monitor, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(in) :: end_time, tolerance
         class(qi_monitor_t), intent(inout), target :: monitor
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_solve_monitored_object

      !> Solves to a time, or to the first zero of an event function before it. The next call finds the next event.
      module subroutine body_solve_until_procedure(self, end_time, tolerance, event, happened, direction, data, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(in) :: end_time, tolerance            !! as for solve
         procedure(qi_event_value) :: event                           !! a module procedure
         logical, intent(out) :: happened                             !! true: the body is at the event; false: at end_time
         type(qi_crossing_t), intent(in), optional :: direction       !! QI_RISING, QI_FALLING or QI_ANY_CROSSING, the default
         class(*), intent(inout), target, optional :: data            !! passed to every call
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_solve_until_procedure

      !> The same with an object of a type of yours.
      module subroutine body_solve_until_object(self, end_time, tolerance, event, happened, direction, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(in) :: end_time, tolerance
         class(qi_event_t), intent(inout), target :: event
         logical, intent(out) :: happened
         type(qi_crossing_t), intent(in), optional :: direction
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_solve_until_object

      !> Gets the cost of the last solve, solve_record or solve_until, also if it failed; 0 before the first.
      module subroutine body_solve_statistics(self, evaluations, accepted, rejected, stat, errmsg)
         class(qi_body_t), intent(in) :: self
         integer, intent(out), optional :: evaluations                !! number of torques
         integer, intent(out), optional :: accepted, rejected, stat   !! steps taken; steps tried and not taken
         character(*), intent(inout), optional :: errmsg
      end subroutine body_solve_statistics

      !> How many numbers get_row gives. It depends on torque, method, drag, rotors and random torques.
      module integer function body_row_size(self, parts)
         class(qi_body_t), intent(in) :: self
         integer(c_int32_t), intent(in) :: parts   !! a sum of QI_PART constants
      end function body_row_size

      !> Gets the data of the body as numbers, for a file: with clock, and with torque, method, drag and motors set again, all
      !! that a restart needs.
      module subroutine body_get_row(self, parts, row, stat, errmsg)
         class(qi_body_t), intent(in) :: self
         integer(c_int32_t), intent(in) :: parts               !! a sum of QI_PART constants
         real(c_double), intent(inout) :: row(:)   !! (row_size(parts))
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_get_row

      !> Sets the data of the body from get_row, or from a column of an ensemble's get_rows. Torque, method, drag, rotors and
      !! random torques are set before.
      module subroutine body_set_row(self, parts, row, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         integer(c_int32_t), intent(in) :: parts
         real(c_double), intent(in) :: row(:)
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_set_row
   end interface

   ! ---- `make bindings` writes these lines from the rows of tools/bindings/interface.toml, for Body: do not edit
   interface
      !> Gets the clock: the sum of the steps since it was set.
      module subroutine body_get_time(self, time, stat, errmsg)
         class(qi_body_t), intent(in) :: self
         real(c_double), intent(out) :: time
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_get_time

      !> Sets the clock: the sum of the steps since it was set.
      module subroutine body_set_time(self, time, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(in) :: time
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_set_time

      !> Gets the whole clock: the time, and what rounding has left of the sum of the steps. Set again, it gives a run the
      !! same times bit for bit.
      module subroutine body_get_clock(self, clock, stat, errmsg)
         class(qi_body_t), intent(in) :: self
         real(c_double), intent(inout), target :: clock(..)   !! (2)
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_get_clock

      !> Sets the whole clock: the time, and what rounding has left of the sum of the steps.
      module subroutine body_set_clock(self, clock, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(in), target :: clock(..)   !! (2)
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_set_clock

      !> Gets the orientation (w, x, y, z), body to world.
      module subroutine body_get_orientation(self, orientation, stat, errmsg)
         class(qi_body_t), intent(in) :: self
         real(c_double), intent(inout), target :: orientation(..)   !! (4)
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_get_orientation

      !> Gets the angular velocity, rad/s, world frame.
      module subroutine body_get_angular_velocity(self, angular_velocity, stat, errmsg)
         class(qi_body_t), intent(in) :: self
         real(c_double), intent(inout), target :: angular_velocity(..)   !! (3)
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_get_angular_velocity

      !> Gets the angular velocity, rad/s, body frame, which is the stored form.
      module subroutine body_get_angular_velocity_body(self, angular_velocity, stat, errmsg)
         class(qi_body_t), intent(in) :: self
         real(c_double), intent(inout), target :: angular_velocity(..)   !! (3)
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_get_angular_velocity_body

      !> Sets the orientation and the angular velocity, world frame. Clock and torque stay.
      module subroutine body_set_state(self, orientation, angular_velocity, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(in), target :: orientation(..)   !! (4)
         real(c_double), intent(in), target :: angular_velocity(..)   !! (3)
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_set_state

      !> Sets the orientation and the angular velocity, body frame. It restores the values of get_orientation and
      !! get_angular_velocity_body bit for bit.
      module subroutine body_set_state_body(self, orientation, angular_velocity_body, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(in), target :: orientation(..)   !! (4)
         real(c_double), intent(in), target :: angular_velocity_body(..)   !! (3), body frame, rad/s
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_set_state_body

      !> Gets the angular momentum, world frame, with that of rotors.
      module subroutine body_get_angular_momentum(self, angular_momentum, stat, errmsg)
         class(qi_body_t), intent(in) :: self
         real(c_double), intent(inout), target :: angular_momentum(..)   !! (3)
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_get_angular_momentum

      !> Sets the angular momentum, world frame, with that of rotors. The angular velocity follows from it. Orientation and
      !! clock stay.
      module subroutine body_set_angular_momentum(self, angular_momentum, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(in), target :: angular_momentum(..)   !! (3)
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_set_angular_momentum

      !> Gets the rotational kinetic energy, without that of rotors.
      module subroutine body_get_kinetic_energy(self, energy, stat, errmsg)
         class(qi_body_t), intent(in) :: self
         real(c_double), intent(out) :: energy
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_get_kinetic_energy

      !> Sets the inertia. Orientation, clock and torque stay. No axis is locked then, unless a moment is zero.
      module subroutine body_set_inertia(self, inertia, keep, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(in), target :: inertia(..)   !! (3, 3)
         type(qi_keep_t), intent(in) :: keep   !! QI_KEEP_ANGULAR_VELOCITY or QI_KEEP_ANGULAR_MOMENTUM; what belongs to axes
            !! of zero moment is taken away in any case
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_set_inertia

      !> Locks body axes, which must be principal axes: the body does not turn about them, whatever the torque. One lock alone
      !! asks for equal moments about the other two axes. The moments about locked axes become zero. Locks add up until
      !! set_inertia.
      module subroutine body_lock_axes(self, axes, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         integer(c_int32_t), intent(in) :: axes   !! a sum of QI_AXIS_X, QI_AXIS_Y and QI_AXIS_Z; 0: no lock is added, but an
            !! inertia function ends, and the splitting methods ask for the torque again
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_lock_axes

      !> Sets a constant torque. In the body frame it turns with the body.
      module subroutine body_set_constant_torque(self, torque, frame, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(in), target :: torque(..)   !! (3), in the frame that `frame` selects
         type(qi_frame_t), intent(in), optional :: frame   !! of the torque: QI_FRAME_WORLD, the default, or QI_FRAME_BODY
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_set_constant_torque

      !> Sets the torque of a uniform field, `(R v) x F`. For example the weight F of a top whose centre of mass is at v.
      module subroutine body_set_uniform_field_torque(self, vector_body, field_world, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(in), target :: vector_body(..)   !! (3), v, body frame
         real(c_double), intent(in), target :: field_world(..)   !! (3), F, world frame
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_set_uniform_field_torque

      !> Sets the torque of a central gravity field, `3 g n x (I n)`. The direction n is along the line to the attracting
      !! mass, and g is G M / r^3.
      module subroutine body_set_gravity_gradient_torque(self, direction_world, gradient, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(in), target :: direction_world(..)   !! (3), n, world frame, along the line to the attracting
            !! mass, of any length but 0
         real(c_double), intent(in) :: gradient   !! g = G M / r^3, in 1/time^2; on a circular orbit, this is the square of
            !! the orbital rate
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_set_gravity_gradient_torque

      !> Sets a linear drag as the torque: `-c_i omega_i` about each body axis i.
      module subroutine body_set_linear_drag_torque(self, coefficients, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(in), target :: coefficients(..)   !! (3), c, torque per rad/s about the body axes x, y, z; a
            !! negative coefficient drives the rotation
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_set_linear_drag_torque

      !> Sets Jeffery's torque: that of a viscous fluid in linear flow on an ellipsoid. Entry (i, j) of the gradient is the
      !! derivative of velocity component i along axis j, world frame.
      module subroutine body_set_shear_flow_torque(self, semi_axes, viscosity, velocity_gradient, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(in), target :: semi_axes(..)   !! (3), along the body axes, positive
         real(c_double), intent(in) :: viscosity   !! dynamic viscosity of the fluid, positive
         real(c_double), intent(in), target :: velocity_gradient(..)   !! (3, 3), world frame: entry (i, j) is d(velocity
            !! component i) / d(position j). OpenFOAM's grad(U) is the transpose
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_set_shear_flow_torque

      !> Sets a linear drag in addition to the torque: `-c_i (omega_i - flow_i)` about each body axis i. It is taken
      !! implicitly, so that no coefficient is too large for the step. Kicks include it.
      module subroutine body_set_drag(self, coefficients, flow, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(in), target :: coefficients(..)   !! (3), c, torque per rad/s about the body axes
         real(c_double), intent(in), optional :: flow(:)   !! (3), angular velocity of the fluid, world frame, rad/s; absent:
            !! at rest
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_set_drag

      !> Removes the drag. The torque stays.
      module subroutine body_clear_drag(self, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_clear_drag

      !> Sets random torques in addition to the torque: a drag about each body axis, and the noise that belongs to it at the
      !! energy `kt`. They act in steps by the splitting of order 2 and by the Brownian method; other methods refuse them.
      module subroutine body_set_langevin(self, coefficients, kt, seed, id, flow, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(in), target :: coefficients(..)   !! (3), c, torque per rad/s about the body axes, not
            !! negative
         real(c_double), intent(in) :: kt   !! energy, not negative; 0: drag alone
         integer(c_int64_t), intent(in) :: seed   !! seed of all noise of a simulation
         integer(c_int64_t), intent(in) :: id   !! id of the noise of this body
         real(c_double), intent(in), optional :: flow(:)   !! (3), angular velocity of the fluid, world frame, rad/s; absent:
            !! at rest
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_set_langevin

      !> Removes the random torques. The torque and the number of draws stay.
      module subroutine body_clear_langevin(self, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_clear_langevin

      !> Lets drag and noise alone act for a duration, exactly, at constant orientation. The clock stays. It is one draw.
      !! Programs that kick and drift call it between two drifts of half a step.
      module subroutine body_thermalize(self, duration, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(in) :: duration   !! not negative
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_thermalize

      !> Gets how many times noise has been drawn. Each step with random torques draws, and so does thermalize. A restart
      !! needs the number besides the state and the clock.
      module subroutine body_get_noise_draws(self, draws, stat, errmsg)
         class(qi_body_t), intent(in) :: self
         integer(c_int64_t), intent(out) :: draws
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_get_noise_draws

      !> Sets how many times noise has been drawn.
      module subroutine body_set_noise_draws(self, draws, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         integer(c_int64_t), intent(in) :: draws
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_set_noise_draws

      !> Gets the angular momentum of rotors within the body, such as reaction wheels, body frame.
      module subroutine body_get_rotor_momentum(self, momentum, stat, errmsg)
         class(qi_body_t), intent(in) :: self
         real(c_double), intent(inout), target :: momentum(..)   !! (3), body frame; 0 without rotors
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_get_rotor_momentum

      !> Sets the angular momentum of rotors within the body, such as reaction wheels, body frame. Only the torque of
      !! set_rotor_torque changes it. Orientation and angular velocity stay. get_angular_momentum includes it,
      !! get_kinetic_energy does not. The inertia of the body is that with the rotors locked or, where the torque of a motor
      !! is known, less J a a^T for each (docs/torques.md).
      module subroutine body_set_rotor_momentum(self, momentum, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(in), target :: momentum(..)   !! (3), h, body frame
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_set_rotor_momentum

      !> Removes the rotors.
      module subroutine body_clear_rotor_momentum(self, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_clear_rotor_momentum

      !> Gets the torque of the motors that drive the rotors, body frame.
      module subroutine body_get_rotor_torque(self, torque_body, stat, errmsg)
         class(qi_body_t), intent(in) :: self
         real(c_double), intent(inout), target :: torque_body(..)   !! (3), body frame; 0 without motors
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_get_rotor_torque

      !> Sets the torque of the motors that drive the rotors, body frame. While time passes it acts on the body, and its
      !! opposite on the rotors. It stays until it is set again: a controller sets it once per sample.
      module subroutine body_set_rotor_torque(self, torque_body, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(in), target :: torque_body(..)   !! (3), u, body frame
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_set_rotor_torque

      !> Removes the motors.
      module subroutine body_clear_rotor_torque(self, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_clear_rotor_torque

      !> The method.
      module type(qi_method_t) function body_method(self) result(method)
         class(qi_body_t), intent(in) :: self
      end function body_method

      !> Sets the method. State, clock and torque stay.
      module subroutine body_set_method(self, method, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         type(qi_method_t), intent(in) :: method   !! a QI_METHOD constant; QI_METHOD_PCDM is the default
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_set_method

      !> Adds `duration * torque` to the angular momentum, and the drag of this duration. Orientation and clock stay. A step
      !! of velocity Verlet is a kick of half a step, a drift of a step, and, with a new torque, a kick of half a step.
      module subroutine body_kick(self, duration, torque, frame, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(in) :: duration
         real(c_double), intent(in), target :: torque(..)   !! (3), in the frame that `frame` selects
         type(qi_frame_t), intent(in), optional :: frame   !! of the torque: QI_FRAME_WORLD, the default, or QI_FRAME_BODY
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_kick

      !> Rotates freely for a duration of any length: exactly, or with rotors by the method. The clock moves on. The torque is
      !! not called.
      module subroutine body_drift(self, duration, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(in) :: duration
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_drift

      !> Says that something has changed that the torque reads, such as a sampled command: the splitting methods then ask for
      !! the torque again.
      module subroutine body_forget_torque(self, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_forget_torque

      !> Gets the sum of all torques at the present state, those of drag and motors too, world frame. The torque is asked
      !! once.
      module subroutine body_get_acting_torque(self, torque, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(inout), target :: torque(..)   !! (3), world frame
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_get_acting_torque

      !> Gets the angular acceleration at the present state, rad/s^2, world frame. The torque is asked once.
      module subroutine body_get_angular_acceleration(self, angular_acceleration, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(inout), target :: angular_acceleration(..)   !! (3), world frame
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_get_angular_acceleration

      !> The value that the torque returned when it last stopped a step; 0 if it was content.
      module pure integer function body_callback_result(self)
         class(qi_body_t), intent(in) :: self
      end function body_callback_result

      !> Sets the longest step of solve and of the other solutions; 0, the default: any length. A torque that acts for a
      !! shorter time, such as a pulse, may not be seen. A body without torque takes one exact step as before.
      module subroutine body_set_solve_longest_step(self, longest, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         real(c_double), intent(in) :: longest   !! length of time, not negative, for both directions; 0 (the default): any
            !! length
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_set_solve_longest_step

      !> Sets the most evaluations of the torque in a call of solve or of another solution; where no torque acts, of the event
      !! function; 0, the default: no limit. A call that needs more fails, and the body is where its last accepted step ended;
      !! another call goes on from there.
      module subroutine body_set_solve_most_evaluations(self, most, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         integer, intent(in) :: most   !! number of torque evaluations; in qi_solve_until() of a body without torque, of
            !! evaluations of the event function. 0 (the default): no limit
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_set_solve_most_evaluations

      !> Sets how solve and the other solutions take their steps. The default is an explicit method of order 8. The stiff one,
      !! of order 4, costs less for torques that change faster than the motion, such as stiff drag and springs. The error of a
      !! solution that takes too many evaluations says whether the torque looks stiff.
      module subroutine body_set_solve_method(self, method, stat, errmsg)
         class(qi_body_t), intent(inout) :: self
         type(qi_solve_method_t), intent(in) :: method   !! QI_SOLVE_NONSTIFF, the default, QI_SOLVE_STIFF or
            !! QI_SOLVE_SPLITTING
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine body_set_solve_method
   end interface
   ! ---- end of what `make bindings` writes

   ! ---- many bodies

   interface
      !> Creates an ensemble: every body at rest, with identity orientation, unit inertia and no torque; the clock at 0.
      module subroutine ensemble_create(self, count, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         integer, intent(in) :: count
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_create

      !> Destroys the ensemble, if it exists. Bound arrays keep the last states.
      module impure elemental subroutine ensemble_destroy(self)
         class(qi_ensemble_t), intent(inout) :: self
      end subroutine ensemble_destroy

      module impure elemental subroutine ensemble_finalize(self)
         type(qi_ensemble_t), intent(inout) :: self
      end subroutine ensemble_finalize

      !> Whether the ensemble exists: it was created, and neither destroyed nor moved away.
      module elemental logical function ensemble_exists(self)
         class(qi_ensemble_t), intent(in) :: self
      end function ensemble_exists

      !> Moves the ensemble to another variable and destroys the ensemble that was there.
      module subroutine ensemble_move_to(self, to)
         class(qi_ensemble_t), intent(inout) :: self
         class(qi_ensemble_t), intent(inout) :: to
      end subroutine ensemble_move_to

      module impure elemental subroutine ensemble_refuse_copy(to, from)
         class(qi_ensemble_t), intent(inout) :: to
         type(qi_ensemble_t), intent(in) :: from
      end subroutine ensemble_refuse_copy

      !> The C handle, for the functions of the C library. The ensemble keeps ownership of it.
      module pure type(c_ptr) function ensemble_c_handle(self)
         class(qi_ensemble_t), intent(in) :: self
      end function ensemble_c_handle

      !> The number of bodies; 0 if the ensemble does not exist.
      module pure integer function ensemble_count(self)
         class(qi_ensemble_t), intent(in) :: self
      end function ensemble_count

      !> Body i becomes a copy of body from(i), for each i: this removes, sorts and copies bodies. Otherwise as resize.
      module subroutine ensemble_select(self, from, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         integer, intent(in), target :: from(..)   !! counts from 1
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_select

      !> How many numbers describe a body in the rows of get_rows and set_rows. It depends on torque and method.
      module integer function ensemble_row_size(self, parts)
         class(qi_ensemble_t), intent(in) :: self
         integer(c_int32_t), intent(in) :: parts   !! a sum of QI_PART constants
      end function ensemble_row_size

      !> Gets the data of bodies as numbers: a column rows(:, i) for each body.
      module subroutine ensemble_get_rows(self, parts, rows, bodies, stat, errmsg)
         class(qi_ensemble_t), intent(in) :: self
         integer(c_int32_t), intent(in) :: parts                   !! a sum of QI_PART constants
         real(c_double), intent(inout) :: rows(:, :)   !! (row_size(parts), number of bodies)
         integer, intent(in), optional :: bodies(:)                !! column i is body bodies(i), from 1; absent: all bodies
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_get_rows

      !> Replaces the data of bodies by columns from get_rows. All are checked before the first is written. In a restart, torque,
      !! method and clock are set before the rows.
      module subroutine ensemble_set_rows(self, parts, rows, bodies, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         integer(c_int32_t), intent(in) :: parts
         real(c_double), intent(in) :: rows(:, :)
         integer, intent(in), optional :: bodies(:)   !! column i is for body bodies(i), from 1; absent: all bodies
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_set_rows

      !> Locks the same body axes of all bodies; see body_lock_axes. set_inertias and set_principal_inertias unlock.
      module subroutine ensemble_lock_axes_of_all(self, axes, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         integer(c_int32_t), intent(in) :: axes   !! a sum of QI_AXIS_X, QI_AXIS_Y and QI_AXIS_Z
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_lock_axes_of_all

      !> Locks body axes of each body.
      module subroutine ensemble_lock_axes_of_each(self, axes, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         integer(c_int32_t), intent(in), target :: axes(:)   !! (n), each a sum of QI_AXIS_X, QI_AXIS_Y and
                                                                          !! QI_AXIS_Z; 0: none
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_lock_axes_of_each

      !> Gets the exact sum of the kinetic energies of the (active) bodies. The sums of ensembles, added element by element,
      !! are the exact sum over all their bodies; qi_get_sum_value gives its value.
      module subroutine ensemble_get_kinetic_energy_sums(self, sums, stat, errmsg)
         class(qi_ensemble_t), intent(in) :: self
         integer(c_int64_t), intent(inout), target :: sums(:)   !! (QI_SUM_SIZE)
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_get_kinetic_energy_sums

      !> Gets the exact sums of the angular momenta of the (active) bodies, world frame. See get_kinetic_energy_sums.
      module subroutine ensemble_get_angular_momentum_sums(self, sums, stat, errmsg)
         class(qi_ensemble_t), intent(in) :: self
         integer(c_int64_t), intent(inout), target :: sums(:, :)   !! (QI_SUM_SIZE, 3): x, y, z
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_get_angular_momentum_sums

      !> Binds an array of orientations: from now on the ensemble reads and writes them there, without a copy. The shape is
      !! (4, n), or (n, 4) with layout = QI_LAYOUT_SOA; array sections are allowed. The contents become the orientations of
      !! the bodies. The array must stay at its address until the ensemble is destroyed, bound to another array or told to
      !! release_arrays: assign an allocatable array as q(:, :) = ..., because q = ... may move it. (The dummy argument is a
      !! pointer, so that the compiler requires a target and does not copy a section; and asynchronous, so that it refuses a
      !! vector subscript, which it would copy.) A component of all elements of an array, c%a or z%re, is refused.
      !!
      !! With `rows`, body i is in orientations(:, rows(i)), and the array may be longer: (4, m). Columns of no body are not
      !! touched.
      module subroutine ensemble_bind_orientations(self, orientations, layout, order, stat, errmsg, rows)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), pointer, intent(in), asynchronous :: orientations(:, :)
         type(qi_layout_t), intent(in), optional :: layout
         type(qi_order_t), intent(in), optional :: order     !! QI_SCALAR_FIRST, the default, or QI_SCALAR_LAST
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
         integer, intent(in), optional :: rows(:)              !! of each body, from 1, none twice; copied; absent: rows(i) = i
      end subroutine ensemble_bind_orientations

      !> Binds the orientations in an array of records: `call e%bind_orientations(p(1)%q, p(2)%q)`.
      module subroutine ensemble_bind_orientations_records(self, first, second, order, stat, errmsg, rows)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), pointer, intent(in), asynchronous :: first(:), second(:)   !! of the first two records; of one record,
                                                                                  !! twice its vector
         type(qi_order_t), intent(in), optional :: order
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
         integer, intent(in), optional :: rows(:)                     !! body i is in record rows(i), from 1; absent: record i
      end subroutine ensemble_bind_orientations_records

      !> Binds an array of angular velocities or momenta: (3, n), or (n, 3) with layout = QI_LAYOUT_SOA. See bind_orientations.
      module subroutine ensemble_bind_angular_velocities(self, angular_velocities, layout, kind, stat, errmsg, rows)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), pointer, intent(in), asynchronous :: angular_velocities(:, :)
         type(qi_layout_t), intent(in), optional :: layout
         type(qi_kind_t), intent(in), optional :: kind   !! QI_OMEGA_WORLD, the default, QI_OMEGA_BODY, QI_ANGMOM_WORLD, ...
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
         integer, intent(in), optional :: rows(:)           !! as for bind_orientations
      end subroutine ensemble_bind_angular_velocities

      !> Binds the angular velocities in an array of records: `call e%bind_angular_velocities(p(1)%omega, p(2)%omega)`.
      module subroutine ensemble_bind_angular_velocities_records(self, first, second, kind, stat, errmsg, rows)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), pointer, intent(in), asynchronous :: first(:), second(:)
         type(qi_kind_t), intent(in), optional :: kind
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
         integer, intent(in), optional :: rows(:)
      end subroutine ensemble_bind_angular_velocities_records

      !> Binds an array for predicted angular velocities, world frame: (3, n), or (n, 3) with layout = QI_LAYOUT_SOA. From now
      !! on kick_drift writes them there, for torques that depend on the angular velocity. The array must stay at its address
      !! until the ensemble is destroyed, bound to another array or unbound; see bind_orientations.
      module subroutine ensemble_bind_predicted_velocities(self, angular_velocities, ahead, layout, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), pointer, intent(in), asynchronous :: angular_velocities(:, :)
         real(c_double), intent(in) :: ahead   !! how long after the end of the drift: usually half a step
         type(qi_layout_t), intent(in), optional :: layout
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_bind_predicted_velocities

      !> The same in an array of records: `call e%bind_predicted_velocities(p(1)%predicted, p(2)%predicted, dt/2)`.
      module subroutine ensemble_bind_predicted_velocities_records(self, first, second, ahead, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), pointer, intent(in), asynchronous :: first(:), second(:)
         real(c_double), intent(in) :: ahead
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_bind_predicted_velocities_records

      !> Ends the predictions: kick_drift no longer writes the array, which you may then deallocate.
      module subroutine ensemble_unbind_predicted_velocities(self, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_unbind_predicted_velocities

      !> Binds an array of velocity gradients, (3, 3, n), in place of the one that all bodies share in set_shear_flow_torque.
      !! The index of the axis comes first: gradients(k, j, i) is the derivative of velocity component j along axis k at body
      !! i, world frame. With transposed = .true. that of the component comes first, gradients(j, k, i), as in what
      !! set_shear_flow_torque takes, and in OpenFOAM's gradients. Steps read the array and never write it: write it between
      !! the calls. The array must stay at its address until the ensemble is destroyed, bound
      !! to another array or unbound; see bind_orientations. release_arrays, resize and select release it; bind it again
      !! before the next step.
      module subroutine ensemble_bind_flow_gradients(self, gradients, transposed, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), pointer, intent(in), asynchronous :: gradients(:, :, :)
         logical, intent(in), optional :: transposed   !! absent: .false.
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_bind_flow_gradients

      !> The same in an array of records: `call e%bind_flow_gradients(p(1)%gradient, p(2)%gradient)`.
      module subroutine ensemble_bind_flow_gradients_records(self, first, second, transposed, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), pointer, intent(in), asynchronous :: first(:, :), second(:, :)   !! of the first two records; of
                                                                                          !! one record, twice its gradient
         logical, intent(in), optional :: transposed   !! absent: .false.
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_bind_flow_gradients_records

      !> From now on all bodies share the velocity gradient of set_shear_flow_torque again. You may then deallocate the array.
      module subroutine ensemble_unbind_flow_gradients(self, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_unbind_flow_gradients

      !> Selects the bodies that move. `indices` counts from 1, is strictly ascending, and is copied. If empty, no body moves.
      module subroutine ensemble_set_active(self, indices, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         integer, intent(in), target :: indices(..)
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_set_active

      !> Lets all bodies move again.
      module subroutine ensemble_set_all_active(self, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_set_all_active

      !> Sets a procedure as the torque, replacing any previous torque. Its arrays are (4, count) and (3, count).
      module subroutine ensemble_set_torque_procedure(self, torque, data, frame, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         procedure(qi_chunk_torque) :: torque                      !! a module procedure
         class(*), intent(inout), target, optional :: data         !! passed to every call; must exist as long as the torque
         type(qi_frame_t), intent(in), optional :: frame         !! QI_FRAME_WORLD, the default, or QI_FRAME_BODY
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_set_torque_procedure

      !> The same with an object of a type of yours, a target that exists as long as the torque.
      module subroutine ensemble_set_torque_object(self, torque, frame, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         class(qi_chunk_torque_t), intent(inout), target :: torque
         type(qi_frame_t), intent(in), optional :: frame
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_set_torque_object

      !> The same for an object with arrays (count, 4) and (count, 3): the fastest.
      module subroutine ensemble_set_torque_soa_object(self, torque, frame, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         class(qi_chunk_torque_soa_t), intent(inout), target :: torque
         type(qi_frame_t), intent(in), optional :: frame
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_set_torque_soa_object

      !> Sets a procedure with arrays (count, 4) and (count, 3) as the torque: the fastest.
      module subroutine ensemble_set_torque_soa(self, torque, data, frame, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         procedure(qi_chunk_torque_soa) :: torque
         class(*), intent(inout), target, optional :: data
         type(qi_frame_t), intent(in), optional :: frame
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_set_torque_soa

      !> Removes the torque.
      module subroutine ensemble_clear_torque(self, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_clear_torque

      !> Sets which noise belongs to which body. Bodies keep their ids in select and resize; new ones get the numbers after the
      !! greatest. To read the ids, get rows of QI_PART_ID: `transfer(rows, ids)`.
      module subroutine ensemble_set_ids(self, ids, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         integer(c_int64_t), intent(in), optional :: ids(:)   !! (n), no two the same; absent: the number of the body, from 0
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_set_ids

      !> Takes one step of all (active) bodies. If it fails, all bodies are unchanged.
      module subroutine ensemble_step(self, dt, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), intent(in) :: dt
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_step

      !> Takes many steps. If one fails, the steps before it are kept.
      module subroutine ensemble_advance(self, dt, steps, completed, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), intent(in) :: dt
         integer, intent(in) :: steps
         integer, intent(out), optional :: completed, stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_advance

      !> Adds `duration * torque` to the angular momenta of the (active) bodies. Orientations and clock do not change. The
      !! torques are (3, n), or (n, 3) with layout = QI_LAYOUT_SOA, or (3) for all bodies; array sections are allowed. A
      !! torque of zero leaves the drag of this duration.
      module subroutine ensemble_kick(self, duration, torque, frame, layout, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), intent(in) :: duration                         !! may be negative
         real(c_double), intent(in), target :: torque(..)   !! of all bodies, active or not
         type(qi_frame_t), intent(in), optional :: frame              !! QI_FRAME_WORLD, the default, or QI_FRAME_BODY
         type(qi_layout_t), intent(in), optional :: layout
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_kick

      !> The same with the torques in an array of records: `call e%kick(dt/2, p(1)%torque, p(2)%torque)`.
      module subroutine ensemble_kick_records(self, duration, first, second, frame, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), intent(in) :: duration
         real(c_double), pointer, intent(in), asynchronous :: first(:), second(:)   !! of the first two records; of one record,
                                                                                  !! twice its vector
         type(qi_frame_t), intent(in), optional :: frame
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_kick_records

      !> A kick and then a drift, in one pass over the bodies: the first half of a step, usually `kick_drift(dt/2, dt, torque)`.
      !! `kick(dt/2, torque)` with the next torque is the second half. The torques are as for kick.
      module subroutine ensemble_kick_drift(self, kick, drift, torque, frame, layout, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), intent(in) :: kick, drift                      !! their durations
         real(c_double), intent(in), target :: torque(..)
         type(qi_frame_t), intent(in), optional :: frame
         type(qi_layout_t), intent(in), optional :: layout
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_kick_drift

      !> The same with the torques in an array of records: `call e%kick_drift(dt/2, dt, p(1)%torque, p(2)%torque)`.
      module subroutine ensemble_kick_drift_records(self, kick, drift, first, second, frame, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), intent(in) :: kick, drift
         real(c_double), pointer, intent(in), asynchronous :: first(:), second(:)
         type(qi_frame_t), intent(in), optional :: frame
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_kick_drift_records

      !> Fixes points to the bodies, such as the spheres of clumps or the atoms of rigid molecules, in place of the points
      !! before. They do not change the inertia. resize and select drop them.
      module subroutine ensemble_set_points(self, bodies, arms, layout, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         integer, intent(in), target :: bodies(..)   !! the body of each point, from 1, ascending; copied
         real(c_double), intent(in), target :: arms(..)   !! (3, m), or (m, 3): from the centre of mass, body frame; copied
         type(qi_layout_t), intent(in), optional :: layout
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_set_points

      !> Gets the positions of the points, world frame: (3, m), or (m, 3) with layout = QI_LAYOUT_SOA.
      module subroutine ensemble_get_point_positions(self, positions, centres, layout, stat, errmsg)
         class(qi_ensemble_t), intent(in) :: self
         real(c_double), intent(inout), target :: positions(..)
         real(c_double), intent(in), target, optional :: centres(:, :)   !! of mass: (3, n), or (n, 3); absent: zeros
         type(qi_layout_t), intent(in), optional :: layout               !! of both arrays
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_get_point_positions

      !> Gets the velocities of the points, world frame: (3, m), or (m, 3) with layout = QI_LAYOUT_SOA.
      module subroutine ensemble_get_point_velocities(self, velocities, centre_velocities, predicted, layout, stat, errmsg)
         class(qi_ensemble_t), intent(in) :: self
         real(c_double), intent(inout), target :: velocities(..)
         real(c_double), intent(in), target, optional :: centre_velocities(:, :)   !! (3, n), or (n, 3); absent: zeros
         logical, intent(in), optional :: predicted   !! by the velocities of bind_predicted_velocities, not by the present ones
         type(qi_layout_t), intent(in), optional :: layout                         !! of both arrays
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_get_point_velocities

      !> Sums the forces on the points of each body, and their torques about its centre of mass, in the order of the points. All
      !! arrays are of the world frame. Bodies without points get zeros. The torques are what kick takes.
      module subroutine ensemble_sum_point_forces(self, forces, body_forces, body_torques, layout, stat, errmsg)
         class(qi_ensemble_t), intent(in) :: self
         real(c_double), intent(in), target :: forces(..)   !! (3, m), or (m, 3) with QI_LAYOUT_SOA
         real(c_double), intent(inout), target, optional :: body_forces(:, :)     !! (3, n), or (n, 3); absent: not wanted
         real(c_double), intent(inout), target, optional :: body_torques(:, :)    !! (3, n), or (n, 3); absent: not wanted
         type(qi_layout_t), intent(in), optional :: layout                        !! of all arrays
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_sum_point_forces

      !> Begins many such steps: after the last stage of a step, next_stage gives the first stage of the following step.
      module subroutine ensemble_begin_steps(self, dt, steps, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), intent(in) :: dt
         integer, intent(in) :: steps
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_begin_steps

      !> Gets the next stage. If `needed` is true, the stage was written and you must supply its torque. If it is false, the
      !! step is complete.
      module subroutine ensemble_next_stage(self, needed, time, orientation, angular_velocity, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         logical, intent(out) :: needed
         real(c_double), intent(out) :: time
         real(c_double), intent(inout), target :: orientation(:, :)   !! (4, active bodies); see set_stage_layout
         real(c_double), intent(inout), target :: angular_velocity(:, :)   !! (3, active bodies), world frame
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_next_stage

      !> Supplies the torque of the current stage.
      module subroutine ensemble_supply_torque(self, torque, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), intent(in), target :: torque(:, :)   !! (3, active bodies), world frame; see
                                                                          !! set_stage_layout
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_supply_torque

      !> Supplies the torque of the current stage and gets the next stage, in one call. If a torque is not
      !! finite, the call fails and writes nothing; supply the torque again. If the motion overflows, the steps are cancelled.
      module subroutine ensemble_continue_step(self, torque, needed, time, orientation, angular_velocity, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), intent(in), target :: torque(:, :)                !! as for supply_torque
         logical, intent(out) :: needed
         real(c_double), intent(out) :: time
         real(c_double), intent(inout), target :: orientation(:, :)        !! as for next_stage
         real(c_double), intent(inout), target :: angular_velocity(:, :)
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_continue_step
   end interface

   ! ---- `make bindings` writes these lines from the rows of tools/bindings/interface.toml, for Ensemble: do not edit
   interface
      !> Gets the clock: the sum of the steps since it was set.
      module subroutine ensemble_get_time(self, time, stat, errmsg)
         class(qi_ensemble_t), intent(in) :: self
         real(c_double), intent(out) :: time
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_get_time

      !> Sets the clock: the sum of the steps since it was set.
      module subroutine ensemble_set_time(self, time, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), intent(in) :: time
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_set_time

      !> Gets the whole clock: the time, and what rounding has left of the sum of the steps. Set again, it gives a run the
      !! same times bit for bit.
      module subroutine ensemble_get_clock(self, clock, stat, errmsg)
         class(qi_ensemble_t), intent(in) :: self
         real(c_double), intent(inout), target :: clock(..)   !! (2)
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_get_clock

      !> Sets the whole clock: the time, and what rounding has left of the sum of the steps.
      module subroutine ensemble_set_clock(self, clock, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), intent(in), target :: clock(..)   !! (2)
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_set_clock

      !> Gets the orientations (w, x, y, z), body to world.
      module subroutine ensemble_get_orientations(self, orientations, layout, stat, errmsg)
         class(qi_ensemble_t), intent(in) :: self
         real(c_double), intent(inout), target :: orientations(..)   !! (4, n), or (n, 4) with layout = QI_LAYOUT_SOA
         type(qi_layout_t), intent(in), optional :: layout
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_get_orientations

      !> Sets the orientations (w, x, y, z), body to world. The angular velocities in the world frame stay.
      module subroutine ensemble_set_orientations(self, orientations, layout, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), intent(in), target :: orientations(..)   !! (4) for all bodies, or (4, n), or (n, 4) with layout =
            !! QI_LAYOUT_SOA
         type(qi_layout_t), intent(in), optional :: layout
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_set_orientations

      !> Gets the angular velocities, rad/s, world frame.
      module subroutine ensemble_get_angular_velocities(self, angular_velocities, layout, stat, errmsg)
         class(qi_ensemble_t), intent(in) :: self
         real(c_double), intent(inout), target :: angular_velocities(..)   !! (3, n), or (n, 3) with layout = QI_LAYOUT_SOA
         type(qi_layout_t), intent(in), optional :: layout
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_get_angular_velocities

      !> Sets the angular velocities, rad/s, world frame.
      module subroutine ensemble_set_angular_velocities(self, angular_velocities, layout, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), intent(in), target :: angular_velocities(..)   !! (3) for all bodies, or (3, n), or (n, 3) with
            !! layout = QI_LAYOUT_SOA
         type(qi_layout_t), intent(in), optional :: layout
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_set_angular_velocities

      !> Gets the angular momenta, world frame.
      module subroutine ensemble_get_angular_momenta(self, angular_momenta, layout, stat, errmsg)
         class(qi_ensemble_t), intent(in) :: self
         real(c_double), intent(inout), target :: angular_momenta(..)   !! (3, n), or (n, 3) with layout = QI_LAYOUT_SOA
         type(qi_layout_t), intent(in), optional :: layout
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_get_angular_momenta

      !> Sets the angular momenta, world frame. The angular velocities follow from orientations and inertias.
      module subroutine ensemble_set_angular_momenta(self, angular_momenta, layout, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), intent(in), target :: angular_momenta(..)   !! (3) for all bodies, or (3, n), or (n, 3) with layout =
            !! QI_LAYOUT_SOA
         type(qi_layout_t), intent(in), optional :: layout
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_set_angular_momenta

      !> Gets the rotational kinetic energy of each body.
      module subroutine ensemble_get_kinetic_energies(self, energies, stat, errmsg)
         class(qi_ensemble_t), intent(in) :: self
         real(c_double), intent(inout), target :: energies(..)   !! (n)
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_get_kinetic_energies

      !> Gets the rotational kinetic energy of the active bodies. It has the same bits for any number of threads.
      module subroutine ensemble_get_total_kinetic_energy(self, energy, stat, errmsg)
         class(qi_ensemble_t), intent(in) :: self
         real(c_double), intent(out) :: energy
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_get_total_kinetic_energy

      !> Gets the angular momentum of rotation of the active bodies, world frame. It has the same bits for any number of
      !! threads.
      module subroutine ensemble_get_total_angular_momentum(self, angular_momentum, stat, errmsg)
         class(qi_ensemble_t), intent(in) :: self
         real(c_double), intent(inout), target :: angular_momentum(..)   !! (3)
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_get_total_angular_momentum

      !> Multiplies the angular momenta of the active bodies by a factor, for a thermostat of your own.
      module subroutine ensemble_scale_angular_momenta(self, factor, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), intent(in) :: factor
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_scale_angular_momenta

      !> Gets the number of rotational degrees of freedom of the active bodies: 3 each, less the axes of zero moment. At
      !! thermal equilibrium the mean of the kinetic energy is kT/2 for each.
      module subroutine ensemble_get_degrees_of_freedom(self, degrees, stat, errmsg)
         class(qi_ensemble_t), intent(in) :: self
         integer(c_int64_t), intent(out) :: degrees
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_get_degrees_of_freedom

      !> Keeps all states in the ensemble's own memory from now on. Bound arrays keep the last states, and are no longer used.
      module subroutine ensemble_release_arrays(self, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_release_arrays

      !> Changes the number of bodies. The first bodies stay; new ones are as created. Bound arrays are released, and all
      !! bodies are active.
      module subroutine ensemble_resize(self, count, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         integer, intent(in) :: count   !! the new number of bodies
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_resize

      !> Sets the inertias. The angular velocities stay. No axis is locked then, unless a moment is zero.
      module subroutine ensemble_set_inertias(self, inertia, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), intent(in), target :: inertia(..)   !! (3, 3) for all bodies, or (3, 3, n)
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_set_inertias

      !> Sets the inertias of bodies whose axes are principal axes, by the moments about them. Otherwise as set_inertias, but
      !! faster.
      module subroutine ensemble_set_principal_inertias(self, moments, layout, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), intent(in), target :: moments(..)   !! (3) for all bodies, or (3, n), or (n, 3) with layout =
            !! QI_LAYOUT_SOA
         type(qi_layout_t), intent(in), optional :: layout
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_set_principal_inertias

      !> Sets a constant torque. In the body frame it turns with the body.
      module subroutine ensemble_set_constant_torque(self, torques, frame, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), intent(in), target :: torques(..)   !! (3) for all bodies, or (3, n)
         type(qi_frame_t), intent(in), optional :: frame   !! of the torque: QI_FRAME_WORLD, the default, or QI_FRAME_BODY
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_set_constant_torque

      !> Sets the torque of a uniform field, `(R v) x F`. For example the weight F of a top whose centre of mass is at v.
      module subroutine ensemble_set_uniform_field_torque(self, vectors_body, field_world, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), intent(in), target :: vectors_body(..)   !! (3) for all bodies, or (3, n)
         real(c_double), intent(in), target :: field_world(..)   !! (3), F, world frame
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_set_uniform_field_torque

      !> Sets the torque of a central gravity field, `3 g n x (I n)`. The direction n is along the line to the attracting
      !! mass, and g is G M / r^3.
      module subroutine ensemble_set_gravity_gradient_torque(self, direction_world, gradients, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), intent(in), target :: direction_world(..)   !! (3), n, world frame, along the line to the attracting
            !! mass, of any length but 0
         real(c_double), intent(in), target :: gradients(..)   !! one for all bodies, or (n)
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_set_gravity_gradient_torque

      !> Sets a linear drag as the torque: `-c_i omega_i` about each body axis i.
      module subroutine ensemble_set_linear_drag_torque(self, coefficients, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), intent(in), target :: coefficients(..)   !! (3) for all bodies, or (3, n)
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_set_linear_drag_torque

      !> Sets Jeffery's torque: that of a viscous fluid in linear flow on an ellipsoid. Entry (i, j) of the gradient is the
      !! derivative of velocity component i along axis j, world frame.
      module subroutine ensemble_set_shear_flow_torque(self, semi_axes, viscosity, velocity_gradient, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), intent(in), target :: semi_axes(..)   !! (3) for all bodies, or (3, n)
         real(c_double), intent(in) :: viscosity   !! dynamic viscosity of the fluid, positive
         real(c_double), intent(in), target :: velocity_gradient(..)   !! (3, 3), world frame: entry (i, j) is d(velocity
            !! component i) / d(position j). OpenFOAM's grad(U) is the transpose
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_set_shear_flow_torque

      !> Sets a linear drag in addition to the torque: `-c_i (omega_i - flow_i)` about each body axis i. It is taken
      !! implicitly, so that no coefficient is too large for the step. Kicks include it.
      module subroutine ensemble_set_drag(self, coefficients, flow, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), intent(in), target :: coefficients(..)   !! (3) for all bodies, or (3, n)
         real(c_double), intent(in), target, optional :: flow(..)   !! (3) for all bodies, or (3, n); absent: at rest
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_set_drag

      !> Removes the drag. The torque stays.
      module subroutine ensemble_clear_drag(self, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_clear_drag

      !> Sets random torques in addition to the torque: a drag about each body axis, and the noise that belongs to it at the
      !! energy `kt`. They act in steps by the splitting of order 2 and by the Brownian method; other methods refuse them.
      module subroutine ensemble_set_langevin(self, coefficients, kt, seed, flow, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), intent(in), target :: coefficients(..)   !! (3) for all bodies, or (3, n)
         real(c_double), intent(in) :: kt   !! energy, not negative; 0: drag alone
         integer(c_int64_t), intent(in) :: seed   !! seed of all noise; the ids are those of qi_set_ensemble_ids()
         real(c_double), intent(in), target, optional :: flow(..)   !! (3) for all bodies, or (3, n); absent: at rest
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_set_langevin

      !> Removes the random torques. The torque and the number of draws stay.
      module subroutine ensemble_clear_langevin(self, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_clear_langevin

      !> Lets drag and noise alone act for a duration, exactly, at constant orientation. The clock stays. It is one draw.
      !! Programs that kick and drift call it between two drifts of half a step.
      module subroutine ensemble_thermalize(self, duration, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), intent(in) :: duration   !! not negative
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_thermalize

      !> Gets how many times noise has been drawn. Each step with random torques draws, and so does thermalize. A restart
      !! needs the number besides the state and the clock.
      module subroutine ensemble_get_noise_draws(self, draws, stat, errmsg)
         class(qi_ensemble_t), intent(in) :: self
         integer(c_int64_t), intent(out) :: draws
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_get_noise_draws

      !> Sets how many times noise has been drawn.
      module subroutine ensemble_set_noise_draws(self, draws, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         integer(c_int64_t), intent(in) :: draws
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_set_noise_draws

      !> Sets the angular momentum of rotors within each body, such as reaction wheels, body frame. Nothing else changes it.
      !! Orientations and angular velocities stay.
      module subroutine ensemble_set_rotor_momentum(self, momentum, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), intent(in), target :: momentum(..)   !! (3) for all bodies, or (3, n)
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_set_rotor_momentum

      !> Removes the rotors.
      module subroutine ensemble_clear_rotor_momentum(self, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_clear_rotor_momentum

      !> The method.
      module type(qi_method_t) function ensemble_method(self) result(method)
         class(qi_ensemble_t), intent(in) :: self
      end function ensemble_method

      !> Sets the method. State, clock and torque stay.
      module subroutine ensemble_set_method(self, method, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         type(qi_method_t), intent(in) :: method   !! a QI_METHOD constant; QI_METHOD_PCDM is the default
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_set_method

      !> Rotates freely for a duration of any length: exactly, or with rotors by the method. The clock moves on. The torque is
      !! not called.
      module subroutine ensemble_drift(self, duration, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), intent(in) :: duration
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_drift

      !> Says that something has changed that the torque reads, or that states in bound arrays have been written: the
      !! splitting methods then ask for the torque again.
      module subroutine ensemble_forget_torques(self, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_forget_torques

      !> The value that the torque returned when it last stopped a step; 0 if it was content.
      module pure integer function ensemble_callback_result(self)
         class(qi_ensemble_t), intent(in) :: self
      end function ensemble_callback_result

      !> Sets the number of threads that step the ensemble. With more than one, torques are called from several threads at
      !! once.
      module subroutine ensemble_set_threads(self, threads, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         integer, intent(in) :: threads   !! at most QI_MAX_THREADS. 1 (the default): everything runs on the caller's thread,
            !! callbacks too. More: several threads run the callback at once, so it must be thread-safe
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_set_threads

      !> The number of bodies that move, and so that of the bodies in a stage.
      module integer function ensemble_active_count(self)
         class(qi_ensemble_t), intent(in) :: self
      end function ensemble_active_count

      !> The number of points of all bodies. It is an error if none have been set for these bodies.
      module integer function ensemble_point_count(self)
         class(qi_ensemble_t), intent(in) :: self
      end function ensemble_point_count

      !> Sets the layout of the arrays of a stage: rows, one for each body, which is the default, or columns, one for each
      !! component, which saves a transposition each way.
      module subroutine ensemble_set_stage_layout(self, layout, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         type(qi_layout_t), intent(in) :: layout   !! for n active bodies: QI_LAYOUT_AOS (the default), rows, `orientation[4 *
            !! i + c]`; or QI_LAYOUT_SOA, columns, `orientation[c * n + i]`, as `q(n,4)` in Fortran, Julia and MATLAB
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_set_stage_layout

      !> Begins a step whose torques the caller supplies, stage by stage.
      module subroutine ensemble_begin_step(self, dt, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         real(c_double), intent(in) :: dt   !! length of the step; 0: no stage is needed
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_begin_step

      !> Gives up the steps that have begun. Those that are complete stay.
      module subroutine ensemble_cancel_step(self, stat, errmsg)
         class(qi_ensemble_t), intent(inout) :: self
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine ensemble_cancel_step
   end interface
   ! ---- end of what `make bindings` writes

   ! ---- parts of a torque, for torque procedures: each adds its part to `torque` (world frame). It does nothing if `stat` is
   !      not 0, so `stat` keeps the first error

   interface
      !> Adds a torque that is given in the body frame.
      module subroutine qi_add_in_body_frame(orientation, torque_body, torque, stat)
         real(c_double), intent(in) :: orientation(4), torque_body(3)
         real(c_double), intent(inout) :: torque(3)
         integer, intent(inout) :: stat
      end subroutine qi_add_in_body_frame

      !> Adds the torque of a uniform field, as set_uniform_field_torque sets it.
      module subroutine qi_add_uniform_field(orientation, vector_body, field_world, torque, stat)
         real(c_double), intent(in) :: orientation(4), vector_body(3), field_world(3)
         real(c_double), intent(inout) :: torque(3)
         integer, intent(inout) :: stat
      end subroutine qi_add_uniform_field

      !> Adds the torque of a central gravity field, as set_gravity_gradient_torque sets it.
      module subroutine qi_add_gravity_gradient(orientation, inertia, direction_world, gradient, torque, stat)
         real(c_double), intent(in) :: orientation(4), inertia(3, 3), direction_world(3), gradient
         real(c_double), intent(inout) :: torque(3)
         integer, intent(inout) :: stat
      end subroutine qi_add_gravity_gradient

      !> Adds a linear drag, `-c_i (omega_i - flow_i)` about each body axis i. It is explicit, unlike that of set_drag.
      module subroutine qi_add_linear_drag(orientation, angular_velocity, coefficients, torque, stat, flow)
         real(c_double), intent(in) :: orientation(4), angular_velocity(3), coefficients(3)
         real(c_double), intent(inout) :: torque(3)
         integer, intent(inout) :: stat
         real(c_double), intent(in), optional :: flow(3)    !! angular velocity of the fluid, world frame; absent: at rest
      end subroutine qi_add_linear_drag

      !> Adds Jeffery's torque on an ellipsoid in linear flow.
      module subroutine qi_add_shear_flow(orientation, angular_velocity, resistances, velocity_gradient, torque, stat)
         real(c_double), intent(in) :: orientation(4), angular_velocity(3)
         real(c_double), intent(in) :: resistances(6)            !! from qi_get_shear_flow_resistances, once
         real(c_double), intent(in) :: velocity_gradient(3, 3)   !! (i, j): derivative of component i along axis j, world frame
         real(c_double), intent(inout) :: torque(3)
         integer, intent(inout) :: stat
      end subroutine qi_add_shear_flow
   end interface

   ! ---- exact sums: QI_SUM_SIZE integers hold a sum of doubles without rounding

   interface
      !> Adds values to an exact sum. Its first value is added to a sum of zeros.
      module subroutine qi_add_values_to_sum(sum, values, stat, errmsg)
         integer(c_int64_t), intent(inout), target :: sum(:)   !! (QI_SUM_SIZE)
         real(c_double), intent(in) :: values(:)
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine qi_add_values_to_sum

      !> Gets the number nearest to an exact sum.
      module subroutine qi_get_sum_value(sum, value, stat, errmsg)
         integer(c_int64_t), intent(in), target :: sum(:)   !! (QI_SUM_SIZE)
         real(c_double), intent(out) :: value
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine qi_get_sum_value
   end interface

   ! ---- orientations from given angular velocities

   !> Turns an orientation from `start_time` to `end_time` with the angular velocity of a procedure or an object, by that many
   !! steps: see qi_turn_orientation.
   interface qi_turn
      module subroutine turn_by_procedure(orientation, start_time, end_time, steps, rate, frame, data, stat, errmsg)
         real(c_double), intent(inout), target :: orientation(..)   !! (4)
         real(c_double), intent(in) :: start_time, end_time
         integer, intent(in) :: steps
         procedure(qi_rate) :: rate
         type(qi_frame_t), intent(in), optional :: frame       !! of the angular velocity; absent: QI_FRAME_WORLD
         class(*), intent(inout), target, optional :: data     !! passed on to `rate`
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine turn_by_procedure

      module subroutine turn_by_object(orientation, start_time, end_time, steps, rate, frame, stat, errmsg)
         real(c_double), intent(inout), target :: orientation(..)   !! (4)
         real(c_double), intent(in) :: start_time, end_time
         integer, intent(in) :: steps
         class(qi_rate_t), intent(inout), target :: rate
         type(qi_frame_t), intent(in), optional :: frame       !! of the angular velocity; absent: QI_FRAME_WORLD
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine turn_by_object
   end interface qi_turn

   interface
      !> Turns an orientation through samples of the angular velocity, rad/s, `dt` apart: see qi_turn_by_samples.
      module subroutine qi_turn_through(orientation, angular_velocities, dt, frame, stat, errmsg)
         real(c_double), intent(inout), target :: orientation(..)   !! (4)
         real(c_double), intent(in) :: angular_velocities(:, :)     !! (3, n)
         real(c_double), intent(in) :: dt
         type(qi_frame_t), intent(in), optional :: frame       !! of the angular velocities; absent: QI_FRAME_WORLD
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine qi_turn_through
   end interface

   ! ---- mass, centre of mass and inertia of assemblies

   interface
      !> Adds a point.
      module subroutine mass_add_point(self, mass, position, stat, errmsg)
         class(qi_mass_t), intent(inout) :: self
         real(c_double), intent(in) :: mass          !! negative: a hole
         real(c_double), intent(in), target :: position(..)   !! (3), axes of the assembly
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine mass_add_point

      !> Adds a solid sphere.
      module subroutine mass_add_sphere(self, mass, radius, position, stat, errmsg)
         class(qi_mass_t), intent(inout) :: self
         real(c_double), intent(in) :: mass, radius
         real(c_double), intent(in), target :: position(..)   !! (3), its centre, axes of the assembly
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine mass_add_sphere

      !> Adds a solid ellipsoid.
      module subroutine mass_add_ellipsoid(self, mass, semi_axes, position, orientation, stat, errmsg)
         class(qi_mass_t), intent(inout) :: self
         real(c_double), intent(in) :: mass
         real(c_double), intent(in), target :: semi_axes(..)   !! (3), along its x, y and z axes
         real(c_double), intent(in), target :: position(..)    !! (3), its centre, axes of the assembly
         real(c_double), intent(in), optional :: orientation(:)   !! (4), from its axes to those of the assembly; absent: the
                                                                  !! same
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine mass_add_ellipsoid

      !> Adds a solid box.
      module subroutine mass_add_box(self, mass, edges, position, orientation, stat, errmsg)
         class(qi_mass_t), intent(inout) :: self
         real(c_double), intent(in) :: mass
         real(c_double), intent(in), target :: edges(..)      !! (3), along its x, y and z axes
         real(c_double), intent(in), target :: position(..)   !! (3), its centre, axes of the assembly
         real(c_double), intent(in), optional :: orientation(:)   !! (4), from its axes to those of the assembly; absent: the
                                                                  !! same
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine mass_add_box

      !> Adds a solid cylinder along its z axis.
      module subroutine mass_add_cylinder(self, mass, radius, length, position, orientation, stat, errmsg)
         class(qi_mass_t), intent(inout) :: self
         real(c_double), intent(in) :: mass, radius, length
         real(c_double), intent(in), target :: position(..)   !! (3), its centre, axes of the assembly
         real(c_double), intent(in), optional :: orientation(:)   !! (4), from its axes to those of the assembly; absent: the
                                                                  !! same
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine mass_add_cylinder

      !> Adds a solid capsule: a cylinder of this length along its z axis, with half a sphere on each end.
      module subroutine mass_add_capsule(self, mass, radius, length, position, orientation, stat, errmsg)
         class(qi_mass_t), intent(inout) :: self
         real(c_double), intent(in) :: mass, radius, length
         real(c_double), intent(in), target :: position(..)   !! (3), its centre, axes of the assembly
         real(c_double), intent(in), optional :: orientation(:)   !! (4), from its axes to those of the assembly; absent: the
                                                                  !! same
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine mass_add_capsule

      !> Adds half of a solid sphere, which lies above its flat face.
      module subroutine mass_add_hemisphere(self, mass, radius, position, orientation, stat, errmsg)
         class(qi_mass_t), intent(inout) :: self
         real(c_double), intent(in) :: mass, radius
         real(c_double), intent(in), target :: position(..)   !! (3), the centre of the flat face, axes of the assembly
         real(c_double), intent(in), optional :: orientation(:)   !! (4), from its axes to those of the assembly; absent: the
                                                                  !! same
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine mass_add_hemisphere

      !> Adds a solid cone along its z axis.
      module subroutine mass_add_cone(self, mass, radius, height, position, orientation, stat, errmsg)
         class(qi_mass_t), intent(inout) :: self
         real(c_double), intent(in) :: mass, radius, height
         real(c_double), intent(in), target :: position(..)   !! (3), the centre of its base, axes of the assembly
         real(c_double), intent(in), optional :: orientation(:)   !! (4), from its axes to those of the assembly; absent: the
                                                                  !! same
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine mass_add_cone

      !> Adds the solid inside of a closed surface of triangles. Hollows have triangles of their own, counterclockwise as seen
      !! from within them.
      module subroutine mass_add_mesh(self, density, corners, stat, errmsg)
         class(qi_mass_t), intent(inout) :: self
         real(c_double), intent(in) :: density
         real(c_double), intent(in) :: corners(:, :, :)   !! (3, 3, n): x, y, z of the three corners of each
                                                                      !! triangle,
                                                                      !! counterclockwise as seen from outside
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine mass_add_mesh

      !> Adds a part whose inertia about its own centre of mass is known, along its own axes.
      module subroutine mass_add_inertia(self, mass, inertia, position, orientation, stat, errmsg)
         class(qi_mass_t), intent(inout) :: self
         real(c_double), intent(in) :: mass
         real(c_double), intent(in), target :: inertia(..)   !! (3, 3)
         real(c_double), intent(in), target :: position(..)   !! (3), its centre of mass, axes of the assembly
         real(c_double), intent(in), optional :: orientation(:)   !! (4), from its axes to those of the assembly; absent: the
                                                                  !! same
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine mass_add_inertia

      !> Gets the mass, the centre of mass (axes of the assembly), and the inertia about it: what create of a body takes.
      module subroutine mass_get_properties(self, mass, centre, inertia, stat, errmsg)
         class(qi_mass_t), intent(in) :: self
         real(c_double), intent(out) :: mass
         real(c_double), intent(inout), target :: centre(..)                   !! (3)
         real(c_double), intent(inout), target :: inertia(..)   !! (3, 3)
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine mass_get_properties

      !> Gets the inertia about any point, along the axes of the assembly.
      module subroutine mass_get_inertia_about(self, point, inertia, stat, errmsg)
         class(qi_mass_t), intent(in) :: self
         real(c_double), intent(in), target :: point(..)   !! (3), axes of the assembly
         real(c_double), intent(inout), target :: inertia(..)   !! (3, 3)
         integer, intent(out), optional :: stat
         character(*), intent(inout), optional :: errmsg
      end subroutine mass_get_inertia_about
   end interface

end module quatint_types
