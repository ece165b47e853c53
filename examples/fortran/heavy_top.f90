! heavy_top.f90: a leaning, spinning top; the torque comes from a Fortran procedure.
!
! A top with a fixed point. Its centre of mass is on its axis (body z); weight times arm is 1. It precesses and nutates for
! five seconds. The last lines are the 64 bits of each number of the final state: c_examples/heavy_top.c prints the same
! bits.
module heavy_top_torque
   use, intrinsic :: iso_fortran_env, only: dp => real64
   use quatint
   implicit none

contains

   !> Torque of the weight (0, 0, -1) at the centre of mass: arm x weight, world frame. `data` is not used.
   subroutine weight(time, orientation, angular_velocity, torque, data, stat)
      real(dp), intent(in) :: time, orientation(4), angular_velocity(3)
      real(dp), intent(inout) :: torque(3)
      class(*), intent(inout) :: data
      integer, intent(inout) :: stat
      real(dp) :: arm(3)

      stat = qi_rotate(orientation, [0.0_dp, 0.0_dp, 1.0_dp], arm)
      torque = [-arm(2), arm(1), 0.0_dp]
   end subroutine weight

end module heavy_top_torque

program heavy_top
   use, intrinsic :: iso_fortran_env, only: dp => real64, int64
   use quatint
   use heavy_top_torque, only: weight
   implicit none
   real(dp), parameter :: inertia(3, 3) = reshape([1.0_dp, 0.0_dp, 0.0_dp,  0.0_dp, 1.0_dp, 0.0_dp, &
      0.0_dp, 0.0_dp, 0.5_dp], [3, 3]) ! about the fixed point
   type(qi_body_t) :: top
   real(dp) :: q(4), omega(3)

   if (qi_orientation_from_axis_angle([1.0_dp, 0.0_dp, 0.0_dp], 0.3_dp, q) /= QI_OK) error stop 'axis' ! leans by 0.3 rad
   if (qi_rotate(q, [0.0_dp, 0.0_dp, 20.0_dp], omega) /= QI_OK) error stop 'spin' ! about its own axis; world frame

   call top%create(inertia, q, omega)
   call top%set_torque(weight)
   call top%advance(1e-3_dp, 5000)
   call top%get_orientation(q)
   call top%get_angular_velocity(omega)
   call top%destroy()

   print '(a, f6.4, a)', 'after 5 s it leans by ', acos(1 - 2*(q(2)*q(2) + q(3)*q(3))), ' rad'
   call print_bits('orientation', q)
   call print_bits('angular velocity', omega)

contains

   subroutine print_bits(name, numbers)
      character(*), intent(in) :: name
      real(dp), intent(in) :: numbers(:)
      character(17) :: label
      character(17*size(numbers)) :: digits
      integer :: i

      label = name
      write (digits, '(*(1x, z16.16))') transfer(numbers, [0_int64])
      do i = 1, len(digits) ! Fortran prints hexadecimal digits in capitals
         if (digits(i:i) >= 'A') digits(i:i) = achar(iachar(digits(i:i)) + 32)
      end do
      print '(2a)', label, digits
   end subroutine print_bits

end program heavy_top
