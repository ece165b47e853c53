!> Another inertia for a body, one that changes, and axes about which bodies do not turn, from Fortran.
module swelling_inertia
   use check
   implicit none

   type :: limits_t
      real(dp) :: fails_after = huge(1.0_dp), negative_after = huge(1.0_dp)
      integer :: calls = 0
   end type limits_t

contains

   !> The inertia of a body whose end was computed elsewhere.
   subroutine swelling(time, inertia, data, stat)
      real(dp), intent(in) :: time
      real(dp), intent(inout) :: inertia(3, 3)
      class(*), intent(inout) :: data
      integer, intent(inout) :: stat

      inertia(1, 1) = 1 + 0.1_dp * time
      inertia(2, 2) = 2 + 0.05_dp * time
      inertia(3, 3) = 3
      select type (data)
      type is (limits_t)
         data%calls = data%calls + 1
         if (time > data%fails_after) stat = 7
         if (time > data%negative_after) inertia(2, 2) = -1
      end select
   end subroutine swelling

end module swelling_inertia

program test_inertia
   use check
   use swelling_inertia
   use, intrinsic :: iso_c_binding, only: c_int32_t
   implicit none
   integer, parameter :: n = 70   ! two chunks, of which the last is not full
   real(dp), parameter :: q(4) = [0.5_dp, -0.1_dp, 0.7_dp, 0.5_dp], omega(3) = [0.3_dp, -0.7_dp, 1.1_dp]
   real(dp), parameter :: thrust(3) = [0.3_dp, 0.2_dp, 5.0_dp]   ! a torque in the body frame
   !> Its axis z is principal; x and y are not.
   real(dp), parameter :: plate(3, 3) = reshape([2.0_dp, 0.3_dp, 0.0_dp,  0.3_dp, 3.0_dp, 0.0_dp, &
      0.0_dp, 0.0_dp, 4.0_dp], [3, 3])
   !> Its axis z may be locked alone.
   real(dp), parameter :: disc(3, 3) = reshape([2.0_dp, 0.0_dp, 0.0_dp,  0.0_dp, 2.0_dp, 0.0_dp, &
      0.0_dp, 0.0_dp, 4.0_dp], [3, 3])
   character(*), parameter :: two_moments = '`axes` must not lock one axis beside two different moments: lock two axes'

   call another_inertia_keeps_the_velocity_or_the_momentum()
   call an_inertia_changes_with_the_clock_and_then_stays()
   call an_inertia_function_that_fails_stops_the_body_where_it_was()
   call a_body_does_not_turn_about_locked_axes()
   call another_inertia_unlocks()
   call wrong_inertias_and_axes_are_refused()
   call all_bodies_of_an_ensemble_may_lock_the_same_axes()
   call each_body_of_an_ensemble_may_lock_axes_of_its_own()
   call wrong_axes_of_ensembles_are_refused()
   call finish()

