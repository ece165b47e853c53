!> What the program of tests/outside/fortran_arrays.rs shares: objects to call procedures on, numbers to give them, and checks.
module forms
   use, intrinsic :: iso_fortran_env, only: dp => real64, int64, error_unit
   use quatint
   implicit none

   integer, parameter :: guard = -77
   type(qi_body_t) :: b
   type(qi_ensemble_t) :: e
   type(qi_mass_t) :: m
   real(dp), allocatable :: seen(:), untouched(:), expected(:)
   real(dp) :: v3(3) = [1.1_dp, 1.3_dp, 1.2_dp], no_flow(3, 3) = 0, q5(4, 5), w5(3, 5), time
   logical :: needed
   integer :: stat = 0, cases = 0, wrong = 0
   character(300) :: errmsg
   real(dp), parameter :: tetrahedron(36) = [0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, &
      1, 0, 0, 0, 1, 0, 0, 0, 1]

   !CELLS

   type, extends(qi_rate_t) :: spinning_t
   contains
      procedure :: evaluate => spinning_rate
   end type spinning_t
   type(spinning_t) :: spinning

contains

   subroutine spinning_rate(self, time, angular_velocity, stat)
      class(spinning_t), intent(inout) :: self
      real(dp), intent(in) :: time
      real(dp), intent(inout) :: angular_velocity(3)
      integer, intent(inout) :: stat

      call spin(time, angular_velocity, self, stat)
   end subroutine spinning_rate

   subroutine spin(time, angular_velocity, data, stat)
      real(dp), intent(in) :: time
      real(dp), intent(inout) :: angular_velocity(3)
      class(*), intent(inout) :: data
      integer, intent(inout) :: stat

      select type (data)
      type is (character(*))
         stat = 1
      end select
      angular_velocity = [0.3_dp, time, -0.7_dp*time**2]
   end subroutine spin

   !> A body, an ensemble of five with seven points, and a mass, in a generic state.
   subroutine fresh()
      real(dp) :: arms(3, 7)

      call b%destroy()
      call e%destroy()
      call b%create(reshape(tensors(9), [3, 3]), quaternions(4), [0.3_dp, -0.7_dp, 0.5_dp])
      call b%set_method(QI_METHOD_SPLITTING)
      call e%create(5)
      call e%set_method(QI_METHOD_SPLITTING)
      call e%set_inertias(reshape(tensors(9), [3, 3]))
      q5 = reshape(quaternions(20), [4, 5])
      w5 = reshape(numbers(15), [3, 5])
      arms = reshape(numbers(21), [3, 7])
      call e%set_orientations(q5)
      call e%set_angular_velocities(w5)
      call e%set_points([1, 1, 2, 3, 3, 4, 5], arms)
      m = qi_mass_t()
      call m%add_box(1.0_dp, v3, [0.1_dp, 0.2_dp, 0.3_dp])
      errmsg = ''
      stat = 0
      time = 0
      needed = .false.
   end subroutine fresh

   !> All that can be seen of them, also after a step. What a state does not allow has its status instead.
   function observed() result(numbers)
      real(dp), allocatable :: numbers(:), rows(:, :), momenta(:, :)
      real(dp) :: q(4), w(3), all_q(4, 5), positions(3, 7), clock(2)
      integer :: i, parts, failed

      parts = QI_PART_STATE + QI_PART_INERTIA + QI_PART_TORQUE + QI_PART_MEMORY
      numbers = [m%sum, time]
      do i = 1, 3
         allocate (rows(b%row_size(parts), 1))
         rows = 0
         call b%get_row(parts, rows(:, 1), stat=failed)
         numbers = [numbers, rows, real(failed, dp)]
         deallocate (rows)
         if (b%exists()) then
            call b%get_orientation(q)
            call b%get_angular_velocity(w)
            call b%get_clock(clock)
            numbers = [numbers, q, w, clock]
         end if
         allocate (rows(e%row_size(parts), e%count()), momenta(3, e%count()))
         rows = 0
         momenta = 0
         call e%get_rows(parts, rows, stat=failed)
         call e%get_angular_momenta(momenta, stat=failed)
         call e%get_clock(clock)
         numbers = [numbers, rows, momenta, real(failed, dp), clock]
         deallocate (rows, momenta)
         positions = 0
         call e%get_point_positions(positions, stat=failed)
         numbers = [numbers, positions]
         call b%step(0.05_dp, stat=failed)
         call e%step(0.05_dp, stat=failed)
         numbers = [numbers, real(failed, dp)]
         call e%kick_drift(0.01_dp, 0.02_dp, [0.1_dp, 0.2_dp, 0.3_dp], stat=failed)
      end do
      all_q = 0
      if (e%count() == 5) call e%get_orientations(all_q)
      numbers = [numbers, all_q]
   end function observed

   !> What the call with a variable did, which is not nothing.
   subroutine reference(title)
      character(*), intent(in) :: title

      cases = cases + 1
      if (stat /= 0) call complain(title, 'a variable')
      expected = seen
   end subroutine reference

   subroutine right(title, form)
      character(*), intent(in) :: title, form

      cases = cases + 1
      if (stat /= 0 .or. .not. same(seen, expected)) call complain(title, form)
   end subroutine right

   subroutine refused(title, form)
      character(*), intent(in) :: title, form

      cases = cases + 1
      if (stat >= 0 .or. errmsg == '' .or. .not. same(seen, untouched)) call complain(title, 'not refused: '//form)
   end subroutine refused

   subroutine unchanged(holds, title, form)
      logical, intent(in) :: holds
      character(*), intent(in) :: title, form

      if (.not. holds) call complain(title, 'in memory: '//form)
   end subroutine unchanged

   logical function same(left, right)
      real(dp), intent(in) :: left(:), right(:)

      same = size(left) == size(right)
      if (same) same = all(transfer(left, [0_int64]) == transfer(right, [0_int64]))
   end function same

   subroutine complain(title, form)
      character(*), intent(in) :: title, form

      wrong = wrong + 1
      write (error_unit, '(4a, i0, 2a)') title, ': ', form, ': stat ', stat, ' ', trim(errmsg)
   end subroutine complain

   subroutine finish()
      call b%destroy()
      call e%destroy()
      print '(i0, a, i0, a)', cases, ' forms of arrays, ', wrong, ' wrong'
      if (wrong > 0) error stop 'some are wrong'
   end subroutine finish

   ! ---- generic numbers

   function numbers(n)
      integer, intent(in) :: n
      real(dp) :: numbers(n)
      integer :: i

      numbers = [(sin(1.7_dp*i + 0.4_dp*i*i), i=1, n)]
   end function numbers

   function positive(n)
      integer, intent(in) :: n
      real(dp) :: positive(n)

      positive = 1.5_dp + 0.3_dp*numbers(n)
   end function positive

   function quaternions(n) result(all)
      integer, intent(in) :: n
      real(dp) :: all(n)
      integer :: i

      all = numbers(n)
      do i = 1, n, 4
         all(i:i + 3) = all(i:i + 3)/norm2(all(i:i + 3))
      end do
   end function quaternions

   !> Rows of QI_PART_STATE.
   function states(n) result(all)
      integer, intent(in) :: n
      real(dp) :: all(n)
      integer :: i

      all = numbers(n)
      do i = 1, n, 7
         all(i:i + 3) = all(i:i + 3)/norm2(all(i:i + 3))
      end do
   end function states

   !> Inertias.
   function tensors(n) result(all)
      integer, intent(in) :: n
      real(dp) :: all(n), a(3, 3)
      integer :: i

      all = numbers(n)
      do i = 1, n, 9
         a = 0.2_dp*reshape(all(i:i + 8), [3, 3])
         a = a + transpose(a)
         a(1, 1) = a(1, 1) + 2.0_dp
         a(2, 2) = a(2, 2) + 2.3_dp
         a(3, 3) = a(3, 3) + 2.7_dp
         all(i:i + 8) = reshape(a, [9])
      end do
   end function tensors

   function traceless(n) result(all)
      integer, intent(in) :: n
      real(dp) :: all(n)

      all = numbers(n)
      all(9) = -all(1) - all(5)
   end function traceless

   function sum_of_numbers() result(sum)
      integer(int64) :: sum(QI_SUM_SIZE)

      sum = 0
      call qi_add_values_to_sum(sum, numbers(6))
   end function sum_of_numbers

   function identity(n)
      integer, intent(in) :: n
      real(dp) :: identity(n, n)
      integer :: i

      identity = 0
      do i = 1, n
         identity(i, i) = 1
      end do
   end function identity

   !FUNCTIONS

end module forms
