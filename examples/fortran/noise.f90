! noise.f90: dipoles with the energy -2 kT cos(theta) in a field along z, at the energy kT = 1.
! Seeds, ids and numbers of draws are `integer(int64)`, taken as unsigned: -1 is the greatest.
! Without `set_ids` the id of body i is i - 1. `transfer(rows, [0_int64])` gives the ids in rows.
! See docs/random.md.
program dipoles
   use, intrinsic :: iso_fortran_env, only: dp => real64, int64
   use quatint
   implicit none
   integer, parameter :: n = 1000, times = 200
   integer, parameter :: parts = QI_PART_STATE + QI_PART_INERTIA + QI_PART_TORQUE + QI_PART_MEMORY + QI_PART_ID
   type(qi_ensemble_t) :: gas, again
   real(dp) :: clock(2), q(4, n), states(7, n, 2), each(n), mean, error, exact
   real(dp), allocatable :: rows(:, :)
   integer(int64) :: draws
   integer :: i, k

   call set_up(gas)
   call gas%set_ids([(1000 + int(i, int64), i=1, n)])   ! which noise belongs to which dipole
   call gas%advance(0.2_dp, 100)
   each = 0
   do k = 1, times
      call gas%advance(0.2_dp, 5)
      call gas%get_orientations(q)
      each = each + (1 - 2*(q(2, :)**2 + q(3, :)**2))/times   ! cos(theta) of each dipole, its mean over time
   end do
   mean = sum(each)/n
   error = sqrt(sum((each - mean)**2)/n/(n - 1))   ! the dipoles are independent
   exact = 1/tanh(2.0_dp) - 1/2.0_dp
   print '(2(a, f6.3))', 'mean of cos(theta):', mean, '   exact:', exact
   print '(a, f6.4, a, l2)', 'standard error:     ', error, '   within three of them:', abs(mean - exact) < 3*error

   ! save: rows, clock, draws
   allocate (rows(gas%row_size(parts), n))
   call gas%get_rows(parts, rows)
   call gas%get_clock(clock)
   call gas%get_noise_draws(draws)
   call gas%advance(0.2_dp, 50)

   ! restart
   call set_up(again)
   call again%set_clock(clock)
   call again%set_rows(parts, rows)
   call again%set_noise_draws(draws)
   call again%advance(0.2_dp, 50)
   call gas%get_rows(QI_PART_STATE, states(:, :, 1))
   call again%get_rows(QI_PART_STATE, states(:, :, 2))
   print '(a, i0, a, l2)', 'restarted after ', draws, ' draws, the same bits:', &
      all(transfer(states(:, :, 1), [0_int64]) == transfer(states(:, :, 2), [0_int64]))
   call gas%destroy()
   call again%destroy()

contains

   !> Torque, method and random torques. The rows bring the inertias and the ids.
   subroutine set_up(e)
      type(qi_ensemble_t), intent(inout) :: e

      call e%create(n)
      call e%set_principal_inertias([1.0_dp, 2.0_dp, 3.0_dp])
      call e%set_uniform_field_torque([0.0_dp, 0.0_dp, 1.0_dp], [0.0_dp, 0.0_dp, 2.0_dp])
      call e%set_method(QI_METHOD_SPLITTING)
      call e%set_langevin([1.0_dp, 1.0_dp, 6.0_dp], kt=1.0_dp, seed=42_int64)
   end subroutine set_up

end program dipoles

! It prints:
! mean of cos(theta): 0.537   exact: 0.537
! standard error:     0.0014   within three of them: T
! restarted after 1100 draws, the same bits: T
