! stage_protocol.f90: a chain of magnets, each in the field of its neighbours.
! For many steps there are `begin_steps` and `continue_step`. See docs/ensembles.md.
program magnets
   use, intrinsic :: iso_fortran_env, only: dp => real64
   use quatint
   implicit none
   integer, parameter :: n = 50
   type(qi_ensemble_t) :: chain
   real(dp) :: q(4, n), omega(3, n), torque(3, n), m(3, 0:n + 1), field(3), time
   logical :: needed
   integer :: i, step

   m = 0   ! stays 0 beyond the ends
   call chain%create(n)
   do i = 1, n
      if (qi_orientation_from_axis_angle([0.0_dp, 1.0_dp, 0.2_dp], 0.1_dp*i, q(:, i)) /= QI_OK) error stop 'axis'
   end do
   call chain%set_orientations(q)
   do step = 1, 2000
      call chain%begin_step(0.005_dp)
      do
         call chain%next_stage(needed, time, q, omega)
         if (.not. needed) exit   ! the step is complete
         do i = 1, n
            if (qi_rotate(q(:, i), [1.0_dp, 0.0_dp, 0.0_dp], m(:, i)) /= QI_OK) error stop 'rotate'
         end do
         do i = 1, n   ! neighbours lie along z
            field = [-1, -1, 2]*(m(:, i - 1) + m(:, i + 1))
            torque(:, i) = [m(2, i)*field(3) - m(3, i)*field(2), m(3, i)*field(1) - m(1, i)*field(3), &
               m(1, i)*field(2) - m(2, i)*field(1)]
         end do
         call chain%supply_torque(torque)
      end do
      if (mod(step, 1000) == 0) print '(a, f5.1, a, f10.5)', 't =', step*0.005_dp, '   energy', energy()
   end do
   call chain%destroy()

contains

   real(dp) function energy()
      real(dp) :: kinetic
      integer :: k

      call chain%get_orientations(q)
      do k = 1, n
         if (qi_rotate(q(:, k), [1.0_dp, 0.0_dp, 0.0_dp], m(:, k)) /= QI_OK) error stop 'rotate'
      end do
      call chain%get_total_kinetic_energy(kinetic)
      energy = kinetic + sum(m(1, 1:n - 1)*m(1, 2:n) + m(2, 1:n - 1)*m(2, 2:n) - 2*m(3, 1:n - 1)*m(3, 2:n))
   end function energy

end program magnets

! It prints:
! t =  5.0   energy -26.92951
! t = 10.0   energy -26.92941
