! dem.f90: a DEM loop over q(4,n) and omega(3,n), in which the ensemble works without a copy.
!
!     dem [steps]           default: 1000
!
! A hundred thousand rods in a viscous fluid and a uniform field. A procedure computes the torques on a chunk of bodies at any
! stage of a step; each rod has its own strength. At the end every rod is aligned with the field. Exit status 0: they are.
! The last line is the cost of a step, including the torques.
module rods
   use, intrinsic :: iso_fortran_env, only: dp => real64
   implicit none

   !> The data of the procedure below: all that the torques depend on except the state.
   type :: rods_t
      real(dp), allocatable :: strength(:)   !! of each rod in the field
      real(dp) :: friction = 0.8_dp
   end type rods_t

contains

   !> A field along z acts on the rod's long axis x, the fluid damps the rotation; world frame.
   subroutine torques(time, first, count, orientation, angular_velocity, torque, data, stat)
      real(dp), intent(in) :: time
      integer, intent(in) :: first, count
      real(dp), intent(in) :: orientation(4, count), angular_velocity(3, count)
      real(dp), intent(inout) :: torque(3, count)
      class(*), intent(inout) :: data
      integer, intent(inout) :: stat
      real(dp) :: axis(2)
      integer :: i

      select type (data)
      type is (rods_t)
         do i = 1, count
            associate (w => orientation(1, i), x => orientation(2, i), y => orientation(3, i), z => orientation(4, i))
               axis = [1 - 2*(y*y + z*z), 2*(x*y + w*z)]
            end associate
            torque(1, i) = data%strength(first + i - 1)*axis(2) - data%friction*angular_velocity(1, i)
            torque(2, i) = -data%strength(first + i - 1)*axis(1) - data%friction*angular_velocity(2, i)
            torque(3, i) = -data%friction*angular_velocity(3, i)
         end do
      class default
         stat = 1
      end select
   end subroutine torques

end module rods

program dem
   use, intrinsic :: iso_fortran_env, only: dp => real64, int64
   use quatint
   use rods, only: rods_t, torques
   implicit none
   integer, parameter :: n = 100000
   real(dp), parameter :: dt = 0.02_dp
   real(dp), parameter :: inertia(3, 3) = reshape([0.1_dp, 0.0_dp, 0.0_dp,  0.0_dp, 1.0_dp, 0.0_dp, &
      0.0_dp, 0.0_dp, 1.0_dp], [3, 3]) ! a rod along x
   real(dp), allocatable, target :: q(:, :), omega(:, :)
   type(rods_t), target :: field
   type(qi_ensemble_t) :: particles
   integer(int64) :: start, finish, rate
   integer :: i, step, steps
   character(20) :: argument
   real(dp) :: along, least

   steps = 1000
   if (command_argument_count() > 0) then
      call get_command_argument(1, argument)
      read (argument, *) steps
   end if

   allocate (q(4, n), omega(3, n), field%strength(n))
   omega = 0
   do i = 1, n
      field%strength(i) = 1 + 0.5_dp*sin(real(i, dp))
      if (qi_orientation_from_axis_angle([sin(1.0_dp + i), cos(3.0_dp*i), 0.3_dp], modulo(0.001_dp*i, 2.0_dp), q(:, i)) &
         /= QI_OK) error stop 'axis'
   end do

   call particles%create(n)
   call particles%set_inertias(inertia)
   call particles%bind_orientations(q)
   call particles%bind_angular_velocities(omega)
   call particles%set_torque(torques, field)

   call system_clock(start, rate)
   do step = 1, steps
      ! your code: contacts, positions, velocities
      call particles%step(dt)
   end do
   call system_clock(finish)

   least = 1
   do i = 1, n
      along = 2*(q(2, i)*q(4, i) - q(1, i)*q(3, i)) ! z component of the long axis
      least = min(least, along)
   end do
   call particles%destroy() ! q and omega keep the last states
   print '(a, f5.1, a, f7.4)', 't = ', steps*dt, '   the long axes along the field, the least: ', least
   print '(f0.1, a)', 1e9_dp*real(finish - start, dp)/real(rate, dp)/(real(steps, dp)*n), ' ns per body and step'
   if (steps >= 1000 .and. least < 0.999_dp) error stop 'not every rod has turned into the field'
end program dem
