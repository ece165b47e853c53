!> Populations of bodies that change, from Fortran: rows of numbers, restart, other orders, exact sums.
program test_population
   use check
   use, intrinsic :: iso_c_binding, only: c_int32_t, c_int64_t
   implicit none
   integer, parameter :: n = 150 ! three chunks, of which the last is not full
   integer(c_int32_t), parameter :: everything = QI_PART_STATE + QI_PART_INERTIA + QI_PART_TORQUE + QI_PART_MEMORY
   real(dp), parameter :: dt = 0.013_dp ! its multiples are not exact, so that the clock has something to carry

   call a_restart_has_the_same_bits_by_every_method()
   call a_restart_under_drag_has_the_same_bits()
   call a_body_restarts_with_its_clock()
   call bodies_migrate_between_two_ensembles()
   call bodies_are_selected()
   call ensembles_grow_and_shrink()
   call arrays_are_released()
   call bodies_are_in_rows_of_arrays()
   call rows_of_arrays_that_do_not_fit_are_refused()
   call ensembles_of_nobody()
   call bad_rows_name_the_body_and_change_nothing()
   call principal_inertias_take_one_or_each()
   call sums_are_exact()
   call without_an_ensemble_all_is_refused()
   call finish()

contains

   !> Initial states of n different bodies.
   subroutine start(q, omega, inertia)
      real(dp), intent(out) :: q(4, n), omega(3, n), inertia(3, 3, n)
      integer :: i

      do i = 1, n
         if (qi_orientation_from_axis_angle([sin(1.0_dp*i), 1.0_dp, cos(1.0_dp*i)], 0.02_dp*i, q(:, i)) /= QI_OK) error stop
         omega(:, i) = [0.5_dp, 1 + 0.01_dp*i, -0.3_dp]
         inertia(:, :, i) = moments*(1 + 0.001_dp*i)
         if (mod(i, 3) == 0) inertia(1, 2, i) = 0.25_dp ! body axes that are not the principal axes
         inertia(2, 1, i) = inertia(1, 2, i)
      end do
   end subroutine start

   !> An ensemble with these initial states in its own memory.
   subroutine make(e)
      type(qi_ensemble_t), intent(inout) :: e
      real(dp) :: q(4, n), omega(3, n), inertia(3, 3, n)

      call start(q, omega, inertia)
      call e%create(n)
      call e%set_inertias(inertia)
      call e%set_orientations(q)
      call e%set_angular_velocities(omega)
   end subroutine make

   !> All there is of the bodies.
   subroutine save(e, rows, bodies)
      type(qi_ensemble_t), intent(in) :: e
      real(dp), allocatable, intent(out) :: rows(:, :)
      integer, intent(in), optional :: bodies(:)
      integer :: count

      count = e%count()
      if (present(bodies)) count = size(bodies)
      allocate (rows(e%row_size(everything), count), source=-7.0_dp)
      call e%get_rows(everything, rows, bodies)
   end subroutine save

   function rows_of(e) result(rows)
      type(qi_ensemble_t), intent(in) :: e
      real(dp), allocatable :: rows(:, :)

      call save(e, rows)
   end function rows_of

   !> The states of the bodies: orientation, and angular velocity in the body frame.
   function states_of(e) result(rows)
      type(qi_ensemble_t), intent(in) :: e
      real(dp), allocatable :: rows(:, :)

      allocate (rows(7, e%count()))
      call e%get_rows(QI_PART_STATE, rows)
   end function states_of

   logical function agree(a, b)
      type(qi_ensemble_t), intent(in) :: a, b

      agree = same([states_of(a)], [states_of(b)])
   end function agree

   function numbers(first, last) result(ascending)
      integer, intent(in) :: first, last
      integer :: ascending(max(0, last - first + 1)), i

      ascending = [(i, i=first, last)]
   end function numbers

   !> Every ten steps all is written to arrays and read into an ensemble of its own. The torque depends on the time, so that its
   !! bits show those of the clock. It is asked no more often than in one go: the last torque travels, too.
   subroutine a_restart_has_the_same_bits_by_every_method()
      type(qi_ensemble_t) :: whole, part, next
      type(orders_t), target :: of_whole, of_part
      real(dp), allocatable :: rows(:, :)
      type(qi_method_t), parameter :: methods(6) = [QI_METHOD_PCDM, QI_METHOD_SPLITTING, QI_METHOD_CF4, QI_METHOD_SPLITTING_4, &
         QI_METHOD_SPLITTING_6, QI_METHOD_FORCE_GRADIENT]
      real(dp) :: clock(2), other(2)
      integer :: i, k

      do i = 1, size(methods)
         of_whole = orders_t()
         of_part = orders_t()
         call make(whole)
         call whole%set_torque(turning_weights, of_whole)
         call whole%set_method(methods(i))
         call make(part)
         call part%set_torque(turning_weights, of_part)
         call part%set_method(methods(i))
         call whole%advance(dt, 60)
         do k = 1, 6
            call part%advance(dt, 10)
            call part%get_clock(clock)
            call save(part, rows)
            call next%create(n)
            call next%set_clock(clock)
            call next%set_torque(turning_weights, of_part)
            call next%set_method(methods(i))
            call next%set_rows(everything, rows)
            call next%move_to(part)
         end do
         call ok(agree(whole, part), 'a run that is saved and restored every ten steps has the same bits')
         call ok(of_part%calls == of_whole%calls, 'and asks for as many torques')
         call whole%get_clock(clock)
         call part%get_clock(other)
         call ok(same(clock, other) .and. abs(clock(2)) > 0, 'the clocks agree to the last bit, and what rounding left')
         if (methods(i) == QI_METHOD_PCDM) call ok(part%row_size(everything) == 14, 'PCDM keeps no memory')
         if (methods(i) == QI_METHOD_SPLITTING) call ok(part%row_size(everything) == 17, 'a splitting keeps the last torque')
      end do
   end subroutine a_restart_has_the_same_bits_by_every_method

   subroutine a_restart_under_drag_has_the_same_bits()
      type(qi_ensemble_t) :: whole, part, next
      real(dp) :: coefficients(3, n), flow(3, n), clock(2)
      real(dp), allocatable :: rows(:, :)
      type(qi_method_t), parameter :: methods(2) = [QI_METHOD_PCDM, QI_METHOD_SPLITTING]
      integer :: i, k

      do i = 1, n
         coefficients(:, i) = [0.3_dp, 0.2_dp, 1.0_dp] + 0.01_dp*i
         flow(:, i) = [0.0_dp, 2.0_dp, 0.01_dp*i]
      end do
      do i = 1, 2
         call make(whole)
         call make(part)
         call part%set_torque(turning_weights)
         call whole%set_torque(turning_weights)
         call part%set_method(methods(i))
         call whole%set_method(methods(i))
         call part%set_drag(coefficients, flow)
         call whole%set_drag(coefficients, flow)
         call whole%advance(dt, 30)
         do k = 1, 3
            call part%advance(dt, 10)
            call part%get_clock(clock)
            call save(part, rows)
            call next%create(n)
            call next%set_clock(clock)
            call next%set_torque(turning_weights)
            call next%set_method(methods(i))
            call next%set_drag([1.0_dp, 1.0_dp, 1.0_dp], [0.0_dp, 0.0_dp, 1.0_dp]) ! the rows bring those of each body
            call next%set_rows(everything, rows)
            call next%move_to(part)
         end do
         call ok(agree(whole, part), 'under a drag, too, a restored run has the same bits')
      end do
   end subroutine a_restart_under_drag_has_the_same_bits

   subroutine a_body_restarts_with_its_clock()
      type(qi_body_t) :: whole, part, next
      type(orders_t), target :: orders
      real(dp) :: clock(2), other(2), q(4), omega(3), expected(4)
      integer :: stat
      character(300) :: errmsg

      call whole%create(moments, angular_velocity=[0.1_dp, 1.0_dp, 0.2_dp])
      call whole%set_torque(weight, orders)
      call whole%advance(dt, 40)
      call whole%get_clock(clock)
      call ok(abs(clock(1) - 40*dt) < 1e-15_dp .and. abs(clock(2)) > 0, 'a clock is a time, and what rounding has left of it')
      call whole%get_orientation(expected)
      call part%create(moments, angular_velocity=[0.1_dp, 1.0_dp, 0.2_dp])
      call part%set_torque(weight, orders)
      call part%advance(dt, 15)
      call part%get_clock(clock)
      call part%get_orientation(q)
      call part%get_angular_velocity_body(omega)
      call next%create(moments)
      call next%set_state_body(q, omega)
      call next%set_clock(clock)
      call next%set_torque(weight, orders)
      call next%advance(dt, 25)
      call next%get_orientation(q)
      call next%get_clock(other)
      call whole%get_clock(clock)
      call ok(same(clock, other) .and. maxval(abs(q - expected)) < 1e-14_dp, 'a body goes on with its clock')
      call next%set_clock([nan(), 0.0_dp], stat, errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, '`clock[', 'a clock is not NaN')
      call whole%destroy()
      call whole%get_clock(clock, stat, errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'destroyed', 'a body that was destroyed has no clock')
      call whole%set_clock([0.0_dp, 0.0_dp], stat, errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'destroyed', 'and takes none')
   end subroutine a_body_restarts_with_its_clock

   !> Once each body has its own arm in a uniform field, which travels with it. Once the torque depends on time and angular
   !! velocity: if the last torque did not travel, it would be asked for again, at an angular velocity that is not the same.
   subroutine bodies_migrate_between_two_ensembles()
      type(qi_ensemble_t) :: whole, here, there
      real(dp), parameter :: field(3) = [0.2_dp, 0.0_dp, -1.0_dp]
      real(dp) :: arms(3, n)
      integer :: i

      do i = 1, n
         arms(:, i) = [0.1_dp*cos(1.0_dp*i), 0.3_dp, 1.0_dp + 0.01_dp*i]
      end do
      call make(whole)
      call make(here)
      call there%create(0)
      call whole%set_uniform_field_torque(arms, field)
      call here%set_uniform_field_torque(arms, field)
      call there%set_uniform_field_torque(arms(:, 1:0), field)
      call migrate(whole, here, there)
      call make(whole)
      call make(here)
      call there%create(0)
      call whole%set_torque(turning_brakes)
      call here%set_torque(turning_brakes)
      call there%set_torque(turning_brakes)
      call migrate(whole, here, there)
   end subroutine bodies_migrate_between_two_ensembles

   subroutine migrate(whole, here, there)
      type(qi_ensemble_t), intent(inout) :: whole, here, there
      real(dp) :: states(7, n)
      integer, allocatable :: ids_here(:), ids_there(:)
      integer :: k, crossings

      call whole%set_method(QI_METHOD_SPLITTING)
      call here%set_method(QI_METHOD_SPLITTING)
      call there%set_method(QI_METHOD_SPLITTING)
      call whole%advance(dt, 60)
      allocate (ids_here, source=numbers(1, n))
      allocate (ids_there(0))
      crossings = 0
      do k = 1, 6
         call here%advance(dt, 10)
         call there%advance(dt, 10)
         call move(here, ids_here, there, ids_there, sin(real(ids_here, dp) + k) > 0.2_dp, crossings)
         call move(there, ids_there, here, ids_here, cos(real(ids_there, dp)*k) > 0.5_dp, crossings)
      end do
      states(:, ids_here) = states_of(here)
      states(:, ids_there) = states_of(there)
      call ok(same([states], [states_of(whole)]), 'bodies that migrate have the bits of those that stay')
      call ok(crossings > 2*n .and. size(ids_here) > 10 .and. size(ids_there) > 10 .and. &
         size(ids_here) + size(ids_there) == n, 'and many did')
   end subroutine migrate

   !> Moves the bodies that leave to the end of another ensemble.
   subroutine move(from, ids_from, to, ids_to, leaves, crossings)
      type(qi_ensemble_t), intent(inout) :: from, to
      integer, allocatable, intent(inout) :: ids_from(:), ids_to(:)
      logical, intent(in) :: leaves(:)
      integer, intent(inout) :: crossings
      integer, allocatable :: leavers(:), stayers(:)
      real(dp), allocatable :: rows(:, :)
      integer :: before

      leavers = pack(numbers(1, size(leaves)), leaves)
      stayers = pack(numbers(1, size(leaves)), .not. leaves)
      call save(from, rows, leavers)
      call from%select(stayers)
      before = to%count()
      call to%resize(before + size(leavers))
      call to%set_rows(everything, rows, numbers(before + 1, to%count()))
      ids_to = [ids_to, ids_from(leavers)]
      ids_from = ids_from(stayers)
      crossings = crossings + size(leavers)
   end subroutine move

   subroutine bodies_are_selected()
      type(qi_ensemble_t) :: e, whole
      real(dp) :: states(7, n), q(4, 5), omega(3, 5), time
      real(dp), allocatable :: rows(:, :)
      integer, parameter :: from(5) = [n, 3, 70, 3, 1]
      integer :: stat
      logical :: needed
      character(300) :: errmsg

      call make(e)
      call make(whole)
      call e%set_torque(turning_weights)
      call whole%set_torque(turning_weights)
      call e%set_method(QI_METHOD_SPLITTING)
      call whole%set_method(QI_METHOD_SPLITTING)
      call e%advance(dt, 10)
      call whole%advance(dt, 20)
      call e%set_active([2, 5])
      call save(e, rows, from)
      call e%select(from)
      call ok(same([rows(:14, :)], [first_rows(e)]) .and. e%count() == 5, &
         'select removes, permutes and copies bodies, counted from 1')
      call e%begin_step(dt)
      call e%next_stage(needed, time, q, omega)
      call ok(needed, 'and the stage protocol knows how many there are now: all of them move')
      call e%cancel_step()
      call e%advance(dt, 10)
      states = states_of(whole)
      call ok(same([states(:, from)], [states_of(e)]), 'each goes on with the bits of the body that it was')
      call e%select([6], stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`from', 'a body that is not there is refused')
      call e%select([1, 0], stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`from` must count from 1', 'a list that counts from 0 is refused')
      call ok(same([states(:, from)], [states_of(e)]) .and. e%count() == 5, 'and nothing has changed')
      call e%select([integer ::])
      call ok(e%count() == 0, 'an empty list leaves nobody')
   end subroutine bodies_are_selected

   !> State and inertia.
   function first_rows(e) result(rows)
      type(qi_ensemble_t), intent(in) :: e
      real(dp), allocatable :: rows(:, :)

      allocate (rows(14, e%count()))
      call e%get_rows(QI_PART_STATE + QI_PART_INERTIA, rows)
   end function first_rows

   subroutine ensembles_grow_and_shrink()
      type(qi_ensemble_t) :: e, whole
      type(orders_t), target :: orders
      real(dp) :: states(7, n), created(7), q(4, n), omega(3, n), time, clock(2)
      logical :: needed
      integer :: stat
      character(300) :: errmsg

      call make(e)
      call make(whole)
      call e%set_torque(turning_weights, orders)
      call whole%set_torque(turning_weights)
      call e%set_method(QI_METHOD_CF4)
      call whole%set_method(QI_METHOD_CF4)
      call e%advance(dt, 10)
      call whole%advance(dt, 20)
      call e%resize(n - 40)
      call e%begin_step(dt)
      call e%next_stage(needed, time, q(:, 41:), omega(:, 41:))
      call ok(needed, 'the stage protocol knows how many bodies are left')
      call e%cancel_step()
      call e%advance(dt, 10)
      states = states_of(whole)
      call ok(same([states(:, :n - 40)], [states_of(e)]) .and. e%count() == n - 40, 'resize keeps the first bodies, and all else')
      call e%get_clock(clock)
      call ok(e%method() == QI_METHOD_CF4 .and. abs(clock(1) - 20*dt) < 1e-15_dp, 'the method and the clock')
      call e%resize(n)
      states = states_of(e)
      created = [1, 0, 0, 0, 0, 0, 0]
      call ok(same(states(:, n), created) .and. same(states(:, n - 39), created), 'new bodies are as created')
      call e%begin_step(dt)
      call e%next_stage(needed, time, q, omega)
      call ok(needed, 'and are known to the stage protocol')
      call e%resize(3, stat, errmsg)
      call refused(stat, QI_ERR_ORDER, errmsg, 'a step has been begun', 'no resize in the middle of a step')
      call e%cancel_step()
      orders%last_seen = 0
      call e%step(dt)
      call ok(orders%last_seen == n, 'and to the torque')
      call e%resize(-1, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`count` is negative', 'resize refuses a negative count')
   end subroutine ensembles_grow_and_shrink

   subroutine arrays_are_released()
      type(qi_ensemble_t) :: e, whole
      real(dp), target :: q(4, n), omega(3, n), inertia(3, 3, n)
      real(dp) :: left(7*n)

      call make(whole)
      call whole%set_torque(turning_weights)
      call start(q, omega, inertia)
      call make(e)
      call e%set_torque(turning_weights)
      call e%bind_orientations(q)
      omega = 0
      call e%bind_angular_velocities(omega, kind=QI_OMEGA_BODY)
      call e%set_rows(QI_PART_STATE, states_of(whole))
      call e%advance(dt, 10)
      left = [q, omega]
      call e%release_arrays()
      call e%advance(dt, 10)
      call whole%advance(dt, 20)
      call ok(agree(e, whole), 'released arrays go to own memory bit for bit')
      call ok(same(left, [q, omega]), 'and are no longer written')
      call e%bind_orientations(q)
      call e%resize(n - 1)
      left(:4*n) = [q]
      call e%step(dt)
      call ok(same(left(:4*n), [q]), 'resize lets them go, too')
      call e%bind_orientations(q(:, :n - 1))
      call e%select([5, 6])
      left(:4*n) = [q]
      call e%step(dt)
      call ok(same(left(:4*n), [q]), 'and so does select')
   end subroutine arrays_are_released

   !> As in codes that keep orientations and momenta in different orders, with bodies and points in one array.
   subroutine bodies_are_in_rows_of_arrays()
      type :: record_t
         real(dp) :: q(4) = [1, 0, 0, 0], omega(3) = -7
      end type record_t
      type(qi_ensemble_t) :: e, plain
      type(record_t), target :: p(2*n)
      real(dp), target :: q(4, 2*n), omega(3, 3*n), columns(2*n, 4), q_plain(4, n), omega_plain(3, n), inertia(3, 3, n)
      integer :: in_q(n), in_omega(n), i
      logical :: has_body(2*n), has_omega(3*n)

      in_q = [(2*n + 1 - 2*i, i=1, n)]                     ! every other row, backwards
      in_omega = [(3*(1 + mod(7*i, n)), i=1, n)]           ! every third, mixed: 7 and 150 have no common divisor
      has_body = .false.
      has_body(in_q) = .true.
      has_omega = .false.
      has_omega(in_omega) = .true.

      call start(q_plain, omega_plain, inertia)
      q = -7
      q(:, in_q) = q_plain
      omega = -7
      omega(:, in_omega) = omega_plain
      columns = -7
      columns(in_q, :) = transpose(q_plain([2, 3, 4, 1], :))
      do i = 1, n
         p(in_q(i))%q = q_plain(:, i)
         p(in_q(i))%omega = omega_plain(:, i)
      end do

      call bound(plain)
      call plain%bind_orientations(q_plain)
      call plain%bind_angular_velocities(omega_plain)
      call plain%advance(dt, 20)
      call bound(e)
      call e%bind_orientations(q, rows=in_q)
      call e%bind_angular_velocities(omega, rows=in_omega)
      call e%advance(dt, 20)
      call ok(same([q(:, in_q)], [q_plain]) .and. same([omega(:, in_omega)], [omega_plain]), &
         'bodies in other rows of two arrays have the same bits')
      call ok(all(abs(q(:, pack(numbers(1, 2*n), .not. has_body)) + 7) <= 0) .and. &
         all(abs(omega(:, pack(numbers(1, 3*n), .not. has_omega)) + 7) <= 0), 'rows of no body are not touched')
      call bound(e)
      call e%bind_orientations(columns, QI_LAYOUT_SOA, QI_SCALAR_LAST, rows=in_q)
      call e%bind_angular_velocities(p(1)%omega, p(2)%omega, rows=in_q)
      call e%advance(dt, 20)
      call ok(same([transpose(columns(in_q, [4, 1, 2, 3]))], [q_plain]) .and. &
         all([(same(p(in_q(i))%omega, omega_plain(:, i)), i=1, n)]), 'in columns and in records as well')
      call ok(all(abs(columns(2::2, :) + 7) <= 0) .and. all([(abs(p(i)%omega + 7) <= 0, i=2, 2*n, 2)]), &
         'where, too, the others are not touched')
      call bound(e)
      call e%bind_orientations(p(1)%q, p(2)%q, rows=in_q)
      call e%advance(dt, 20)
      call ok(.not. same(p(in_q(1))%q, [1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp]) .and. same(p(2)%q, [1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp]), &
         'orientations in records, too')
      call bound(e)
      call e%bind_orientations(q, rows=in_q)
      in_q = 0 ! the list was copied
      call e%step(dt)
      call e%release_arrays()
      call ok(maxval(abs(norm2(q(:, 1::2), 1) - 1)) < 1e-14_dp, 'the list is copied')
   end subroutine bodies_are_in_rows_of_arrays

   subroutine bound(e)
      type(qi_ensemble_t), intent(inout) :: e

      call make(e)
      call e%set_torque(turning_weights)
   end subroutine bound

   subroutine rows_of_arrays_that_do_not_fit_are_refused()
      type(qi_ensemble_t) :: e, untouched
      real(dp), target :: q(4, 2*n), omega(3, 2*n)
      integer :: rows(n), stat
      character(300) :: errmsg

      q = 0.5_dp
      omega = 0
      call make(e)
      call make(untouched)
      rows = numbers(1, n)
      call e%bind_orientations(q, rows=rows(2:), stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`rows` has the shape (149); it must be (150)', 'each body has its row')
      rows(7) = 0
      call e%bind_orientations(q, rows=rows, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`rows` must count from 1', 'rows count from 1')
      call e%bind_angular_velocities(omega(:, 1), omega(:, 2), rows=rows, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`rows` must count from 1', 'in records, too')
      rows(7) = 2*n + 1
      call e%bind_orientations(q, rows=rows, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'the array has 300 rows', 'a row beyond the end is refused')
      call e%bind_angular_velocities(omega, rows=rows, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'the array has 300 rows', 'of angular velocities, too')
      rows(7) = 8
      call e%bind_orientations(q, rows=rows, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`rows', 'two bodies in one row are refused')
      call e%bind_angular_velocities(omega, rows=rows, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`rows', 'for angular velocities as well')
      call e%bind_orientations(omega, rows=rows, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`orientations` has the shape (3, 300); it must be (4, 300)', &
         'three components of an orientation are refused')
      call ok(agree(e, untouched), 'and nothing has changed')
   end subroutine rows_of_arrays_that_do_not_fit_are_refused

   subroutine ensembles_of_nobody()
      type(qi_ensemble_t) :: e
      real(dp), target :: q(4, 0), none(3, 0), few(4, 3)
      real(dp), allocatable :: rows(:, :)
      real(dp) :: value, momentum(3)
      integer(c_int64_t) :: sum(QI_SUM_SIZE), sums(QI_SUM_SIZE, 3)
      integer :: nobody(0), i

      call e%create(0)
      call e%set_torque(turning_weights)
      call e%set_method(QI_METHOD_SPLITTING)
      call save(e, rows)
      call ok(size(rows, 1) == 17 .and. size(rows, 2) == 0, 'nobody has rows, none')
      call e%set_rows(everything, rows)
      call e%set_rows(everything, rows, [integer ::])
      call e%select([integer ::])
      call e%resize(0)
      call e%set_principal_inertias(none)
      call e%set_inertias(moments)
      few = -7
      call e%bind_orientations(few, rows=nobody)
      call e%bind_angular_velocities(few(:3, :), rows=nobody)
      call e%advance(dt, 3)
      call e%release_arrays()
      call ok(e%count() == 0 .and. all(abs(few + 7) <= 0), 'nobody is restored, selected, bound, stepped and released')
      call e%bind_orientations(q)
      call e%get_kinetic_energy_sums(sum)
      call e%get_angular_momentum_sums(sums)
      call qi_add_values_to_sum(sum, [real(dp) ::])
      call qi_get_sum_value(sum, value)
      do i = 1, 3
         call qi_get_sum_value(sums(:, i), momentum(i))
      end do
      call ok(same([value, momentum], [0.0_dp, 0.0_dp, 0.0_dp, 0.0_dp]), 'the sums over nobody are 0')
      call e%resize(2)
      call e%step(dt)
      call ok(e%count() == 2, 'and somebody may come')
      call save(e, rows, nobody)
      call e%set_rows(everything, rows, nobody)
      call ok(size(rows, 2) == 0, 'no body of some is asked for')
   end subroutine ensembles_of_nobody

   subroutine bad_rows_name_the_body_and_change_nothing()
      type(qi_ensemble_t) :: e, untouched
      real(dp) :: states(7, 3), narrow(6, 3)
      real(dp), allocatable :: rows(:, :)
      integer :: sizes(3), stat, i
      character(300) :: errmsg

      call make(e)
      call make(untouched)
      call e%get_rows(QI_PART_STATE, states, [5, 77, 9])
      rows = states_of(e)
      call ok(same([states], [rows(:, [5, 77, 9])]), 'bodies of a list are counted from 1')
      states = states(:, [2, 1, 3])
      states(6, 2) = nan()
      call e%set_rows(QI_PART_STATE, states, [5, 77, 9], stat, errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, 'from 1 it is body 77', 'a NaN in a row names the body')
      call ok(qi_error_body() == 77, 'whose number from 1 is to be had')
      states(6, 2) = 0
      states(1:4, 3) = 2
      call e%set_rows(QI_PART_STATE, states, [5, 77, 9], stat, errmsg)
      call refused(stat, QI_ERR_ORIENTATION, errmsg, 'from 1 it is body 9', 'a quaternion that is too long names it')
      rows = first_rows(e)
      rows(8, 130) = 1d308
      call e%set_rows(QI_PART_STATE + QI_PART_INERTIA, rows, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INERTIA, errmsg, 'from 1 it is body 130', 'and so does a moment that is too large')
      call e%set_rows(QI_PART_STATE, states, [5, 0, 9], stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`bodies` must count from 1', 'bodies count from 1')
      call e%get_rows(QI_PART_STATE, states, [5, 0, 9], stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`bodies` must count from 1', 'here, too')
      call e%get_rows(QI_PART_STATE, states, [5, n + 1, 9], stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`bodies', 'a body that is not there is refused')
      call e%get_rows(QI_PART_STATE, states, [5, 9], stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`rows` has the shape (7, 3); it must be (7, 2)', 'a column for each body')
      call e%get_rows(QI_PART_STATE, states, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'it must be (7, 150)', 'for all, without a list')
      call refused(stat, QI_ERR_INVALID, errmsg, 'Are parts, torque, drag, rotors, random torques and method those', &
         'and what it follows from')
      narrow = 0
      call e%set_rows(QI_PART_STATE, narrow, [1, 2, 3], stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '(6, 3); it must be (7, 3)', 'a row has its size')
      call e%get_rows(64, states, [1, 2, 3], stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`parts` must be a sum of QI_PART constants', 'a part that is none is refused')
      sizes = [e%row_size(QI_PART_STATE), e%row_size(QI_PART_INERTIA + QI_PART_MEMORY), e%row_size(QI_PART_TORQUE)]
      call ok(all(sizes == [7, 7, 0]), 'row_size tells how many numbers there are')
      call e%set_constant_torque([1.0_dp, 2.0_dp, 3.0_dp], QI_FRAME_BODY)
      call ok(e%row_size(QI_PART_TORQUE) == 3, 'of the torque, too')
      call e%clear_torque()
      call ok(agree(e, untouched), 'nothing has changed')

      rows = states_of(e)
      call e%set_rows(QI_PART_STATE, rows(:, [(i, i=n, 1, -1)]))
      call untouched%select([(i, i=n, 1, -1)])
      call ok(agree(e, untouched), 'columns in the reverse order come from a copy')
      call e%get_rows(QI_PART_STATE, rows(:, n:1:-1))
      call ok(same([rows(:, n:1:-1)], [states_of(untouched)]), 'and go through one')
      call e%begin_step(dt)
      call e%set_rows(QI_PART_STATE, rows, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_ORDER, errmsg, 'a step has been begun', 'no rows in the middle of a step')
      call e%select([1], stat, errmsg)
      call refused(stat, QI_ERR_ORDER, errmsg, 'a step has been begun', 'nor a selection')
      call e%release_arrays(stat, errmsg)
      call refused(stat, QI_ERR_ORDER, errmsg, 'a step has been begun', 'nor a release')
      call e%cancel_step()
      call e%set_clock([0.0_dp, nan()], stat, errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, '`clock[', 'a clock is not NaN')
      call e%set_threads(QI_MAX_THREADS + 1, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`threads`', 'threads beyond QI_MAX_THREADS are refused')
   end subroutine bad_rows_name_the_body_and_change_nothing

   subroutine principal_inertias_take_one_or_each()
      type(qi_ensemble_t) :: a, b
      real(dp) :: of_each(3, n), tensors(3, 3, n)
      integer :: i, k, stat
      character(300) :: errmsg

      tensors = 0
      do i = 1, n
         of_each(:, i) = [1.0_dp, 2.0_dp, 2.5_dp]*(1 + 0.01_dp*i)
         do k = 1, 3
            tensors(k, k, i) = of_each(k, i)
         end do
      end do
      call make(a)
      call make(b)
      call a%set_inertias(tensors)
      call b%set_principal_inertias(of_each)
      call ok(same([rows_of(a)], [rows_of(b)]), 'principal moments, one set for each body')
      call b%set_principal_inertias([1.0_dp, 1.0_dp, 1.0_dp])
      call b%set_principal_inertias(transpose(of_each), QI_LAYOUT_SOA)
      call ok(same([rows_of(a)], [rows_of(b)]), 'in columns')
      call a%set_inertias(tensors(:, :, 9))
      call b%set_principal_inertias(of_each(:, 9))
      call ok(same([rows_of(a)], [rows_of(b)]), 'or one set for all')
      of_each(2, 31) = -1
      call b%set_principal_inertias(of_each, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INERTIA, errmsg, 'from 1 it is body 31', 'a negative moment names its body')
      call b%set_principal_inertias(of_each(:2, :), stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '(2, 150); it must be (3, 150)', 'two moments are refused')
      call ok(same([rows_of(a)], [rows_of(b)]), 'and nothing has changed')
   end subroutine principal_inertias_take_one_or_each

   !> The sum of 1e300, 1, -1e300 and tiny is 1 + tiny, and no other way to add doubles gives it in every order.
   subroutine sums_are_exact()
      type(qi_ensemble_t) :: whole, parts(2)
      real(dp) :: energy, total, momentum(3), totals(3), tiny_sum(4)
      real(dp), allocatable :: rows(:, :)
      integer(c_int64_t) :: of_whole(QI_SUM_SIZE, 4), of_part(QI_SUM_SIZE, 4), of_parts(QI_SUM_SIZE, 4), sum(QI_SUM_SIZE)
      integer :: i, k, stat
      character(300) :: errmsg

      call make(whole)
      call save(whole, rows)
      call whole%get_kinetic_energy_sums(of_whole(:, 1))
      call whole%get_angular_momentum_sums(of_whole(:, 2:4))
      of_parts = 0
      do k = 1, 2
         call parts(k)%create(n/2)
         call parts(k)%set_rows(everything, rows(:, [(i, i=k, n, 2)]))
         call parts(k)%get_kinetic_energy_sums(of_part(:, 1))
         call parts(k)%get_angular_momentum_sums(of_part(:, 2:4))
         of_parts = of_parts + of_part
      end do
      call qi_get_sum_value(of_whole(:, 1), energy)
      call qi_get_sum_value(of_parts(:, 1), total)
      call whole%get_total_kinetic_energy(tiny_sum(1))
      call ok(same([energy], [total]) .and. abs(energy - tiny_sum(1)) < 1e-13_dp*energy, &
         'the energy of two parts is that of the whole, bit for bit')
      call whole%get_total_angular_momentum(tiny_sum(2:4))
      do i = 1, 3
         call qi_get_sum_value(of_whole(:, i + 1), momentum(i))
         call qi_get_sum_value(of_parts(:, i + 1), totals(i))
      end do
      call ok(same(momentum, totals) .and. all(abs(momentum - tiny_sum(2:4)) < 1e-13_dp*norm2(momentum)), &
         'and so is the angular momentum: x, y, z')

      call whole%set_active([(i, i=2, n, 2)])
      call whole%get_kinetic_energy_sums(of_whole(:, 1))
      call ok(all(of_whole(:, 1) == of_part(:, 1)), 'it is the sum of those that move')

      sum = 0
      tiny_sum = [1e300_dp, 1.0_dp, -1e300_dp, 2.0_dp**(-52)]
      call qi_add_values_to_sum(sum, tiny_sum)
      call qi_get_sum_value(sum, total)
      call ok(same([total], [1 + epsilon(total)]), 'a sum of numbers of any size is exact')
      call qi_add_values_to_sum(sum, -tiny_sum(4:2:-1))
      call qi_add_values_to_sum(sum, -tiny_sum(1:1))
      call qi_get_sum_value(sum, total)
      call ok(abs(total) <= 0, 'and becomes 0 again')
      call qi_add_values_to_sum(sum, [1.0_dp, nan()], stat, errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, '`values', 'NaN is not added')
      call qi_get_sum_value(sum, total)
      call ok(abs(total) <= 0, 'nor what stands before it')
      call qi_add_values_to_sum(sum(:9), tiny_sum, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`sum` has the shape (9); it must be (68)', 'a sum has its size')
      call qi_get_sum_value(sum(:9), total, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`sum` has the shape (9); it must be (68)', 'here, too')
      call whole%get_kinetic_energy_sums(sum(:9), stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`sums` has the shape (9); it must be (68)', 'of energies, too')
      call whole%get_angular_momentum_sums(of_whole, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`sums` has the shape (68, 4); it must be (68, 3)', 'and of momenta')
   end subroutine sums_are_exact

   subroutine without_an_ensemble_all_is_refused()
      type(qi_ensemble_t) :: none
      real(dp) :: rows(0, 0), clock(2)
      integer(c_int64_t) :: sums(QI_SUM_SIZE, 3)
      integer :: stats(11)

      call none%get_rows(QI_PART_STATE, rows, stat=stats(1))
      call none%set_rows(QI_PART_STATE, rows, stat=stats(2))
      call none%resize(1, stats(3))
      call none%select([1], stats(4))
      call none%release_arrays(stats(5))
      call none%get_clock(clock, stats(6))
      call none%set_clock([0.0_dp, 0.0_dp], stats(7))
      call none%set_principal_inertias([1.0_dp, 1.0_dp, 1.0_dp], stat=stats(8))
      call none%get_kinetic_energy_sums(sums(:, 1), stats(9))
      call none%get_angular_momentum_sums(sums, stats(10))
      call none%set_rows(QI_PART_STATE, rows, [integer ::], stats(11))
      call ok(all(stats == QI_ERR_NULL), 'without an ensemble all of this is refused')
      call ok(none%row_size(QI_PART_STATE) == 0, 'and rows have no size')
   end subroutine without_an_ensemble_all_is_refused

end program test_population
