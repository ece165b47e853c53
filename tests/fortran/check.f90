!> Shared by the Fortran tests: checks, each with a sentence to print, and procedures used as torques.
module check
   use, intrinsic :: iso_c_binding, only: dp => c_double
   use, intrinsic :: iso_fortran_env, only: int64, error_unit
   use quatint
   implicit none

   integer, private :: failures = 0
   !> The moments 3, 5 and 7 about axes that are turned in the body.
   real(dp), parameter :: moments(3, 3) = reshape([5.72_dp, 0.768_dp, -0.576_dp,  0.768_dp, 5.0992_dp, -1.5744_dp, &
      -0.576_dp, -1.5744_dp, 4.1808_dp], [3, 3])

   real(dp), parameter :: diagonal(3, 3) = reshape([1.0_dp, 0.0_dp, 0.0_dp,  0.0_dp, 2.0_dp, 0.0_dp, &
      0.0_dp, 0.0_dp, 3.0_dp], [3, 3])

   !> Velocity gradient of a flow, neither symmetric nor antisymmetric.
   real(dp), parameter :: shear(3, 3) = reshape([0.5_dp, 0.0_dp, -0.25_dp,  1.0_dp, -0.5_dp, 0.0_dp, &
      0.0_dp, 0.0_dp, 0.0_dp], [3, 3])

   !> Data of a torque: instructions to the torque, and a record of its calls.
   type :: which_t
      integer :: part = 0
   end type which_t

   type :: orders_t
      integer :: calls = 0
      integer :: stop_with = 0               !! stat to return in call number `at_call`
      integer :: at_call = huge(1)
      integer :: bad_body = 0                !! body whose torque is NaN
      real(dp) :: field(3) = 0
      integer :: first_seen = 0, last_seen = 0
   end type orders_t

