!> The plain procedures of bodies and ensembles.
submodule (quatint_types) quatint_plain
   implicit none

contains

   ! ---- `make bindings` writes these lines from the rows of tools/bindings/interface.toml, for Body: do not edit
   module procedure body_get_time
      call settle(qi_get_time(held(self%owned), time), stat, errmsg)
   end procedure body_get_time

   module procedure body_set_time
      call settle(qi_set_time(held(self%owned), time), stat, errmsg)
   end procedure body_set_time

   module procedure body_get_clock
      real(c_double) :: of_clock(2)
      integer(c_int32_t) :: status

      if (.not. has_size('clock', clock, [2], stat, errmsg)) return
      status = qi_get_clock(held(self%owned), of_clock)
      call settle(status, stat, errmsg)
      if (status == QI_OK) call put(of_clock, clock)
   end procedure body_get_clock

   module procedure body_set_clock
      real(c_double) :: of_clock(2)

      if (.not. taken('clock', clock, [2], of_clock, stat, errmsg)) return
      call settle(qi_set_clock(held(self%owned), of_clock), stat, errmsg)
   end procedure body_set_clock

   module procedure body_get_orientation
      real(c_double) :: of_orientation(4)
      integer(c_int32_t) :: status

      if (.not. has_size('orientation', orientation, [4], stat, errmsg)) return
      status = qi_get_orientation(held(self%owned), of_orientation)
      call settle(status, stat, errmsg)
      if (status == QI_OK) call put(of_orientation, orientation)
   end procedure body_get_orientation

   module procedure body_get_angular_velocity
      real(c_double) :: of_angular_velocity(3)
      integer(c_int32_t) :: status

      if (.not. has_size('angular_velocity', angular_velocity, [3], stat, errmsg)) return
      status = qi_get_angular_velocity(held(self%owned), of_angular_velocity)
      call settle(status, stat, errmsg)
      if (status == QI_OK) call put(of_angular_velocity, angular_velocity)
   end procedure body_get_angular_velocity

   module procedure body_get_angular_velocity_body
      real(c_double) :: of_angular_velocity(3)
      integer(c_int32_t) :: status

      if (.not. has_size('angular_velocity', angular_velocity, [3], stat, errmsg)) return
      status = qi_get_angular_velocity_body(held(self%owned), of_angular_velocity)
      call settle(status, stat, errmsg)
      if (status == QI_OK) call put(of_angular_velocity, angular_velocity)
   end procedure body_get_angular_velocity_body

   module procedure body_set_state
      real(c_double) :: of_orientation(4), of_angular_velocity(3)

      if (.not. taken('orientation', orientation, [4], of_orientation, stat, errmsg)) return
      if (.not. taken('angular_velocity', angular_velocity, [3], of_angular_velocity, stat, errmsg)) return
      call settle(qi_set_state(held(self%owned), of_orientation, of_angular_velocity), stat, errmsg)
   end procedure body_set_state

   module procedure body_set_state_body
      real(c_double) :: of_orientation(4), of_angular_velocity_body(3)

      if (.not. taken('orientation', orientation, [4], of_orientation, stat, errmsg)) return
      if (.not. taken('angular_velocity_body', angular_velocity_body, [3], of_angular_velocity_body, stat, errmsg)) return
      call settle(qi_set_state_body(held(self%owned), of_orientation, of_angular_velocity_body), stat, errmsg)
   end procedure body_set_state_body

   module procedure body_get_angular_momentum
      real(c_double) :: of_angular_momentum(3)
      integer(c_int32_t) :: status

      if (.not. has_size('angular_momentum', angular_momentum, [3], stat, errmsg)) return
      status = qi_get_angular_momentum(held(self%owned), of_angular_momentum)
      call settle(status, stat, errmsg)
      if (status == QI_OK) call put(of_angular_momentum, angular_momentum)
   end procedure body_get_angular_momentum

   module procedure body_set_angular_momentum
      real(c_double) :: of_angular_momentum(3)

      if (.not. taken('angular_momentum', angular_momentum, [3], of_angular_momentum, stat, errmsg)) return
      call settle(qi_set_angular_momentum(held(self%owned), of_angular_momentum), stat, errmsg)
   end procedure body_set_angular_momentum

   module procedure body_get_kinetic_energy
      call settle(qi_get_kinetic_energy(held(self%owned), energy), stat, errmsg)
   end procedure body_get_kinetic_energy

   module procedure body_set_inertia
      real(c_double) :: of_inertia(3, 3)

      if (.not. taken('inertia', inertia, [3, 3], of_inertia, stat, errmsg)) return
      call settle(qi_set_inertia(held(self%owned), of_inertia, keep%number), stat, errmsg)
   end procedure body_set_inertia

   module procedure body_lock_axes
      call settle(qi_set_locked_axes(held(self%owned), axes), stat, errmsg)
   end procedure body_lock_axes

   module procedure body_set_constant_torque
      real(c_double) :: of_torque(3)

      if (.not. taken('torque', torque, [3], of_torque, stat, errmsg)) return
      call settle(qi_set_constant_torque(held(self%owned), of_torque, frame_or_world(frame)), stat, errmsg)
   end procedure body_set_constant_torque

   module procedure body_set_uniform_field_torque
      real(c_double) :: of_vector_body(3), of_field_world(3)

      if (.not. taken('vector_body', vector_body, [3], of_vector_body, stat, errmsg)) return
      if (.not. taken('field_world', field_world, [3], of_field_world, stat, errmsg)) return
      call settle(qi_set_uniform_field_torque(held(self%owned), of_vector_body, of_field_world), stat, errmsg)
   end procedure body_set_uniform_field_torque

   module procedure body_set_gravity_gradient_torque
      real(c_double) :: of_direction_world(3)

      if (.not. taken('direction_world', direction_world, [3], of_direction_world, stat, errmsg)) return
      call settle(qi_set_gravity_gradient_torque(held(self%owned), of_direction_world, gradient), stat, errmsg)
   end procedure body_set_gravity_gradient_torque

   module procedure body_set_linear_drag_torque
      real(c_double) :: of_coefficients(3)

      if (.not. taken('coefficients', coefficients, [3], of_coefficients, stat, errmsg)) return
      call settle(qi_set_linear_drag_torque(held(self%owned), of_coefficients), stat, errmsg)
   end procedure body_set_linear_drag_torque

   module procedure body_set_shear_flow_torque
      real(c_double) :: of_semi_axes(3), of_velocity_gradient(3, 3)

      if (.not. taken('semi_axes', semi_axes, [3], of_semi_axes, stat, errmsg)) return
      if (.not. taken('velocity_gradient', velocity_gradient, [3, 3], of_velocity_gradient, stat, errmsg)) return
      call settle(qi_set_shear_flow_torque(held(self%owned), of_semi_axes, viscosity, row_by_row(of_velocity_gradient)), &
         stat, errmsg)
   end procedure body_set_shear_flow_torque

   module procedure body_set_drag
      real(c_double) :: of_coefficients(3)

      if (.not. taken('coefficients', coefficients, [3], of_coefficients, stat, errmsg)) return
      if (present(flow)) then
         if (.not. has_size('flow', flow, [3], stat, errmsg)) return
      end if
      call settle(qi_set_drag(held(self%owned), of_coefficients, flow), stat, errmsg)
   end procedure body_set_drag

   module procedure body_clear_drag
      call settle(qi_set_drag(held(self%owned)), stat, errmsg)
   end procedure body_clear_drag

   module procedure body_set_langevin
      real(c_double) :: of_coefficients(3)

      if (.not. taken('coefficients', coefficients, [3], of_coefficients, stat, errmsg)) return
      if (present(flow)) then
         if (.not. has_size('flow', flow, [3], stat, errmsg)) return
      end if
      call settle(qi_set_langevin(held(self%owned), of_coefficients, flow, kt, seed, id), stat, errmsg)
   end procedure body_set_langevin

   module procedure body_clear_langevin
      call settle(qi_set_langevin(held(self%owned), kt=0.0_c_double, seed=0_c_int64_t, id=0_c_int64_t), stat, errmsg)
   end procedure body_clear_langevin

   module procedure body_thermalize
      call settle(qi_thermalize(held(self%owned), duration), stat, errmsg)
   end procedure body_thermalize

   module procedure body_get_noise_draws
      call settle(qi_get_noise(held(self%owned), draws), stat, errmsg)
   end procedure body_get_noise_draws

   module procedure body_set_noise_draws
      call settle(qi_set_noise(held(self%owned), draws), stat, errmsg)
   end procedure body_set_noise_draws

   module procedure body_get_rotor_momentum
      real(c_double) :: of_momentum(3)
      integer(c_int32_t) :: status

      if (.not. has_size('momentum', momentum, [3], stat, errmsg)) return
      status = qi_get_rotor_momentum(held(self%owned), of_momentum)
      call settle(status, stat, errmsg)
      if (status == QI_OK) call put(of_momentum, momentum)
   end procedure body_get_rotor_momentum

   module procedure body_set_rotor_momentum
      real(c_double) :: of_momentum(3)

      if (.not. taken('momentum', momentum, [3], of_momentum, stat, errmsg)) return
      call settle(qi_set_rotor_momentum(held(self%owned), of_momentum), stat, errmsg)
   end procedure body_set_rotor_momentum

   module procedure body_clear_rotor_momentum
      call settle(qi_set_rotor_momentum(held(self%owned)), stat, errmsg)
   end procedure body_clear_rotor_momentum

   module procedure body_get_rotor_torque
      real(c_double) :: of_torque_body(3)
      integer(c_int32_t) :: status

      if (.not. has_size('torque_body', torque_body, [3], stat, errmsg)) return
      status = qi_get_rotor_torque(held(self%owned), of_torque_body)
      call settle(status, stat, errmsg)
      if (status == QI_OK) call put(of_torque_body, torque_body)
   end procedure body_get_rotor_torque

   module procedure body_set_rotor_torque
      real(c_double) :: of_torque_body(3)

      if (.not. taken('torque_body', torque_body, [3], of_torque_body, stat, errmsg)) return
      call settle(qi_set_rotor_torque(held(self%owned), of_torque_body), stat, errmsg)
   end procedure body_set_rotor_torque

   module procedure body_clear_rotor_torque
      call settle(qi_set_rotor_torque(held(self%owned)), stat, errmsg)
   end procedure body_clear_rotor_torque

   module procedure body_method
      call settle(qi_get_method(held(self%owned), method%number))
   end procedure body_method

   module procedure body_set_method
      call settle(qi_set_method(held(self%owned), method%number), stat, errmsg)
   end procedure body_set_method

   module procedure body_kick
      real(c_double) :: of_torque(3)

      if (.not. taken('torque', torque, [3], of_torque, stat, errmsg)) return
      call settle(qi_kick(held(self%owned), duration, of_torque, frame_or_world(frame)), stat, errmsg)
   end procedure body_kick

   module procedure body_drift
      call settle(qi_drift(held(self%owned), duration), stat, errmsg)
   end procedure body_drift

   module procedure body_forget_torque
      call settle(qi_forget_torque(held(self%owned)), stat, errmsg)
   end procedure body_forget_torque

   module procedure body_get_acting_torque
      real(c_double) :: of_torque(3)
      integer(c_int32_t) :: status

      if (.not. has_size('torque', torque, [3], stat, errmsg)) return
      status = qi_get_torque(held(self%owned), of_torque)
      call settle(status, stat, errmsg)
      if (status == QI_OK) call put(of_torque, torque)
   end procedure body_get_acting_torque

   module procedure body_get_angular_acceleration
      real(c_double) :: of_angular_acceleration(3)
      integer(c_int32_t) :: status

      if (.not. has_size('angular_acceleration', angular_acceleration, [3], stat, errmsg)) return
      status = qi_get_angular_acceleration(held(self%owned), of_angular_acceleration)
      call settle(status, stat, errmsg)
      if (status == QI_OK) call put(of_angular_acceleration, angular_acceleration)
   end procedure body_get_angular_acceleration

   module procedure body_callback_result
      body_callback_result = qi_get_callback_result(held(self%owned))
   end procedure body_callback_result

   module procedure body_set_solve_longest_step
      call settle(qi_set_solve_longest_step(held(self%owned), longest), stat, errmsg)
   end procedure body_set_solve_longest_step

   module procedure body_set_solve_most_evaluations
      if (.not. is_count(most, 'most', stat, errmsg)) return
      call settle(qi_set_solve_most_evaluations(held(self%owned), int(most, c_int64_t)), stat, errmsg)
   end procedure body_set_solve_most_evaluations

   module procedure body_set_solve_method
      call settle(qi_set_solve_method(held(self%owned), method%number), stat, errmsg)
   end procedure body_set_solve_method
   ! ---- end of what `make bindings` writes

   ! ---- `make bindings` writes these lines from the rows of tools/bindings/interface.toml, for Ensemble: do not edit
   module procedure ensemble_get_time
      call settle(qi_get_ensemble_time(held(self%owned), time), stat, errmsg)
   end procedure ensemble_get_time

   module procedure ensemble_set_time
      call settle(qi_set_ensemble_time(held(self%owned), time), stat, errmsg)
   end procedure ensemble_set_time

   module procedure ensemble_get_clock
      real(c_double) :: of_clock(2)
      integer(c_int32_t) :: status

      if (.not. has_size('clock', clock, [2], stat, errmsg)) return
      status = qi_get_ensemble_clock(held(self%owned), of_clock)
      call settle(status, stat, errmsg)
      if (status == QI_OK) call put(of_clock, clock)
   end procedure ensemble_get_clock

   module procedure ensemble_set_clock
      real(c_double) :: of_clock(2)

      if (.not. taken('clock', clock, [2], of_clock, stat, errmsg)) return
      call settle(qi_set_ensemble_clock(held(self%owned), of_clock), stat, errmsg)
   end procedure ensemble_set_clock

   module procedure ensemble_get_orientations
      type(view_t) :: view

      if (.not. view_of(held(self%owned), 'orientations', orientations, [4], view, stat, errmsg, layout, &
         self%count())) return
      call settle(qi_get_orientations(held(self%owned), view%first, view%body_stride, view%component_stride), stat, errmsg)
   end procedure ensemble_get_orientations

   module procedure ensemble_set_orientations
      type(view_t) :: view

      if (.not. view_of(held(self%owned), 'orientations', orientations, [4], view, stat, errmsg, layout)) return
      call settle(qi_set_orientations(held(self%owned), view%first, view%body_stride, view%component_stride), stat, errmsg)
   end procedure ensemble_set_orientations

   module procedure ensemble_get_angular_velocities
      type(view_t) :: view

      if (.not. view_of(held(self%owned), 'angular_velocities', angular_velocities, [3], view, stat, errmsg, layout, &
         self%count())) return
      call settle(qi_get_angular_velocities(held(self%owned), view%first, view%body_stride, view%component_stride), stat, &
         errmsg)
   end procedure ensemble_get_angular_velocities

   module procedure ensemble_set_angular_velocities
      type(view_t) :: view

      if (.not. view_of(held(self%owned), 'angular_velocities', angular_velocities, [3], view, stat, errmsg, layout)) return
      call settle(qi_set_angular_velocities(held(self%owned), view%first, view%body_stride, view%component_stride), stat, &
         errmsg)
   end procedure ensemble_set_angular_velocities

   module procedure ensemble_get_angular_momenta
      type(view_t) :: view

      if (.not. view_of(held(self%owned), 'angular_momenta', angular_momenta, [3], view, stat, errmsg, layout, &
         self%count())) return
      call settle(qi_get_angular_momenta(held(self%owned), view%first, view%body_stride, view%component_stride), stat, &
         errmsg)
   end procedure ensemble_get_angular_momenta

   module procedure ensemble_set_angular_momenta
      type(view_t) :: view

      if (.not. view_of(held(self%owned), 'angular_momenta', angular_momenta, [3], view, stat, errmsg, layout)) return
      call settle(qi_set_angular_momenta(held(self%owned), view%first, view%body_stride, view%component_stride), stat, &
         errmsg)
   end procedure ensemble_set_angular_momenta

   module procedure ensemble_get_kinetic_energies
      type(view_t) :: view

      if (.not. view_of(held(self%owned), 'energies', energies, [integer ::], view, stat, errmsg, &
         count=self%count())) return
      call settle(qi_get_kinetic_energies(held(self%owned), view%first, view%body_stride), stat, errmsg)
   end procedure ensemble_get_kinetic_energies

   module procedure ensemble_get_total_kinetic_energy
      call settle(qi_get_total_kinetic_energy(held(self%owned), energy), stat, errmsg)
   end procedure ensemble_get_total_kinetic_energy

   module procedure ensemble_get_total_angular_momentum
      real(c_double) :: of_angular_momentum(3)
      integer(c_int32_t) :: status

      if (.not. has_size('angular_momentum', angular_momentum, [3], stat, errmsg)) return
      status = qi_get_total_angular_momentum(held(self%owned), of_angular_momentum)
      call settle(status, stat, errmsg)
      if (status == QI_OK) call put(of_angular_momentum, angular_momentum)
   end procedure ensemble_get_total_angular_momentum

   module procedure ensemble_scale_angular_momenta
      call settle(qi_scale_angular_momenta(held(self%owned), factor), stat, errmsg)
   end procedure ensemble_scale_angular_momenta

   module procedure ensemble_get_degrees_of_freedom
      call settle(qi_get_ensemble_degrees_of_freedom(held(self%owned), degrees), stat, errmsg)
   end procedure ensemble_get_degrees_of_freedom

   module procedure ensemble_release_arrays
      call settle(qi_release_arrays(held(self%owned)), stat, errmsg)
   end procedure ensemble_release_arrays

   module procedure ensemble_resize
      if (.not. is_count(count, 'count', stat, errmsg)) return
      call settle(qi_resize_ensemble(held(self%owned), int(count, c_size_t)), stat, errmsg)
   end procedure ensemble_resize

   module procedure ensemble_set_inertias
      type(view_t) :: view

      if (.not. packed_view_of(held(self%owned), 'inertia', inertia, [3, 3], view, stat, errmsg)) return
      call settle(qi_set_inertias(held(self%owned), view%first, view%body_stride), stat, errmsg)
   end procedure ensemble_set_inertias

   module procedure ensemble_set_principal_inertias
      type(view_t) :: view

      if (.not. view_of(held(self%owned), 'moments', moments, [3], view, stat, errmsg, layout)) return
      call settle(qi_set_principal_inertias(held(self%owned), view%first, view%body_stride, view%component_stride), stat, &
         errmsg)
   end procedure ensemble_set_principal_inertias

   module procedure ensemble_set_constant_torque
      type(view_t) :: view

      if (.not. packed_view_of(held(self%owned), 'torques', torques, [3], view, stat, errmsg)) return
      call settle(qi_set_ensemble_constant_torque(held(self%owned), view%first, view%body_stride, frame_or_world(frame)), &
         stat, errmsg)
   end procedure ensemble_set_constant_torque

   module procedure ensemble_set_uniform_field_torque
      type(view_t) :: view
      real(c_double) :: of_field_world(3)

      if (.not. packed_view_of(held(self%owned), 'vectors_body', vectors_body, [3], view, stat, errmsg)) return
      if (.not. taken('field_world', field_world, [3], of_field_world, stat, errmsg)) return
      call settle(qi_set_ensemble_uniform_field_torque(held(self%owned), view%first, view%body_stride, of_field_world), &
         stat, errmsg)
   end procedure ensemble_set_uniform_field_torque

   module procedure ensemble_set_gravity_gradient_torque
      type(view_t) :: view
      real(c_double) :: of_direction_world(3)

      if (.not. taken('direction_world', direction_world, [3], of_direction_world, stat, errmsg)) return
      if (.not. packed_view_of(held(self%owned), 'gradients', gradients, [integer ::], view, stat, errmsg)) return
      call settle(qi_set_ensemble_gravity_gradient_torque(held(self%owned), of_direction_world, view%first, &
         view%body_stride), stat, errmsg)
   end procedure ensemble_set_gravity_gradient_torque

   module procedure ensemble_set_linear_drag_torque
      type(view_t) :: view

      if (.not. packed_view_of(held(self%owned), 'coefficients', coefficients, [3], view, stat, errmsg)) return
      call settle(qi_set_ensemble_linear_drag_torque(held(self%owned), view%first, view%body_stride), stat, errmsg)
   end procedure ensemble_set_linear_drag_torque

   module procedure ensemble_set_shear_flow_torque
      type(view_t) :: view
      real(c_double) :: of_velocity_gradient(3, 3)

      if (.not. packed_view_of(held(self%owned), 'semi_axes', semi_axes, [3], view, stat, errmsg)) return
      if (.not. taken('velocity_gradient', velocity_gradient, [3, 3], of_velocity_gradient, stat, errmsg)) return
      call settle(qi_set_ensemble_shear_flow_torque(held(self%owned), view%first, view%body_stride, viscosity, &
         row_by_row(of_velocity_gradient)), stat, errmsg)
   end procedure ensemble_set_shear_flow_torque

   module procedure ensemble_set_drag
      type(view_t) :: of_coefficients, of_flow

      if (.not. packed_view_of(held(self%owned), 'coefficients', coefficients, [3], of_coefficients, stat, errmsg)) return
      if (present(flow)) then
         if (.not. packed_view_of(held(self%owned), 'flow', flow, [3], of_flow, stat, errmsg)) return
      end if
      call settle(qi_set_ensemble_drag(held(self%owned), of_coefficients%first, of_coefficients%body_stride, of_flow%first, &
         of_flow%body_stride), stat, errmsg)
   end procedure ensemble_set_drag

   module procedure ensemble_clear_drag
      call settle(qi_set_ensemble_drag(held(self%owned), c_null_ptr, 0_c_ptrdiff_t, c_null_ptr, 0_c_ptrdiff_t), stat, &
         errmsg)
   end procedure ensemble_clear_drag

   module procedure ensemble_set_langevin
      type(view_t) :: of_coefficients, of_flow

      if (.not. packed_view_of(held(self%owned), 'coefficients', coefficients, [3], of_coefficients, stat, errmsg)) return
      if (present(flow)) then
         if (.not. packed_view_of(held(self%owned), 'flow', flow, [3], of_flow, stat, errmsg)) return
      end if
      call settle(qi_set_ensemble_langevin(held(self%owned), of_coefficients%first, of_coefficients%body_stride, &
         of_flow%first, of_flow%body_stride, kt, seed), stat, errmsg)
   end procedure ensemble_set_langevin

   module procedure ensemble_clear_langevin
      call settle(qi_set_ensemble_langevin(held(self%owned), c_null_ptr, 0_c_ptrdiff_t, c_null_ptr, 0_c_ptrdiff_t, &
         0.0_c_double, 0_c_int64_t), stat, errmsg)
   end procedure ensemble_clear_langevin

   module procedure ensemble_thermalize
      call settle(qi_thermalize_ensemble(held(self%owned), duration), stat, errmsg)
   end procedure ensemble_thermalize

   module procedure ensemble_get_noise_draws
      call settle(qi_get_ensemble_noise(held(self%owned), draws), stat, errmsg)
   end procedure ensemble_get_noise_draws

   module procedure ensemble_set_noise_draws
      call settle(qi_set_ensemble_noise(held(self%owned), draws), stat, errmsg)
   end procedure ensemble_set_noise_draws

   module procedure ensemble_set_rotor_momentum
      type(view_t) :: view

      if (.not. packed_view_of(held(self%owned), 'momentum', momentum, [3], view, stat, errmsg)) return
      call settle(qi_set_ensemble_rotor_momentum(held(self%owned), view%first, view%body_stride), stat, errmsg)
   end procedure ensemble_set_rotor_momentum

   module procedure ensemble_clear_rotor_momentum
      call settle(qi_set_ensemble_rotor_momentum(held(self%owned), c_null_ptr, 0_c_ptrdiff_t), stat, errmsg)
   end procedure ensemble_clear_rotor_momentum

   module procedure ensemble_method
      call settle(qi_get_ensemble_method(held(self%owned), method%number))
   end procedure ensemble_method

   module procedure ensemble_set_method
      call settle(qi_set_ensemble_method(held(self%owned), method%number), stat, errmsg)
   end procedure ensemble_set_method

   module procedure ensemble_drift
      call settle(qi_drift_ensemble(held(self%owned), duration), stat, errmsg)
   end procedure ensemble_drift

   module procedure ensemble_forget_torques
      call settle(qi_forget_ensemble_torques(held(self%owned)), stat, errmsg)
   end procedure ensemble_forget_torques

   module procedure ensemble_callback_result
      ensemble_callback_result = qi_get_ensemble_callback_result(held(self%owned))
   end procedure ensemble_callback_result

   module procedure ensemble_set_threads
      if (.not. is_count(threads, 'threads', stat, errmsg)) return
      call settle(qi_set_ensemble_threads(held(self%owned), int(threads, c_size_t)), stat, errmsg)
   end procedure ensemble_set_threads

   module procedure ensemble_active_count
      integer(c_size_t) :: count

      count = 0
      if (qi_get_ensemble_active_count(held(self%owned), count) /= QI_OK) count = 0
      ensemble_active_count = int(count)
   end procedure ensemble_active_count

   module procedure ensemble_point_count
      integer(c_size_t) :: count

      count = 0
      if (qi_get_point_count(held(self%owned), count) /= QI_OK) count = 0
      ensemble_point_count = int(count)
   end procedure ensemble_point_count

   module procedure ensemble_set_stage_layout
      call settle(qi_set_ensemble_stage_layout(held(self%owned), layout%number), stat, errmsg)
   end procedure ensemble_set_stage_layout

   module procedure ensemble_begin_step
      call settle(qi_begin_ensemble_step(held(self%owned), dt), stat, errmsg)
   end procedure ensemble_begin_step

   module procedure ensemble_cancel_step
      call settle(qi_cancel_ensemble_step(held(self%owned)), stat, errmsg)
   end procedure ensemble_cancel_step
   ! ---- end of what `make bindings` writes

end submodule quatint_plain
