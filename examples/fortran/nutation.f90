! nutation.f90: a top is released and nods; events find the turning points of its tip, and they are drawn.
!
!     nutation [folder]         default: the current folder
!
! A top with a fixed point (moments 1, 1, 1/2 about it, weight times arm 1) spins at 8 rad/s and is released at a lean of 1 rad.
! Its tip falls, rises to a cusp at the height of the start, and falls again. The program follows it to a tolerance of 1e-12,
! prints each turning point and writes two files: nutation.dat (a row for each time: time, tip x, y, z, lean) and nutation.svg
! (the path of the tip from above, and the lean over time). Exit status 0: every time and lean is the exact one to 1e-10.
!
! With u the cosine of the lean, u0 at the start, and b = 8/2 the angular momentum about the axis of the top,
!
!     (du/dt)^2 = (u0 - u) (2 (1 - u^2) - b^2 (u0 - u)),
!
! which has the roots u1 < u0 < u2. The time from u0 to u1 and back is 4 K(k)/sqrt(2 (u2 - u1)), k^2 = (u0 - u1)/(u2 - u1)
! (L. D. Landau, E. M. Lifshitz, Mechanics, section 35).
module nodding
   use, intrinsic :: iso_fortran_env, only: dp => real64
   use quatint
   implicit none

contains

   !> The rate at which the tip rises: it is zero where the tip turns round. `data` is not used.
   subroutine rate_of_rise(time, orientation, angular_velocity, value, data, stat)
      real(dp), intent(in) :: time, orientation(4), angular_velocity(3)
      real(dp), intent(out) :: value
      class(*), intent(inout) :: data
      integer, intent(inout) :: stat
      real(dp) :: tip(3)

      stat = qi_rotate(orientation, [0.0_dp, 0.0_dp, 1.0_dp], tip)
      value = angular_velocity(1)*tip(2) - angular_velocity(2)*tip(1)
   end subroutine rate_of_rise

end module nodding

