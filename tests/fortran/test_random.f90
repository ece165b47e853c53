!> Random torques, ids, thermostats and zero moments from Fortran. tests/rust/langevin.rs tests the statistics in depth.
program test_random
   use check
   use, intrinsic :: iso_c_binding, only: c_int32_t, c_int64_t
   implicit none
   integer, parameter :: n = 70 ! two chunks, of which the last is not full
   integer(c_int32_t), parameter :: everything = QI_PART_STATE + QI_PART_INERTIA + QI_PART_TORQUE + QI_PART_MEMORY + QI_PART_ID
   integer(c_int64_t), parameter :: seed = -7 ! of unsigned numbers one of the greatest
   real(dp), parameter :: drag(3) = [1.0_dp, 0.5_dp, 2.0_dp], flow(3) = [0.0_dp, 0.3_dp, 0.1_dp], kt = 0.7_dp

   call a_body_has_its_noise_in_any_ensemble()
   call a_restart_has_the_same_bits()
   call ids_go_with_the_bodies()
   call drag_and_flow_are_one_for_all_or_each()
   call noise_has_the_temperature()
   call angular_momenta_are_scaled()
   call an_axis_without_moment_does_not_turn()
   call what_cannot_be_is_refused()
   call finish()

contains

   integer(c_int64_t) function id_of(i)
      integer, intent(in) :: i

      id_of = ieor(1000003_c_int64_t*i, ishft(int(i, c_int64_t), 62)) ! some are negative
   end function id_of

   !> The torque, the method and the random torques that the tests set again after a restart.
   subroutine set_up(e, count, method)
      type(qi_ensemble_t), intent(inout) :: e
      integer, intent(in) :: count
      type(qi_method_t), intent(in) :: method

      call e%create(count)
      call e%set_uniform_field_torque([0.0_dp, 0.0_dp, 1.0_dp], [0.2_dp, 0.0_dp, -1.0_dp])
      call e%set_method(method)
      call e%set_langevin(drag, kt, seed, flow)
   end subroutine set_up

   subroutine make(e, method)
      type(qi_ensemble_t), intent(inout) :: e
      type(qi_method_t), intent(in) :: method
      integer :: i

      call set_up(e, n, method)
      call e%set_inertias(diagonal)
      call e%set_angular_velocities([0.1_dp, -0.2_dp, 0.3_dp])
      call e%set_ids([(id_of(i), i=1, n)])
      call e%set_noise_draws(1000_c_int64_t)
   end subroutine make

   !> The states of two ensembles are the same bits.
   logical function agree(a, b)
      type(qi_ensemble_t), intent(in) :: a, b
      real(dp) :: states(7, n, 2)

      call a%get_rows(QI_PART_STATE, states(:, :, 1))
      call b%get_rows(QI_PART_STATE, states(:, :, 2))
      agree = all(transfer(states(:, :, 1), [0_int64]) == transfer(states(:, :, 2), [0_int64]))
   end function agree

   subroutine a_body_has_its_noise_in_any_ensemble()
      type(qi_ensemble_t) :: e
      type(qi_body_t) :: body
      type(qi_method_t), parameter :: methods(2) = [QI_METHOD_SPLITTING, QI_METHOD_BROWNIAN]
      real(dp) :: states(7, n), other(7, n), q(4), omega(3)
      integer(c_int64_t) :: draws, own
      integer :: i, m
      logical :: all_same

      do m = 1, 2
         call make(e, methods(m))
         call e%advance(0.1_dp, 5)
         call e%thermalize(0.2_dp)
         call e%get_noise_draws(draws)
         call e%get_rows(QI_PART_STATE, states)
         all_same = .true.
         do i = 1, n
            call body%create(diagonal, angular_velocity=[0.1_dp, -0.2_dp, 0.3_dp])
            call body%set_uniform_field_torque([0.0_dp, 0.0_dp, 1.0_dp], [0.2_dp, 0.0_dp, -1.0_dp])
            call body%set_method(methods(m))
            call body%set_langevin(drag, kt, seed, id_of(i), flow)
            call body%set_noise_draws(1000_c_int64_t)
            call body%advance(0.1_dp, 5)
            call body%thermalize(0.2_dp)
            call body%get_noise_draws(own)
            call body%get_orientation(q)
            call body%get_angular_velocity_body(omega)
            all_same = all_same .and. own == draws .and. same([q, omega], states(:, i))
         end do
         call ok(all_same, 'a body alone has the noise of its id in an ensemble, bit for bit')
         call ok(draws == 1006, 'each step is one draw, and so is thermalize')

         call make(e, methods(m))
         call e%set_ids() ! of body i the number i - 1
         call e%advance(0.1_dp, 5)
         call e%thermalize(0.2_dp)
         call e%get_rows(QI_PART_STATE, other)
         call ok(.not. any(abs(other(1, :) - states(1, :)) < 1e-9_dp), 'other ids are other noise')
      end do

      call body%clear_langevin()
      call body%set_method(QI_METHOD_PCDM)
      call body%step(0.1_dp)
      call body%get_noise_draws(own)
      call ok(own == 1006, 'clear_langevin removes the random torques, and steps draw no more')
   end subroutine a_body_has_its_noise_in_any_ensemble

   subroutine a_restart_has_the_same_bits()
      type(qi_ensemble_t) :: whole, part, next
      type(qi_method_t), parameter :: methods(2) = [QI_METHOD_SPLITTING, QI_METHOD_BROWNIAN]
      real(dp), allocatable :: rows(:, :)
      real(dp) :: clock(2)
      integer(c_int64_t) :: draws
      integer :: k, m

      do m = 1, 2
         call make(whole, methods(m))
         call whole%advance(0.1_dp, 30)
         call make(part, methods(m))
         do k = 1, 3
            call part%advance(0.1_dp, 10)
            call part%get_clock(clock)
            call part%get_noise_draws(draws)
            if (allocated(rows)) deallocate (rows)
            allocate (rows(part%row_size(everything), n))
            call part%get_rows(everything, rows)
            call set_up(next, n, methods(m))
            call next%set_noise_draws(draws)
            call next%set_clock(clock)
            call next%set_rows(everything, rows)
            call next%move_to(part)
         end do
         call ok(agree(whole, part), 'a run with random torques that is saved and restored every ten steps has the same bits')
         call next%destroy()
         call set_up(next, n, methods(m))
         call next%set_rows(everything, rows)
         call next%advance(0.1_dp, 10)
         call ok(.not. agree(whole, next), 'without the number of draws it has not')
      end do
   end subroutine a_restart_has_the_same_bits

   subroutine ids_go_with_the_bodies()
      type(qi_ensemble_t) :: whole, e
      real(dp) :: states(7, n), reversed(7, n), ids(1, n)
      real(dp) :: some(1, 3)
      integer :: i

      call make(whole, QI_METHOD_SPLITTING)
      call make(e, QI_METHOD_SPLITTING)
      call ok(e%row_size(QI_PART_ID) == 1, 'an id is one number of a row')
      call e%get_rows(QI_PART_ID, ids)
      call ok(all(transfer(ids, [0_c_int64_t]) == [(id_of(i), i=1, n)]), 'rows of QI_PART_ID hold the 64 bits of the ids')
      call e%select([(n + 1 - i, i=1, n)])
      call e%get_rows(QI_PART_ID, ids)
      call ok(all(transfer(ids, [0_c_int64_t]) == [(id_of(n + 1 - i), i=1, n)]), 'select carries the ids along')
      call whole%advance(0.1_dp, 10)
      call e%advance(0.1_dp, 10)
      call whole%get_rows(QI_PART_STATE, states)
      call e%get_rows(QI_PART_STATE, reversed)
      call ok(same(reshape(states(:, n:1:-1), [7*n]), reshape(reversed, [7*n])), &
         'and with it the noise: the same bits in another order')

      call e%resize(2)
      call e%set_ids([7_c_int64_t, 5_c_int64_t])
      some(1, 1) = transfer(8_c_int64_t, some(1, 1))
      call e%set_rows(QI_PART_ID, some(:, :1), [1])
      call e%resize(3)
      call e%get_rows(QI_PART_ID, some)
      call ok(all(transfer(some, [0_c_int64_t]) == [8, 5, 9]), 'rows set ids, and a new body has the number after the greatest')
   end subroutine ids_go_with_the_bodies

   subroutine drag_and_flow_are_one_for_all_or_each()
      type(qi_ensemble_t) :: one, each
      type(qi_body_t) :: body
      real(dp) :: drags(3, n), flows(3, n), omega(3), omegas(3, n)
      integer :: i

      call make(one, QI_METHOD_SPLITTING)
      call make(each, QI_METHOD_SPLITTING)
      do i = 1, n
         drags(:, i) = drag
         flows(:, i) = flow
      end do
      call each%set_langevin(drags, kt, seed, flows)
      call one%step(0.1_dp)
      call each%step(0.1_dp)
      call ok(agree(one, each), 'coefficients and flow are one for all bodies or each')

      flows(2, :) = [(0.01_dp*i, i=1, n)]
      call each%set_langevin(drag, 0.0_dp, seed, flows)
      call each%thermalize(1e3_dp)
      call each%get_angular_velocities(omegas)
      call ok(all(abs(omegas - flows) < 1e-14_dp), 'without noise each body turns with its fluid in the end')
      call each%set_langevin(drag, 0.0_dp, seed)
      call each%thermalize(1e3_dp)
      call each%get_angular_velocities(omegas)
      call ok(all(abs(omegas) < 1e-14_dp), 'and without a flow it comes to rest')

      call body%create(diagonal, angular_velocity=[1.0_dp, 1.0_dp, 1.0_dp])
      call body%set_langevin(drag, 0.0_dp, seed, 1_c_int64_t)
      call body%thermalize(0.5_dp)
      call body%get_angular_velocity_body(omega)
      call ok(all(abs(omega - exp(-0.5_dp*drag/[1, 2, 3])) < 1e-14_dp), &
         'without noise the angular velocity decays by exp(-c t / I)')
      call body%set_langevin(drag, 0.0_dp, seed, 1_c_int64_t, flow)
      call body%thermalize(1e3_dp)
      call body%get_angular_velocity(omega)
      call ok(all(abs(omega - flow) < 1e-14_dp), 'and to that of the fluid')
   end subroutine drag_and_flow_are_one_for_all_or_each

   !> At thermal equilibrium I omega^2 has the mean kT about each axis, with the standard error sqrt(2/samples).
   subroutine noise_has_the_temperature()
      type(qi_ensemble_t) :: e
      real(dp) :: states(7, n), squares(3)
      integer :: i, k
      integer, parameter :: times = 400

      call make(e, QI_METHOD_SPLITTING)
      call e%set_langevin(drag, kt, 42_c_int64_t)
      squares = 0
      do k = 1, times
         call e%thermalize(1e3_dp)
         call e%get_rows(QI_PART_STATE, states)
         do i = 1, 3
            squares(i) = squares(i) + i*sum(states(4 + i, :)**2)/(n*times) ! the moments are 1, 2, 3
         end do
      end do
      call ok(all(abs(squares/kt - 1) < 3*sqrt(2.0_dp/(n*times))), 'about each axis the mean of I omega^2 is kT')
   end subroutine noise_has_the_temperature

   subroutine angular_momenta_are_scaled()
      type(qi_ensemble_t) :: e
      real(dp) :: before(3, n), after(3, n)

      call make(e, QI_METHOD_SPLITTING)
      call e%get_angular_momenta(before)
      call e%set_active([3, 5])
      call e%scale_angular_momenta(0.5_dp)
      call e%get_angular_momenta(after)
      call ok(all(abs(after(:, 3) - before(:, 3)/2) < 1e-15_dp) .and. same(after(:, 4), before(:, 4)), &
         'scale_angular_momenta multiplies those of the active bodies')
   end subroutine angular_momenta_are_scaled

   subroutine an_axis_without_moment_does_not_turn()
      type(qi_ensemble_t) :: e
      type(qi_body_t) :: rod
      real(dp) :: inertia(3, 3), omega(3), three(3, 3)
      integer(c_int64_t) :: degrees

      inertia = 0
      inertia(1, 1) = 2
      inertia(2, 2) = 2
      call rod%create(inertia, angular_velocity=[1.0_dp, 0.0_dp, 5.0_dp])
      call rod%get_angular_velocity(omega)
      call ok(same(omega, [1.0_dp, 0.0_dp, 0.0_dp]), 'a linear molecule does not turn about its axis')
      call rod%advance(0.1_dp, 100)
      call rod%get_angular_velocity_body(omega)
      call ok(abs(norm2(omega) - 1) < 1e-14_dp .and. abs(omega(3)) <= 0, 'nor does it while it rotates')

      three = 0
      three(:, 1) = [2, 2, 0]
      three(3, 2) = 1 ! turns about one axis only, and the third body is a point
      call e%create(3)
      call e%set_principal_inertias(three)
      call e%get_degrees_of_freedom(degrees)
      call ok(degrees == 3, 'axes of zero moment are no degrees of freedom: 2, 1 and 0')
      call e%set_active([1, 3])
      call e%get_degrees_of_freedom(degrees)
      call ok(degrees == 2, 'and only those of active bodies count')
   end subroutine an_axis_without_moment_does_not_turn

   subroutine what_cannot_be_is_refused()
      type(qi_ensemble_t) :: e
      type(qi_body_t) :: body
      character(200) :: errmsg
      integer :: stat

      call make(e, QI_METHOD_SPLITTING)
      call body%create(moments)
      call e%set_langevin([1.0_dp, -1.0_dp, 1.0_dp], kt, seed, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'must not be negative', 'a negative coefficient is refused')
      call e%set_langevin([1.0_dp, 1.0_dp], kt, seed, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`coefficients` has the shape (2); it must be (3)', 'and two coefficients')
      call e%set_langevin(drag, kt, seed, reshape(drag, [1, 3]), stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`flow` has the shape (1, 3); it must be (3, 70)', 'and another flow')
      call e%set_ids([1_c_int64_t], stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`ids` has the shape (1); it must be (70)', 'and one id for many bodies')
      call e%set_drag(drag, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'random torques', 'a drag besides is refused')
      call e%step(-0.1_dp, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'no way back', 'noise has no way back')
      call e%thermalize(nan(), stat, errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, '`duration` is NaN', 'a duration is a number')
      call e%scale_angular_momenta(nan(), stat, errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, '`factor` is NaN', 'and so is a factor')
      call e%clear_langevin()
      call e%thermalize(0.1_dp, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'must have random torques', 'clear_langevin removes the random torques')

      call body%set_langevin([1.0_dp], kt, seed, 0_c_int64_t, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`coefficients` has the shape (1); it must be (3)', 'a body takes three')
      call body%set_langevin(drag, kt, seed, 0_c_int64_t, [1.0_dp], stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`flow` has the shape (1); it must be (3)', 'and a flow is a vector')
      call body%set_langevin(drag, -kt, seed, 0_c_int64_t, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`kt` must not be negative', 'and no energy is negative')
      call body%set_langevin(drag, kt, seed, 0_c_int64_t)
      call body%step(0.1_dp, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'random torques', 'PCDM takes no random torques')
      call body%thermalize(-0.1_dp, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'no way back', 'nor does a body go back')

      call e%destroy()
      call e%set_ids(stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'destroyed, moved, or a copy', 'without an ensemble there are no ids')
   end subroutine what_cannot_be_is_refused

end program test_random
