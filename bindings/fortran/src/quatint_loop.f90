!> What a loop of the caller does to an ensemble: kicks, points on bodies, and the stages of a step.
submodule (quatint_types) quatint_loop
   implicit none

contains

   module procedure ensemble_kick
      type(view_t) :: view

      if (view_of(held(self%owned), 'torque', torque, [3], view, stat, errmsg, layout)) &
         call kick_by(self, duration, view, frame, stat, errmsg)
   end procedure ensemble_kick

   module procedure ensemble_kick_records
      type(view_t) :: view

      if (view_of_records(held(self%owned), 'torque', first, second, 3, view, stat, errmsg)) &
         call kick_by(self, duration, view, frame, stat, errmsg)
   end procedure ensemble_kick_records

   subroutine kick_by(self, duration, view, frame, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in) :: duration
      type(view_t), intent(in) :: view
      type(qi_frame_t), intent(in), optional :: frame
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_kick_ensemble(held(self%owned), duration, view%first, view%body_stride, view%component_stride, &
         frame_or_world(frame)), stat, errmsg)
   end subroutine kick_by

   module procedure ensemble_kick_drift
      type(view_t) :: view

      if (view_of(held(self%owned), 'torque', torque, [3], view, stat, errmsg, layout)) &
         call kick_drift_by(self, kick, drift, view, frame, stat, errmsg)
   end procedure ensemble_kick_drift

   module procedure ensemble_kick_drift_records
      type(view_t) :: view

      if (view_of_records(held(self%owned), 'torque', first, second, 3, view, stat, errmsg)) &
         call kick_drift_by(self, kick, drift, view, frame, stat, errmsg)
   end procedure ensemble_kick_drift_records

   subroutine kick_drift_by(self, kick, drift, view, frame, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      real(c_double), intent(in) :: kick, drift
      type(view_t), intent(in) :: view
      type(qi_frame_t), intent(in), optional :: frame
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_kick_drift_ensemble(held(self%owned), kick, drift, view%first, view%body_stride, view%component_stride, &
         frame_or_world(frame)), stat, errmsg)
   end subroutine kick_drift_by

   module procedure ensemble_set_points
      integer(c_size_t), allocatable :: from_0(:)
      type(view_t) :: view

      if (.not. counted_from_0('bodies', bodies, from_0, stat, errmsg)) return
      if (view_of(held(self%owned), 'arms', arms, [3], view, stat, errmsg, layout, size(from_0))) &
         call settle(qi_set_points(held(self%owned), size(from_0, kind=c_size_t), from_0, view%first, view%body_stride, &
         view%component_stride), stat, errmsg)
   end procedure ensemble_set_points

   module procedure ensemble_get_point_positions
      type(view_t) :: points, bodies

      if (.not. view_of_points(held(self%owned), 'positions', positions, layout, points, stat, errmsg)) return
      if (present(centres)) then
         if (.not. view_to_bind(held(self%owned), 'centres', centres, 3, layout, bodies, stat, errmsg)) return
      end if
      call settle(qi_get_point_positions(held(self%owned), bodies%first, bodies%body_stride, bodies%component_stride, &
         points%first, points%body_stride, points%component_stride), stat, errmsg)
   end procedure ensemble_get_point_positions

   module procedure ensemble_get_point_velocities
      type(view_t) :: points, bodies
      integer(c_int32_t) :: are_predicted

      are_predicted = 0
      if (present(predicted)) are_predicted = merge(1, 0, predicted)
      if (.not. view_of_points(held(self%owned), 'velocities', velocities, layout, points, stat, errmsg)) return
      if (present(centre_velocities)) then
         if (.not. view_to_bind(held(self%owned), 'centre_velocities', centre_velocities, 3, layout, bodies, stat, errmsg)) return
      end if
      call settle(qi_get_point_velocities(held(self%owned), are_predicted, bodies%first, bodies%body_stride, &
         bodies%component_stride, points%first, points%body_stride, points%component_stride), stat, errmsg)
   end procedure ensemble_get_point_velocities

   module procedure ensemble_sum_point_forces
      type(view_t) :: points, sums, moments

      if (.not. view_of_points(held(self%owned), 'forces', forces, layout, points, stat, errmsg)) return
      if (present(body_forces)) then
         if (.not. view_to_bind(held(self%owned), 'body_forces', body_forces, 3, layout, sums, stat, errmsg)) return
      end if
      if (present(body_torques)) then
         if (.not. view_to_bind(held(self%owned), 'body_torques', body_torques, 3, layout, moments, stat, errmsg)) return
      end if
      call settle(qi_sum_point_forces(held(self%owned), points%first, points%body_stride, points%component_stride, sums%first, &
         sums%body_stride, sums%component_stride, moments%first, moments%body_stride, moments%component_stride), stat, errmsg)
   end procedure ensemble_sum_point_forces

   module procedure ensemble_begin_steps
      if (.not. is_count(steps, 'steps', stat, errmsg)) return
      call settle(qi_begin_ensemble_steps(held(self%owned), dt, int(steps, c_int64_t)), stat, errmsg)
   end procedure ensemble_begin_steps

   function stage_shape(self, components)
      class(qi_ensemble_t), intent(in) :: self
      integer, intent(in) :: components
      integer :: stage_shape(2)
      integer(c_int32_t) :: layout

      layout = QI_LAYOUT_AOS%number
      stage_shape = [components, self%active_count()]
      if (qi_get_ensemble_stage_layout(held(self%owned), layout) /= QI_OK) return
      if (layout == QI_LAYOUT_SOA%number) stage_shape = stage_shape([2, 1])
   end function stage_shape

   logical function is_stage(self, orientation, angular_velocity, stat, errmsg)
      class(qi_ensemble_t), intent(in) :: self
      integer, intent(in) :: orientation(:), angular_velocity(:)   !! their shapes
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      is_stage = has_shape(held(self%owned), 'orientation', orientation, stage_shape(self, 4), stat, errmsg)
      if (is_stage) is_stage = has_shape(held(self%owned), 'angular_velocity', angular_velocity, stage_shape(self, 3), &
         stat, errmsg)
   end function is_stage

   module procedure ensemble_next_stage
      integer(c_int32_t) :: status

      needed = .false.
      time = 0
      if (.not. is_there('orientation', c_loc(orientation), stat, errmsg)) return
      if (.not. is_there('angular_velocity', c_loc(angular_velocity), stat, errmsg)) return
      if (.not. is_stage(self, shape(orientation), shape(angular_velocity), stat, errmsg)) return
      status = qi_next_ensemble_stage(held(self%owned), time, orientation, angular_velocity)
      needed = status == QI_NEED_TORQUE
      call settle(status, stat, errmsg)
   end procedure ensemble_next_stage

   module procedure ensemble_supply_torque
      if (.not. is_there('torque', c_loc(torque), stat, errmsg)) return
      if (.not. has_shape(held(self%owned), 'torque', shape(torque), stage_shape(self, 3), stat, errmsg)) return
      call settle(qi_supply_ensemble_torque(held(self%owned), torque), stat, errmsg)
   end procedure ensemble_supply_torque

   module procedure ensemble_continue_step
      integer(c_int32_t) :: status

      needed = .false.
      time = 0
      if (.not. is_there('torque', c_loc(torque), stat, errmsg)) return
      if (.not. has_shape(held(self%owned), 'torque', shape(torque), stage_shape(self, 3), stat, errmsg)) return
      if (.not. is_there('orientation', c_loc(orientation), stat, errmsg)) return
      if (.not. is_there('angular_velocity', c_loc(angular_velocity), stat, errmsg)) return
      if (.not. is_stage(self, shape(orientation), shape(angular_velocity), stat, errmsg)) return
      status = qi_continue_ensemble_step(held(self%owned), torque, time, orientation, angular_velocity)
      needed = status == QI_NEED_TORQUE
      call settle(status, stat, errmsg)
   end procedure ensemble_continue_step

end submodule quatint_loop
