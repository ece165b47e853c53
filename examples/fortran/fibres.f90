! fibres.f90: fibres in shear flow tumble in Jeffery orbits.
!
!     fibres [count]           default: 1000000
!
! Spheroids of aspect ratio r = 2 rotate in the flow u = (y, 0, 0). Their inertia is small compared with the viscous torque.
! Each starts at a different phase. Jeffery's period of an orbit is 2 pi (r + 1/r) = 15.70796 (G. B. Jeffery, Proc. R. Soc.
! Lond. A 102, 161 (1922)). The program measures half an orbit of the first fibre and doubles it. Exit status 0: the result
! is 15.70796 to within 5e-3. The last lines are the 64 bits of some final orientations: c_examples/fibres.c prints the same
! bits.
program fibres
   use, intrinsic :: iso_fortran_env, only: dp => real64, int64
   use quatint
   implicit none
   integer, parameter :: steps_a_call = 20
   real(dp), parameter :: pi = 3.14159265358979323846_dp, dt = 0.001_dp, period = 2*pi*(2 + 0.5_dp)
   real(dp), parameter :: axes(3) = [2, 1, 1], z(3) = [0, 0, 1]
   real(dp), parameter :: mass = 4.0_dp/3*pi*2*0.01_dp ! volume times density
   type(qi_ensemble_t) :: e
   real(dp), allocatable, target :: q(:, :)
   real(dp) :: inertia(3, 3), gradient(3, 3), turned, before, angle, change, level, time, crossed(2), orbit
   integer :: count, crossings, call_number, i
   character(20) :: argument

   count = 1000000
   if (command_argument_count() > 0) then
      call get_command_argument(1, argument)
      read (argument, *) count
   end if
   inertia = 0
   inertia(1, 1) = mass/5*2 ! m (b^2 + c^2)/5, ...
   inertia(2, 2) = mass/5*5
   inertia(3, 3) = mass/5*5
   gradient = 0
   gradient(1, 2) = 1 ! d u_x / d y

   allocate (q(4, count))
   do i = 1, count ! rotated about the vorticity axis, z
      if (qi_orientation_from_axis_angle(z, pi*real(i - 1, dp)/real(count, dp), q(:, i)) /= QI_OK) error stop 'axis'
   end do
   call e%create(count)
   call e%set_inertias(inertia)
   call e%bind_orientations(q)
   call e%set_shear_flow_torque(axes, 1.0_dp, gradient)

   ! follow the angle of the first fibre in the plane of the flow, and note the time of each half turn
   turned = 0
   crossings = 0
   do call_number = 1, 2000
      call e%advance(dt, steps_a_call)
      angle = 2*atan2(q(4, 1), q(1, 1))
      change = angle - mod(turned, 2*pi)
      change = change - 2*pi*floor(change/(2*pi) + 0.5_dp)
      call e%get_time(time)
      before = turned
      turned = turned + change
      level = -pi*(crossings + 0.5_dp) ! clockwise, with the vorticity; fastest across the flow
      if (turned > level) cycle
      crossings = crossings + 1
      crossed(crossings) = time - dt*steps_a_call*(turned - level)/(turned - before)
      if (crossings == 2) exit
   end do
   orbit = 2*(crossed(2) - crossed(1))
   print '(a, f7.4, a, f7.4)', 'period of an orbit: ', orbit, ', Jeffery''s: ', period
   call print_bits(1)
   call print_bits(count/2 + 1)
   call print_bits(count)
   call e%destroy()
   if (.not. abs(orbit - period) < 5e-3_dp) error stop 'that is not Jeffery''s period'

contains

   subroutine print_bits(fibre)
      integer, intent(in) :: fibre
      character(7) :: label
      character(68) :: digits
      integer :: k

      write (label, '(i0)') fibre - 1 ! counted from 0, as in C
      write (digits, '(4(1x, z16.16))') transfer(q(:, fibre), [0_int64])
      do k = 1, len(digits) ! Fortran prints hexadecimal digits in capitals
         if (digits(k:k) >= 'A') digits(k:k) = achar(iachar(digits(k:k)) + 32)
      end do
      print '(3a)', 'fibre ', label, digits
   end subroutine print_bits

end program fibres
