! restart.f90: a run goes on from a file. Then its bodies move to two other ensembles.
! A row is a column here, and `row_size(parts)` is its length; lists of bodies count from 1.
! `parts` is a sum of constants. A sum is `integer(int64) :: sums(QI_SUM_SIZE)`, for
! `MPI_Allreduce`, as in mpi_bodies.f90. See docs/restart.md.
program restart
   use, intrinsic :: iso_fortran_env, only: dp => real64, int64
   use quatint
   implicit none
   integer, parameter :: n = 1000, parts = QI_PART_STATE + QI_PART_INERTIA + QI_PART_TORQUE + QI_PART_MEMORY
   type(qi_ensemble_t) :: tops, restored, half(2)
   real(dp) :: weights(3, n), states(7, n, 2), clock(2), energy
   real(dp), allocatable :: rows(:, :)
   integer(int64) :: sums(QI_SUM_SIZE), total(QI_SUM_SIZE)
   integer :: file, i, k

   weights = 0
   weights(3, :) = [(1 + 0.001_dp*i, i=1, n)]   ! another arm for each top
   call set_up(tops, n)
   call tops%set_uniform_field_torque(weights, [0.0_dp, 0.1_dp, -1.0_dp])
   call tops%set_angular_velocities([0.1_dp, 0.2_dp, 20.0_dp])
   call tops%advance(0.003_dp, 500)

   allocate (rows(tops%row_size(parts), n))
   call tops%get_rows(parts, rows)
   call tops%get_clock(clock)
   open (newunit=file, status='scratch', access='stream', form='unformatted')
   write (file) clock, rows
   call tops%advance(0.003_dp, 500)

   rows = 0
   rewind (file)
   read (file) clock, rows
   call set_up(restored, n)
   call restored%set_clock(clock)
   call restored%set_rows(parts, rows)
   call restored%advance(0.003_dp, 500)
   call tops%get_rows(QI_PART_STATE, states(:, :, 1))
   call restored%get_rows(QI_PART_STATE, states(:, :, 2))
   print '(a, l2)', 'the same bits:', all(transfer(states(:, :, 1), [0_int64]) == transfer(states(:, :, 2), [0_int64]))

   call restored%get_kinetic_energy_sums(sums)
   call qi_get_sum_value(sums, energy)
   print '(a, es24.16)', 'energy of all:   ', energy
   total = 0
   do k = 1, 2   ! the odd ones and the even ones
      rows = 0
      call restored%get_rows(parts, rows(:, :n/2), [(i, i=k, n, 2)])
      call set_up(half(k), 0)
      call half(k)%resize(n/2)
      call half(k)%set_rows(parts, rows(:, :n/2))
      call half(k)%get_kinetic_energy_sums(sums)
      total = total + sums
   end do
   call qi_get_sum_value(total, energy)
   print '(a, es24.16)', 'of the two parts:', energy
   call tops%destroy()
   call restored%destroy()
   call half%destroy()

contains

   !> The kind of torque and the method. The rows bring the rest.
   subroutine set_up(e, count)
      type(qi_ensemble_t), intent(inout) :: e
      integer, intent(in) :: count

      call e%create(count)
      call e%set_uniform_field_torque([0.0_dp, 0.0_dp, 0.0_dp], [0.0_dp, 0.1_dp, -1.0_dp])
      call e%set_method(QI_METHOD_SPLITTING)
   end subroutine set_up

end program restart

! It prints:
! the same bits: T
! energy of all:     2.0002840297267778E+05
! of the two parts:  2.0002840297267778E+05
