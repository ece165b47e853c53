!> Torques, events and inertias that are types: they do what the procedures do, bit for bit.
module types_of_torques
   use, intrinsic :: iso_c_binding, only: dp => c_double
   use quatint
   use check, only: generic_torque, rise, weights, weights_soa, orders_t
   implicit none

   type, extends(qi_torque_t) :: spring_t
      integer :: calls = 0, stop_with = 0
   contains
      procedure :: evaluate => spring
   end type spring_t

   type, extends(qi_chunk_torque_t) :: heavy_t
      type(orders_t) :: orders
   contains
      procedure :: evaluate => heavy
   end type heavy_t

   type, extends(qi_chunk_torque_soa_t) :: heavy_soa_t
      type(orders_t) :: orders
   contains
      procedure :: evaluate => heavy_soa
   end type heavy_soa_t

   type, extends(qi_event_t) :: turning_t
      integer :: calls = 0, stop_at = huge(1)
   contains
      procedure :: evaluate => turning
   end type turning_t

   type, extends(qi_monitor_t) :: follower_t
      integer :: calls = 0
      real(dp) :: time = 0, stop_at = huge(1.0_dp)
   contains
      procedure :: evaluate => follow
   end type follower_t

   type, extends(qi_inertia_t) :: growing_t
      real(dp) :: rate = 0
      integer :: stop_with = 0
   contains
      procedure :: evaluate => growing
   end type growing_t

   !> A type that extends one of ours is a torque, too.
   type, extends(spring_t) :: half_spring_t
   contains
      procedure :: evaluate => half_spring
   end type half_spring_t

   !> A simulation that holds its torque and its body.
   type :: simulation_t
      type(spring_t) :: spring
      type(qi_body_t) :: body
   end type simulation_t

contains

   subroutine follow(self, time, orientation, angular_velocity, stat)
      class(follower_t), intent(inout) :: self
      real(dp), intent(in) :: time, orientation(4), angular_velocity(3)
      integer, intent(inout) :: stat

      if (abs(norm2(orientation) - 1) > 1e-14_dp .or. norm2(angular_velocity) > 1e3_dp) stat = 99
      self%calls = self%calls + 1
      self%time = time
      if (time > self%stop_at) stat = 8
   end subroutine follow

   !> The same as a procedure.
   subroutine follow_in_data(time, orientation, angular_velocity, data, stat)
      real(dp), intent(in) :: time, orientation(4), angular_velocity(3)
      class(*), intent(inout) :: data
      integer, intent(inout) :: stat

      select type (data)
      type is (follower_t)
         call data%evaluate(time, orientation, angular_velocity, stat)
      class default
         if (time > 1) stat = 9
      end select
   end subroutine follow_in_data

   subroutine spring(self, time, orientation, angular_velocity, torque, stat)
      class(spring_t), intent(inout) :: self
      real(dp), intent(in) :: time, orientation(4), angular_velocity(3)
      real(dp), intent(inout) :: torque(3)
      integer, intent(inout) :: stat
      integer :: none = 0

      if (any(abs(torque) > 0) .or. stat /= 0) stat = 99
      call generic_torque(time, orientation, angular_velocity, torque, none, stat)
      self%calls = self%calls + 1
      if (self%stop_with /= 0) stat = self%stop_with
   end subroutine spring

   subroutine half_spring(self, time, orientation, angular_velocity, torque, stat)
      class(half_spring_t), intent(inout) :: self
      real(dp), intent(in) :: time, orientation(4), angular_velocity(3)
      real(dp), intent(inout) :: torque(3)
      integer, intent(inout) :: stat

      call self%spring_t%evaluate(time, orientation, angular_velocity, torque, stat)
      torque = torque/2
   end subroutine half_spring

   recursive subroutine heavy(self, time, first, count, orientation, angular_velocity, torque, stat)
      class(heavy_t), intent(inout) :: self
      real(dp), intent(in) :: time
      integer, intent(in) :: first, count
      real(dp), intent(in) :: orientation(4, count), angular_velocity(3, count)
      real(dp), intent(inout) :: torque(3, count)
      integer, intent(inout) :: stat

      call weights(time, first, count, orientation, angular_velocity, torque, self%orders, stat)
   end subroutine heavy

   recursive subroutine heavy_soa(self, time, first, count, orientation, angular_velocity, torque, stat)
      class(heavy_soa_t), intent(inout) :: self
      real(dp), intent(in) :: time
      integer, intent(in) :: first, count
      real(dp), intent(in) :: orientation(count, 4), angular_velocity(count, 3)
      real(dp), intent(inout) :: torque(count, 3)
      integer, intent(inout) :: stat

      call weights_soa(time, first, count, orientation, angular_velocity, torque, self%orders, stat)
   end subroutine heavy_soa

   subroutine turning(self, time, orientation, angular_velocity, value, stat)
      class(turning_t), intent(inout) :: self
      real(dp), intent(in) :: time, orientation(4), angular_velocity(3)
      real(dp), intent(out) :: value
      integer, intent(inout) :: stat
      integer :: none = 0

      self%calls = self%calls + 1
      call rise(time, orientation, angular_velocity, value, none, stat)
      if (self%calls >= self%stop_at) stat = 6
   end subroutine turning

   subroutine growing(self, time, inertia, stat)
      class(growing_t), intent(inout) :: self
      real(dp), intent(in) :: time
      real(dp), intent(inout) :: inertia(3, 3)
      integer, intent(inout) :: stat
      integer :: i

      do i = 1, 3
         inertia(i, i) = 1 + self%rate*time
      end do
      stat = self%stop_with
   end subroutine growing

