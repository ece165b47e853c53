! clumps.f90: 500 rigid clumps of three spheres in a box, by velocity Verlet, with the C functions of quatint.
!
!     clumps [seconds]           default: 5
!
! The program moves the centres and finds the contacts; quatint turns the clumps, places their spheres and sums the forces on them.
! Without damping the clumps bounce and the energy stays: within 1e-5 with steps of 1e-4 s, about four times better with half.
! With dashpots they come to rest. Exit status 0: all this is so. c_examples/clumps.c has the same clumps, and friction.
program clumps
   use, intrinsic :: iso_c_binding, only: dp => c_double, c_int32_t, c_loc, c_null_ptr, c_ptr, c_ptrdiff_t, c_size_t
   use quatint
   implicit none
   integer, parameter :: n = 500, points = 3*n
   integer(c_ptrdiff_t), parameter :: one = 1, three = 3, four = 4
   real(dp), parameter :: r = 0.1_dp, mass = 24, weight = 24*9.81_dp, stiffness = 1.4e6_dp, dashpot = 800, box(3) = [4, 4, 99]
   real(dp), parameter :: places(3, 3) = reshape([0, 0, 0,  16, 0, 0,  0, 18, 0], [3, 3])/100.0_dp ! an L
   real(dp), target, dimension(3, n) :: x, v, force, torque, v_at_end, omega ! of the clumps; the last two are predicted
   real(dp), target, dimension(3, points) :: place, speed = 0, push          ! of the spheres
   integer :: order(points)                                                  ! the spheres by y
   real(dp) :: seconds, worst, worst_of_half, lost, left, potential, kinetic
   logical :: is_damped = .false.
   type(c_ptr) :: e = c_null_ptr
   character(20) :: argument

   seconds = 5
   call get_command_argument(1, argument)
   if (argument /= '') read (argument, *) seconds
   print '(a)', '    step  energy at the start  greatest change  left in motion'
   call run(seconds, 1e-4_dp, worst, left)
   call run(seconds, 0.5e-4_dp, worst_of_half, left)
   is_damped = .true.
   call run(4.0_dp, 4e-4_dp, lost, left)
   call qi_destroy_ensemble(e)
   if (worst > 1e-5_dp .or. worst_of_half > max(0.5_dp*worst, 1e-9_dp) .or. left > 1e-3_dp) error stop 'the energy is wrong'