contains

   logical function near(a, b)
      real(dp), intent(in) :: a(3), b(3)

      near = all(abs(a - b) < 5e-14_dp)
   end function near

   function world_of(body) result(omega_world)
      type(qi_body_t), intent(in) :: body
      real(dp) :: omega_world(3)

      call body%get_angular_velocity(omega_world)
   end function world_of

   function omega_of(body) result(omega_body)
      type(qi_body_t), intent(in) :: body
      real(dp) :: omega_body(3)

      call body%get_angular_velocity_body(omega_body)
   end function omega_of

   !> The angular acceleration of the disc about its free axes x and y.
   pure function accelerated(torque)
      real(dp), intent(in) :: torque(3)
      real(dp) :: accelerated(3)

      accelerated = [torque(1)/2, torque(2)/2, 0.0_dp]
   end function accelerated

   subroutine another_inertia_keeps_the_velocity_or_the_momentum()
      type(qi_body_t) :: body
      real(dp) :: momentum(3), after(3), momentum_body(3), velocity(3)

      call body%create(moments, q, omega)
      call body%get_angular_momentum(momentum)
      call body%set_inertia(plate, QI_KEEP_ANGULAR_MOMENTUM)
      call body%get_angular_momentum(after)
      call ok(near(after, momentum), 'another inertia may keep the angular momentum')
      if (qi_rotate_inverse(q, momentum, momentum_body) /= QI_OK) error stop
      call ok(near(matmul(plate, omega_of(body)), momentum_body), 'then the angular velocity is that of the new inertia')
      call ok(norm2(world_of(body) - omega) > 0.1_dp, 'and not that of before')
      velocity = omega_of(body)
      call body%set_inertia(moments, QI_KEEP_ANGULAR_VELOCITY)
      call ok(same(omega_of(body), velocity), 'or another inertia keeps the angular velocity, to the bit')
      call body%get_angular_momentum(after)
      if (qi_rotate_inverse(q, after, momentum_body) /= QI_OK) error stop
      call ok(near(momentum_body, matmul(moments, velocity)), 'and then the momentum is another')
   end subroutine another_inertia_keeps_the_velocity_or_the_momentum

   subroutine an_inertia_changes_with_the_clock_and_then_stays()
      type(qi_body_t) :: body, moved, constant
      type(limits_t), target :: limits
      real(dp), parameter :: end_omega(3) = [0.1248670609424564_dp, -0.7487586384725389_dp, 0.5551412234308847_dp]
      real(dp) :: inertia(3, 3), place(4), acceleration(3)
      integer :: stat
      character(300) :: errmsg

      call body%create(diagonal, angular_velocity=[0.3_dp, 1.0_dp, 0.5_dp])
      call body%set_inertia_function(swelling, limits)
      call ok(limits%calls == 1, 'an inertia function is asked at once')
      call body%move_to(moved)
      call moved%solve(10.0_dp, 1e-12_dp)
      call ok(all(abs(omega_of(moved) - end_omega) < 1e-10_dp), 'a body whose inertia changes comes where it must')
      call moved%step(0.1_dp, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'splitting of order 2', 'one method alone takes its steps')
      call moved%get_angular_acceleration(acceleration, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'constant inertia', 'it has no angular acceleration')

      call moved%clear_inertia_function()
      limits%fails_after = 0   ! it is not asked any more
      inertia = diagonal
      inertia(1, 1) = 2
      inertia(2, 2) = 2.5_dp
      call moved%get_orientation(place)
      call constant%create(inertia)
      call constant%set_time(10.0_dp)
      call constant%set_state_body(place, omega_of(moved))
      call constant%step(0.1_dp)
      call moved%step(0.1_dp)
      call ok(same(omega_of(moved), omega_of(constant)), 'then its inertia stays')
      call body%set_inertia_function(swelling, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'not created yet, destroyed, moved, or a copy', 'without a body it is refused')
      call body%clear_inertia_function(stat, errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'not created yet, destroyed, moved, or a copy', 'nor can it end')
   end subroutine an_inertia_changes_with_the_clock_and_then_stays

   subroutine an_inertia_function_that_fails_stops_the_body_where_it_was()
      type(qi_body_t) :: body
      type(limits_t), target :: limits, wrong
      real(dp) :: before(3), time
      integer :: stat
      character(300) :: errmsg

      limits%fails_after = 1
      call body%create(diagonal, angular_velocity=omega)
      call body%set_inertia_function(swelling, limits)
      call body%set_method(QI_METHOD_SPLITTING)
      call body%advance(0.3_dp, 3)
      before = omega_of(body)
      call body%step(0.3_dp, stat, errmsg)
      call refused(stat, QI_ERR_CALLBACK, errmsg, 'the inertia function returned 7 at time 1', &
         'a function that fails stops the step')
      call body%set_time(2.0_dp, stat, errmsg)
      call refused(stat, QI_ERR_CALLBACK, errmsg, 'the inertia function returned 7 at time 2', 'and the setting of the clock')
      call body%get_time(time)
      call ok(same(omega_of(body), before) .and. abs(time - 0.9_dp) < 1e-15_dp, 'the body is where it was')
      limits%fails_after = huge(1.0_dp)
      limits%negative_after = 1
      call body%step(0.3_dp, stat, errmsg)
      call refused(stat, QI_ERR_INERTIA, errmsg, 'the inertia function, at time 1', &
         'an inertia of no body is refused with its time')
      wrong%fails_after = 0
      call body%set_inertia_function(swelling, wrong, stat, errmsg)
      call refused(stat, QI_ERR_CALLBACK, errmsg, 'returned 7', 'a function that fails at once is not taken')
      limits%negative_after = huge(1.0_dp)
      call body%step(0.3_dp)
      call ok(limits%calls > 3 .and. wrong%calls == 1, 'and the one before stays')
      call body%set_inertia(plate, QI_KEEP_ANGULAR_VELOCITY)
      limits%calls = 0
      call body%set_method(QI_METHOD_CF4)
      call body%step(0.3_dp)
      call ok(limits%calls == 0, 'another inertia is constant')
   end subroutine an_inertia_function_that_fails_stops_the_body_where_it_was

   subroutine a_body_does_not_turn_about_locked_axes()
      type(qi_body_t) :: body
      real(dp) :: before(3), after(3)

      call body%create(disc, q, omega)
      before = omega_of(body)
      call body%lock_axes(QI_AXIS_Z)
      call ok(near(omega_of(body), [before(1), before(2), 0.0_dp]), 'a lock takes away the rotation about its axis alone')
      call body%kick(0.5_dp, thrust, QI_FRAME_BODY)
      after = omega_of(body)
      call ok(near(after, [before(1), before(2), 0.0_dp] + 0.5_dp*accelerated(thrust)), &
         'a kick turns a locked body about its free axes')
      call ok(abs(after(3)) <= 0, 'and not about the locked one')
      call body%set_constant_torque(thrust, QI_FRAME_BODY)
      call body%advance(0.01_dp, 50)
      after = omega_of(body)
      call ok(abs(after(3)) <= 0 .and. norm2(after - before) > 0.1_dp, 'nor does a step')

      call body%create(disc, q, omega)
      call body%lock_axes(QI_AXIS_Z)
      call body%lock_axes(QI_AXIS_X)
      before = omega_of(body)
      call ok(all(abs(before([1, 3])) <= 0) .and. abs(before(2)) > 0.1_dp, 'locks add up')
      call body%create(disc, q, omega)
      call body%lock_axes(QI_AXIS_X + QI_AXIS_Z)
      call ok(same(omega_of(body), before), 'as do their constants')
      call body%lock_axes(0)
      call ok(same(omega_of(body), before), 'no axes change nothing')
   end subroutine a_body_does_not_turn_about_locked_axes

   subroutine another_inertia_unlocks()
      type(qi_body_t) :: body
      real(dp) :: before(3)

      call body%create(disc, q, omega)
      call body%lock_axes(QI_AXIS_Z)
      call body%set_inertia(disc, QI_KEEP_ANGULAR_VELOCITY)
      before = omega_of(body)
      call body%kick(1.0_dp, thrust, QI_FRAME_BODY)
      call ok(near(omega_of(body), before + accelerated(thrust) + [0.0_dp, 0.0_dp, thrust(3)/4]), 'another inertia unlocks')
   end subroutine another_inertia_unlocks

   subroutine wrong_inertias_and_axes_are_refused()
      type(qi_body_t) :: body, none
      real(dp) :: bad(3, 3), before(3)
      integer :: stat
      character(300) :: errmsg

      call body%create(plate, q, omega)
      before = omega_of(body)
      call body%lock_axes(QI_AXIS_X, stat, errmsg)
      call refused(stat, QI_ERR_INERTIA, errmsg, 'no principal axis', 'an axis that is not principal is refused')
      call body%lock_axes(8, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'QI_AXIS_X', 'and one that does not exist')
      call body%lock_axes(QI_AXIS_Z, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, two_moments, 'and one beside two different moments')
      bad = plate
      bad(1, 2) = 0.4_dp
      call body%set_inertia(bad, QI_KEEP_ANGULAR_MOMENTUM, stat, errmsg)
      call refused(stat, QI_ERR_INERTIA, errmsg, 'symmetric', 'an inertia must be symmetric')
      call body%set_inertia(plate(:, 1:2), QI_KEEP_ANGULAR_MOMENTUM, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`inertia` has the shape (3, 2); it must be (3, 3)', 'and of the right shape')
      call body%set_inertia(plate, qi_keep_t(2), stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'QI_KEEP_ANGULAR_VELOCITY', 'what it keeps must exist')
      call ok(same(omega_of(body), before), 'then nothing has changed')
      call none%set_inertia(plate, QI_KEEP_ANGULAR_MOMENTUM, stat, errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'not created yet', 'without a body there is no inertia')
      call none%lock_axes(QI_AXIS_X, stat, errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'not created yet', 'nor a lock')
   end subroutine wrong_inertias_and_axes_are_refused

   !> The axes that body i locks.
   elemental integer(c_int32_t) function axes_of(i)
      integer, intent(in) :: i

      axes_of = mod(i, 8)
   end function axes_of

   !> The inertia of a body that is going to lock `axes`: beside one lock the other two moments must be equal.
   pure function beside(axes) result(inertia)
      integer(c_int32_t), intent(in) :: axes
      real(dp) :: inertia(3, 3)

      inertia = diagonal
      if (axes == QI_AXIS_X) inertia(2, 2) = 3
      if (axes == QI_AXIS_Y) inertia(1, 1) = 3
      if (axes == QI_AXIS_Z) inertia(1, 1) = 2
   end function beside

   !> Checks that body i of the ensemble moves as a body alone that has locked `axes`.
   logical function moves_like_one(e, i, axes)
      type(qi_ensemble_t), intent(in) :: e
      integer, intent(in) :: i
      integer(c_int32_t), intent(in) :: axes
      type(qi_body_t) :: body
      real(dp) :: states(7, n), alone(4)

      call body%create(beside(axes), q, omega)
      call body%lock_axes(axes)
      call body%kick(0.5_dp, thrust, QI_FRAME_BODY)
      call body%advance(0.01_dp, 20)
      call body%get_orientation(alone)
      call e%get_rows(QI_PART_STATE, states)
      moves_like_one = same(states(:, i), [alone, omega_of(body)])
   end function moves_like_one

   subroutine make(e)
      type(qi_ensemble_t), intent(inout) :: e

      call e%create(n)
      call e%set_inertias(diagonal)
      call e%set_orientations(q)
      call e%set_angular_velocities(omega)
   end subroutine make

   subroutine move(e)
      type(qi_ensemble_t), intent(inout) :: e

      call e%kick(0.5_dp, spread(thrust, 2, n), QI_FRAME_BODY)
      call e%advance(0.01_dp, 20)
   end subroutine move

   subroutine all_bodies_of_an_ensemble_may_lock_the_same_axes()
      type(qi_ensemble_t) :: e
      real(dp) :: states(7, n)
      integer :: i

      call make(e)
      call e%lock_axes(QI_AXIS_X + QI_AXIS_Y)
      call move(e)
      call ok(all([(moves_like_one(e, i, QI_AXIS_X + QI_AXIS_Y), i=1, n)]), 'all bodies of an ensemble may lock the same axes')
      call e%set_inertias(disc)
      call e%lock_axes(QI_AXIS_Z)
      call e%set_angular_velocities([0.0_dp, 0.0_dp, 0.0_dp])
      call e%kick(1.0_dp, spread(thrust, 2, n), QI_FRAME_BODY)
      call e%get_rows(QI_PART_STATE, states)
      call ok(near(states(5:7, 53), accelerated(thrust)) .and. abs(states(7, 53)) <= 0, &
         'a kick turns each about its free axes')
   end subroutine all_bodies_of_an_ensemble_may_lock_the_same_axes

   subroutine each_body_of_an_ensemble_may_lock_axes_of_its_own()
      type(qi_ensemble_t) :: e, twin
      integer(c_int32_t) :: twice(2, n)
      real(dp) :: inertias(3, 3, n)
      integer :: i

      call make(e)
      call make(twin)
      do i = 1, n
         inertias(:, :, i) = beside(axes_of(i))
      end do
      call e%set_inertias(inertias)
      call twin%set_inertias(inertias)
      call e%lock_axes([(axes_of(i), i=1, n)])
      call move(e)
      call ok(all([(moves_like_one(e, i, axes_of(i)), i=1, n)]), 'each may lock axes of its own')
      twice = 8
      twice(2, :) = [(axes_of(i), i=1, n)]
      call twin%lock_axes(twice(2, :))
      call move(twin)
      call ok(all([(moves_like_one(twin, i, axes_of(i)), i=1, n)]), 'the axes may be a section of an array')
      call e%create(0)
      call e%lock_axes([integer(c_int32_t) ::])
      call e%lock_axes(QI_AXIS_Y)
      call ok(e%count() == 0, 'and there may be no bodies')
   end subroutine each_body_of_an_ensemble_may_lock_axes_of_its_own

   subroutine wrong_axes_of_ensembles_are_refused()
      type(qi_ensemble_t) :: e, none
      integer(c_int32_t) :: axes(n)
      real(dp) :: each(3, 3, n)
      integer :: stat
      character(300) :: errmsg

      call make(e)
      axes = 0
      axes(31) = -1
      call e%lock_axes(axes, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'from 1 it is body 31', 'axes that do not exist name the body')
      axes(31) = QI_AXIS_X
      call e%lock_axes(axes, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, two_moments, 'a lock beside two different moments is refused')
      call refused(stat, QI_ERR_INVALID, errmsg, 'from 1 it is body 31', 'and names the body')
      call e%lock_axes(axes(2:), stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`axes` has the shape (69); it must be (70)', 'each body has its axes')
      call move(e)
      call ok(moves_like_one(e, 42, 0), 'then no axis is locked')
      each = spread(diagonal, 3, n)
      each(:, :, 42) = plate
      call e%set_inertias(each)
      call e%lock_axes(QI_AXIS_Y + QI_AXIS_Z, stat, errmsg)
      call refused(stat, QI_ERR_INERTIA, errmsg, 'from 1 it is body 42', 'an axis that is not principal names the body, too')
      call none%lock_axes(QI_AXIS_X, stat, errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'not created yet', 'without an ensemble there are no axes')
      call none%lock_axes(axes, stat, errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'not created yet', 'for each body neither')
   end subroutine wrong_axes_of_ensembles_are_refused

end program test_inertia
