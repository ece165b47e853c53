! threads.f90: two threads, each with an ensemble over half of the particles.
! Compile this program with -fopenmp: docs/ensembles.md.
program parts
   use, intrinsic :: iso_fortran_env, only: dp => real64
   use quatint
   implicit none
   integer, parameter :: n = 20000, threads = 2
   real(dp), allocatable, target :: q(:, :), omega(:, :)
   type(qi_ensemble_t) :: part(threads)
   integer :: t, first, last

   allocate (q(4, n), omega(3, n))
   q = 0
   q(1, :) = 1
   omega = 0.5_dp
   do t = 1, threads
      first = (t - 1)*n/threads + 1
      last = t*n/threads
      call part(t)%create(last - first + 1)
      call part(t)%bind_orientations(q(:, first:last))
      call part(t)%bind_angular_velocities(omega(:, first:last))
      call part(t)%set_uniform_field_torque([0.0_dp, 0.0_dp, 1.0_dp], [0.0_dp, 0.0_dp, -1.0_dp])
   end do
   !$omp parallel do num_threads(threads)
   do t = 1, threads
      call part(t)%advance(0.01_dp, 100)
   end do
   !$omp end parallel do
   print '(a, 4f8.4)', 'the first:', q(:, 1), 'the last: ', q(:, n)
   call part%destroy()
end program parts

! It prints:
! the first:  0.8858  0.2814  0.2814  0.2388
! the last:   0.8858  0.2814  0.2814  0.2388
