! door.f90: when a door that its closer pulls shut meets its frame, and how fast, by the friction of the closer.
! An event is a type that extends `qi_event_t`, as here, or a procedure with the interface
! `qi_event_value`, as in solution.f90. It must set `value` in every call, and need not be a
! `target`. See docs/solutions.md.
module doors
   use, intrinsic :: iso_fortran_env, only: dp => real64
   use quatint
   implicit none

   type, extends(qi_torque_t) :: closer_t
      real(dp) :: spring = 30, friction = 10   ! N m/rad, N m s; the hinge is along z
   contains
      procedure :: evaluate => pull
   end type closer_t

   type, extends(qi_event_t) :: frame_t
      real(dp) :: angle = 0
   contains
      procedure :: evaluate => gap
   end type frame_t

contains

   subroutine pull(self, time, orientation, angular_velocity, torque, stat)
      class(closer_t), intent(inout) :: self
      real(dp), intent(in) :: time, orientation(4), angular_velocity(3)
      real(dp), intent(inout) :: torque(3)
      integer, intent(inout) :: stat

      torque(3) = -self%spring*angle_of(orientation) - self%friction*angular_velocity(3)
   end subroutine pull

   subroutine gap(self, time, orientation, angular_velocity, value, stat)
      class(frame_t), intent(inout) :: self
      real(dp), intent(in) :: time, orientation(4), angular_velocity(3)
      real(dp), intent(out) :: value
      integer, intent(inout) :: stat

      value = angle_of(orientation) - self%angle
   end subroutine gap

   real(dp) function angle_of(orientation)
      real(dp), intent(in) :: orientation(4)

      angle_of = 2*atan2(orientation(4), orientation(1))
   end function angle_of

end module doors

program door
   use doors
   implicit none
   real(dp), parameter :: moments(3, 3) = reshape([30.0_dp, 0.0_dp, 0.0_dp, &
      0.0_dp, 20.0_dp, 0.0_dp,  0.0_dp, 0.0_dp, 10.0_dp], [3, 3])
   type(qi_body_t) :: body
   type(closer_t), target :: closer
   type(frame_t) :: frame
   real(dp) :: q(4), time, omega(3)
   integer :: i
   logical :: shut

   if (qi_orientation_from_axis_angle([0.0_dp, 0.0_dp, 1.0_dp], 1.5_dp, q) /= QI_OK) error stop 'axis'
   do i = 1, 3
      closer%friction = 10*i
      call body%create(moments, q)   ! at rest, wide open
      call body%set_torque(closer)
      call body%solve_until(60.0_dp, 1e-9_dp, frame, shut, QI_FALLING)
      call body%get_time(time)
      call body%get_angular_velocity(omega)
      print '(a, f5.1, a, l2, a, f7.3, a, f7.3, a)', 'friction', closer%friction, '   shut:', shut, '   after', time, &
         ' s   at', omega(3), ' rad/s'
   end do
   call body%destroy()
end program door

! It prints:
! friction 10.0   shut: T   after  1.124 s   at -1.481 rad/s
! friction 20.0   shut: T   after  1.546 s   at -0.554 rad/s
! friction 30.0   shut: T   after  3.023 s   at -0.028 rad/s