end module types_of_torques

program test_types
   use check
   use types_of_torques
   implicit none

   call a_torque_is_a_type()
   call a_torque_of_chunks_is_a_type()
   call an_event_is_a_type()
   call a_monitor_sees_each_step_and_may_end_the_solution()
   call an_inertia_is_a_type()
   call choices_are_types()
   call finish()

contains

   subroutine a_torque_is_a_type()
      type(qi_body_t) :: body, other
      type(spring_t), target :: spring
      type(half_spring_t), target :: half
      type(simulation_t), target :: simulation
      class(qi_torque_t), pointer :: any_torque
      class(qi_torque_t), allocatable, target :: chosen
      real(dp) :: states(7, 6)
      integer :: stat
      character(200) :: errmsg

      call body%create(moments)
      call body%set_torque(generic_torque)
      states(:, 1) = after(body)
      call body%create(moments)
      call body%set_torque(spring)
      states(:, 2) = after(body)
      call ok(same(states(:, 1), states(:, 2)), 'a torque that is a type gives the bits of the procedure')
      call ok(spring%calls == 20, 'it is the object itself that is called')
      call body%create(moments)
      any_torque => spring
      call body%set_torque(any_torque)
      states(:, 3) = after(body)
      call ok(same(states(:, 1), states(:, 3)) .and. spring%calls == 40, 'it may be a pointer to any torque')
      allocate (spring_t :: chosen)
      call body%create(moments)
      call body%set_torque(chosen)
      states(:, 4) = after(body)
      call ok(same(states(:, 1), states(:, 4)), 'or an allocatable one')
      call simulation%body%create(moments)
      call simulation%body%set_torque(simulation%spring)
      states(:, 5) = after(simulation%body)
      call ok(same(states(:, 1), states(:, 5)) .and. simulation%spring%calls == 20, 'or a component beside the body')
      call simulation%body%move_to(other)
      states(:, 6) = after(other)
      call ok(simulation%spring%calls == 40, 'a body that moves takes it along')
      call body%create(moments)
      call body%set_torque(half)
      call ok(maxval(abs(after(body) - states(:, 1))) > 1e-3_dp .and. half%calls == 20, 'a type that extends it may override it')

      spring%stop_with = 5
      call body%set_torque(spring)
      call body%step(0.1_dp, stat, errmsg)
      call refused(stat, QI_ERR_CALLBACK, errmsg, 'the torque callback returned 5', 'its stat ends the step')
      call ok(body%callback_result() == 5, 'and is kept')
      call body%set_torque(generic_torque)
      call body%step(0.1_dp)
      call body%clear_torque()
      call ok(.true., 'a procedure may follow an object')
   end subroutine a_torque_is_a_type

   !> The state of the body after ten steps.
   function after(body) result(state)
      type(qi_body_t), intent(inout) :: body
      real(dp) :: state(7)

      call body%advance(0.1_dp, 10)
      call body%get_orientation(state(1:4))
      call body%get_angular_velocity_body(state(5:7))
   end function after

   subroutine a_torque_of_chunks_is_a_type()
      integer, parameter :: n = 150
      type(qi_ensemble_t) :: e
      type(heavy_t), target :: heavy
      type(heavy_soa_t), target :: heavy_soa
      real(dp) :: q(4, n, 3)
      integer :: i, k, stat
      character(200) :: errmsg

      do i = 1, 3
         call e%create(n)
         call e%set_inertias(moments)
         call e%set_angular_velocities(reshape([(0.01_dp*k, k=1, 3*n)], [3, n]))
         if (i == 1) call e%set_torque(weights)
         if (i == 2) call e%set_torque(heavy)
         if (i == 3) call e%set_torque(heavy_soa)
         call e%advance(0.1_dp, 5)
         call e%get_orientations(q(:, :, i))
      end do
      call ok(same([q(:, :, 1)], [q(:, :, 2)]), 'a torque of chunks that is a type gives the bits of the procedure')
      call ok(same([q(:, :, 1)], [q(:, :, 3)]), 'and so does one with columns')
      call ok(heavy%orders%calls == 30 .and. heavy%orders%first_seen == 1 .and. heavy%orders%last_seen == n, &
         'bodies count from 1')
      call ok(heavy_soa%orders%calls == 30 .and. heavy_soa%orders%last_seen == n, 'in columns, too')
      call e%set_torque(heavy, frame=QI_FRAME_BODY)
      call e%step(0.1_dp)
      call e%get_orientations(q(:, :, 2))
      call e%set_torque(heavy_soa, QI_FRAME_BODY)
      call ok(.not. same([q(:, :, 1)], [q(:, :, 2)]), 'its torques may be in the body frame')
      heavy_soa%orders%bad_body = 140
      call e%step(0.1_dp, stat, errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, 'from 1 it is body 140', 'a torque that is NaN is an error')
   end subroutine a_torque_of_chunks_is_a_type

   subroutine an_event_is_a_type()
      type(qi_body_t) :: top
      type(turning_t) :: event
      real(dp) :: times(2)
      integer :: stat
      logical :: happened
      character(200) :: errmsg

      call start(top)
      call top%solve_until(20.0_dp, 1e-12_dp, rise, happened, QI_FALLING)
      call top%get_time(times(1))
      call start(top)
      call top%solve_until(20.0_dp, 1e-12_dp, event, happened, QI_FALLING)
      call top%get_time(times(2))
      call ok(happened .and. same(times(:1), times(2:)) .and. event%calls > 0, 'an event that is a type happens at the same time')
      call top%solve_until(times(2) + 1e-3_dp, 1e-12_dp, event, happened)
      call ok(.not. happened, 'and not before the end, if there is none')
      event%stop_at = 0
      call top%solve_until(20.0_dp, 1e-12_dp, event, happened, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_CALLBACK, errmsg, 'the event function returned 6', 'its stat ends the solution')
   end subroutine an_event_is_a_type

   subroutine a_monitor_sees_each_step_and_may_end_the_solution()
      type(qi_body_t) :: top, plain
      type(follower_t) :: follower, in_data
      integer, target :: code = 0
      real(dp) :: time, before(4), after(4)
      integer :: accepted, stat
      character(200) :: errmsg

      call start(plain)
      call plain%solve(3.0_dp, 1e-9_dp)
      call plain%solve_statistics(accepted=accepted)
      call plain%get_orientation(before)
      call start(top)
      call top%solve_monitored(3.0_dp, 1e-9_dp, follower)
      call top%get_orientation(after)
      call ok(same(before, after) .and. follower%calls == accepted .and. same([follower%time], [3.0_dp]), &
         'a monitor sees each step, and changes no bit')
      call start(top)
      call top%solve_monitored(3.0_dp, 1e-9_dp, follow_in_data, in_data)
      call top%get_orientation(after)
      call ok(same(before, after) .and. in_data%calls == accepted, 'one that is a procedure, too')

      call start(top)
      follower%stop_at = 2
      call top%solve_monitored(3.0_dp, 1e-9_dp, follower, stat, errmsg)
      call refused(stat, QI_ERR_CALLBACK, errmsg, 'the monitor of the solution returned 8', 'its stat ends the solution')
      call top%get_time(time)
      call ok(same([time], [follower%time]) .and. time > 2 .and. time < 3, 'and the body is where the step has ended')
      call start(top)
      call top%solve_monitored(3.0_dp, 1e-9_dp, follow_in_data, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_CALLBACK, errmsg, 'returned 9', 'that of a procedure without data, too')
      call top%solve_monitored(3.0_dp, 1e-9_dp, follow_in_data, code, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'for the status write stat=', 'a stat in the place of data is refused')
   end subroutine a_monitor_sees_each_step_and_may_end_the_solution

   subroutine start(top)
      type(qi_body_t), intent(inout) :: top

      call top%create(diagonal, angular_velocity=[0.5_dp, 0.2_dp, 5.0_dp])
      call top%set_torque(weight)
   end subroutine start

   subroutine an_inertia_is_a_type()
      type(qi_body_t) :: body
      type(growing_t), target :: growing
      real(dp) :: omega(3)
      integer :: stat
      character(200) :: errmsg

      growing%rate = 0.5_dp
      call body%create(diagonal, angular_velocity=[0.0_dp, 0.0_dp, 1.0_dp])
      call body%set_inertia_function(growing)
      call body%solve(2.0_dp, 1e-10_dp)
      call body%get_angular_velocity(omega)
      call ok(abs(omega(3) - 0.5_dp) < 1e-9_dp, 'an inertia that is a type slows a body that grows')
      growing%stop_with = 3
      call body%solve(3.0_dp, 1e-10_dp, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_CALLBACK, errmsg, 'returned 3', 'its stat ends the call')
      growing%stop_with = 0
      call body%clear_inertia_function()
   end subroutine an_inertia_is_a_type

   subroutine choices_are_types()
      type(qi_method_t) :: method

      method = QI_METHOD_CF4
      call ok(method == QI_METHOD_CF4 .and. method /= QI_METHOD_PCDM, 'methods can be compared')
      call ok(all([QI_METHOD_PCDM, QI_METHOD_CF4] == method .eqv. [.false., .true.]), 'and so can arrays of them')
      call ok(QI_FRAME_WORLD /= QI_FRAME_BODY .and. QI_LAYOUT_AOS /= QI_LAYOUT_SOA .and. QI_SCALAR_FIRST /= QI_SCALAR_LAST .and. &
         QI_OMEGA_WORLD == qi_kind_t() .and. QI_SOLVE_STIFF /= QI_SOLVE_NONSTIFF .and. QI_KEEP_ANGULAR_VELOCITY == qi_keep_t(0) &
         .and. QI_RISING /= QI_FALLING, 'and so can all choices')
   end subroutine choices_are_types

end program test_types
