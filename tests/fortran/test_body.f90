!> One body from Fortran: every type-bound procedure, with valid and invalid input.
program test_body
   use check
   implicit none

   call a_body_moves_as_the_c_functions_move_it()
   call a_generic_body()
   call methods()
   call splitting_methods()
   call kicks_and_drifts()
   call drag()
   call error_control()
   call records_of_error_control()
   call events()
   call errors_of_error_control()
   call limits_of_error_control()
   call arrays_of_the_wrong_size()
   call rows_restart_a_body()
   call rotors()
   call motors()
   call parts_of_a_torque()
   call errors_are_told_by_stat_and_errmsg()
   call torques_that_fail_leave_the_body_as_it_was()
   call bodies_are_moved_and_destroyed()
   call bodies_are_finalized()
   call finish()

contains

   subroutine a_body_moves_as_the_c_functions_move_it()
      use, intrinsic :: iso_c_binding, only: c_ptr, c_null_funptr, c_null_ptr
      type(qi_body_t) :: top, stepped
      type(orders_t), target :: orders
      real(dp) :: q(4), omega(3), q_stepped(4), records(8, 6), free_q(4), free_omega(3)
      integer :: i, completed, written

      call top%create(moments, angular_velocity=[1.0_dp, 1.0_dp, 1.0_dp])
      call stepped%create(moments, [1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp], [1.0_dp, 1.0_dp, 1.0_dp])
      call top%set_torque(weight, orders)
      call stepped%set_torque(weight)
      call top%advance(1e-2_dp, 100, completed)
      do i = 1, 100
         call stepped%step(1e-2_dp)
      end do
      call top%get_orientation(q)
      call stepped%get_orientation(q_stepped)
      call ok(same(q, q_stepped), 'advance has the bits of step')
      call ok(completed == 100 .and. orders%calls == 200, 'a torque procedure is called twice a step, with its data')

      call stepped%record(1e-2_dp, 100, 20, records, written)
      call stepped%get_orientation(q_stepped)
      call ok(written == 6 .and. same(records(2:5, 1), q) .and. same(records(2:5, 6), q_stepped), &
         'record writes a column for the start and one every so many steps')

      free_q = [1, 0, 0, 0]
      free_omega = [1, 1, 1]
      i = qi_integrate(moments, free_q, free_omega, 0.0_dp, 1e-2_dp, 100_int64, c_null_funptr, c_null_ptr)
      call top%set_state([1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp], [1.0_dp, 1.0_dp, 1.0_dp])
      call top%clear_torque()
      call top%advance(1e-2_dp, 100)
      call top%get_orientation(q)
      call ok(i == QI_OK .and. same(q, free_q), 'clear_torque leaves a free body, which moves as qi_integrate moves it')
      call ok(qi_get_time(top%c_handle(), omega(1)) == QI_OK .and. abs(omega(1) - 2) < 1e-14_dp, &
         'the functions of the C library take the handle')
   end subroutine a_body_moves_as_the_c_functions_move_it

   !> With the numbers of tests/rust/every_language.rs, as in every language.
   subroutine a_generic_body()
      real(dp), parameter :: end_q(4) = [0.4591273469192799_dp, -0.5026845302823357_dp, &
         0.1801445488229428_dp, 0.7099706218253464_dp]
      real(dp), parameter :: end_omega(3) = [0.7566512967365715_dp, -0.8861596187131292_dp, 0.9622951882072567_dp]
      real(dp), parameter :: end_omega_body(3) = [-1.318525692064565_dp, -0.37332023040899964_dp, -0.6371295699234223_dp]
      type(qi_body_t) :: body
      real(dp) :: q(4), omega(3), omega_body(3)

      call body%create(moments, [0.5_dp, -0.1_dp, 0.7_dp, 0.5_dp], [0.3_dp, -0.7_dp, 1.1_dp])
      call body%set_torque(generic_torque)
      call body%advance(1e-2_dp, 100)
      call body%get_orientation(q)
      call body%get_angular_velocity(omega)
      call body%get_angular_velocity_body(omega_body)
      call ok(all(abs(q - end_q) < 1e-14_dp), 'a generic body is turned as in every language')
      call ok(all(abs(omega - end_omega) < 1e-14_dp) .and. all(abs(omega_body - end_omega_body) < 1e-14_dp), &
         'a generic body turns as in every language')
   end subroutine a_generic_body

   subroutine methods()
      type(qi_body_t) :: body
      integer :: stat
      character(200) :: errmsg

      call body%create(moments)
      call ok(body%method() == QI_METHOD_PCDM, 'a new body has the method PCDM')
      call body%set_method(QI_METHOD_CF4)
      call body%set_method(qi_method_t(99), stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`method` must be', 'a method that is none is refused')
      call ok(body%method() == QI_METHOD_CF4, 'and the one before stays')
   end subroutine methods

   subroutine splitting_methods()
      type(qi_body_t) :: body
      type(orders_t), target :: orders
      type(qi_method_t), parameter :: chosen(4) = [QI_METHOD_SPLITTING, QI_METHOD_SPLITTING_4, QI_METHOD_FORCE_GRADIENT, &
         QI_METHOD_SPLITTING_6]
      integer, parameter :: torques(4) = [1, 6, 3, 11]
      real(dp) :: q(4), before(8), after(8)
      integer :: i, stat
      character(200) :: errmsg

      do i = 1, 4
         orders = orders_t()
         call body%create(moments, angular_velocity=[1.0_dp, 1.0_dp, 1.0_dp])
         call body%set_method(chosen(i))
         call body%set_torque(weight, orders)
         call body%advance(1e-2_dp, 30)
         call ok(body%method() == chosen(i) .and. orders%calls == 30*torques(i) + 1, &
            'it keeps the last torque of a step as the first of the next')
         call body%get_orientation(q)
         call body%set_state(q, [0.5_dp, 1.0_dp, 0.0_dp])
         call take(body, before)
         call body%step(1e-2_dp)
         call ok(orders%calls == 31*torques(i) + 2, 'and asks for it again after a change of state')
         call body%advance(1e-2_dp, 99)
         call body%advance(-1e-2_dp, 100)
         call take(body, after)
         call ok(maxval(abs(after - before)) < 1e-12_dp, 'it goes back the way that it came')
      end do

      call body%create(moments, angular_velocity=[0.0_dp, 0.5_dp, 3.0_dp])
      call body%set_method(QI_METHOD_SPLITTING)
      call body%set_linear_drag_torque([1.0_dp, 1.0_dp, 1.0_dp])
      call body%set_method(QI_METHOD_SPLITTING_4, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`method`', 'a splitting of order 4 refuses a ready-made drag')
      call body%set_method(QI_METHOD_FORCE_GRADIENT, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`method`', 'so does the force-gradient splitting')
      call ok(body%method() == QI_METHOD_SPLITTING, 'and the method before stays')
      call body%clear_torque()
      call body%set_method(QI_METHOD_SPLITTING_6)
      call body%set_shear_flow_torque([1.0_dp, 1.0_dp, 1.0_dp], 1.0_dp, moments, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'angular velocity', 'one of order 6 refuses a shear flow')
   end subroutine splitting_methods

   subroutine kicks_and_drifts()
      type(qi_body_t) :: body, none
      real(dp) :: torque(3), momentum(3), gained(3), before(8), after(8)
      integer :: stat
      character(200) :: errmsg

      call body%create(diagonal, [0.5_dp, 0.5_dp, 0.5_dp, 0.5_dp], [1.0_dp, 1.0_dp, 1.0_dp])
      call body%get_angular_momentum(momentum)
      call body%kick(0.25_dp, [1.0_dp, 2.0_dp, -4.0_dp])
      call body%get_angular_momentum(gained)
      gained = gained - momentum
      call ok(maxval(abs(gained - [0.25_dp, 0.5_dp, -1.0_dp])) < 1e-14_dp, 'a torque without a frame is in the world')

      torque = 1
      call take(body, before)
      call body%kick(nan(), torque, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, '`duration`', 'kick refuses a NaN')
      call body%kick(0.1_dp, [0.0_dp, nan(), 0.0_dp], QI_FRAME_BODY, stat, errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, '`torque[1]`', 'of the torque, too')
      call body%kick(0.1_dp, torque, qi_frame_t(5), stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`frame`', 'kick refuses a frame that is none')
      call body%drift(nan(), stat, errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, '`duration`', 'drift refuses a NaN')
      call take(body, after)
      call ok(same(before, after), 'and the body is bitwise as before')
      call none%kick(0.1_dp, torque, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'not created yet', 'without a body there is no kick')
      call none%drift(0.1_dp, stat, errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'not created yet', 'and no drift')
   end subroutine kicks_and_drifts

   subroutine drag()
      type(qi_body_t) :: body, none
      real(dp) :: omega(3), free(3)
      integer :: stat
      character(200) :: errmsg

      call body%create(diagonal, angular_velocity=[0.0_dp, 0.0_dp, 3.0_dp])
      call body%set_drag([1.0_dp, 1.0_dp, 3.0_dp])
      call body%kick(0.01_dp, [0.0_dp, 0.0_dp, 0.0_dp])
      call body%get_angular_velocity(omega)
      call ok(abs(omega(3) - 3*exp(-0.01_dp)) < 1e-4_dp, 'without a flow, the fluid rests')
      call body%clear_drag()
      call body%set_constant_torque([0.0_dp, 0.0_dp, 3.0_dp], QI_FRAME_WORLD)
      call body%step(0.1_dp)
      call body%get_angular_velocity(free)
      call ok(abs(free(3) - omega(3) - 0.1_dp) < 1e-14_dp, 'clear_drag leaves the torque alone')

      call body%set_drag([1.0_dp, nan(), 1.0_dp], stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, '`coefficients[1]`', 'set_drag refuses a NaN')
      call body%set_drag([1.0_dp, 1.0_dp, 1.0_dp], [0.0_dp, 0.0_dp, nan()], stat, errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, '`flow[2]`', 'in the flow, too')
      call none%set_drag([1.0_dp, 1.0_dp, 1.0_dp], stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'not created yet', 'without a body there is no drag')
      call none%clear_drag(stat, errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'not created yet', 'and none to clear')
   end subroutine drag

   subroutine error_control()
      type(qi_body_t) :: body
      type(orders_t), target :: orders
      real(dp) :: exact(4), q(4), coarse, fine, time, before(8), after(8)
      integer :: evaluations, counted, accepted, rejected, loose

      call orientation_by(QI_METHOD_SPLITTING_6, 1024, exact)
      call body%create(moments, angular_velocity=[1.0_dp, 1.0_dp, 1.0_dp])
      call body%set_torque(weight, orders)
      call body%solve_statistics(evaluations, accepted, rejected)
      call ok(all([evaluations, accepted, rejected] == 0), 'before the first solution the statistics are 0')
      call take(body, before)
      call body%solve(2.0_dp, 1e-6_dp, loose)
      call body%get_orientation(q)
      if (qi_orientation_angle(q, exact, coarse) /= QI_OK) error stop
      call ok(coarse < 1e-5_dp .and. orders%calls == loose, 'solve keeps a tolerance, and tells the number of torques')

      call body%create(moments, angular_velocity=[1.0_dp, 1.0_dp, 1.0_dp])
      call body%set_torque(weight, orders)
      call body%solve(2.0_dp, 1e-12_dp, evaluations)
      call body%get_orientation(q)
      call body%get_time(time)
      if (qi_orientation_angle(q, exact, fine) /= QI_OK) error stop
      call ok(fine < 1e-11_dp .and. evaluations > loose, 'a smaller tolerance costs more torques, and the error is smaller')
      call ok(same([time], [2.0_dp]), 'the clock shows the end time')
      call body%solve_statistics(counted, accepted, rejected)
      call ok(counted == evaluations .and. accepted > 0 .and. rejected >= 0 .and. accepted*11 < counted, &
         'solve_statistics has the same number, and those of the steps')
      call body%solve(0.0_dp, 1e-12_dp)
      call take(body, after)
      call ok(maxval(abs(after - before)) < 1e-10_dp, 'a solution may go backwards')
   end subroutine error_control

   subroutine records_of_error_control()
      type(qi_body_t) :: body, solved
      real(dp), parameter :: times(4) = [0.0_dp, 0.1_dp, 0.11_dp, 2.0_dp]
      real(dp) :: records(8, 5), state(8), none(0), q(4), angle
      integer :: written, stat

      call solved%create(moments, angular_velocity=[1.0_dp, 1.0_dp, 1.0_dp])
      call solved%set_torque(weight)
      call solved%solve(2.0_dp, 1e-10_dp)
      call body%create(moments, angular_velocity=[1.0_dp, 1.0_dp, 1.0_dp])
      call body%set_torque(weight)
      records = -7
      call body%solve_record(times, 1e-10_dp, records, written)
      call take(body, state)
      call ok(written == 4 .and. same(records(1, 1:4), times) .and. all(abs(records(:, 5) + 7) < 1e-15_dp), &
         'solve_record writes a column for each time')
      call solved%get_orientation(q)
      call ok(same(records(2:5, 4), q) .and. same(state(2:5), q), 'the body ends with the bits of solve')
      call ok(same(records(2:8, 1), [1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp, 1.0_dp, 1.0_dp, 1.0_dp]), 'the first time may be the body''s')
      call solved%create(moments, angular_velocity=[1.0_dp, 1.0_dp, 1.0_dp])
      call solved%set_torque(weight)
      call solved%solve(0.11_dp, 1e-12_dp)
      call solved%get_orientation(q)
      if (qi_orientation_angle(q, records(2:5, 3), angle) /= QI_OK) error stop
      call ok(angle < 1e-9_dp, 'a column within a step is as exact as the steps')
      call body%solve_record(times(3:1:-1), 1e-10_dp, records(:, 1:3), written)
      call ok(written == 3 .and. same(records(1, 1:3), times(3:1:-1)), 'times may descend')
      call body%solve_record(none, 1e-10_dp, records, written, stat)
      call ok(written == 0 .and. stat == QI_OK, 'without times nothing happens')
   end subroutine records_of_error_control

   !> The nutation of a Lagrange top that is let go at a lean of 1 rad; its period is known (elliptic functions).
   subroutine events()
      type(qi_body_t) :: top
      type(orders_t) :: orders
      real(dp), parameter :: period = 1.670852791361963_dp
      real(dp) :: inertia(3, 3), q(4), omega(3), time, before(8), after(8)
      logical :: happened
      integer :: stat, i
      integer, target :: code = 0
      character(200) :: errmsg

      inertia = 0
      inertia(1, 1) = 1
      inertia(2, 2) = 1
      inertia(3, 3) = 0.5_dp
      if (qi_orientation_from_axis_angle([1.0_dp, 0.0_dp, 0.0_dp], 1.0_dp, q) /= QI_OK) error stop
      if (qi_rotate(q, [0.0_dp, 0.0_dp, 8.0_dp], omega) /= QI_OK) error stop
      call top%create(inertia, q, omega)
      call top%set_torque(weight)
      call top%solve_until(20.0_dp, 1e-12_dp, rise, happened, data=orders)
      call top%get_time(time)
      call ok(happened .and. abs(time - period/2) < 1e-11_dp, 'solve_until stops where the axis turns round')
      call ok(orders%calls > 16, 'the event function has its data')
      do i = 1, 3
         call top%solve_until(20.0_dp, 1e-12_dp, rise, happened, QI_FALLING)
         call top%get_time(time)
         call ok(happened .and. abs(time - i*period) < 1e-11_dp, 'where it falls again, if only those are asked')
      end do
      call top%solve_until(3.2_dp*period, 1e-12_dp, rise, happened, QI_RISING)
      call top%get_time(time)
      call ok(.not. happened .and. same([time], [3.2_dp*period]), 'without an event the body goes to the end')
      call top%solve_until(0.0_dp, 1e-12_dp, rise, happened, QI_RISING)
      call top%get_time(time)
      call ok(happened .and. abs(time - 3*period) < 1e-11_dp, 'backwards it rises where it fell')

      call take(top, before)
      orders = orders_t(stop_with=5, at_call=1)
      call top%solve_until(20.0_dp, 1e-12_dp, rise, happened, QI_ANY_CROSSING, orders, stat, errmsg)
      call refused(stat, QI_ERR_CALLBACK, errmsg, 'the event function returned 5 at time 5.01256', &
         'an event function that gives a stat ends the solution')
      call take(top, after)
      call ok(same(before, after) .and. .not. happened .and. orders%calls == 1, 'there is no event, and no call after it')
      call top%set_state(q, omega)
      call top%set_time(0.0_dp)
      orders = orders_t(bad_body=1)
      call top%solve_until(20.0_dp, 1e-12_dp, rise, happened, QI_FALLING, orders, stat, errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, 'the event function is NaN at time 0.5', &
         'an event function that is NaN is refused')
      call top%get_time(time)
      call ok(time > 0 .and. time <= 0.5_dp, 'and the body is where the step before ended')
      call top%solve_until(20.0_dp, 1e-12_dp, rise, happened, QI_FALLING, top, stat, errmsg)
      call refused(stat, QI_ERR_CALLBACK, errmsg, 'returned -9', 'an event function that uses its own body is told that it is busy')
      call top%solve_until(20.0_dp, 1e-12_dp, rise, happened, qi_crossing_t(2), stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`direction`', 'solve_until refuses a direction that is none')
      call top%solve_until(20.0_dp, 1e-9_dp, rise, happened, QI_FALLING, code, i, errmsg)
      call refused(i, QI_ERR_INVALID, errmsg, 'for the status write stat=', 'solve_until refuses a stat in the place of data')
      call top%solve_until(20.0_dp, nan(), rise, happened, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, '`tolerance`', 'and a tolerance that is NaN')
      call ok(.not. happened, 'an error is no event')
   end subroutine events

   subroutine limits_of_error_control()
      type(qi_body_t) :: body
      integer :: stat, evaluations, before, rejected
      character(200) :: errmsg

      call body%create(moments, angular_velocity=[1.0_dp, 1.0_dp, 1.0_dp])
      call body%set_torque(weight)
      call body%set_solve_longest_step(0.01_dp)
      call body%solve(1.0_dp, 1e-3_dp)
      call body%solve_statistics(accepted=before, rejected=rejected)
      call ok(before >= 100 .and. rejected == 0, 'no step is longer than the longest')
      call body%set_solve_longest_step(0.0_dp)
      call body%set_solve_most_evaluations(60)
      call body%solve(100.0_dp, 1e-9_dp, evaluations, stat, errmsg)
      call refused(stat, QI_ERR_STEP, errmsg, '60', 'a solution ends with the most evaluations')
      call ok(evaluations <= 60, 'which are not exceeded')
      call body%set_solve_most_evaluations(0)
      call body%solve(2.0_dp, 1e-9_dp)
      call body%set_solve_longest_step(-1.0_dp, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`longest`', 'a negative length of a step is refused')
      call body%set_solve_method(QI_SOLVE_STIFF)
      call body%solve(3.0_dp, 1e-6_dp)
      call body%set_solve_method(qi_solve_method_t(3), stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`method`', 'other methods of a solution are refused')
      call body%set_solve_most_evaluations(-1, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`most` is negative', 'and a negative number of evaluations')
   end subroutine limits_of_error_control

   subroutine arrays_of_the_wrong_size()
      type(qi_body_t) :: body
      real(dp) :: short(2), long(5), before(8), after(8), many(4, 5)
      integer, target :: code
      integer :: stat
      character(200) :: errmsg

      call body%create(moments)
      call take(body, before)
      call body%get_orientation(long, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`orientation` has the shape (5); it must be (4)', 'get refuses another size')
      call body%get_angular_velocity(short, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`angular_velocity` has the shape (2); it must be (3)', 'also a smaller one')
      call body%get_orientation(many, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`orientation` has the shape (4, 5); it must be (4)', 'one of another rank')
      call body%get_orientation(many(4, 5), stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`orientation` has the shape (); it must be (4)', 'and an element')
      call body%kick(0.1_dp, long, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`torque`', 'and so does a kick')
      call body%create(moments, angular_velocity=long, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`angular_velocity`', 'and create')
      code = 0
      call body%set_torque(weight, code, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`data` is an integer: for the status write stat=', &
         'a stat in the place of data is refused')
      call take(body, after)
      call ok(same(before, after), 'and nothing has changed')
   end subroutine arrays_of_the_wrong_size

   subroutine errors_of_error_control()
      type(qi_body_t) :: body, none
      type(orders_t), target :: orders
      real(dp) :: records(8, 3), narrow(7, 3), before(8), after(8), time
      integer :: stat, evaluations, written, accepted
      logical :: happened
      character(200) :: errmsg

      call body%create(moments, angular_velocity=[1.0_dp, 1.0_dp, 1.0_dp])
      call body%set_torque(weight, orders)
      call take(body, before)
      call body%solve(2.0_dp, nan(), evaluations, stat, errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, '`tolerance`', 'solve refuses a tolerance that is NaN')
      call body%solve(2.0_dp, 0.0_dp, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`tolerance`', 'and one that is 0')
      call body%solve(nan(), 1e-9_dp, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, '`end_time`', 'and an end time that is NaN')
      call body%solve_record([1.0_dp, 0.5_dp, 2.0_dp], 1e-9_dp, records, written, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`times`', 'solve_record refuses times out of order')
      call body%solve_record([1.0_dp, nan(), 2.0_dp], 1e-9_dp, records, written, stat, errmsg)
      call ok((stat == QI_ERR_NON_FINITE .or. stat == QI_ERR_INVALID) .and. index(errmsg, '`times') > 0 .and. written == 0, &
         'and a time that is NaN')
      call body%solve_record([1.0_dp, 2.0_dp], -1.0_dp, records, written, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`tolerance`', 'and a negative tolerance')
      call body%solve_record([1.0_dp, 2.0_dp], 1e-9_dp, narrow, written, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`records` has 7 rows; it must have 8', 'and the wrong rows')
      call body%solve_record([1.0_dp, 2.0_dp], 1e-9_dp, records(:, 1:1), written, stat, errmsg)
      call refused(stat, QI_ERR_CAPACITY, errmsg, '`records` is too small: 2 needed, 1 given', 'and too few columns')
      call take(body, after)
      call ok(same(before, after) .and. orders%calls == 0, 'and the body is bitwise as before')

      orders%at_call = 200
      orders%stop_with = 42
      call body%solve_record([0.01_dp, 0.02_dp, 100.0_dp], 1e-9_dp, records, written, stat, errmsg)
      call refused(stat, QI_ERR_CALLBACK, errmsg, 'callback returned 42 at time', 'a torque that gives a stat ends the solution')
      call take(body, after)
      call body%solve_statistics(evaluations, accepted)
      call ok(after(1) > 0.02_dp .and. after(1) < 100 .and. body%callback_result() == 42 .and. accepted > 0, &
         'the body is where its last accepted step ended')
      call ok(written == 2 .and. same(records(1, 1:2), [0.01_dp, 0.02_dp]), 'the columns before it stay')
      orders%calls = 0
      call body%set_state([1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp], [1.0_dp, 1.0_dp, 1.0_dp])
      call body%set_time(0.0_dp)
      call body%solve(100.0_dp, 1e-9_dp, evaluations, stat)
      call body%get_time(time)
      call ok(stat == QI_ERR_CALLBACK .and. evaluations >= 199 .and. evaluations <= 200 .and. time > 0, &
         'the number of torques is known after an error, too')

      call body%create(moments)
      call body%set_torque(singular)
      call body%solve(2.0_dp, 1e-9_dp, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_STEP, errmsg, 'no step from time 0.99', 'where the torque is singular no step is short enough')
      call body%get_time(time)
      call ok(time < 1 .and. time > 0.999_dp, 'the body is just before it')

      call none%solve(1.0_dp, 1e-9_dp, evaluations, stat, errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'not created yet', 'without a body there is no solution')
      call none%solve_record([1.0_dp], 1e-9_dp, records, written, stat, errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'not created yet', 'and none with records')
      call none%solve_until(1.0_dp, 1e-9_dp, rise, happened, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'not created yet', 'and no event')
      call none%solve_statistics(evaluations, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'not created yet', 'and no statistics')
   end subroutine errors_of_error_control

   subroutine rows_restart_a_body()
      type(qi_body_t) :: left, restarted, none
      integer, parameter :: all = QI_PART_STATE + QI_PART_INERTIA + QI_PART_TORQUE + QI_PART_MEMORY + QI_PART_ID
      real(dp), allocatable :: row(:)
      real(dp) :: q(4), omega(3), q_left(4), omega_left(3), clock(2)
      integer :: stat
      character(200) :: errmsg

      call prepare(left)
      call prepare(restarted)
      call left%advance(0.05_dp, 20)
      allocate (row(left%row_size(all)))
      call left%get_row(all, row)
      call left%get_clock(clock)
      call restarted%set_clock(clock)
      call restarted%set_row(all, row)
      call left%advance(0.05_dp, 20)
      call restarted%advance(0.05_dp, 20)
      call left%get_orientation(q_left)
      call left%get_angular_velocity_body(omega_left)
      call restarted%get_orientation(q)
      call restarted%get_angular_velocity_body(omega)
      call ok(size(row) == 7 + 7 + 6 + 6 + 1, 'a row holds state, inertia, drag, memory and id')
      call ok(same(q, q_left) .and. same(omega, omega_left), 'a body restarts from its row with the same bits')

      call restarted%set_row(QI_PART_STATE, row, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`row` has the shape (27)', 'set_row refuses the wrong size')
      call restarted%get_row(QI_PART_STATE, row, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`row` has the shape (27)', 'and get_row')
      row(1) = nan()
      call restarted%set_row(all, row, stat, errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, '`row', 'set_row refuses a NaN')
      call none%get_row(QI_PART_STATE, row(:0), stat, errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'not created yet', 'without a body there is no row')
   end subroutine rows_restart_a_body

   subroutine prepare(body)
      type(qi_body_t), intent(inout) :: body
      real(dp), parameter :: inertia(3, 3) = reshape( &
         [3.0_dp, 0.4_dp, -0.2_dp, 0.4_dp, 5.0_dp, 0.3_dp, -0.2_dp, 0.3_dp, 7.0_dp], [3, 3])

      call body%create(inertia, [0.5_dp, -0.5_dp, 0.1_dp, 0.7_dp], [1.0_dp, 0.5_dp, 2.0_dp])
      call body%set_method(QI_METHOD_SPLITTING)
      call body%set_torque(weight)
      call body%set_drag([0.3_dp, 2.0_dp, 5.0_dp])
   end subroutine prepare

   subroutine rotors()
      type(qi_body_t) :: body, none
      real(dp), parameter :: sphere(3, 3) = reshape([1.0_dp, 0.0_dp, 0.0_dp,  0.0_dp, 1.0_dp, 0.0_dp, &
         0.0_dp, 0.0_dp, 1.0_dp], [3, 3])
      real(dp) :: h(3), momentum(3), later(3), omega(3), torque(3), acceleration(3), energy
      integer :: stat
      character(200) :: errmsg

      call body%create(sphere, [0.5_dp, 0.5_dp, 0.5_dp, 0.5_dp], [0.1_dp, 0.0_dp, 0.0_dp])
      call body%get_rotor_momentum(h)
      call ok(all(abs(h) <= 0), 'a new body has no rotors')
      call body%set_rotor_momentum([0.0_dp, 0.0_dp, 2.0_dp])
      call body%get_rotor_momentum(h)
      call ok(same(h, [0.0_dp, 0.0_dp, 2.0_dp]), 'the momentum of rotors is set')
      call body%get_angular_momentum(momentum)
      call ok(maxval(abs(momentum - [2.1_dp, 0.0_dp, 0.0_dp])) < 1e-15_dp, 'it belongs to the angular momentum, in the world')
      call body%get_kinetic_energy(energy)
      call ok(abs(energy - 0.005_dp) < 1e-16_dp, 'and not to the energy')

      call body%create(sphere, angular_velocity=[0.1_dp, 0.0_dp, 0.0_dp])
      call body%set_rotor_momentum([0.0_dp, 0.0_dp, 2.0_dp])
      call body%set_torque(weight)
      call body%set_rotor_torque([0.0_dp, 0.3_dp, 0.0_dp])
      call body%get_acting_torque(torque)
      call ok(maxval(abs(torque - [0.0_dp, 0.3_dp, 0.0_dp])) < 1e-15_dp, 'the motors are a part of the torque')
      call body%get_angular_acceleration(acceleration)
      call ok(maxval(abs(acceleration - [0.0_dp, 0.3_dp + 2*0.1_dp, 0.0_dp])) < 1e-15_dp, 'and the rotors of the acceleration')
      call body%get_acting_torque(torque(:2), stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`torque` has the shape (2)', 'get_acting_torque refuses the wrong size')
      call body%forget_torque()
      call body%set_rotor_torque([0.0_dp, 0.0_dp, 0.0_dp])
      call body%set_constant_torque([0.0_dp, 0.0_dp, 0.0_dp], QI_FRAME_WORLD)
      call body%get_angular_momentum(momentum)
      call body%solve(3.0_dp, 1e-13_dp)
      call body%get_angular_momentum(later)
      call body%get_angular_velocity_body(omega)
      call ok(maxval(abs(omega - [0.1_dp*cos(6.0_dp), 0.1_dp*sin(6.0_dp), 0.0_dp])) < 1e-11_dp, &
         'the angular velocity of a sphere turns about its rotors')
      call ok(maxval(abs(later - momentum)) < 1e-11_dp, 'and the angular momentum stays')

      call body%set_rotor_momentum([0.0_dp, nan(), 2.0_dp], stat, errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, '`momentum[1]`', 'set_rotor_momentum refuses a NaN')
      call body%get_rotor_momentum(h)
      call ok(same(h, [0.0_dp, 0.0_dp, 2.0_dp]), 'and the momentum before stays')
      call none%set_rotor_momentum(h, stat, errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'not created yet', 'without a body there are no rotors')
      call none%get_rotor_momentum(h, stat, errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'not created yet', 'and none to ask for')
   end subroutine rotors

   subroutine motors()
      type(qi_body_t) :: body, by_c, none
      real(dp), parameter :: wheels(3) = [0.8_dp, -0.5_dp, 1.1_dp], motor(3) = [0.2_dp, -0.1_dp, 0.15_dp]
      type(qi_method_t), parameter :: methods(2) = [QI_METHOD_SPLITTING_4, QI_METHOD_SPLITTING_6]
      real(dp) :: u(3), h(3), momentum(3), later(3), q(4), q_c(4)
      integer :: i, stat
      character(200) :: errmsg

      do i = 1, 2
         call body%create(moments, angular_velocity=[0.3_dp, 0.2_dp, 0.1_dp])
         call by_c%create(moments, angular_velocity=[0.3_dp, 0.2_dp, 0.1_dp])
         call body%get_rotor_torque(u)
         call ok(all(abs(u) <= 0), 'a new body has no motors')
         call body%set_method(methods(i))
         call by_c%set_method(methods(i))
         call body%set_rotor_momentum(wheels)
         call by_c%set_rotor_momentum(wheels)
         call body%set_rotor_torque(motor)
         call ok(qi_set_rotor_torque(by_c%c_handle(), motor) == 0, 'C sets the motor, too')
         call body%get_rotor_torque(u)
         call ok(same(u, motor), 'the torque of the motors is set')
         call body%get_angular_momentum(momentum)
         call body%advance(0.02_dp, 100)
         call by_c%advance(0.02_dp, 100)
         call body%get_orientation(q)
         call by_c%get_orientation(q_c)
         call ok(same(q, q_c), 'a driven body has the bits of C')
         call body%get_rotor_momentum(h)
         call ok(maxval(abs(h - (wheels - 2*motor))) < 1e-13_dp, 'the rotors take the opposite of what the body gets')
         call body%get_angular_momentum(later)
         call ok(maxval(abs(later - momentum)) < 1e-12_dp, 'and the angular momentum of both stays')
      end do

      call body%clear_rotor_torque()
      call body%clear_rotor_momentum()
      call body%get_rotor_torque(u)
      call body%get_rotor_momentum(h)
      call ok(all(abs(u) <= 0) .and. all(abs(h) <= 0), 'motors and rotors are removed')
      call body%set_rotor_torque(motor)
      call body%set_rotor_torque([0.0_dp, nan(), 2.0_dp], stat, errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, '`torque_body[1]`', 'set_rotor_torque refuses a NaN')
      call body%set_rotor_torque([0.0_dp, 1.0_dp], stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`torque_body`', 'and two numbers')
      call body%get_rotor_torque(u)
      call ok(same(u, motor), 'and the torque before stays')
      call body%set_rotor_torque([0.0_dp, 0.0_dp, 0.0_dp])
      call body%get_rotor_torque(u)
      call ok(all(abs(u) <= 0), 'zeros remove the motors')
      call none%set_rotor_torque(u, stat, errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'not created yet', 'without a body there are no motors')
      call none%get_rotor_torque(u, stat, errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'not created yet', 'and none to ask for')
   end subroutine motors

   subroutine parts_of_a_torque()
      type(qi_body_t) :: body
      type(which_t), target :: which
      integer :: part, stat
      real(dp) :: ready_made(8), added(8), torque(3)
      real(dp), parameter :: identity(4) = [1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp]

      do part = 1, 6
         which%part = part
         call body%create(moments, [0.5_dp, 0.5_dp, 0.5_dp, 0.5_dp], [0.3_dp, 0.2_dp, 0.1_dp])
         select case (part)
         case (1)
            call body%set_constant_torque([0.1_dp, 0.2_dp, -0.3_dp], QI_FRAME_BODY)
         case (2, 6)
            call body%set_uniform_field_torque([0.5_dp, 0.0_dp, 1.0_dp], [0.0_dp, 0.2_dp, -1.0_dp])
            if (part == 6) call body%set_drag([1.0_dp, 2.0_dp, 3.0_dp], [0.0_dp, 0.0_dp, 0.5_dp])
         case (3)
            call body%set_gravity_gradient_torque([0.0_dp, 1.0_dp, 1.0_dp], 0.3_dp)
         case (4)
            call body%set_linear_drag_torque([1.0_dp, 2.0_dp, 3.0_dp])
         case (5)
            call body%set_shear_flow_torque([2.0_dp, 1.0_dp, 0.5_dp], 0.1_dp, shear)
         end select
         call body%solve(1.0_dp, 1e-12_dp)
         call take(body, ready_made)
         call body%create(moments, [0.5_dp, 0.5_dp, 0.5_dp, 0.5_dp], [0.3_dp, 0.2_dp, 0.1_dp])
         call body%set_torque(parts, which)
         call body%solve(1.0_dp, 1e-12_dp)
         call take(body, added)
         call ok(maxval(abs(added - ready_made)) < 1e-10_dp, 'a part of a torque acts as the ready-made torque')
      end do

      torque = 1
      stat = 0
      call qi_add_in_body_frame(identity, [1.0_dp, 2.0_dp, 3.0_dp], torque, stat)
      call ok(stat == 0 .and. same(torque, [2.0_dp, 3.0_dp, 4.0_dp]), 'a part is added')
      stat = 7
      call qi_add_uniform_field(identity, [1.0_dp, 2.0_dp, 3.0_dp], [1.0_dp, 0.0_dp, 0.0_dp], torque, stat)
      call ok(stat == 7 .and. same(torque, [2.0_dp, 3.0_dp, 4.0_dp]), 'after an error nothing is added, and the error stays')
      stat = 0
      call qi_add_linear_drag(2*identity, [1.0_dp, 0.0_dp, 0.0_dp], [1.0_dp, 2.0_dp, 3.0_dp], torque, stat)
      call ok(stat == QI_ERR_ORIENTATION .and. same(torque, [2.0_dp, 3.0_dp, 4.0_dp]), 'a bad orientation is an error')
   end subroutine parts_of_a_torque

   !> Orientation of a heavy top after a time of 2.
   subroutine orientation_by(method, steps, q)
      type(qi_method_t), intent(in) :: method
      integer, intent(in) :: steps
      real(dp), intent(out) :: q(4)
      type(qi_body_t) :: top

      call top%create(moments, angular_velocity=[1.0_dp, 1.0_dp, 1.0_dp])
      call top%set_torque(weight)
      call top%set_method(method)
      call top%advance(2.0_dp/steps, steps)
      call top%get_orientation(q)
   end subroutine orientation_by

   subroutine errors_are_told_by_stat_and_errmsg()
      type(qi_body_t) :: body
      real(dp) :: q(4), records(8, 1), narrow(7, 5), bad(3, 3)
      integer :: stat, completed, written
      character(200) :: errmsg
      character(12) :: short

      bad = moments
      bad(2, 2) = -2
      errmsg = 'untouched'
      call body%create(bad, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INERTIA, errmsg, '`inertia` is not positive definite', 'create refuses a bad inertia')
      call ok(.not. body%exists(), 'a body that is refused does not exist')
      bad = 0
      bad(2, 2) = 2
      bad(3, 3) = 2
      call body%create(bad, angular_velocity=[1.0_dp, 0.0_dp, 3.0_dp])
      call body%get_angular_velocity(narrow(:3, 1))
      call ok(maxval(abs(narrow(:3, 1) - [0, 0, 3])) < tiny(1.0_dp), 'a line does not turn about itself')
      bad(3, 3) = 1
      call body%create(bad, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INERTIA, errmsg, '0.0, 2.0, 1.0', 'zero and two others is no body')
      bad = moments
      bad(1, 2) = 0.5_dp
      call body%create(bad, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INERTIA, errmsg, 'not symmetric', 'create refuses an asymmetric inertia')
      call body%create(moments, [2.0_dp, 0.0_dp, 0.0_dp, 0.0_dp], stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_ORIENTATION, errmsg, '`orientation`', 'create refuses a long quaternion')
      call body%create(moments, angular_velocity=[nan(), 0.0_dp, 0.0_dp], stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, '`angular_velocity[0]` is NaN', 'create refuses a NaN')

      errmsg = 'untouched'
      call body%create(moments, stat=stat, errmsg=errmsg)
      call ok(stat == QI_OK .and. errmsg == 'untouched' .and. body%exists(), 'errmsg is left alone where there is no error')
      short = 'before'
      call body%step(nan(), stat, short)
      call ok(stat == QI_ERR_NON_FINITE .and. short == 'qi_step: `dt', 'a short errmsg is cut, as ALLOCATE does it')
      call body%step(nan(), stat)
      call ok(stat == QI_ERR_NON_FINITE, 'errmsg may be left out')

      call body%create(bad, stat=stat)
      call ok(stat == QI_ERR_INERTIA .and. body%exists(), 'create that fails leaves the body that was there')
      call body%advance(nan(), 5, completed, stat, errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, '`dt` is NaN', 'advance refuses a NaN')
      call body%advance(0.1_dp, -1, completed, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`steps` is negative', 'advance refuses a negative number of steps')
      call body%record(0.1_dp, 10, 1, records, written, stat, errmsg)
      call refused(stat, QI_ERR_CAPACITY, errmsg, '11 needed, 1 given', 'record refuses too few columns')
      call body%record(0.1_dp, 4, 1, narrow, written, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`records` has 7 rows; it must have 8', 'record refuses the wrong rows')
      call body%record(0.1_dp, 4, -1, records, written, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'negative', 'record refuses a negative number')
      call body%record(0.1_dp, 0, 0, records, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`every`', 'record refuses every = 0')
      call body%set_state([0.0_dp, 0.0_dp, 0.0_dp, 0.0_dp], [0.0_dp, 0.0_dp, 0.0_dp], stat, errmsg)
      call refused(stat, QI_ERR_ORIENTATION, errmsg, '`orientation`', 'set_state refuses zeros')
      call body%set_state_body([1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp], [0.0_dp, nan(), 0.0_dp], stat, errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, '[1]', 'set_state_body refuses a NaN')
      call body%set_time(nan(), stat, errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, '`time`', 'set_time refuses a NaN')
      call body%set_constant_torque([1.0_dp, 0.0_dp, 0.0_dp], qi_frame_t(7), stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`frame`', 'set_constant_torque refuses a frame that is none')
      call body%set_uniform_field_torque([nan(), 0.0_dp, 0.0_dp], [0.0_dp, 0.0_dp, 0.0_dp], stat, errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, '`vector_body[0]`', 'set_uniform_field_torque refuses a NaN')
      call body%set_gravity_gradient_torque([0.0_dp, 0.0_dp, 0.0_dp], 1.0_dp, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'no direction', 'set_gravity_gradient_torque refuses the zero vector')
      call body%set_linear_drag_torque([0.0_dp, nan(), 0.0_dp], stat, errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, '`coefficients[1]`', 'set_linear_drag_torque refuses a NaN')
      call body%set_shear_flow_torque([1.0_dp, 1.0_dp, 1.0_dp], -1.0_dp, moments, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`viscosity`', 'set_shear_flow_torque refuses a negative viscosity')
      call body%get_orientation(q)
      call ok(same(q, [1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp]), 'after all that the body is where it was')
   end subroutine errors_are_told_by_stat_and_errmsg

   subroutine torques_that_fail_leave_the_body_as_it_was()
      type(qi_body_t), target :: body
      type(orders_t), target :: orders
      real(dp) :: before(8), after(8)
      integer :: stat, completed
      character(200) :: errmsg

      call body%create(moments, angular_velocity=[1.0_dp, 1.0_dp, 1.0_dp])
      call body%set_torque(weight, orders)
      call body%advance(0.01_dp, 3)
      call take(body, before)
      orders%at_call = orders%calls + 2 ! in the middle of the next step
      orders%stop_with = 42
      call body%step(0.01_dp, stat, errmsg)
      call refused(stat, QI_ERR_CALLBACK, errmsg, 'callback returned 42 at time 0.03', &
         'a torque that gives a stat abandons the step')
      call take(body, after)
      call ok(same(before, after) .and. body%callback_result() == 42, 'the body is bitwise as before, the stat is kept')
      orders%at_call = orders%calls + 5
      call body%advance(0.01_dp, 10, completed, stat)
      call ok(stat == QI_ERR_CALLBACK .and. completed == 2, 'advance says how many steps stand')

      call take(body, before)
      orders%bad_body = 1
      call body%step(0.01_dp, stat, errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, 'the torque is not finite', 'a torque that is NaN is refused')
      call take(body, after)
      call ok(same(before, after), 'and the body is bitwise as before')

      call body%set_torque(meddling, body, stat)
      call ok(stat == QI_OK, 'data may be anything, the body itself too')
      call body%step(0.01_dp, stat, errmsg)
      call refused(stat, QI_ERR_CALLBACK, errmsg, 'returned -9', 'a torque that uses its own body is told that it is busy')
   end subroutine torques_that_fail_leave_the_body_as_it_was

   subroutine take(body, state)
      type(qi_body_t), intent(in) :: body
      real(dp), intent(out) :: state(8)

      call body%get_time(state(1))
      call body%get_orientation(state(2:5))
      call body%get_angular_velocity_body(state(6:8))
   end subroutine take

   subroutine bodies_are_moved_and_destroyed()
      type(qi_body_t) :: a, b, none, also_none
      type(qi_body_t), allocatable :: many(:), more(:)
      type(orders_t), target :: orders
      integer :: stat, i
      real(dp) :: q(4)
      character(200) :: errmsg

      call a%create(moments)
      call a%set_torque(weight, orders)
      call a%move_to(b)
      call ok(.not. a%exists() .and. b%exists(), 'move_to leaves nothing behind')
      call b%step(0.1_dp)
      call ok(orders%calls == 2, 'the torque moves with its body')
      call b%move_to(b)
      call ok(b%exists(), 'a body that is moved to itself stays')
      call a%step(0.1_dp, stat, errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'destroyed, moved, or a copy', 'a body that was moved is refused')
      call a%set_torque(weight, orders, stat, errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'destroyed, moved, or a copy', 'it takes no torque')
      call b%destroy()
      call b%destroy()
      call b%get_orientation(q, stat, errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'qi_get_orientation: `body` is NULL (not created yet, destroyed, moved, ', &
         'a body that was destroyed is refused')
      call ok(b%callback_result() == 0, 'and its torque has nothing to tell')
      none = also_none
      call ok(.not. none%exists(), 'nothing may be copied')

      allocate (many(3), more(6))
      do i = 1, 3
         call many(i)%create(moments)
      end do
      do i = 1, 3
         call many(i)%move_to(more(i))
      end do
      call move_alloc(more, many)
      call ok(all(many%exists() .eqv. [.true., .true., .true., .false., .false., .false.]), 'an array of bodies can grow')
      call many(2)%step(0.1_dp)
   end subroutine bodies_are_moved_and_destroyed

   !> Run under valgrind, which finds memory that is not freed.
   subroutine bodies_are_finalized()
      type :: particle_t
         type(qi_body_t) :: body
         integer :: id = 0
      end type particle_t
      type(particle_t), allocatable :: particles(:)
      class(qi_body_t), allocatable :: polymorphic
      type(orders_t), target :: orders
      integer :: i

      allocate (particles(4), polymorphic)
      do i = 1, 4
         call particles(i)%body%create(moments)
         call particles(i)%body%set_torque(weight, orders)
         call particles(i)%body%set_torque(weight)
         call particles(i)%body%create(moments)
      end do
      call polymorphic%create(moments)
      call polymorphic%set_torque(weight, orders)
      call polymorphic%step(0.1_dp)
      deallocate (particles)
      block
         type(qi_body_t) :: local
         call local%create(moments)
      end block
      call ok(orders%calls == 2, 'bodies are finalized with the variables they are in')
   end subroutine bodies_are_finalized

end program test_body