contains
   subroutine good(status)
      integer(c_int32_t), intent(in) :: status
      if (status /= QI_OK) error stop 'a function of quatint fails'
   end subroutine good

   !> The force on sphere a, which is pushed along the normal with this force, of which `along` is the speed.
   real(dp) function pressure(overlap, along)
      real(dp), intent(in) :: overlap, along
      potential = potential + 0.4_dp*stiffness*overlap**2*sqrt(overlap)
      pressure = stiffness*overlap*sqrt(overlap) ! Hertz's law
      if (is_damped) pressure = max(0.0_dp, pressure - dashpot*along)
   end function pressure

   !> The contacts of the sphere that is m-th by y, with the walls and the spheres after it.
   subroutine touch(m)
      integer, intent(in) :: m
      real(dp) :: d(3), f(3), distance
      integer :: a, b, k, later
      a = order(m)
      do k = 1, 3
         if (place(k, a) < r) push(k, a) = push(k, a) + pressure(r - place(k, a), speed(k, a))
         if (place(k, a) > box(k) - r) push(k, a) = push(k, a) - pressure(place(k, a) - box(k) + r, -speed(k, a))
      end do
      do later = m + 1, points
         b = order(later)
         d = place(:, a) - place(:, b)
         if (-d(2) >= 2*r) exit
         if (dot_product(d, d) >= 4*r*r .or. (a + 2)/3 == (b + 2)/3) cycle
         distance = norm2(d)
         f = d/distance*pressure(2*r - distance, dot_product(speed(:, a) - speed(:, b), d)/distance)
         push(:, a) = push(:, a) + f
         push(:, b) = push(:, b) - f
      end do
   end subroutine touch

   !> Forces and torques on the clumps, and the potential energy.
   subroutine act()
      integer :: m, at
      call good(qi_get_point_positions(e, c_loc(x), three, one, c_loc(place), three, one))
      if (is_damped) call good(qi_get_point_velocities(e, 1_c_int32_t, c_loc(v_at_end), three, one, c_loc(speed), three, one))
      do m = 2, points
         do at = m, 2, -1
            if (place(2, order(at - 1)) <= place(2, order(at))) exit
            order([at - 1, at]) = order([at, at - 1])
         end do
      end do
      push = 0
      potential = weight*sum(x(3, :))
      do m = 1, points
         call touch(m)
      end do
      call good(qi_sum_point_forces(e, c_loc(push), three, one, c_loc(force), three, one, c_loc(torque), three, one))
      force(3, :) = force(3, :) - weight
   end subroutine act

   subroutine step(dt)
      real(dp), intent(in) :: dt
      call good(qi_kick_drift_ensemble(e, dt/2, dt, c_loc(torque), three, one, QI_FRAME_WORLD%number))
      v = v + dt/2*force/mass
      x = x + dt*v
      v_at_end = v + dt/2*force/mass
      call act()
      call good(qi_kick_ensemble(e, dt/2, c_loc(torque), three, one, QI_FRAME_WORLD%number))
      v = v + dt/2*force/mass
      call good(qi_get_total_kinetic_energy(e, kinetic))
      kinetic = kinetic + mass/2*sum(v**2)
   end subroutine step

   !> The clumps are above each other, each turned its own way, at rest.
   subroutine start(dt)
      real(dp), intent(in) :: dt
      real(dp), target :: arms(3, points), q(4, n), inertia(9)
      real(dp) :: parts(QI_MASS_SIZE), whole, centre(3)
      integer(c_size_t) :: bodies(points)
      integer :: i, k
      parts = 0
      do k = 1, 3
         call good(qi_add_sphere_mass(mass/3, r, places(:, k), parts))
      end do
      call good(qi_get_mass_properties(parts, whole, centre, inertia))
      do i = 0, n - 1
         x(:, i + 1) = 0.5_dp*[mod(i, 8), mod(i/8, 8), i/64] + 0.25_dp
         bodies(3*i + 1:3*i + 3) = i
         arms(:, 3*i + 1:3*i + 3) = places - spread(centre, 2, 3)
         call good(qi_orientation_from_axis_angle(real([1, mod(i, 3), mod(i, 7) - 3], dp), real(i, dp), q(:, i + 1)))
      end do
      v = 0
      order = [(k, k = 1, points)]
      call qi_destroy_ensemble(e)
      e = qi_create_ensemble(int(n, c_size_t))
      call good(qi_set_inertias(e, c_loc(inertia), 0_c_ptrdiff_t))
      call good(qi_set_orientations(e, c_loc(q), four, one))
      call good(qi_set_points(e, int(points, c_size_t), bodies, c_loc(arms), three, one))
      call good(qi_bind_predicted_velocities(e, c_loc(omega), three, one, dt/2))
      call act()
   end subroutine start

   !> The greatest change of the energy, and what is kinetic at the end, in parts of the first.
   subroutine run(duration, dt, change, left)
      real(dp), intent(in) :: duration, dt
      real(dp), intent(out) :: change, left
      real(dp) :: first
      integer :: k
      call start(dt)
      first = potential
      change = 0
      do k = 1, nint(duration/dt)
         call step(dt)
         change = max(change, abs((potential + kinetic)/first - 1))
      end do
      left = kinetic/first
      print '(es8.0, f19.1, a, es15.1, es16.1)', dt, first, ' J', change, left
   end subroutine run

end program clumps
