! solution.f90: the period of a pendulum, by an event, at three tolerances; then its angle at chosen times.
! After a failure the first `written` columns of `solve_record` stay. See docs/solutions.md.
! nutation.f90 draws the turning points of a top.
module pendulum_functions
   use, intrinsic :: iso_fortran_env, only: dp => real64
   use quatint
   implicit none

contains

   !> The weight (0, 0, -1) acts below the axis, which is x.
   subroutine weight(time, orientation, angular_velocity, torque, data, stat)
      real(dp), intent(in) :: time, orientation(4), angular_velocity(3)
      real(dp), intent(inout) :: torque(3)
      class(*), intent(inout) :: data
      integer, intent(inout) :: stat
      real(dp) :: arm(3)

      stat = qi_rotate(orientation, [0.0_dp, 0.0_dp, -1.0_dp], arm)
      torque = [-arm(2), arm(1), 0.0_dp]
   end subroutine weight

   !> The pendulum turns round where its angular velocity crosses zero.
   subroutine swing(time, orientation, angular_velocity, value, data, stat)
      real(dp), intent(in) :: time, orientation(4), angular_velocity(3)
      real(dp), intent(out) :: value
      class(*), intent(inout) :: data
      integer, intent(inout) :: stat

      value = angular_velocity(1)
   end subroutine swing

end module pendulum_functions

program pendulum
   use, intrinsic :: iso_fortran_env, only: dp => real64
   use quatint
   use pendulum_functions
   implicit none
   real(dp), parameter :: identity(3, 3) = reshape([1.0_dp, 0.0_dp, 0.0_dp, &
      0.0_dp, 1.0_dp, 0.0_dp,  0.0_dp, 0.0_dp, 1.0_dp], [3, 3])
   real(dp), parameter :: exact = 8.626062589998574_dp   ! 2 pi/agm(1, cos(60 degrees))
   real(dp), parameter :: pi = acos(-1.0_dp)
   type(qi_body_t) :: body
   real(dp) :: q(4), time, records(8, 5)
   integer :: digits, i, evaluations, accepted, rejected
   logical :: happened

   if (qi_orientation_from_axis_angle([1.0_dp, 0.0_dp, 0.0_dp], 120*pi/180, q) /= QI_OK) error stop
   print '(a)', 'tolerance   period        error   evaluations   steps   rejected'
   do digits = 6, 12, 3
      call body%create(identity, q)   ! at rest, 120 degrees from below
      call body%set_torque(weight)
      call body%solve_until(20.0_dp, 10.0_dp**(-digits), swing, happened, QI_FALLING)
      if (.not. happened) error stop 'it does not swing'
      call body%get_time(time)
      call body%solve_statistics(evaluations, accepted, rejected)
      print '(es9.0, f12.8, es11.1, i14, 2i8)', 10.0_dp**(-digits), time, time - exact, evaluations, accepted, rejected
   end do

   call body%set_time(0.0_dp)
   call body%solve_record([(i*exact/8, i=0, 4)], 1e-10_dp, records)
   print '(a, 5f9.4)', 'time   ', records(1, :)
   print '(a, 5i9)', 'degrees', nint(2*atan2(records(3, :), records(2, :))*180/pi)
   call body%destroy()
end program pendulum

! It prints:
! tolerance   period        error   evaluations   steps   rejected
!    1.E-06  8.62606054   -2.0E-06           291      17       0
!    1.E-09  8.62606259   -2.2E-10           682      40       0
!    1.E-12  8.62606259   -4.6E-14          1600      94       0
! time      0.0000   1.0783   2.1565   3.2348   4.3130
! degrees      120       90        0      -90     -120
