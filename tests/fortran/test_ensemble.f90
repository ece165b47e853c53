!> Many bodies from Fortran: every type-bound procedure, with valid and invalid input.
program test_ensemble
   use check
   implicit none
   integer, parameter :: n = 300 ! five chunks, of which the last is not full

   call a_generic_ensemble()
   call arrays_are_copied_in_and_out()
   call arrays_are_bound_in_place()
   call one_record_is_bound_and_none_need_not_be()
   call every_way_to_give_a_torque_gives_the_bits_of_one_body()
   call parameters_are_taken_from_sections()
   call some_bodies_may_rest()
   call methods()
   call splitting_methods()
   call kicks_and_drifts()
   call predicted_velocities()
   call drag_takes_one_or_each()
   call rotors_are_one_for_all_or_each()
   call the_stage_protocol()
   call shapes_that_do_not_fit_are_refused()
   call arrays_without_memory_are_refused()
   call failures_name_the_body_and_change_nothing()
   call ensembles_are_moved_and_destroyed()
   call ensembles_are_finalized()
   call finish()

contains

   !> Initial states of n different bodies, in q(4,n) and omega(3,n).
   subroutine start(q, omega)
      real(dp), intent(out) :: q(4, n), omega(3, n)
      integer :: i

      do i = 1, n
         if (qi_orientation_from_axis_angle([sin(1.0_dp*i), 1.0_dp, cos(1.0_dp*i)], 0.01_dp*i, q(:, i)) /= QI_OK) error stop
         omega(:, i) = [0.5_dp, 1 + 0.01_dp*i, -0.3_dp]
      end do
   end subroutine start

   !> An ensemble with these initial states in its own memory.
   subroutine make(e)
      type(qi_ensemble_t), intent(inout) :: e
      real(dp) :: q(4, n), omega(3, n)

      call start(q, omega)
      call e%create(n)
      call e%set_inertias(moments)
      call e%set_orientations(q)
      call e%set_angular_velocities(omega)
   end subroutine make

   !> Whether two ensembles have bitwise the same state.
   logical function agree(a, b)
      type(qi_ensemble_t), intent(in) :: a, b
      real(dp) :: q(4, n, 2), omega(3, n, 2)

      call a%get_orientations(q(:, :, 1))
      call b%get_orientations(q(:, :, 2))
      call a%get_angular_velocities(omega(:, :, 1))
      call b%get_angular_velocities(omega(:, :, 2))
      agree = same([q(:, :, 1)], [q(:, :, 2)]) .and. same([omega(:, :, 1)], [omega(:, :, 2)])
   end function agree

   !> With the numbers of tests/rust/every_language.rs, as in every language.
   subroutine a_generic_ensemble()
      real(dp), parameter :: inertias(3, 3, 5) = reshape([ &
         4.28_dp, -0.576_dp, 0.768_dp, -0.576_dp, 5.8192_dp, 1.5744_dp, 0.768_dp, 1.5744_dp, 4.9008_dp, &
         2.54_dp, 0.576_dp, -0.432_dp, 0.576_dp, 3.3344_dp, 0.4992_dp, -0.432_dp, 0.4992_dp, 3.6256_dp, &
         3.3736_dp, 1.008_dp, 0.8352_dp, 1.008_dp, 3.24_dp, -1.344_dp, 0.8352_dp, -1.344_dp, 2.8864_dp, &
         2.14_dp, -0.384_dp, 0.288_dp, -0.384_dp, 2.2704_dp, 0.5472_dp, 0.288_dp, 0.5472_dp, 2.5896_dp, &
         3.3104_dp, -0.288_dp, 1.7472_dp, -0.288_dp, 5.36_dp, -0.384_dp, 1.7472_dp, -0.384_dp, 4.3296_dp], [3, 3, 5])
      real(dp), parameter :: orientations(4, 5) = reshape([ &
         0.5_dp, -0.1_dp, 0.7_dp, 0.5_dp,  0.1_dp, 0.3_dp, -0.9_dp, 0.3_dp, &
         -0.4_dp, 0.2_dp, 0.8_dp, -0.4_dp,  0.7_dp, -0.7_dp, 0.1_dp, -0.1_dp, &
         0.8_dp, 0.4_dp, -0.2_dp, 0.4_dp], [4, 5])
      real(dp), parameter :: spins(3, 5) = reshape([ &
         0.3_dp, -0.7_dp, 1.1_dp,  -1.2_dp, 0.6_dp, 0.9_dp,  0.5_dp, 1.3_dp, -0.4_dp, &
         -0.8_dp, -0.5_dp, 1.4_dp,  1.5_dp, 0.2_dp, -0.6_dp], [3, 5])
      real(dp), parameter :: coefficients(3, 5) = reshape([ &
         0.15_dp, 0.45_dp, 0.85_dp,  0.95_dp, 0.25_dp, 0.55_dp,  0.35_dp, 0.65_dp, 0.05_dp, &
         0.75_dp, 0.85_dp, 0.45_dp,  0.25_dp, 0.55_dp, 1.15_dp], [3, 5])
      real(dp), parameter :: q_with_drag(4, 5) = reshape([ &
         0.34322020947937526_dp, -0.514673656491571_dp, 0.3044616219105275_dp, 0.7243024478090221_dp, &
         0.31006876234467107_dp, 0.6136993314393463_dp, -0.35805990008763133_dp, 0.6316831493384788_dp, &
         -0.8736102551308665_dp, -0.04098689822035527_dp, 0.45930491590566064_dp, -0.15544835325390347_dp, &
         0.32177863570546605_dp, -0.8003367741310565_dp, -0.5056576909313071_dp, 0.01516104148935328_dp, &
         0.2975224835456055_dp, 0.8789496752635488_dp, -0.3574468432490278_dp, 0.10563898139541861_dp], [4, 5])
      real(dp), parameter :: omega_with_drag(3, 5) = reshape([ &
         0.20088039458460782_dp, -0.49848139829966837_dp, 1.137601037989131_dp, &
         -0.9276233943553918_dp, 0.5198630595773146_dp, 0.9390982789857145_dp, &
         0.5402056759807812_dp, 1.1383960793268375_dp, -0.3958854438749477_dp, &
         -0.6051480153623199_dp, -0.7941029935567219_dp, 0.9135233403515265_dp, &
         1.6177997825038815_dp, -0.3283464562297587_dp, 0.3651749686206678_dp], [3, 5])
      real(dp), target :: q(4, 5), omega_body(3, 5)
      real(dp) :: omega(3, 5)
      type(qi_ensemble_t) :: e

      q = orientations
      omega_body = 0
      call e%create(5)
      call e%set_inertias(inertias)
      call e%bind_orientations(q)
      call e%bind_angular_velocities(omega_body, kind=QI_OMEGA_BODY)
      call e%set_angular_velocities(spins)
      call e%set_torque(generic_torques)
      call e%set_drag(coefficients, [0.2_dp, -0.1_dp, 0.7_dp])
      call e%advance(0.01_dp, 100)
      call e%get_angular_velocities(omega)
      call ok(same([q], [q_with_drag]) .and. same([omega], [omega_with_drag]), &
         'a generic ensemble moves with a callback and drag as in every language')
   end subroutine a_generic_ensemble

   subroutine arrays_are_copied_in_and_out()
      type(qi_ensemble_t) :: e
      real(dp) :: q(4, n), omega(3, n), columns(n, 4), sparse(8, 2*n), momenta(3, n), wide(n, 3), energies(n)

      call start(q, omega)
      call make(e)
      call ok(e%count() == n, 'an ensemble knows its number')
      call e%get_orientations(columns, QI_LAYOUT_SOA)
      call ok(maxval(abs(columns - transpose(q))) < 1e-15_dp, 'orientations go in as q(4,n) and come out as q(n,4)')
      call e%get_angular_velocities(wide, QI_LAYOUT_SOA)
      call ok(maxval(abs(wide - transpose(omega))) < 1e-14_dp, 'angular velocities too')
      sparse = -7
      call e%get_orientations(sparse(1:8:2, 2::2))
      call ok(maxval(abs(sparse(1:8:2, 2::2) - q)) < 1e-15_dp .and. all(abs(sparse(2:8:2, :) + 7) < 1e-15_dp) .and. &
         all(abs(sparse(:, 1::2) + 7) < 1e-15_dp), 'they come out into a section, and what is between is not touched')
      call e%set_orientations(sparse(1:8:2, 2*n:2:-2))
      call e%get_orientations(columns, QI_LAYOUT_SOA)
      call ok(maxval(abs(columns(n:1:-1, :) - transpose(q))) < 1e-15_dp, 'a section that runs backwards goes in')
      call e%set_orientations(columns(:, 4:1:-1), QI_LAYOUT_SOA)
      call e%get_orientations(q)
      call ok(maxval(abs(q(4:1:-1, :) - transpose(columns))) < 1e-15_dp, 'components that run backwards go in')
      call e%set_orientations([0.0_dp, 1.0_dp, 0.0_dp, 0.0_dp])
      call e%set_angular_velocities([0.0_dp, 0.0_dp, 2.0_dp])
      call e%get_orientations(q)
      call ok(all(abs(q(2, :) - 1) < 1e-15_dp), 'one orientation serves all')
      call e%set_inertias(diagonal)
      call e%get_angular_momenta(momenta)
      call e%get_kinetic_energies(energies)
      call ok(all(abs(momenta(3, :) - 6) < 1e-14_dp) .and. all(abs(energies - 6) < 1e-14_dp), &
         'momenta and energies, one for each body')
      call e%set_angular_momenta(2*momenta)
      call e%get_kinetic_energies(energies)
      call ok(all(abs(energies - 24) < 1e-13_dp), 'set_angular_momenta takes those of all bodies')
   end subroutine arrays_are_copied_in_and_out

   subroutine arrays_are_bound_in_place()
      type :: particle_t
         real(dp) :: position(3) = 0, q(4) = 0, omega(3) = 0
         integer :: id = 0
      end type particle_t
      type(qi_ensemble_t) :: own, e
      type(particle_t), target :: p(n), alone(1)
      real(dp), target :: q(4, n), omega(3, n), columns(n, 4), omega_columns(n, 3), momenta(3, n)
      real(dp), allocatable, target :: field(:, :, :)
      real(dp) :: expected(4, n)
      integer :: i

      call make(own)
      call own%advance(0.01_dp, 20)
      call own%get_orientations(expected)

      call start(q, omega)
      call e%create(n)
      call e%set_inertias(moments)
      call e%bind_orientations(q)
      call e%bind_angular_velocities(omega)
      call e%advance(0.01_dp, 20)
      call ok(maxval(abs(q - expected)) < 1e-13_dp, 'q(4,n), omega(3,n) are stepped in place')

      call start(q, omega)
      columns = transpose(q)
      omega_columns = transpose(omega)
      call e%bind_orientations(columns, QI_LAYOUT_SOA)
      call e%bind_angular_velocities(omega_columns, layout=QI_LAYOUT_SOA)
      call e%advance(0.01_dp, 20)
      call ok(maxval(abs(transpose(columns) - expected)) < 1e-13_dp, 'q(n,4), omega(n,3) are stepped in place')

      allocate (field(4, 7, 2*n), source=-7.0_dp)
      field(:, 3, 2::2) = q([2, 3, 4, 1], :) ! an array section: every second plane, in the order x, y, z, w
      call e%bind_orientations(field(:, 3, 2::2), order=QI_SCALAR_LAST)
      call e%set_angular_velocities(omega)
      momenta = 0
      call e%bind_angular_velocities(momenta, kind=QI_ANGMOM_BODY)
      call e%set_angular_velocities(omega)
      call e%advance(0.01_dp, 20)
      call ok(maxval(abs(field([4, 1, 2, 3], 3, 2::2) - expected)) < 1e-13_dp, 'a section with the scalar last is stepped in place')
      field(:, 3, 2::2) = -7
      call ok(all(abs(field + 7) < 1e-15_dp), 'and what is around it is not touched')
      call ok(all(abs(momenta(1, :)) < 60) .and. any(abs(momenta(3, :)) > 0.5_dp), 'momenta are kept where they are asked for')

      do i = 1, n
         p(i)%q = q(:, i)
         p(i)%omega = omega(:, i)
         p(i)%id = i
      end do
      call e%bind_orientations(p(1)%q, p(2)%q)
      call e%bind_angular_velocities(p(1)%omega, p(2)%omega)
      call e%advance(0.01_dp, 20)
      do i = 1, n
         q(:, i) = p(i)%q
      end do
      call ok(maxval(abs(q - expected)) < 1e-13_dp, 'an array of records is stepped in place')
      call ok(all(p%id == [(i, i=1, n)]) .and. all([(abs(p(i)%position) <= 0, i=1, n)]), 'and its other fields are not touched')

      alone(1)%q = [1, 0, 0, 0]
      call e%create(1)
      call e%bind_orientations(alone(1)%q, alone(1)%q)
      call e%set_angular_velocities([0.0_dp, 0.0_dp, 1.0_dp])
      call e%step(0.1_dp)
      call ok(abs(alone(1)%q(4) - sin(0.05_dp)) < 1e-15_dp, 'one record alone is its own second')
   end subroutine arrays_are_bound_in_place

   !> With checks of bounds, too, as fortran.md says it.
   subroutine one_record_is_bound_and_none_need_not_be()
      type :: particle_t
         real(dp) :: q(4) = [0.5_dp, 0.5_dp, -0.5_dp, 0.5_dp], omega(3) = [0.3_dp, -0.2_dp, 1.1_dp]
      end type particle_t
      type(particle_t), allocatable, target :: p(:)
      type(qi_ensemble_t) :: e, twin
      real(dp) :: q(4, 1)
      integer :: count, stat

      do count = 2, 0, -1
         if (allocated(p)) deallocate (p)
         allocate (p(count))
         call e%create(count)
         if (count > 0) then
            call e%bind_orientations(p(1)%q, p(min(2, count))%q)
            call e%bind_angular_velocities(p(1)%omega, p(min(2, count))%omega)
         end if
         call e%advance(0.1_dp, 10, stat=stat)
         call ok(stat == QI_OK, 'two records, one and none')
         if (count == 0) cycle
         call twin%create(1)
         call twin%set_orientations([0.5_dp, 0.5_dp, -0.5_dp, 0.5_dp])
         call twin%set_angular_velocities([0.3_dp, -0.2_dp, 1.1_dp])
         call twin%advance(0.1_dp, 10)
         call twin%get_orientations(q)
         call ok(maxval(abs(q(:, 1) - p(count)%q)) < 1e-14_dp, 'are stepped in place')
      end do
   end subroutine one_record_is_bound_and_none_need_not_be

   subroutine every_way_to_give_a_torque_gives_the_bits_of_one_body()
      type(qi_ensemble_t) :: aos, soa, threads
      type(qi_body_t) :: body
      type(orders_t), target :: orders, silent
      real(dp) :: q(4, n), omega(3, n), q_body(4)
      integer :: i, completed
      logical :: alike

      call make(aos)
      call aos%set_torque(weights, orders)
      call aos%advance(0.01_dp, 20, completed)
      call ok(completed == 20 .and. orders%first_seen == 1 .and. orders%last_seen == n, 'chunks count from 1 to n')
      call make(soa)
      call soa%set_torque_soa(weights_soa, silent)
      do i = 1, 20
         call soa%step(0.01_dp)
      end do
      call ok(agree(aos, soa), 'rows and columns give the same bits')
      call make(threads)
      call threads%set_threads(2)
      call threads%set_torque(weights)
      call threads%advance(0.01_dp, 20)
      call ok(agree(aos, threads), 'two threads give the same bits')

      call start(q, omega)
      call aos%get_orientations(q)
      alike = .true.
      do i = 1, n, 37
         call start_one(i, body)
         call body%set_torque(weight)
         call body%advance(0.01_dp, 20)
         call body%get_orientation(q_body)
         alike = alike .and. same(q(:, i), q_body)
      end do
      call ok(alike, 'they are the bits of each body stepped alone')

      call aos%clear_torque()
      call make(soa)
      call make(aos)
      call aos%set_torque(weights, frame=QI_FRAME_BODY)
      call aos%clear_torque()
      call aos%step(0.1_dp)
      call soa%step(0.1_dp)
      call ok(agree(aos, soa), 'clear_torque leaves the bodies free')
   end subroutine every_way_to_give_a_torque_gives_the_bits_of_one_body

   subroutine start_one(i, body)
      integer, intent(in) :: i
      type(qi_body_t), intent(inout) :: body
      real(dp) :: q(4, n), omega(3, n)

      call start(q, omega)
      call body%create(moments, q(:, i), omega(:, i))
   end subroutine start_one

   subroutine parameters_are_taken_from_sections()
      type(qi_ensemble_t) :: one, each
      real(dp) :: by_hand(3, 3, n), wide(6, n)

      by_hand = spread(moments, 3, n)

      call make(one)
      call make(each)
      call one%set_linear_drag_torque([0.3_dp, 0.2_dp, 1.0_dp])
      wide = -7
      wide(1:6:2, :) = spread([0.3_dp, 0.2_dp, 1.0_dp], 2, n)
      call each%set_linear_drag_torque(wide(1:6:2, :))
      call both(one, each, 'parameters from a section')
      call one%set_inertias(moments([1, 3, 2], [1, 3, 2]))
      call each%set_inertias(by_hand([1, 3, 2], [1, 3, 2], :))
      call both(one, each, 'and from elements picked by subscripts')
   end subroutine parameters_are_taken_from_sections

   subroutine both(one, each, what)
      type(qi_ensemble_t), intent(inout) :: one, each
      character(*), intent(in) :: what

      call one%advance(0.01_dp, 5)
      call each%advance(0.01_dp, 5)
      call ok(agree(one, each), what)
   end subroutine both

   subroutine some_bodies_may_rest()
      use, intrinsic :: iso_c_binding, only: c_size_t
      type(qi_ensemble_t) :: e, all
      real(dp) :: before(4, n), after(4, n)
      integer :: stat
      character(200) :: errmsg

      call make(e)
      call e%get_orientations(before)
      call e%set_active([2, 5, n])
      call e%step(0.1_dp)
      call e%get_orientations(after)
      call ok(same([before(:, 1)], [after(:, 1)]) .and. .not. same(before(:, 2), after(:, 2)) .and. &
         .not. same(before(:, n), after(:, n)), 'a list of active bodies counts from 1')
      call e%set_active([3, 2], stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`indices`', 'a list must ascend')
      call e%set_active([1, n + 1], stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`indices`', 'a list must not go beyond the end')
      call e%set_active([0, 2], stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'count from 1', 'a list that counts from 0 is refused')
      call e%set_active([2, 5, n])
      call ok(e%active_count() == 3, 'three bodies move')
      call ok(qi_set_ensemble_active(e%c_handle(), count=0_c_size_t) == QI_OK, 'C lets all move through the handle')
      call ok(e%active_count() == n, 'and that is known')
      call e%forget_torques()
      call make(e)
      call make(all)
      call e%set_active([integer ::])
      call e%step(0.1_dp)
      call ok(agree(e, all), 'with an empty list nobody moves')
      call e%set_all_active()
      call e%step(0.1_dp)
      call all%step(0.1_dp)
      call ok(agree(e, all), 'set_all_active lets everybody move')
   end subroutine some_bodies_may_rest

   subroutine the_stage_protocol()
      type(qi_ensemble_t) :: e, called, columns
      real(dp) :: q(4, n), omega(3, n), torque(3, n), time, times(2), q_columns(n, 4), omega_columns(n, 3)
      integer :: step, stages, stat, none
      logical :: needed
      character(200) :: errmsg

      call make(e)
      call make(called)
      call make(columns)
      call called%set_torque(weights)
      call called%advance(0.01_dp, 3)
      do step = 1, 3
         call e%begin_step(0.01_dp)
         stages = 0
         do
            call e%next_stage(needed, time, q, omega)
            if (.not. needed) exit
            stages = stages + 1
            times(stages) = time
            torque = 0
            none = 0
            stat = 0
            call weights(time, 1, n, q, omega, torque, none, stat)
            call e%supply_torque(torque)
         end do
      end do
      call ok(agree(e, called), 'the stage protocol has the bits of a torque procedure')
      call columns%set_stage_layout(QI_LAYOUT_SOA)
      do step = 1, 3
         call columns%begin_step(0.01_dp)
         do
            call columns%next_stage(needed, time, q_columns, omega_columns)
            if (.not. needed) exit
            torque = 0
            none = 0
            stat = 0
            call weights(time, 1, n, transpose(q_columns), transpose(omega_columns), torque, none, stat)
            call columns%supply_torque(transpose(torque))
         end do
      end do
      call ok(agree(columns, called), 'and so has it in columns')
      call called%advance(0.01_dp, 3)
      call e%begin_steps(0.01_dp, 3)
      call columns%begin_steps(0.01_dp, 3)
      call e%next_stage(needed, time, q, omega)
      call columns%next_stage(needed, time, q_columns, omega_columns)
      do while (needed)
         torque = 0
         none = 0
         stat = 0
         call weights(time, 1, n, q, omega, torque, none, stat)
         call e%continue_step(torque, needed, time, q, omega)
         call columns%continue_step(transpose(torque), needed, time, q_columns, omega_columns)
      end do
      call ok(agree(e, called), 'steps that are continued have them too')
      call ok(agree(columns, called), 'in columns as well')
      call columns%begin_step(0.01_dp)
      call columns%next_stage(needed, time, q, omega, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'must be (300, 4)', 'then rows are refused')
      call columns%set_stage_layout(QI_LAYOUT_AOS, stat, errmsg)
      call refused(stat, QI_ERR_ORDER, errmsg, 'qi_set_ensemble_stage_layout', 'the layout stays to the end of the step')
      call ok(stages == 2 .and. abs(times(2) - times(1) - 0.005_dp) < 1e-15_dp, 'it asks twice, at the start and the middle')

      call e%next_stage(needed, time, q, omega, stat, errmsg)
      call refused(stat, QI_ERR_ORDER, errmsg, 'qi_next_ensemble_stage', 'a stage without a step is refused')
      call e%supply_torque(torque, stat, errmsg)
      call refused(stat, QI_ERR_ORDER, errmsg, 'qi_supply_ensemble_torque', 'a torque without a stage is refused')
      call e%begin_step(nan(), stat, errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, '`dt`', 'begin_step refuses a NaN')
      call e%begin_step(0.01_dp)
      call e%next_stage(needed, time, q(:, 2:), omega, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`orientation` has the shape (4, 299); it must be (4, 300)', &
         'next_stage refuses the wrong shape')
      call e%next_stage(needed, time, q, omega)
      call e%supply_torque(torque(:2, :), stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`torque` has the shape (2, 300)', 'supply_torque refuses the wrong shape')
      call e%continue_step(torque(:2, :), needed, time, q, omega, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`torque` has the shape (2, 300)', 'and so does continue_step')
      call e%continue_step(torque, needed, time, q, omega(:, 2:), stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`angular_velocity` has the shape (3, 299)', 'of every array')
      call e%begin_steps(0.01_dp, -1, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`steps` is negative', 'begin_steps refuses a negative number')
      torque(2, 7) = nan()
      call e%supply_torque(torque, stat, errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, 'body 6', 'a NaN is named')
      call ok(index(errmsg, '(counted from 0; from 1 it is body 7)') > 0, 'and counted as Fortran does')
      call e%cancel_step(stat)
      call ok(agree(e, called) .and. stat == QI_OK, 'cancel_step leaves everything as before')

      call e%set_active([2, 4])
      call e%begin_step(0.01_dp)
      call e%next_stage(needed, time, q(:, :2), omega(:, :2))
      call ok(needed, 'with a list, the stage protocol speaks of the active bodies')
      call e%cancel_step()
   end subroutine the_stage_protocol

   !> CF4 gives the bits of one body to an ensemble, whether it calls a procedure or asks for four torques a step.
   subroutine methods()
      type(qi_ensemble_t) :: called, asked
      type(qi_body_t) :: body
      real(dp) :: q(4, n), omega(3, n), torque(3, n), alone(4), time
      type(orders_t), target :: orders
      integer :: i, stages, stat
      logical :: needed
      character(200) :: errmsg

      call start(q, omega)
      call body%create(moments, q(:, 77), omega(:, 77))
      call body%set_torque(weight)
      call body%set_method(QI_METHOD_CF4)
      call body%advance(1e-2_dp, 20)
      call body%get_orientation(alone)
      call make(called)
      call make(asked)
      call ok(asked%method() == QI_METHOD_PCDM, 'a new ensemble has the method PCDM')
      call called%set_method(QI_METHOD_CF4)
      call asked%set_method(QI_METHOD_CF4)
      call ok(called%method() == QI_METHOD_CF4, 'set_method chooses the method of an ensemble')
      call called%set_torque(weights, orders)
      call called%advance(1e-2_dp, 20)
      call called%get_orientations(q)
      call ok(same(q(:, 77), alone), 'by CF4 too a body of an ensemble has the bits of the body alone')

      call asked%begin_steps(1e-2_dp, 20)
      call asked%set_method(QI_METHOD_PCDM, stat, errmsg)
      call refused(stat, QI_ERR_ORDER, errmsg, 'a step has been begun', 'the method is not changed in a step')
      stages = 0
      call asked%next_stage(needed, time, q, omega)
      do while (needed)
         stages = stages + 1
         torque = 0
         stat = 0
         do i = 1, n
            call weight(time, q(:, i), omega(:, i), torque(:, i), orders, stat)
         end do
         call asked%continue_step(torque, needed, time, q, omega)
      end do
      call ok(agree(called, asked) .and. stages == 80, 'the stage protocol asks for four torques a step')
      call asked%set_method(qi_method_t(99), stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`method` must be', 'a method that is none is refused')
   end subroutine methods

   !> The splittings give the bits of one body, too, and ask once, six, three and eleven times a step.
   subroutine splitting_methods()
      type(qi_ensemble_t) :: e
      type(qi_body_t) :: body
      type(qi_method_t), parameter :: chosen(4) = [QI_METHOD_SPLITTING, QI_METHOD_SPLITTING_4, QI_METHOD_FORCE_GRADIENT, &
         QI_METHOD_SPLITTING_6]
      integer, parameter :: torques(4) = [1, 6, 3, 11]
      real(dp) :: q(4, n), omega(3, n), alone(4)
      type(orders_t), target :: orders
      integer :: i, stat
      character(200) :: errmsg

      do i = 1, 4
         call start(q, omega)
         call body%create(moments, q(:, 77), omega(:, 77))
         call body%set_torque(weight)
         call body%set_method(chosen(i))
         call body%advance(1e-2_dp, 20)
         call body%get_orientation(alone)
         call make(e)
         orders = orders_t()
         call e%set_torque(weights, orders)
         call e%set_method(chosen(i))
         call e%advance(1e-2_dp, 20)
         call e%get_orientations(q)
         call ok(e%method() == chosen(i) .and. same(q(:, 77), alone), 'by a splitting, a body has the bits of the body alone')
         call ok(orders%calls == 5*(20*torques(i) + 1), 'each chunk is asked once more than the method needs')
      end do
      call e%set_linear_drag_torque([1.0_dp, 1.0_dp, 1.0_dp], stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'angular velocity', 'a splitting of order 6 refuses a ready-made drag')
   end subroutine splitting_methods

   !> Torques that differ from body to body and from step to step.
   subroutine some_torques(step, torque)
      integer, intent(in) :: step
      real(dp), intent(out) :: torque(3, n)
      integer :: i

      do i = 1, n
         torque(:, i) = [sin(real(i + step, dp)), 0.3_dp, cos(0.5_dp*i - step)]
      end do
   end subroutine some_torques

   subroutine kicks_and_drifts()
      type(qi_ensemble_t) :: e, twin, none
      type(qi_body_t) :: body
      type :: particle_t
         integer :: id = 0
         real(dp) :: torque(3) = 0, charge = 1
      end type particle_t
      type(particle_t), allocatable, target :: p(:)
      real(dp), target :: q(4, n), momenta(3, n), columns(n, 3), sparse(6, 2*n)
      real(dp) :: torque(3, n), expected(3, n), alone(4), before(4, n), after(4, n), time
      integer :: step, stat
      character(200) :: errmsg

      call make(e)
      call make(twin)
      call start_one(77, body)
      do step = 1, 20
         call some_torques(step, torque)
         call e%kick_drift(0.005_dp, 0.01_dp, torque)
         call e%kick(0.005_dp, torque, QI_FRAME_BODY)
         call twin%kick(0.005_dp, torque)
         call twin%drift(0.01_dp)
         call twin%kick_drift(0.005_dp, 0.0_dp, torque, QI_FRAME_BODY)
         call body%kick(0.005_dp, torque(:, 77))
         call body%drift(0.01_dp)
         call body%kick(0.005_dp, torque(:, 77), QI_FRAME_BODY)
      end do
      call ok(agree(e, twin), 'kick_drift has the bits of a kick and a drift')
      call e%get_orientations(q)
      call body%get_orientation(alone)
      call e%get_time(time)
      call ok(same(q(:, 77), alone) .and. abs(time - 0.2_dp) < 1e-15_dp, 'they are the bits of a body alone')

      columns = transpose(torque)
      sparse = -7
      sparse(1:6:2, 2*n:2:-2) = torque
      call e%kick_drift(0.005_dp, 0.01_dp, columns, layout=QI_LAYOUT_SOA)
      call twin%kick_drift(0.005_dp, 0.01_dp, sparse(1:6:2, 2*n:2:-2))
      call ok(agree(e, twin), 'torques are taken from columns and from sections')
      call e%kick(0.005_dp, columns, QI_FRAME_BODY, QI_LAYOUT_SOA)
      call twin%kick(0.005_dp, sparse(1:6:2, 2*n:2:-2), QI_FRAME_BODY)
      call ok(agree(e, twin), 'by a kick, too')
      call e%kick_drift(0.5_dp, 0.01_dp, [0.0_dp, 0.0_dp, 0.0_dp])
      call e%kick(0.5_dp, [0.0_dp, 0.0_dp, 0.0_dp])
      call twin%drift(0.01_dp)
      call ok(agree(e, twin), 'a torque of zero is no kick')
      call e%kick_drift(0.5_dp, 0.01_dp, [0.1_dp, 0.2_dp, -0.3_dp], QI_FRAME_BODY)
      call e%kick(0.5_dp, [0.1_dp, 0.2_dp, -0.3_dp])
      columns = spread([0.1_dp, 0.2_dp, -0.3_dp], 1, n)
      call twin%kick_drift(0.5_dp, 0.01_dp, columns, QI_FRAME_BODY, QI_LAYOUT_SOA)
      call twin%kick(0.5_dp, columns, layout=QI_LAYOUT_SOA)
      call ok(agree(e, twin), 'one torque serves all bodies')
      call some_torques(3, torque)
      allocate (p(n))
      do step = 1, n
         p(step)%torque = torque(:, step)
      end do
      call e%kick_drift(0.005_dp, 0.01_dp, p(1)%torque, p(2)%torque)
      call e%kick(0.005_dp, p(1)%torque, p(2)%torque, QI_FRAME_BODY)
      call twin%kick_drift(0.005_dp, 0.01_dp, torque)
      call twin%kick(0.005_dp, torque, QI_FRAME_BODY)
      call ok(agree(e, twin), 'kicks take the torques in records')
      call e%kick(0.1_dp, p(1)%torque(1:2), p(2)%torque, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`torque` has the shape (2); it must be (3)', 'and refuse those of a wrong size')
      call ok(agree(e, twin), 'and the bodies are as they were')

      call e%get_orientations(q)
      call e%get_angular_momenta(momenta)
      call e%bind_orientations(q)
      call e%bind_angular_velocities(momenta, kind=QI_ANGMOM_WORLD)
      expected = momenta
      call e%drift(0.3_dp)
      call e%kick(0.25_dp, torque)
      call ok(same([momenta], [expected + 0.25_dp*torque]), 'bound momenta are only added to')

      call make(e)
      call e%get_orientations(before)
      call e%set_active([2, 77])
      call e%kick_drift(0.5_dp, 0.1_dp, torque)
      call e%get_orientations(after)
      call start_one(77, body)
      call body%kick(0.5_dp, torque(:, 77))
      call body%drift(0.1_dp)
      call body%get_orientation(alone)
      call ok(same(before(:, 1), after(:, 1)) .and. same(after(:, 77), alone), &
         'with a list, the torques are still those of all bodies')

      call make(e)
      call make(twin)
      call e%kick(0.1_dp, torque(:, 2:), stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`torque` has the shape (3, 299); it must be (3, 300)', &
         'kick refuses the wrong shape')
      call e%kick_drift(0.1_dp, 0.1_dp, torque, layout=QI_LAYOUT_SOA, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'it must be (300, 3)', 'and so does kick_drift')
      call e%kick(0.1_dp, torque, layout=qi_layout_t(7), stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`layout`', 'kick refuses a layout that is none')
      call e%kick(0.1_dp, torque, qi_frame_t(5), stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`frame`', 'and a frame that is none')
      call e%kick_drift(0.1_dp, nan(), torque, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, '`drift`', 'kick_drift refuses a NaN')
      call e%drift(nan(), stat, errmsg)
      call ok(stat == QI_ERR_NON_FINITE, 'and so does drift')
      torque(2, 150) = nan()
      call e%kick_drift(0.1_dp, 0.1_dp, torque, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, 'from 1 it is body 150', 'a NaN in a torque names its body')
      call ok(agree(e, twin), 'and nothing has changed')
      call e%bind_orientations(q)
      call e%kick(0.1_dp, q(1:3, :), stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'overlap', 'a torque in a bound array is refused')
      call e%begin_step(0.1_dp)
      call e%drift(0.1_dp, stat, errmsg)
      call refused(stat, QI_ERR_ORDER, errmsg, 'a step has been begun', 'no drift in the middle of a step')
      call e%cancel_step()
      call none%kick(0.1_dp, torque, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'not created yet', 'without an ensemble there is no kick')
      call none%kick(0.1_dp, [0.0_dp, 0.0_dp, 0.0_dp], stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'not created yet', 'with torques for each or one for all')
      call none%drift(0.1_dp, stat, errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'not created yet', 'nor a drift')
   end subroutine kicks_and_drifts

   subroutine predicted_velocities()
      type :: particle_t
         real(dp) :: q(4) = [1, 0, 0, 0], predicted(3) = -7
         integer :: id = 0
      end type particle_t
      type(qi_ensemble_t) :: e, twin
      type(particle_t), target :: p(n)
      real(dp), target :: rows(3, n), columns(n, 3), q(4, n)
      real(dp) :: exact(4), ratio(2), torque(3, n), omega(3, n)
      integer :: stat, i
      character(200) :: errmsg

      call top_in_a_brake(1024, .true., exact)
      ratio(1) = error_in_a_brake(32, .true., exact)/error_in_a_brake(64, .true., exact)
      ratio(2) = error_in_a_brake(32, .false., exact)/error_in_a_brake(64, .false., exact)
      call ok(abs(ratio(1) - 4) < 0.5_dp, 'with predicted velocities, half the step divides the error by 4')
      call ok(abs(ratio(2) - 2) < 0.5_dp, 'without, by 2')

      call some_torques(1, torque)
      call make(e)
      call make(twin)
      call e%bind_predicted_velocities(rows, 0.05_dp)
      call twin%bind_predicted_velocities(columns, 0.05_dp, QI_LAYOUT_SOA)
      call e%kick_drift(0.05_dp, 0.1_dp, torque)
      call twin%kick_drift(0.05_dp, 0.1_dp, torque)
      call e%get_angular_velocities(omega)
      call ok(same([rows], [transpose(columns)]) .and. maxval(abs(rows - omega)) < 0.1_dp .and. &
         maxval(abs(rows - omega)) > 1e-3_dp, 'they are written to rows or to columns')
      call make(twin)
      call twin%bind_predicted_velocities(p(1)%predicted, p(2)%predicted, 0.05_dp)
      call twin%kick_drift(0.05_dp, 0.1_dp, torque)
      call ok(all([(same(p(i)%predicted, rows(:, i)), i=1, n)]) .and. all(p%id == 0), 'or to records')
      call e%unbind_predicted_velocities()
      rows = -7
      call e%kick_drift(0.05_dp, 0.1_dp, torque)
      call ok(all(abs(rows + 7) < 1e-15_dp), 'and no longer to an array that is unbound')

      call e%bind_predicted_velocities(q, 0.05_dp, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'it must be (3, 300)', 'an array of the wrong shape is refused')
      call e%bind_predicted_velocities(q(:, 1), q(:, 2), 0.05_dp, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'it must be (3)', 'records, too')
      call e%bind_predicted_velocities(rows, nan(), stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, '`ahead`', 'NaN is no time ahead')
      call e%get_orientations(q)
      call e%bind_orientations(q)
      call e%bind_predicted_velocities(q(2:4, :), 0.05_dp, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'overlap', 'an array that is bound already is refused')
      call e%destroy()
      call e%unbind_predicted_velocities(stat, errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'destroyed', 'an ensemble that was destroyed has nothing to unbind')
   end subroutine predicted_velocities

   !> Orientation of a heavy top after a time of 1. A brake acts on it, at its predicted or at its present angular velocity.
   subroutine top_in_a_brake(steps, predict, orientation)
      integer, intent(in) :: steps
      logical, intent(in) :: predict
      real(dp), intent(out) :: orientation(4)
      type(qi_ensemble_t) :: e
      real(dp), target :: q(4, 1), omega(3, 1), predicted(3, 1)
      real(dp) :: torque(3, 1), dt
      integer :: i, stat, unused

      dt = 1.0_dp/steps
      q(:, 1) = [1, 0, 0, 0]
      omega = 1
      predicted = omega
      call e%create(1)
      call e%set_inertias(moments)
      call e%bind_orientations(q)
      call e%bind_angular_velocities(omega)
      if (predict) call e%bind_predicted_velocities(predicted, dt/2)
      unused = 0
      stat = 0
      torque = -0.6_dp*omega ! the top is upright
      do i = 1, steps
         call e%kick_drift(dt/2, dt, torque)
         torque = 0
         call weight(i*dt, q(:, 1), omega(:, 1), torque(:, 1), unused, stat)
         torque = torque - 0.6_dp*merge(predicted, omega, predict)
         call e%kick(dt/2, torque)
      end do
      orientation = q(:, 1)
   end subroutine top_in_a_brake

   real(dp) function error_in_a_brake(steps, predict, exact) result(angle)
      integer, intent(in) :: steps
      logical, intent(in) :: predict
      real(dp), intent(in) :: exact(4)
      real(dp) :: q(4)

      call top_in_a_brake(steps, predict, q)
      if (qi_orientation_angle(q, exact, angle) /= QI_OK) error stop
   end function error_in_a_brake

   subroutine drag_takes_one_or_each()
      type(qi_ensemble_t) :: one, each, none
      type(qi_body_t) :: body
      real(dp), parameter :: c(3) = [0.3_dp, 0.2_dp, 1.0_dp], flow(3) = [0.0_dp, 2.0_dp, 0.5_dp]
      real(dp) :: vectors(3, n), flows(3, n), wide(6, n), q(4, n), alone(4)
      integer :: stat
      character(200) :: errmsg

      vectors = spread(c, 2, n)
      flows = spread(flow, 2, n)
      wide = -7
      wide(1:6:2, :) = flows
      call make(one)
      call make(each)
      call one%set_torque(weights)
      call each%set_torque(weights)
      call one%set_drag(c, flow)
      call each%set_drag(vectors, flows)
      call both(one, each, 'a drag besides the torque, one for all or each')
      call each%set_drag(c, wide(1:6:2, :))
      call both(one, each, 'a flow from a section')
      call one%set_drag(vectors)
      call each%set_drag(c, 0*flows)
      call both(one, each, 'without a flow the fluid is at rest')
      call make(one)
      call make(each)
      call one%set_torque(weights)
      call each%set_torque(weights)
      call one%set_drag(vectors, flows)
      call one%clear_drag()
      call both(one, each, 'clear_drag leaves the torque alone')

      call make(one)
      call one%set_drag(c, flow)
      call one%set_torque(weights)
      call one%set_method(QI_METHOD_SPLITTING)
      call one%advance(0.01_dp, 20)
      call one%get_orientations(q)
      call start_one(77, body)
      call body%set_drag(c, flow)
      call body%set_torque(weight)
      call body%set_method(QI_METHOD_SPLITTING)
      call body%advance(0.01_dp, 20)
      call body%get_orientation(alone)
      call ok(same(q(:, 77), alone), 'in a drag, too, a body has the bits of the body alone')

      call one%set_drag(wide, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`coefficients` has the shape (6, 300)', 'set_drag refuses the wrong shape')
      call one%set_drag(c, wide, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`flow` has the shape (6, 300)', 'of the flow, too')
      vectors(2, 150) = nan()
      call one%set_drag(vectors, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, 'from 1 it is body 150', 'a NaN in a drag names its body')
      call none%set_drag(c, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'not created yet', 'without an ensemble there is no drag')
      call none%clear_drag(stat, errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'not created yet', 'and none to clear')
   end subroutine drag_takes_one_or_each

   subroutine rotors_are_one_for_all_or_each()
      type(qi_ensemble_t) :: one, each, none
      type(qi_body_t) :: body
      real(dp), parameter :: h(3) = [0.8_dp, -0.5_dp, 1.1_dp]
      real(dp) :: vectors(3, n), wide(6, n), q(4, n), alone(4)
      real(dp), target :: momenta(3, n)
      integer :: stat
      character(200) :: errmsg

      momenta = 0
      vectors = spread(h, 2, n)
      wide = -7
      wide(1:6:2, :) = vectors
      call make(one)
      call make(each)
      call one%set_torque(weights)
      call each%set_torque(weights)
      call one%set_rotor_momentum(h)
      call each%set_rotor_momentum(vectors)
      call both(one, each, 'rotors, one for all or each')
      call each%set_rotor_momentum(wide(1:6:2, :))
      call both(one, each, 'rotors from a section')
      vectors = vectors*2
      call one%set_rotor_momentum(vectors)
      call one%clear_rotor_momentum()
      call each%clear_rotor_momentum()
      call both(one, each, 'clear_rotor_momentum leaves the torque alone')

      call make(one)
      call one%set_rotor_momentum(vectors)
      call one%set_torque(weights)
      call one%set_method(QI_METHOD_SPLITTING_4)
      call one%advance(0.01_dp, 20)
      call one%get_orientations(q)
      call start_one(77, body)
      call body%set_rotor_momentum(2*h)
      call body%set_torque(weight)
      call body%set_method(QI_METHOD_SPLITTING_4)
      call body%advance(0.01_dp, 20)
      call body%get_orientation(alone)
      call ok(same(q(:, 77), alone), 'with rotors, too, a body has the bits of the body alone')

      call one%set_rotor_momentum(wide, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`momentum` has the shape (6, 300)', 'set_rotor_momentum refuses the wrong shape')
      vectors(2, 150) = nan()
      call one%set_rotor_momentum(vectors, stat, errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, 'from 1 it is body 150', 'a NaN in the rotors names its body')
      call one%bind_angular_velocities(momenta, kind=QI_ANGMOM_WORLD, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'rotor', 'bound momenta are refused with rotors')
      call one%clear_rotor_momentum()
      call one%bind_angular_velocities(momenta, kind=QI_ANGMOM_WORLD)
      call one%set_rotor_momentum(h, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'rotor', 'and rotors with bound momenta')
      call none%set_rotor_momentum(h, stat, errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'not created yet', 'without an ensemble there are no rotors')
      call none%clear_rotor_momentum(stat, errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'not created yet', 'and none to clear')
   end subroutine rotors_are_one_for_all_or_each

   !> Pointers without a target stand for unallocated arrays, which -fcheck would stop at. Their shape is undefined, and may be
   !! the right one by chance.
   subroutine arrays_without_memory_are_refused()
      type(qi_ensemble_t) :: e, before
      real(dp), pointer :: none(:, :), vector(:)
      integer :: stat
      character(200) :: errmsg

      allocate (none(4, 3), vector(4)) ! so that their bounds are not undefined
      deallocate (none, vector)
      call make(e)
      call make(before)
      call e%bind_orientations(none, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`orientations` is not allocated', 'no array cannot be bound')
      call e%bind_angular_velocities(none, layout=QI_LAYOUT_SOA, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`angular_velocities` is not allocated', 'as angular velocities, too')
      call e%bind_predicted_velocities(none, 0.1_dp, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`angular_velocities` is not allocated', 'as predictions, too')
      call e%bind_orientations(vector, vector, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`orientations` is not allocated', 'no record cannot be bound')
      call e%step(0.1_dp)
      call before%step(0.1_dp)
      call ok(agree(e, before), 'and the ensemble keeps its own memory')
   end subroutine arrays_without_memory_are_refused

   subroutine shapes_that_do_not_fit_are_refused()
      type(qi_ensemble_t) :: e
      real(dp), target :: q(4, n), columns(n, 4), tall(5, n), flat(4*n), block(4, 2, n), four(4, 4)
      integer :: stat
      character(200) :: errmsg

      q = 0.5_dp
      columns = 0.5_dp
      tall = 0.5_dp
      flat = 0.5_dp
      block = 0.5_dp
      four = 0.5_dp
      call e%create(-1, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`count` is negative', 'create refuses a negative count')
      call e%create(huge(1), stat, errmsg)
      call ok(stat == QI_OK .or. stat == QI_ERR_MEMORY, 'more than memory holds is a status')
      call make(e)
      call e%bind_orientations(columns, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`orientations` has the shape (300, 4); it must be (4, 300)', &
         'columns without their layout are refused')
      call e%bind_orientations(q, QI_LAYOUT_SOA, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'it must be (300, 4)', 'rows with the layout of columns are refused')
      call e%bind_orientations(tall, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '(5, 300)', 'five components are refused')
      call e%bind_orientations(q, layout=qi_layout_t(7), stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`layout`', 'a layout that is none is refused')
      call e%bind_orientations(q, order=qi_order_t(7), stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`order`', 'an order that is none is refused')
      call e%bind_orientations(q, stat=stat)
      call e%bind_angular_velocities(q(1:3, :), stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'overlap', 'arrays that overlap are refused')
      call e%bind_angular_velocities(block(1:3, 1, :), kind=qi_kind_t(9), stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`kind`', 'a kind that is none is refused')
      call e%bind_angular_velocities(q, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'it must be (3, 300)', 'four components of an angular velocity are refused')
      call e%bind_orientations(q(:, 1), q(1:3, 2), stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'has the shape (3); it must be (4)', 'a record without four is refused')
      call e%bind_angular_velocities(q(:, 1), q(:, 2), stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'has the shape (4); it must be (3)', 'a record without three is refused')
      call e%bind_orientations(q(:, 1), q(:, 1), stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'stride', 'records that are all the same one are refused')
      call e%set_orientations(block, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '(4, 2, 300)', 'three dimensions are refused')
      call e%set_orientations(flat, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '(1200)', 'a flat array is refused')
      call e%set_angular_velocities(q, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '(4, 300)', 'set_angular_velocities refuses the wrong shape')
      call e%get_orientations(four, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '(4, 4)', 'get_orientations refuses the wrong shape')
      call e%get_angular_velocities(q, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '(4, 300)', 'get_angular_velocities refuses the wrong shape')
      call e%get_angular_momenta(q, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '(4, 300)', 'get_angular_momenta refuses the wrong shape')
      call e%get_kinetic_energies(flat, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`energies` has the shape (1200); it must be (300)', &
         'get_kinetic_energies refuses the wrong number')
      call e%set_inertias(flat, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'it must be (3, 3, 300)', 'set_inertias refuses the wrong shape')
      call e%set_linear_drag_torque(flat(:2), stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`coefficients`', 'set_linear_drag_torque refuses the wrong shape')
      call e%set_constant_torque(q, QI_FRAME_WORLD, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`torques`', 'set_constant_torque refuses the wrong shape')
      call e%set_uniform_field_torque(q, [0.0_dp, 0.0_dp, 1.0_dp], stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`vectors_body`', 'set_uniform_field_torque refuses the wrong shape')
      call e%set_gravity_gradient_torque([0.0_dp, 0.0_dp, 1.0_dp], flat, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`gradients`', 'set_gravity_gradient_torque refuses the wrong number')
      call e%set_shear_flow_torque(q, 1.0_dp, moments, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`semi_axes`', 'set_shear_flow_torque refuses the wrong shape')
      call e%set_threads(0, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`threads`', 'no thread is refused')
      call e%set_threads(-3, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`threads`', 'a negative number of threads is refused')
      call e%set_torque(weights, frame=qi_frame_t(5), stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`frame`', 'a frame that is none is refused')
      call e%set_torque_soa(weights_soa, frame=qi_frame_t(5), stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`frame`', 'for columns too')
      call odd_distances(e)
   end subroutine shapes_that_do_not_fit_are_refused

   !> Records of 60 bytes, as in some file formats.
   subroutine odd_distances(e)
      use, intrinsic :: iso_c_binding, only: c_f_pointer, c_loc
      type(qi_ensemble_t), intent(inout) :: e
      character, allocatable, target :: bytes(:)
      real(dp), pointer :: first(:), second(:)
      integer :: stat
      character(200) :: errmsg

      allocate (bytes(60*n))
      bytes = ' '
      call c_f_pointer(c_loc(bytes(1)), first, [4])
      call c_f_pointer(c_loc(bytes(61)), second, [4])
      call e%bind_orientations(first, second, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_MISALIGNED, errmsg, '60 bytes apart, which is not a whole number of doubles', &
         'records that are not a whole number of doubles apart are refused')
   end subroutine odd_distances

   subroutine failures_name_the_body_and_change_nothing()
      type(qi_ensemble_t) :: e, untouched
      type(orders_t), target :: orders
      real(dp), target :: q(4, n), omega(3, n)
      real(dp) :: q_before(4, n), bad(3, 3, n)
      integer :: stat, completed
      character(200) :: errmsg

      call start(q, omega)
      call make(untouched)
      call make(e)
      orders%bad_body = 150
      call e%set_torque(weights, orders)
      call e%step(0.01_dp, stat, errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, 'body 149: the torque is not finite', 'a NaN names the body, from 0')
      call ok(qi_error_body() == 150 .and. index(errmsg, 'from 1 it is body 150') > 0, 'and from 1, in the text and as a number')
      call ok(agree(e, untouched), 'nothing has changed')

      call e%bind_orientations(q)
      call e%bind_angular_velocities(omega, kind=QI_OMEGA_BODY)
      q_before = q
      orders = orders_t(stop_with=42, at_call=4) ! call 4: the second stage of the second chunk
      call e%step(0.01_dp, stat, errmsg)
      call refused(stat, QI_ERR_CALLBACK, errmsg, 'bodies 64 to 127 returned 42', 'a torque that gives a stat names its bodies')
      call ok(same([q], [q_before]) .and. e%callback_result() == 42, 'bound arrays are as before, the stat is kept')
      orders = orders_t(stop_with=1, at_call=10*4 + 1)
      call e%advance(0.01_dp, 10, completed, stat, errmsg)
      call ok(stat == QI_ERR_CALLBACK .and. completed == 4, 'advance says how many steps stand')
      call e%advance(0.01_dp, -1, completed, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`steps` is negative', 'advance refuses a negative number of steps')
      call ok(qi_error_body() == 0, 'an error that the module finds concerns no body, whatever was before')

      bad = spread(moments, 3, n)
      bad(2, 2, 3) = -1
      call e%set_inertias(bad, stat, errmsg)
      call refused(stat, QI_ERR_INERTIA, errmsg, 'body 2: ', 'a bad inertia names its body')
      call ok(qi_error_body() == 3, 'and its number from 1 is to be had')
      call e%set_inertias(bad(:, :, 3), stat, errmsg)
      call refused(stat, QI_ERR_INERTIA, errmsg, 'not positive definite', 'a bad inertia for all is refused')
      call ok(qi_error_body() == 0 .and. index(errmsg, 'body') == 0, 'and names no body')
      q(:, 9) = 0
      call e%set_orientations(q, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_ORIENTATION, errmsg, 'body 8: ', 'a bad orientation names its body')
      call ok(qi_error_body() == 9, 'whose number from 1 is to be had')
      call e%set_time(nan(), stat, errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, '`time`', 'set_time refuses a NaN')
      call e%step(nan(), stat, errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, '`dt`', 'step refuses a NaN')
   end subroutine failures_name_the_body_and_change_nothing

   subroutine ensembles_are_moved_and_destroyed()
      type(qi_ensemble_t) :: a, b, none
      type(orders_t), target :: orders
      real(dp), target :: q(4, n), omega(3, n)
      real(dp) :: time, stage(4, n)
      logical :: needed
      integer :: stat
      character(200) :: errmsg

      call start(q, omega)
      call make(a)
      call a%set_torque(weights, orders)
      call a%bind_orientations(q)
      call a%move_to(b)
      call b%step(0.01_dp)
      call ok(orders%calls > 0 .and. .not. a%exists() .and. b%exists() .and. a%count() == 0, 'an ensemble moves with its torque')
      call b%begin_step(0.01_dp)
      call b%next_stage(needed, time, stage, omega)
      call ok(needed .and. qi_get_ensemble_count(b%c_handle()) == n, 'and with its number')
      call b%destroy()
      call b%step(0.01_dp, stat, errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'destroyed, moved, or a copy', 'an ensemble that was destroyed is refused')
      call b%bind_orientations(q, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'destroyed, moved, or a copy', 'it binds nothing')
      call b%set_torque_soa(weights_soa, orders, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'destroyed, moved, or a copy', 'it takes no torque')
      call b%set_active([1], stat, errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'destroyed, moved, or a copy', 'it has nobody to move')
      call ok(b%callback_result() == 0, 'and its torque has nothing to tell')
      none = b
      call ok(.not. none%exists(), 'nothing may be copied')
      call a%create(0)
      call a%step(0.1_dp)
      call a%get_orientations(q(:, 1:0))
      call a%bind_orientations(q(:, 1:0), stat=stat)
      call ok(stat == QI_OK .and. a%count() == 0, 'an ensemble of nobody is an ensemble')
   end subroutine ensembles_are_moved_and_destroyed

   !> Run under valgrind, which finds memory that is not freed.
   subroutine ensembles_are_finalized()
      type(qi_ensemble_t), allocatable :: parts(:)
      type(orders_t), target :: orders
      integer :: i

      allocate (parts(3))
      do i = 1, 3
         call make(parts(i))
         call parts(i)%set_torque(weights, orders)
         call parts(i)%set_torque_soa(weights_soa, orders)
         call parts(i)%step(0.01_dp)
      end do
      call parts(2)%create(5)
      call ok(orders%calls == 3*2*5, 'ensembles are finalized with the variables they are in')
   end subroutine ensembles_are_finalized

end program test_ensemble
