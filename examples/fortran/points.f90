! points.f90: clumps of three spheres. A spring along each axis pulls each sphere to the origin.
! `bodies` counts from 1. `get_point_velocities(velocities, v, predicted=.true.)` takes the
! predicted angular velocities. With `layout = QI_LAYOUT_SOA` all arrays of a call are `(m, 3)`
! and `(n, 3)`. See docs/ensembles.md.
program clumps
   use, intrinsic :: iso_fortran_env, only: dp => real64
   use quatint
   implicit none
   integer, parameter :: n = 100, m = 3*n
   real(dp), parameter :: dt = 0.01_dp, spring(3) = [1, 2, 3]
   real(dp), parameter :: spheres(3, 3) = reshape([0.0_dp, 0.0_dp, 0.0_dp,  1.0_dp, 0.0_dp, 0.0_dp, &
      0.0_dp, 0.7_dp, 0.3_dp], [3, 3])
   real(dp) :: mass, centre(3), inertia(3, 3), arms(3, m), x(3, n), v(3, n)
   real(dp) :: points(3, m), force(3, n), torque(3, n), rotation
   integer :: bodies(m), i, k, step
   type(qi_mass_t) :: parts
   type(qi_ensemble_t) :: e

   do k = 1, 3
      call parts%add_sphere(1.0_dp, 0.5_dp, spheres(:, k))
   end do
   call parts%get_properties(mass, centre, inertia)
   do i = 1, n
      x(:, i) = [0.1_dp*i, cos(1.0_dp*i), sin(1.0_dp*i)]
      do k = 1, 3
         bodies(3*(i - 1) + k) = i
         arms(:, 3*(i - 1) + k) = spheres(:, k) - centre   ! from the centre of mass
      end do
   end do
   v = 0
   call e%create(n)
   call e%set_inertias(inertia)
   call e%set_points(bodies, arms)

   call pull()
   do step = 0, 3000
      if (mod(step, 1000) == 0) then
         call e%get_total_kinetic_energy(rotation)
         print '(a, f5.1, a, f9.4, a, f10.4)', 't =', step*dt, '   energy of rotation', rotation, &
            '   energy', rotation + sum(v**2)*mass/2 + sum(spread(spring, 2, m)*points**2)/2
      end if
      v = v + force/mass*dt/2
      x = x + v*dt
      call e%kick_drift(dt/2, dt, torque)
      call pull()
      v = v + force/mass*dt/2
      call e%kick(dt/2, torque)
   end do
   call e%destroy()

contains

   subroutine pull()
      call e%get_point_positions(points, x)
      call e%sum_point_forces(-spread(spring, 2, m)*points, force, torque)
   end subroutine pull

end program clumps

! It prints:
! t =  0.0   energy of rotation   0.0000   energy 5525.6526
! t = 10.0   energy of rotation   2.5437   energy 5525.5906
! t = 20.0   energy of rotation   4.3300   energy 5525.5466
! t = 30.0   energy of rotation   2.0913   energy 5525.5045