contains

   subroutine ok(condition, sentence)
      logical, intent(in) :: condition
      character(*), intent(in) :: sentence

      if (condition) then
         print '(2a)', 'ok ', sentence
      else
         failures = failures + 1
         write (error_unit, '(2a)') 'NOT ok ', sentence
      end if
   end subroutine ok

   !> Checks an error: its status, and that its text contains `words`.
   subroutine refused(stat, expected, errmsg, words, sentence)
      integer, intent(in) :: stat, expected
      character(*), intent(in) :: errmsg, words, sentence

      if (stat /= expected .or. index(errmsg, words) == 0) write (error_unit, '(a, i0, 2a)') 'stat ', stat, ': ', trim(errmsg)
      call ok(stat == expected .and. index(errmsg, words) > 0, sentence)
   end subroutine refused

   subroutine finish()
      if (failures > 0) error stop 'some checks have failed'
   end subroutine finish

   pure logical function same(a, b)
      real(dp), intent(in) :: a(:), b(:)

      same = size(a) == size(b)
      if (same) same = all(transfer(a, [0_int64]) == transfer(b, [0_int64]))
   end function same

   real(dp) function nan()
      use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_quiet_nan

      nan = ieee_value(nan, ieee_quiet_nan)
   end function nan

   !> The weight of a heavy top, which also follows the instructions in `data`.
   subroutine generic_torque(time, orientation, angular_velocity, torque, data, stat)
      real(dp), intent(in) :: time, orientation(4), angular_velocity(3)
      real(dp), intent(inout) :: torque(3)
      class(*), intent(inout) :: data
      integer, intent(inout) :: stat

      associate (q => orientation, omega => angular_velocity)
         torque(1) = 0.3_dp + q(2) * q(3) - 0.2_dp * omega(2)
         torque(2) = 0.1_dp * time - q(1) * q(4)
         torque(3) = 0.2_dp + q(3) * q(4) + 0.3_dp * omega(1)
      end associate
      select type (data)
      type is (orders_t)
         stat = data%stop_with
      end select
   end subroutine generic_torque

   subroutine weight(time, orientation, angular_velocity, torque, data, stat)
      real(dp), intent(in) :: time, orientation(4), angular_velocity(3)
      real(dp), intent(inout) :: torque(3)
      class(*), intent(inout) :: data
      integer, intent(inout) :: stat
      real(dp) :: arm(3)

      if (any(abs(torque) > 0) .or. stat /= 0 .or. time < 0 .or. any(abs(angular_velocity) > huge(time))) stat = 99
      if (qi_rotate(orientation, [0.0_dp, 0.0_dp, 1.0_dp], arm) /= QI_OK) stat = 98
      torque = [-arm(2), arm(1), 0.0_dp]
      select type (data)
      type is (orders_t)
         data%calls = data%calls + 1
         if (data%calls == data%at_call) stat = data%stop_with
         if (data%bad_body == 1) torque(2) = nan()
      type is (integer)
         if (data /= 0) stat = 97
      class default
         stat = 96
      end select
   end subroutine weight

   !> A torque that uses the body it is called for.
   subroutine meddling(time, orientation, angular_velocity, torque, data, stat)
      real(dp), intent(in) :: time, orientation(4), angular_velocity(3)
      real(dp), intent(inout) :: torque(3)
      class(*), intent(inout) :: data
      integer, intent(inout) :: stat

      torque = time*orientation(2:4)*angular_velocity
      select type (data)
      type is (qi_body_t)
         call data%set_time(0.0_dp, stat)
      end select
   end subroutine meddling

   !> A torque that grows without limit at the time 1, and so does what it turns.
   subroutine singular(time, orientation, angular_velocity, torque, data, stat)
      real(dp), intent(in) :: time, orientation(4), angular_velocity(3)
      real(dp), intent(inout) :: torque(3)
      class(*), intent(inout) :: data
      integer, intent(inout) :: stat

      torque(3) = 3/(1 - time)**2
   end subroutine singular

   !> A torque made of parts, chosen by `data`: 1 to 5 are one part each, 6 is the field and the drag.
   subroutine parts(time, orientation, angular_velocity, torque, data, stat)
      real(dp), intent(in) :: time, orientation(4), angular_velocity(3)
      real(dp), intent(inout) :: torque(3)
      class(*), intent(inout) :: data
      integer, intent(inout) :: stat
      real(dp) :: resistances(6)

      select type (data)
      type is (which_t)
         if (data%part == 1) call qi_add_in_body_frame(orientation, [0.1_dp, 0.2_dp, -0.3_dp], torque, stat)
         if (data%part == 2 .or. data%part == 6) call qi_add_uniform_field(orientation, [0.5_dp, 0.0_dp, 1.0_dp], &
            [0.0_dp, 0.2_dp, -1.0_dp], torque, stat)
         if (data%part == 3) call qi_add_gravity_gradient(orientation, moments, [0.0_dp, 1.0_dp, 1.0_dp], 0.3_dp, torque, stat)
         if (data%part == 4) call qi_add_linear_drag(orientation, angular_velocity, [1.0_dp, 2.0_dp, 3.0_dp], torque, stat)
         if (data%part == 6) call qi_add_linear_drag(orientation, angular_velocity, [1.0_dp, 2.0_dp, 3.0_dp], torque, stat, &
            flow=[0.0_dp, 0.0_dp, 0.5_dp])
         if (data%part == 5) then
            stat = qi_get_shear_flow_resistances([2.0_dp, 1.0_dp, 0.5_dp], 0.1_dp, resistances)
            call qi_add_shear_flow(orientation, angular_velocity, resistances, shear, torque, stat)
         end if
      end select
   end subroutine parts

   !> An event function: the rate at which the axis z of the body rises. It also follows the instructions in `data`.
   subroutine rise(time, orientation, angular_velocity, value, data, stat)
      real(dp), intent(in) :: time, orientation(4), angular_velocity(3)
      real(dp), intent(out) :: value
      class(*), intent(inout) :: data
      integer, intent(inout) :: stat
      real(dp) :: axis(3)

      if (stat /= 0) stat = 99
      if (qi_rotate(orientation, [0.0_dp, 0.0_dp, 1.0_dp], axis) /= QI_OK) stat = 98
      value = angular_velocity(1)*axis(2) - angular_velocity(2)*axis(1)
      select type (data)
      type is (orders_t)
         data%calls = data%calls + 1
         if (data%calls >= data%at_call) stat = data%stop_with
         if (data%bad_body == 1 .and. time > 0.5_dp) value = nan()
      type is (integer)
         if (data /= 0) stat = 97
      type is (qi_body_t)
         call data%set_time(0.0_dp, stat)
      class default
         stat = 96
      end select
   end subroutine rise

   !> A torque about z with the C interface; `user_data` is a vector.
   integer(c_int32_t) function push(time, orientation, angular_velocity, torque, user_data) bind(C)
      use, intrinsic :: iso_c_binding, only: c_f_pointer, c_int32_t, c_ptr
      real(dp), value :: time
      real(dp), intent(in) :: orientation(4), angular_velocity(3)
      real(dp), intent(inout) :: torque(3)
      type(c_ptr), value :: user_data
      real(dp), pointer :: vector(:)

      call c_f_pointer(user_data, vector, [3])
      torque = vector
      push = 0
   end function push

   !> The weight for a chunk of bodies.
   recursive subroutine weights(time, first, count, orientation, angular_velocity, torque, data, stat)
      real(dp), intent(in) :: time
      integer, intent(in) :: first, count
      real(dp), intent(in) :: orientation(4, count), angular_velocity(3, count)
      real(dp), intent(inout) :: torque(3, count)
      class(*), intent(inout) :: data
      integer, intent(inout) :: stat
      real(dp) :: arm(3)
      integer :: i

      if (any(abs(torque) > 0) .or. stat /= 0 .or. time < 0 .or. any(abs(angular_velocity) > huge(time))) stat = 99
      do i = 1, count
         if (qi_rotate(orientation(:, i), [0.0_dp, 0.0_dp, 1.0_dp], arm) /= QI_OK) stat = 98
         torque(:, i) = [-arm(2), arm(1), 0.0_dp]
      end do
      call note(first, count, torque, data, stat)
   end subroutine weights

   !> The torque of the generic ensemble. Contracted or not, it has the same bits.
   recursive subroutine generic_torques(time, first, count, orientation, angular_velocity, torque, data, stat)
      real(dp), intent(in) :: time
      integer, intent(in) :: first, count
      real(dp), intent(in) :: orientation(4, count), angular_velocity(3, count)
      real(dp), intent(inout) :: torque(3, count)
      class(*), intent(inout) :: data
      integer, intent(inout) :: stat

      torque(1, :) = 0.5_dp*orientation(2, :) - 0.25_dp*angular_velocity(2, :)
      torque(2, :) = orientation(1, :)*orientation(4, :)
      torque(3, :) = 0.25_dp*angular_velocity(1, :) - 0.5_dp*orientation(3, :)
   end subroutine generic_torques

   !> The weight in a field that turns with time.
   recursive subroutine turning_weights(time, first, count, orientation, angular_velocity, torque, data, stat)
      real(dp), intent(in) :: time
      integer, intent(in) :: first, count
      real(dp), intent(in) :: orientation(4, count), angular_velocity(3, count)
      real(dp), intent(inout) :: torque(3, count)
      class(*), intent(inout) :: data
      integer, intent(inout) :: stat
      real(dp) :: arm(3)
      integer :: i

      do i = 1, count
         if (qi_rotate(orientation(:, i), [0.0_dp, 0.0_dp, 1.0_dp], arm) /= QI_OK) stat = 98
         torque(:, i) = [-arm(2), arm(1), 0.0_dp]*(2 + sin(3*time)) + [arm(3), 0.0_dp, -arm(1)]*cos(5*time)
      end do
      call note(first, count, torque, data, stat)
   end subroutine turning_weights

   !> The same, slowed by a brake.
   recursive subroutine turning_brakes(time, first, count, orientation, angular_velocity, torque, data, stat)
      real(dp), intent(in) :: time
      integer, intent(in) :: first, count
      real(dp), intent(in) :: orientation(4, count), angular_velocity(3, count)
      real(dp), intent(inout) :: torque(3, count)
      class(*), intent(inout) :: data
      integer, intent(inout) :: stat

      call turning_weights(time, first, count, orientation, angular_velocity, torque, data, stat)
      torque = torque - 0.2_dp*angular_velocity
   end subroutine turning_brakes

   !> `weights` with a column for each component.
   recursive subroutine weights_soa(time, first, count, orientation, angular_velocity, torque, data, stat)
      real(dp), intent(in) :: time
      integer, intent(in) :: first, count
      real(dp), intent(in) :: orientation(count, 4), angular_velocity(count, 3)
      real(dp), intent(inout) :: torque(count, 3)
      class(*), intent(inout) :: data
      integer, intent(inout) :: stat
      real(dp) :: rows(4, count), spins(3, count), turned(3, count)

      rows = transpose(orientation)
      spins = transpose(angular_velocity)
      turned = transpose(torque)
      call weights(time, first, count, rows, spins, turned, data, stat)
      torque = transpose(turned)
   end subroutine weights_soa

   recursive subroutine note(first, count, torque, data, stat)
      integer, intent(in) :: first, count
      real(dp), intent(inout) :: torque(3, count)
      class(*), intent(inout) :: data
      integer, intent(inout) :: stat

      select type (data)
      type is (orders_t)
         data%calls = data%calls + 1
         if (data%calls == 1) data%first_seen = first
         data%last_seen = max(data%last_seen, first + count - 1)
         if (data%calls == data%at_call) stat = data%stop_with
         if (data%bad_body >= first .and. data%bad_body < first + count) torque(3, data%bad_body - first + 1) = nan()
      end select
   end subroutine note

end module check
