!> Points on bodies, and a velocity gradient at each body, from Fortran.
program test_points
   use check
   implicit none
   integer, parameter :: n = 70   ! two chunks, of which the last is not full
   integer, parameter :: m = 2*n  ! two points on each body, but four on the last but one, and none on the last

   call points_are_where_their_bodies_carry_them()
   call points_move_with_predicted_velocities()
   call arrays_may_be_rows_columns_and_sections()
   call an_ensemble_may_have_no_points()
   call points_that_cannot_be_are_refused()
   call arrays_of_points_that_do_not_fit_are_refused()
   call a_gradient_at_each_body_acts_as_on_a_body_alone()
   call gradients_may_be_sections_and_records()
   call gradients_that_cannot_be_read_are_refused()
   call finish()

contains

   elemental real(dp) function some(k)
      integer, intent(in) :: k

      some = sin(1.7_dp*k + 0.3_dp)
   end function some

   !> A matrix of generic numbers; other ones for each `seed`.
   function numbers(rows, columns, seed)
      integer, intent(in) :: rows, columns, seed
      real(dp) :: numbers(rows, columns)
      integer :: k

      numbers = reshape(some([(seed + k, k=1, rows*columns)]), [rows, columns])
   end function numbers

   !> The body of each point. The last body has none.
   function owners()
      integer :: owners(m), i

      owners = [(min(i, n - 1), min(i, n - 1), i=1, n)]
   end function owners

   !> Initial states.
   subroutine start(q, omega)
      real(dp), intent(out) :: q(4, n), omega(3, n)
      integer :: i

      do i = 1, n
         if (qi_orientation_from_axis_angle(numbers(3, 1, i), 0.1_dp*i, q(:, i)) /= QI_OK) error stop
      end do
      omega = numbers(3, n, 40)
   end subroutine start

   subroutine make(e)
      type(qi_ensemble_t), intent(inout) :: e
      real(dp) :: q(4, n), omega(3, n)

      call start(q, omega)
      call e%create(n)
      call e%set_inertias(moments)
      call e%set_orientations(q)
      call e%set_angular_velocities(omega)
   end subroutine make

   !> The same with points.
   subroutine make_clumps(e)
      type(qi_ensemble_t), intent(inout) :: e

      call make(e)
      call e%set_points(owners(), numbers(3, m, 1))
   end subroutine make_clumps

   pure function cross(a, b)
      real(dp), intent(in) :: a(3), b(3)
      real(dp) :: cross(3)

      cross = [a(2)*b(3) - a(3)*b(2), a(3)*b(1) - a(1)*b(3), a(1)*b(2) - a(2)*b(1)]
   end function cross

   !> The arms of the points in the world frame.
   function turned_arms(e) result(turned)
      type(qi_ensemble_t), intent(in) :: e
      real(dp) :: turned(3, m), arms(3, m), q(4, n)
      integer :: k, of(m)

      arms = numbers(3, m, 1)
      of = owners()
      call e%get_orientations(q)
      do k = 1, m
         if (qi_rotate(q(:, of(k)), arms(:, k), turned(:, k)) /= QI_OK) error stop
      end do
   end function turned_arms

   logical function near(a, b)
      real(dp), intent(in) :: a(:, :), b(:, :)

      near = maxval(abs(a - b)) < 1e-13_dp
   end function near

   subroutine points_are_where_their_bodies_carry_them()
      type(qi_ensemble_t) :: e
      real(dp) :: arms(3, m), positions(3, m), velocities(3, m), expected(3, m), centres(3, n), omega(3, n), forces(3, m)
      real(dp) :: sums(3, n, 2), totals(3, n, 2), before(3, n), after(3, n)
      integer :: k, of(m)

      call make_clumps(e)
      call ok(e%point_count() == m, 'the points are counted')
      of = owners()
      arms = turned_arms(e)
      centres = 5*numbers(3, n, 7)
      call e%get_point_positions(positions, centres)
      call ok(near(positions, centres(:, of) + arms), 'points are where their bodies carry them')
      call e%get_point_positions(positions)
      call ok(near(positions, arms), 'or relative to the centres')

      call e%get_angular_velocities(omega)
      do k = 1, m
         expected(:, k) = cross(omega(:, of(k)), arms(:, k))
      end do
      call e%get_point_velocities(velocities, centres)
      call ok(near(velocities, centres(:, of) + expected), 'they move with their bodies')
      call e%get_point_velocities(velocities, predicted=.false.)
      call ok(near(velocities, expected), 'or relative to the centres')

      forces = numbers(3, m, 11)
      sums = 0
      do k = 1, m
         sums(:, of(k), 1) = sums(:, of(k), 1) + forces(:, k)
         sums(:, of(k), 2) = sums(:, of(k), 2) + cross(arms(:, k), forces(:, k))
      end do
      call e%sum_point_forces(forces, totals(:, :, 1), totals(:, :, 2))
      call ok(near(totals(:, :, 1), sums(:, :, 1)), 'the forces on the points are added up for each body')
      call ok(near(totals(:, :, 2), sums(:, :, 2)), 'and so are their torques')
      call ok(all(abs(totals(:, n, :)) <= 0), 'a body without points gets zeros')
      call e%sum_point_forces(forces, body_torques=sums(:, :, 2))
      call e%sum_point_forces(forces, body_forces=sums(:, :, 1))
      call ok(same([sums], [totals]), 'each of the two may be absent')
      call e%get_angular_momenta(before)
      call e%kick(0.1_dp, totals(:, :, 2))
      call e%get_angular_momenta(after)
      call ok(near(after - before, 0.1_dp*totals(:, :, 2)), 'a kick takes the torques')
   end subroutine points_are_where_their_bodies_carry_them

   subroutine points_move_with_predicted_velocities()
      type(qi_ensemble_t) :: e
      real(dp), target :: omega(3, n)
      real(dp) :: velocities(3, m), expected(3, m), arms(3, m)
      integer :: k, of(m), stat
      character(200) :: errmsg

      call make_clumps(e)
      call e%get_point_velocities(velocities, predicted=.true., stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'predicted', 'no predicted velocities are bound')
      call e%bind_predicted_velocities(omega, 0.05_dp)
      omega = numbers(3, n, 99)
      of = owners()
      arms = turned_arms(e)
      do k = 1, m
         expected(:, k) = cross(omega(:, of(k)), arms(:, k))
      end do
      call e%get_point_velocities(velocities, predicted=.true.)
      call ok(near(velocities, expected), 'points move with the predicted velocities')
      call e%unbind_predicted_velocities()
   end subroutine points_move_with_predicted_velocities

   subroutine arrays_may_be_rows_columns_and_sections()
      type(qi_ensemble_t) :: e, twin
      real(dp) :: rows(3, m), columns(m, 3), wide(4, m), centres(3, n), sums(3, n, 2), turned_sums(n, 3, 2), forces(3, m)

      call make_clumps(e)
      call make(twin)
      call twin%set_points(owners(), transpose(numbers(3, m, 1)), QI_LAYOUT_SOA)
      centres = numbers(3, n, 7)
      call e%get_point_positions(rows, centres)
      call twin%get_point_positions(columns, transpose(centres), QI_LAYOUT_SOA)
      call ok(same([rows], [transpose(columns)]), 'points may be rows of an array')
      wide = -7
      call e%get_point_positions(wide(2:4, :), centres)
      call ok(same([rows], [wide(2:4, :)]) .and. all(abs(wide(1, :) + 7) <= 0), 'or lie in a section of one')
      call e%get_point_velocities(rows, centres)
      call twin%get_point_velocities(columns, transpose(centres), layout=QI_LAYOUT_SOA)
      call ok(same([rows], [transpose(columns)]), 'the same holds for velocities')
      forces = numbers(3, m, 11)
      call e%sum_point_forces(forces, sums(:, :, 1), sums(:, :, 2))
      call twin%sum_point_forces(transpose(forces), turned_sums(:, :, 1), turned_sums(:, :, 2), QI_LAYOUT_SOA)
      call ok(same([sums(:, :, 1)], [transpose(turned_sums(:, :, 1))]) .and. &
         same([sums(:, :, 2)], [transpose(turned_sums(:, :, 2))]), 'and for forces and torques')
   end subroutine arrays_may_be_rows_columns_and_sections

   subroutine an_ensemble_may_have_no_points()
      type(qi_ensemble_t) :: e
      real(dp) :: nothing(3, 0), torques(3, n), one(3, 1)

      call make(e)
      call e%set_points([integer ::], nothing)
      call e%get_point_positions(nothing)
      call e%get_point_velocities(nothing)
      torques = -7
      call e%sum_point_forces(nothing, body_torques=torques)
      call ok(e%point_count() == 0 .and. all(abs(torques) <= 0), 'without points there are no forces')
      call e%set_points([3], reshape([1.0_dp, 2.0_dp, 3.0_dp], [3, 1]))
      call e%get_point_positions(one)
      call ok(abs(norm2(one) - sqrt(14.0_dp)) < 1e-14_dp, 'or there is one')
      call e%create(0)
      call e%set_points([integer ::], nothing)
      call e%sum_point_forces(nothing, nothing, torques(:, 1:0))
      call ok(e%point_count() == 0, 'there may be no bodies either')
   end subroutine an_ensemble_may_have_no_points

   subroutine points_that_cannot_be_are_refused()
      type(qi_ensemble_t) :: e, none
      real(dp) :: arms(3, m), bad(3, m), x(3, m)
      integer :: stat
      character(300) :: errmsg

      arms = numbers(3, m, 1)
      bad = arms
      bad(2, 101) = nan()
      call make(e)
      call ok(e%point_count() == 0, 'at first there are no points')
      call ok(none%point_count() == 0, 'nor without an ensemble')
      call e%get_point_positions(x, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_ORDER, errmsg, 'no points', 'before they are set, they have no positions')
      call e%set_points([2, 1], arms(:, 1:2), stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'ascending', 'bodies must ascend')
      call e%set_points([0, 1], arms(:, 1:2), stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`bodies` must count from 1', 'and count from 1')
      call e%set_points([n + 1], arms(:, 1:1), stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`bodies`', 'to the number of bodies')
      call e%set_points(owners(), bad, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, 'from 1 it is body 51', 'an arm that is NaN names its body')
      call e%set_points(owners(), arms(:, 2:), stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`arms` has the shape (3, 139); it must be (3, 140)', 'each point has an arm')
      call ok(e%point_count() == 0, 'then no points are set')

      call e%set_points(owners(), arms)
      call e%resize(n - 1)
      call e%get_point_positions(x, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_ORDER, errmsg, 'no points', 'resize drops the points')
      call none%set_points([integer ::], arms(:, 1:0), stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'not created yet', 'without an ensemble there are no points')
      call none%get_point_velocities(x, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'not created yet', 'nor their velocities')
   end subroutine points_that_cannot_be_are_refused

   subroutine arrays_of_points_that_do_not_fit_are_refused()
      type(qi_ensemble_t) :: e
      real(dp), target :: q(4, n)
      real(dp) :: x(3, m), centres(3, n)
      integer :: stat
      character(300) :: errmsg

      call make_clumps(e)
      centres = 0
      call e%get_point_positions(centres, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`positions` has the shape (3, 70); it must be (3, 140)', 'positions')
      call e%get_point_positions(x, x, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`centres` has the shape (3, 140); it must be (3, 70)', 'centres')
      call e%get_point_velocities(x, centres, layout=QI_LAYOUT_SOA, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`velocities` has the shape (3, 140); it must be (140, 3)', 'velocities')
      call e%get_point_velocities(x, x, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`centre_velocities`', 'those of the centres')
      call e%sum_point_forces(centres, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`forces`', 'forces on points')
      call e%sum_point_forces(x, body_forces=x, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`body_forces`', 'those on bodies')
      call e%sum_point_forces(x, body_torques=x, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`body_torques`', 'torques on bodies')
      call e%get_orientations(q)
      call e%bind_orientations(q)
      call e%sum_point_forces(x, body_torques=q(2:4, :), stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'overlap', 'a bound array does not receive them')
   end subroutine arrays_of_points_that_do_not_fit_are_refused

   !> Of body i, with gradients(k, j, i) the derivative of component j along axis k. It changes with the time.
   subroutine some_gradients(step, gradients)
      integer, intent(in) :: step
      real(dp), intent(out) :: gradients(3, 3, n)

      gradients = reshape(numbers(9, n, 100*step), [3, 3, n])
   end subroutine some_gradients

   !> Ellipsoids in a flow at rest.
   subroutine make_ellipsoids(e)
      type(qi_ensemble_t), intent(inout) :: e
      real(dp) :: at_rest(3, 3)

      at_rest = 0
      call make(e)
      call e%set_shear_flow_torque([0.3_dp, 0.2_dp, 0.7_dp], 0.1_dp, at_rest)
   end subroutine make_ellipsoids

   subroutine a_gradient_at_each_body_acts_as_on_a_body_alone()
      type(qi_ensemble_t) :: e
      type(qi_body_t) :: body
      real(dp), target :: gradients(3, 3, n)
      real(dp) :: q(4, n), omega(3, n), alone(4)
      integer :: step

      call make_ellipsoids(e)
      call start(q, omega)
      call body%create(moments, q(:, 53), omega(:, 53))
      call some_gradients(0, gradients)
      call e%bind_flow_gradients(gradients)
      do step = 1, 20
         call some_gradients(step, gradients)
         call e%advance(0.01_dp, 3)
         call body%set_shear_flow_torque([0.3_dp, 0.2_dp, 0.7_dp], 0.1_dp, transpose(gradients(:, :, 53)))
         call body%advance(0.01_dp, 3)
      end do
      call e%get_orientations(q)
      call body%get_orientation(alone)
      call ok(same(q(:, 53), alone), 'a gradient at each body acts as on a body alone')
   end subroutine a_gradient_at_each_body_acts_as_on_a_body_alone

   subroutine gradients_may_be_sections_and_records()
      type :: particle_t
         integer :: id = 0
         real(dp) :: gradient(3, 3) = 0, other = -7
      end type particle_t
      type(qi_ensemble_t) :: e, twin, third, free
      type(particle_t), target :: p(n)
      real(dp), target :: gradients(3, 3, n), every_second(3, 3, 2*n), turned(3, 3, n)
      real(dp) :: q(4, n), other(4, n)
      integer :: i

      call make_ellipsoids(e)
      call make_ellipsoids(twin)
      call make_ellipsoids(third)
      call make_ellipsoids(free)
      call some_gradients(3, gradients)
      every_second = -7
      every_second(:, :, 1::2) = gradients
      do i = 1, n
         p(i)%gradient = gradients(:, :, i)
      end do
      call e%bind_flow_gradients(gradients)
      call twin%bind_flow_gradients(every_second(:, :, 1::2))
      call third%bind_flow_gradients(p(1)%gradient, p(2)%gradient)
      call e%advance(0.01_dp, 10)
      call twin%advance(0.01_dp, 10)
      call third%advance(0.01_dp, 10)
      call e%get_orientations(q)
      call twin%get_orientations(other)
      call ok(same([q], [other]), 'gradients may lie in a section')
      call third%get_orientations(other)
      call ok(same([q], [other]) .and. all(abs(p%other + 7) <= 0) .and. all(p%id == 0), 'or in records')

      call make_ellipsoids(e)
      call make_ellipsoids(twin)
      do i = 1, n
         turned(:, :, i) = transpose(gradients(:, :, i))
         p(i)%gradient = turned(:, :, i)
      end do
      call e%bind_flow_gradients(turned, transposed=.true.)
      call twin%bind_flow_gradients(p(1)%gradient, p(2)%gradient, .true.)
      call e%advance(0.01_dp, 10)
      call twin%advance(0.01_dp, 10)
      call e%get_orientations(other)
      call ok(same([q], [other]), 'they may be transposed, as OpenFOAM has them')
      call twin%get_orientations(other)
      call ok(same([q], [other]), 'in records, too')

      call make_ellipsoids(e)
      call e%bind_flow_gradients(gradients)
      call e%unbind_flow_gradients()
      call e%step(0.01_dp)
      call free%step(0.01_dp)
      call e%get_orientations(q)
      call free%get_orientations(other)
      call ok(same([q], [other]), 'when they are unbound, the bodies share one again')
   end subroutine gradients_may_be_sections_and_records

   subroutine gradients_that_cannot_be_read_are_refused()
      type(qi_ensemble_t) :: e, none
      real(dp), target :: gradients(3, 3, n), apart(6, 3, n), omega(3, n), wide(3, 4, n)
      real(dp), allocatable, target :: nowhere(:, :, :)
      integer :: stat
      character(300) :: errmsg

      call make_ellipsoids(e)
      call some_gradients(1, gradients)
      apart = 0
      call e%bind_flow_gradients(apart(1::2, :, :), stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'side by side', 'the numbers of a gradient must lie side by side')
      call e%bind_flow_gradients(wide, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'it must be (3, 3, 70)', 'an array of the wrong shape is refused')
      call e%bind_flow_gradients(wide(:, :, 1), wide(:, :, 2), stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'it must be (3, 3)', 'records, too')
      call e%bind_flow_gradients(nowhere, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'not allocated', 'and an array that is not allocated')
      call none%bind_flow_gradients(gradients, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'not created yet', 'without an ensemble there is nothing to bind to')
      call none%unbind_flow_gradients(stat, errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'not created yet', 'nor to unbind')
      gradients(2, 1, 31) = nan()
      call e%bind_flow_gradients(gradients, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, 'from 1 it is body 31', 'a NaN names its body')
      gradients(2, 1, 31) = 0
      call e%get_angular_velocities(omega)
      call e%bind_angular_velocities(omega)
      call e%bind_flow_gradients(gradients)
      gradients(3, 3, 42) = nan()
      call e%step(0.01_dp, stat, errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, 'from 1 it is body 42', 'a step reads the array')
      gradients(3, 3, 42) = 0
      call e%resize(n - 1)
      call e%step(0.01_dp, stat, errmsg)
      call refused(stat, QI_ERR_ORDER, errmsg, 'bind them again', 'resize releases the array')
      call e%unbind_flow_gradients()
      call e%step(0.01_dp)
   end subroutine gradients_that_cannot_be_read_are_refused

end program test_points
