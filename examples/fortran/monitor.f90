! monitor.f90: the steps of a solution, which a monitor ends: here after 50 of them, elsewhere after some seconds.
! A monitor is called after each step. It is a type that extends `qi_monitor_t`, or, as here, a
! procedure with the interface `qi_monitor`, which has `data` before `stat` and no `self`.
module monitors
   use, intrinsic :: iso_fortran_env, only: dp => real64
   use quatint
   implicit none

   type, extends(qi_monitor_t) :: seen_t
      real(dp) :: times(50)
      integer :: count = 0
   contains
      procedure :: evaluate => watch
   end type seen_t

contains

   subroutine watch(self, time, orientation, angular_velocity, stat)
      class(seen_t), intent(inout) :: self
      real(dp), intent(in) :: time, orientation(4), angular_velocity(3)
      integer, intent(inout) :: stat

      self%count = self%count + 1
      self%times(self%count) = time
      if (self%count == size(self%times)) stat = 1   ! the solution ends
   end subroutine watch

end module monitors

program monitor
   use monitors
   implicit none
   real(dp), parameter :: moments(3, 3) = reshape([1.0_dp, 0.0_dp, 0.0_dp, &
      0.0_dp, 1.5_dp, 0.0_dp,  0.0_dp, 0.0_dp, 0.7_dp], [3, 3])
   type(qi_body_t) :: top
   type(seen_t) :: seen
   integer :: stat

   call top%create(moments, [0.6_dp, 0.8_dp, 0.0_dp, 0.0_dp], [0.3_dp, 0.1_dp, 5.0_dp])
   call top%set_uniform_field_torque([0.0_dp, 0.0_dp, 1.0_dp], [0.0_dp, 0.0_dp, -1.0_dp])
   call top%solve_monitored(10.0_dp, 1e-9_dp, seen, stat)
   print '(a, i0, a, f0.6, a, l1)', 'after ', seen%count, ' steps t = ', seen%times(seen%count), &
      '; stopped: ', stat == QI_ERR_CALLBACK
   call top%solve(10.0_dp, 1e-9_dp)
   print '(a, f0.1)', 'gone on to t = ', 10.0_dp
   call top%destroy()
end program monitor

! It prints:
! after 50 steps t = 4.014903; stopped: T
! gone on to t = 10.0