program nutation
   use, intrinsic :: iso_fortran_env, only: dp => real64
   use quatint
   use nodding, only: rate_of_rise
   implicit none
   integer, parameter :: rows = 1201
   real(dp), parameter :: lean = 1, spin = 8, end_time = 12, tolerance = 1e-12_dp
   real(dp), parameter :: inertia(3, 3) = reshape([1.0_dp, 0.0_dp, 0.0_dp,  0.0_dp, 1.0_dp, 0.0_dp, &
      0.0_dp, 0.0_dp, 0.5_dp], [3, 3]) ! about the fixed point
   type(qi_body_t) :: top
   real(dp) :: q(4), omega(3), time, period, least, root, worst, turns(3, 20), path(4, rows), records(8, rows)
   character(:), allocatable :: folder
   logical :: happened
   integer :: i, count, evaluations, accepted

   folder = '.'
   if (command_argument_count() > 0) then
      call get_command_argument(1, length=i)
      folder = repeat(' ', i)
      call get_command_argument(1, folder)
   end if
   root = sqrt((spin/2)**4 - 8*((spin/2)**2*cos(lean) - 2))
   least = ((spin/2)**2 - root)/4
   period = 4*elliptic_k((cos(lean) - least)/(root/2))/sqrt(root)

   if (qi_orientation_from_axis_angle([1.0_dp, 0.0_dp, 0.0_dp], lean, q) /= QI_OK) error stop 'axis'
   if (qi_rotate(q, [0.0_dp, 0.0_dp, spin], omega) /= QI_OK) error stop 'spin' ! about its own axis; world frame
   call top%create(inertia, q, omega)
   call top%set_uniform_field_torque([0.0_dp, 0.0_dp, 1.0_dp], [0.0_dp, 0.0_dp, -1.0_dp])

   print '(a)', 'turn       time    lean      exact time    lean'
   worst = 0
   count = 0
   do
      call top%solve_until(end_time, tolerance, rate_of_rise, happened)
      if (.not. happened) exit
      count = count + 1
      call top%get_time(time)
      call top%get_orientation(q)
      turns(:, count) = [time, tip_of(q, 1), tip_of(q, 2)]
      root = merge(acos(least), lean, modulo(count, 2) == 1) ! the exact lean
      print '(i4, f11.6, f8.4, f16.6, f8.4)', count, time, lean_of(q), count*period/2, root
      worst = max(worst, abs(time - count*period/2), abs(lean_of(q) - root))
   end do

   ! the same motion again, at times for the picture
   if (qi_orientation_from_axis_angle([1.0_dp, 0.0_dp, 0.0_dp], lean, q) /= QI_OK) error stop 'axis'
   call top%set_state(q, omega)
   call top%set_time(0.0_dp)
   call top%solve_record([(end_time*i/(rows - 1), i=0, rows - 1)], tolerance, records)
   call top%solve_statistics(evaluations, accepted)
   call top%destroy()
   print '(2(i0, a))', accepted, ' steps with ', evaluations, ' torque evaluations'
   do i = 1, rows
      path(:, i) = [records(1, i), tip_of(records(2:5, i), 1), tip_of(records(2:5, i), 2), lean_of(records(2:5, i))]
   end do
   call write_data(folder//'/nutation.dat')
   call draw(folder//'/nutation.svg')
   if (count /= int(2*end_time/period) .or. .not. worst < 1e-10_dp) error stop 'these are not the turning points of the top'

contains

   !> The complete elliptic integral of the first kind of the parameter m = k^2, by the arithmetic-geometric mean.
   real(dp) function elliptic_k(m)
      real(dp), intent(in) :: m
      real(dp) :: a, b, mean
      integer :: k

      a = 1
      b = sqrt(1 - m)
      do k = 1, 8
         mean = (a + b)/2
         b = sqrt(a*b)
         a = mean
      end do
      elliptic_k = acos(-1.0_dp)/(2*a)
   end function elliptic_k

   !> A coordinate of the tip, which is at (0, 0, 1) in the body.
   real(dp) function tip_of(q, coordinate)
      real(dp), intent(in) :: q(4)
      integer, intent(in) :: coordinate
      real(dp) :: tip(3)

      if (qi_rotate(q, [0.0_dp, 0.0_dp, 1.0_dp], tip) /= QI_OK) error stop 'rotate'
      tip_of = tip(coordinate)
   end function tip_of

   real(dp) function lean_of(q)
      real(dp), intent(in) :: q(4)

      lean_of = 2*atan2(hypot(q(2), q(3)), hypot(q(1), q(4)))
   end function lean_of

   subroutine write_data(name)
      character(*), intent(in) :: name
      integer :: unit

      open (newunit=unit, file=name, status='replace', action='write')
      write (unit, '(a)') '# time, tip x, y, z, lean (rad)'
      write (unit, '(5f13.8)') (path(:3, i), cos(path(4, i)), path(4, i), i=1, rows)
      close (unit)
   end subroutine write_data

   subroutine draw(name)
      character(*), intent(in) :: name
      integer :: unit

      open (newunit=unit, file=name, status='replace', action='write')
      write (unit, '(a)') '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 400" font-family="sans-serif" '// &
         'font-size="13" fill="none">', &
         '<rect width="860" height="400" fill="white"/>', &
         '<text x="200" y="22" text-anchor="middle" fill="black">the tip, from above</text>', &
         '<text x="640" y="22" text-anchor="middle" fill="black">its lean (rad) over 12 seconds</text>'
      write (unit, '(a, f0.2, a)') '<circle cx="200" cy="210" r="', 180*sin(lean), '" stroke="#bbbbbb"/>'
      call mark(unit, lean)
      call mark(unit, acos(least))
      call line(unit, 200 + 180*path(2, :), 210 - 180*path(3, :))
      call line(unit, along(path(1, :)), down(path(4, :)))
      do i = 1, count
         call dot(unit, 200 + 180*turns(2, i), 210 - 180*turns(3, i))
         call dot(unit, along(turns(1, i)), down(asin(hypot(turns(2, i), turns(3, i)))))
      end do
      write (unit, '(a)') '</svg>'
      close (unit)
   end subroutine draw

   !> Where a time is in the picture.
   elemental real(dp) function along(time)
      real(dp), intent(in) :: time

      along = 450 + 380*time/end_time
   end function along

   !> Where a lean is: the tip is lower where the lean is greater.
   elemental real(dp) function down(angle)
      real(dp), intent(in) :: angle

      down = 90 + 2000*(angle - lean)
   end function down

   !> A line at a lean, with its number.
   subroutine mark(unit, angle)
      integer, intent(in) :: unit
      real(dp), intent(in) :: angle

      write (unit, '(3(a, f0.2), a)') '<path stroke="#bbbbbb" d="M450 ', down(angle), 'H830"/><text x="414" y="', &
         down(angle) + 4, '" fill="black">', angle, '</text>'
   end subroutine mark

   subroutine line(unit, x, y)
      integer, intent(in) :: unit
      real(dp), intent(in) :: x(:), y(:)

      write (unit, '(a)') '<polyline stroke="#3366aa" points="'
      write (unit, '(8(f0.2, ",", f0.2, 1x))') (x(i), y(i), i=1, size(x))
      write (unit, '(a)') '"/>'
   end subroutine line

   subroutine dot(unit, x, y)
      integer, intent(in) :: unit
      real(dp), intent(in) :: x, y

      write (unit, '(3(a, f0.2))') '<circle r="3" fill="#cc3322" cx="', x, '" cy="', y, '"/>'
   end subroutine dot

end program nutation
