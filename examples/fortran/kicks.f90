! kicks.f90: a DEM loop. Dumbbells of two spheres bounce between two elastic walls and turn over at each impact.
! The torques are `(3, n)`, `(n, 3)` with `layout = QI_LAYOUT_SOA`, or `(3)` for all bodies. Of a
! derived type pass the components of the first two records: `call e%kick(dt/2, p(1)%torque,
! p(2)%torque)`. Pass `frame` and `layout` by keyword. Where only a drag acts, kick with `[0.0_dp,
! 0.0_dp, 0.0_dp]`. See docs/kicks.md.
program grains
   use, intrinsic :: iso_fortran_env, only: dp => real64
   use quatint
   implicit none
   integer, parameter :: n = 200
   real(dp), parameter :: dt = 5e-4_dp, mass = 1, radius = 0.1_dp, arm = 0.1_dp, stiffness = 1e4_dp
   real(dp), parameter :: moment = 0.004_dp + mass*arm**2   ! across the long axis, body x
   real(dp), parameter :: inertia(3, 3) = reshape([0.004_dp, 0.0_dp, 0.0_dp,  0.0_dp, moment, 0.0_dp, &
      0.0_dp, 0.0_dp, moment], [3, 3])
   real(dp), allocatable, target :: q(:, :), omega(:, :)
   real(dp) :: height(n), velocity(n), force(n), torque(3, n), elastic, rotation, start
   type(qi_ensemble_t) :: particles
   integer :: i, step

   allocate (q(4, n), omega(3, n))
   do i = 1, n
      if (qi_orientation_from_axis_angle([0.0_dp, 1.0_dp, 0.1_dp], 0.1_dp*i, q(:, i)) /= QI_OK) error stop 'axis'
      omega(:, i) = [1.0_dp, 0.0_dp, 0.01_dp*i]
      velocity(i) = 1 + 0.01_dp*i
   end do
   height = 0   ! the walls are at -0.5 and 0.5
   call particles%create(n)
   call particles%set_inertias(inertia)   ! or (3, 3, n): one tensor for each
   call particles%bind_orientations(q)
   call particles%bind_angular_velocities(omega)

   call contacts()
   do step = 0, 40000
      if (mod(step, 10000) == 0) then
         call particles%get_total_kinetic_energy(rotation)
         if (step == 0) start = sum(velocity**2)*mass/2 + rotation + elastic
         print '(a, f5.1, a, f9.4, a, es9.1)', 't =', step*dt, '   energy of rotation', rotation, '   error of the energy', &
            (sum(velocity**2)*mass/2 + rotation + elastic)/start - 1
      end if
      velocity = velocity + force/mass*dt/2
      height = height + velocity*dt
      call particles%kick_drift(dt/2, dt, torque)
      call contacts()                              ! at the new positions and orientations
      velocity = velocity + force/mass*dt/2
      call particles%kick(dt/2, torque)
   end do
   call particles%destroy()   ! q and omega keep the last states

contains

   !> The force loop: forces, torques and elastic energy, once a step.
   subroutine contacts()
      real(dp) :: axis(3), overlap, push
      integer :: k, side

      elastic = 0
      do k = 1, n
         if (qi_rotate(q(:, k), [arm, 0.0_dp, 0.0_dp], axis) /= QI_OK) error stop 'rotate'
         force(k) = 0
         torque(:, k) = 0
         do side = -1, 1, 2   ! the two spheres
            overlap = abs(height(k) + side*axis(3)) + radius - 0.5_dp
            if (overlap <= 0) cycle
            push = sign(stiffness*overlap, -(height(k) + side*axis(3)))
            force(k) = force(k) + push
            torque(:, k) = torque(:, k) + side*[axis(2)*push, -axis(1)*push, 0.0_dp]   ! arm x force
            elastic = elastic + stiffness*overlap**2/2
         end do
      end do
   end subroutine contacts

end program grains

! It prints:
! t =  0.0   energy of rotation   2.1779   error of the energy  0.0E+00
! t =  5.0   energy of rotation 216.7790   error of the energy -1.6E-04
! t = 10.0   energy of rotation 208.1060   error of the energy -2.0E-04
! t = 15.0   energy of rotation 220.5806   error of the energy -1.2E-04
! t = 20.0   energy of rotation 221.2102   error of the energy -9.5E-05
