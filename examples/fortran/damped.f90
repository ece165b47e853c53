! damped.f90: a flywheel is slowed by friction, computed once per step from two angular velocities.
! For torques that depend on the angular velocity, `kick_drift` writes predicted velocities (world
! frame) to an array.
program friction
   use, intrinsic :: iso_fortran_env, only: dp => real64
   use quatint
   implicit none
   real(dp), parameter :: dt(3) = [0.1_dp, 0.05_dp, 0.025_dp]
   integer :: i

   print '(a)', 'dt      predicted      present'
   do i = 1, 3
      print '(f5.3, 2es13.1)', dt(i), error(dt(i), .true.), error(dt(i), .false.)
   end do

contains

   !> How far the angular velocity is off after a time of 1.
   real(dp) function error(dt, predict)
      real(dp), intent(in) :: dt
      logical, intent(in) :: predict
      real(dp), target :: omega(3, 1), predicted(3, 1)
      real(dp) :: torque(3, 1)
      type(qi_ensemble_t) :: wheel
      integer :: step

      omega(:, 1) = [0, 0, 1]
      call wheel%create(1)   ! of inertia 1
      call wheel%bind_angular_velocities(omega)
      if (predict) call wheel%bind_predicted_velocities(predicted, dt/2)
      torque = -2*omega
      do step = 1, nint(1/dt)
         call wheel%kick_drift(dt/2, dt, torque)
         torque = -2*omega
         if (predict) torque = -2*predicted
         call wheel%kick(dt/2, torque)
      end do
      error = abs(omega(3, 1) - exp(-2.0_dp))
   end function error

end program friction

! It prints:
! dt      predicted      present
! 0.100      4.7E-03      2.7E-02
! 0.050      1.2E-03      1.3E-02
! 0.025      2.9E-04      6.7E-03
