! wheels.f90: a satellite turns by a quarter with a reaction wheel, against the gravity gradient.
! See docs/torques.md.
module wheel_control
   use, intrinsic :: iso_fortran_env, only: dp => real64
   use quatint
   implicit none
   ! gravity pulls at the whole satellite, the motor turns it without the wheel's moment about its axis
   real(dp), parameter :: whole(3, 3) = reshape([4.0_dp, 0.0_dp, 0.0_dp, &
      0.0_dp, 6.0_dp, 0.0_dp,  0.0_dp, 0.0_dp, 5.0_dp], [3, 3])
   real(dp), parameter :: wheel_moment = 0.02_dp
   real(dp), parameter :: inertia(3, 3) = whole - reshape([0.0_dp, 0.0_dp, 0.0_dp, &
      0.0_dp, 0.0_dp, 0.0_dp,  0.0_dp, 0.0_dp, wheel_moment], [3, 3])

   type, extends(qi_torque_t) :: gravity_t
      real(dp) :: gradient = 0     ! G M / r^3; the earth is along -x
   contains
      procedure :: evaluate => gravity_torque
   end type gravity_t

contains

   subroutine gravity_torque(self, time, orientation, angular_velocity, torque, stat)
      class(gravity_t), intent(inout) :: self
      real(dp), intent(in) :: time, orientation(4), angular_velocity(3)
      real(dp), intent(inout) :: torque(3)
      integer, intent(inout) :: stat

      call qi_add_gravity_gradient(orientation, whole, [-1.0_dp, 0.0_dp, 0.0_dp], self%gradient, torque, stat)
   end subroutine gravity_torque

end module wheel_control

program wheel
   use, intrinsic :: iso_fortran_env, only: dp => real64
   use quatint
   use wheel_control
   implicit none
   real(dp), parameter :: pi = acos(-1.0_dp), half = 20   ! seconds to speed up, and to brake
   type(qi_body_t) :: satellite
   type(gravity_t), target :: earth
   real(dp) :: q(4), momentum(3)
   integer :: run, second

   do run = 0, 1
      earth%gradient = run*1e-5_dp
      print '(a, es8.1)', 'gradient', earth%gradient
      call satellite%create(inertia)   ! at rest
      call satellite%set_torque(earth)
      do second = 1, 40
         call satellite%set_rotor_torque([0.0_dp, 0.0_dp, merge(1, -1, second <= 20)*inertia(3, 3)*pi/2/half**2])
         call satellite%solve(real(second, dp), 1e-10_dp)
         if (mod(second, 20) /= 0) cycle
         call satellite%get_orientation(q)
         call satellite%get_angular_momentum(momentum)
         print '(a, i3, a, f8.3, a, i4, a)', 't =', second, '   turned by', 2*atan2(q(4), q(1))*180/pi, &
            ' degrees   angular momentum', nint(1e5_dp*momentum(3)), 'E-5'
      end do
   end do
   call satellite%destroy()
end program wheel

! It prints:
! gradient 0.0E+00
! t = 20   turned by  45.000 degrees   angular momentum   0E-5
! t = 40   turned by  90.000 degrees   angular momentum   0E-5
! gradient 1.0E-05
! t = 20   turned by  44.983 degrees   angular momentum -26E-5
! t = 40   turned by  89.879 degrees   angular momentum -53E-5
