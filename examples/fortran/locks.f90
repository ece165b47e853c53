! locks.f90: a square plate that cannot spin about its normal; its panels fold at once, and unfold in ten seconds.
! `axes` is a sum of `QI_AXIS_X`, `QI_AXIS_Y` and `QI_AXIS_Z`, of an ensemble also an array with
! one for each body. `clear_inertia_function()` makes the inertia constant again. See
! docs/inertia.md.
module panels
   use, intrinsic :: iso_fortran_env, only: dp => real64
   implicit none
contains
   subroutine unfolding(time, inertia, data, stat)
      real(dp), intent(in) :: time
      real(dp), intent(inout) :: inertia(3, 3)   ! zero on entry
      class(*), intent(inout) :: data
      integer, intent(inout) :: stat

      inertia(1, 1) = 1.0_dp + 0.1_dp*time
      inertia(2, 2) = 2.0_dp
      inertia(3, 3) = 3.0_dp + 0.1_dp*time
   end subroutine unfolding
end module panels

program locks
   use, intrinsic :: iso_fortran_env, only: dp => real64
   use quatint
   use panels
   implicit none
   real(dp), parameter :: open(3, 3) = reshape([2.0_dp, 0.0_dp, 0.0_dp,  0.0_dp, 2.0_dp, 0.0_dp, &
      0.0_dp, 0.0_dp, 4.0_dp], [3, 3])
   real(dp), parameter :: folded(3, 3) = reshape([1.0_dp, 0.0_dp, 0.0_dp,  0.0_dp, 2.0_dp, 0.0_dp, &
      0.0_dp, 0.0_dp, 3.0_dp], [3, 3])
   real(dp) :: omega(3), momentum(3)
   type(qi_body_t) :: plate

   call plate%create(open, angular_velocity=[0.3_dp, 0.4_dp, 0.5_dp])
   call plate%lock_axes(QI_AXIS_Z)
   call plate%kick(2.0_dp, [0.1_dp, 0.0_dp, 1.0_dp], QI_FRAME_BODY)
   call plate%get_angular_velocity_body(omega)
   print '(a, 3f6.3, a)', 'locked:', omega, ' rad/s'
   call plate%set_inertia(folded, QI_KEEP_ANGULAR_MOMENTUM)
   call plate%get_angular_velocity_body(omega)
   call plate%get_angular_momentum(momentum)
   print '(a, 3f6.3, a, 3f6.3)', 'folded:', omega, ' rad/s, momentum', momentum
   call plate%set_inertia_function(unfolding)
   call plate%solve(10.0_dp, 1e-10_dp)
   call plate%get_angular_velocity_body(omega)
   print '(a, 3f7.3, a)', 'unfolded:', omega, ' rad/s'
   call plate%destroy()
end program locks

! It prints:
! locked: 0.400 0.400 0.000 rad/s
! folded: 0.800 0.400 0.000 rad/s, momentum 0.800 0.800 0.000
! unfolded:  0.280 -0.427 -0.122 rad/s
