!> Plays the cases of tests/data/cases.txt, from the root of the repository: tests/rust/cases.rs says what their words mean.
program test_cases
   use check
   implicit none

   integer, parameter :: longest_line = 4096, longest_word = 40

   !> One line of the table.
   type :: line_t
      logical :: expects = .false.
      character(longest_word), allocatable :: words(:)   !! without `expect`
      real(dp), allocatable :: numbers(:)                !! after the first word, up to a word that is none
   end type line_t

   !> What the case at hand is about: one of both.
   type(qi_body_t) :: body
   type(qi_ensemble_t) :: ensemble
   logical :: is_of_body = .false.

   call the_table_of_cases_comes_out_to_the_bit()
   call finish()

contains

   subroutine the_table_of_cases_comes_out_to_the_bit()
      character(longest_line) :: text
      character(:), allocatable :: name
      integer :: table, status, cases

      name = 'no case'
      cases = 0
      open (newunit=table, file="tests/data/cases.txt", status='old', action='read')
      do
         read (table, '(a)', iostat=status) text
         if (status /= 0) exit
         if (len_trim(text) == longest_line) error stop 'a line of the table is too long'
         if (index(text, 'case ') == 1) then
            cases = cases + 1
            name = trim(text(6:))
         else if (text /= '' .and. text(1:1) /= '#') then
            call play(line_of(text), name)
         end if
      end do
      close (table)
      call ok(cases > 70, 'the table has its cases')
   end subroutine the_table_of_cases_comes_out_to_the_bit

   !> Plays a line. A case is about a body or about an ensemble, which its first line makes.
   subroutine play(line, name)
      type(line_t), intent(in) :: line
      character(*), intent(in) :: name

      associate (a => line%numbers)
         if (line%expects .and. is_of_body) then
            call compare(of_body(trim(line%words(1))), line, name)
         else if (line%expects) then
            call compare(of_ensemble(trim(line%words(1))), line, name)
         else if (line%words(1) == 'body') then
            is_of_body = .true.
            call body%create(matrix(a(1:9)), a(10:13), a(14:16))
         else if (line%words(1) == 'ensemble') then
            is_of_body = .false.
            call ensemble%create(int(whole(line, 1)))
         else if (is_of_body) then
            call move_body(line, trim(line%words(1)))
         else
            call move_ensemble(line, trim(line%words(1)))
         end if
      end associate
   end subroutine play

   subroutine compare(got, line, name)
      real(dp), intent(in) :: got(:)
      type(line_t), intent(in) :: line
      character(*), intent(in) :: name

      if (.not. same(got, line%numbers)) write (error_unit, '(2a, *(1x, es24.16e3))') trim(line%words(1)), ' is', got
      call ok(same(got, line%numbers), name//': '//trim(line%words(1)))
   end subroutine compare

   ! ---- the words and the numbers of a line

   type(line_t) function line_of(text) result(line)
      character(longest_line), intent(in) :: text
      character(longest_line) :: rest
      integer :: i, length

      allocate (line%words(0), line%numbers(0))
      rest = adjustl(text)
      do while (rest /= '')
         length = index(rest, ' ') - 1
         if (length > longest_word) error stop 'a word of the table is too long'
         line%words = [character(longest_word) :: line%words, rest(:length)]
         rest = adjustl(rest(length + 1:))
      end do
      line%expects = line%words(1) == 'expect'
      if (line%expects) line%words = line%words(2:)
      do i = 2, size(line%words)
         if (verify(line%words(i)(1:1), '-0123456789') /= 0) exit
         line%numbers = [line%numbers, number(line%words(i))]
      end do
   end function line_of

   real(dp) function number(word)
      character(*), intent(in) :: word

      read (word, *) number
   end function number

   !> The whole number at this place from the end, exactly.
   integer(int64) function whole(line, from_end)
      type(line_t), intent(in) :: line
      integer, intent(in) :: from_end

      read (line%words(size(line%words) + 1 - from_end), *) whole
   end function whole

   !> All numbers, exactly.
   function wholes(line)
      type(line_t), intent(in) :: line
      integer(int64) :: wholes(size(line%words) - 1)
      integer :: i

      do i = 1, size(wholes)
         wholes(i) = whole(line, size(wholes) + 1 - i)
      end do
   end function wholes

   !> A matrix whose rows follow each other.
   pure function matrix(rows)
      real(dp), intent(in) :: rows(9)
      real(dp) :: matrix(3, 3)

      matrix = reshape(rows, [3, 3], order=[2, 1])
   end function matrix

   function last(line)
      type(line_t), intent(in) :: line
      character(:), allocatable :: last

      last = trim(line%words(size(line%words)))
   end function last

   type(qi_frame_t) function frame_of(line) result(frame)
      type(line_t), intent(in) :: line

      select case (last(line))
      case ('world')
         frame = QI_FRAME_WORLD
      case ('body')
         frame = QI_FRAME_BODY
      case default
         error stop 'there is no frame '//last(line)
      end select
   end function frame_of

   type(qi_method_t) function method_of(line) result(method)
      type(line_t), intent(in) :: line

      select case (last(line))
      case ('pcdm')
         method = QI_METHOD_PCDM
      case ('splitting')
         method = QI_METHOD_SPLITTING
      case ('splitting_4')
         method = QI_METHOD_SPLITTING_4
      case ('splitting_6')
         method = QI_METHOD_SPLITTING_6
      case ('cf4')
         method = QI_METHOD_CF4
      case ('force_gradient')
         method = QI_METHOD_FORCE_GRADIENT
      case ('brownian')
         method = QI_METHOD_BROWNIAN
      case default
         error stop 'there is no method '//last(line)
      end select
   end function method_of

   type(qi_solve_method_t) function solve_method_of(line) result(method)
      type(line_t), intent(in) :: line

      method = QI_SOLVE_NONSTIFF
      if (last(line) == 'stiff') method = QI_SOLVE_STIFF
      if (last(line) == 'splitting') method = QI_SOLVE_SPLITTING
   end function solve_method_of

   type(qi_keep_t) function keep_of(line) result(keep)
      type(line_t), intent(in) :: line

      keep = QI_KEEP_ANGULAR_MOMENTUM
      if (last(line) == 'angular_velocity') keep = QI_KEEP_ANGULAR_VELOCITY
   end function keep_of

   integer(int32) function axes_of(line) result(axes)
      use, intrinsic :: iso_fortran_env, only: int32
      type(line_t), intent(in) :: line

      axes = 0
      if (index(last(line), 'x') > 0) axes = axes + QI_AXIS_X
      if (index(last(line), 'y') > 0) axes = axes + QI_AXIS_Y
      if (index(last(line), 'z') > 0) axes = axes + QI_AXIS_Z
   end function axes_of

   ! ---- one body

   subroutine move_body(line, word)
      type(line_t), intent(in) :: line
      character(*), intent(in) :: word

      associate (a => line%numbers)
         select case (word)
         case ('method')
            call body%set_method(method_of(line))
         case ('advance')
            call body%advance(a(1), int(whole(line, 1)))
         case ('solve_method')
            call body%set_solve_method(solve_method_of(line))
         case ('solve')
            call body%solve(a(1), a(2))
         case ('kick')
            call body%kick(a(1), a(2:4), frame_of(line))
         case ('drift')
            call body%drift(a(1))
         case ('thermalize')
            call body%thermalize(a(1))
         case ('lock_axes')
            call body%lock_axes(axes_of(line))
         case default
            call set_state_of_body(line, word)
         end select
      end associate
   end subroutine move_body

   subroutine set_state_of_body(line, word)
      type(line_t), intent(in) :: line
      character(*), intent(in) :: word

      associate (a => line%numbers)
         select case (word)
         case ('time')
            call body%set_time(a(1))
         case ('clock')
            call body%set_clock(a)
         case ('noise_draws')
            call body%set_noise_draws(whole(line, 1))
         case ('state')
            call body%set_state(a(1:4), a(5:7))
         case ('state_body')
            call body%set_state_body(a(1:4), a(5:7))
         case ('angular_momentum')
            call body%set_angular_momentum(a)
         case ('inertia')
            call body%set_inertia(matrix(a), keep_of(line))
         case default
            call set_torque_of_body(line, word)
         end select
      end associate
   end subroutine set_state_of_body

   subroutine set_torque_of_body(line, word)
      type(line_t), intent(in) :: line
      character(*), intent(in) :: word

      associate (a => line%numbers)
         select case (word)
         case ('constant_torque')
            call body%set_constant_torque(a, frame_of(line))
         case ('uniform_field_torque')
            call body%set_uniform_field_torque(a(1:3), a(4:6))
         case ('gravity_gradient_torque')
            call body%set_gravity_gradient_torque(a(1:3), a(4))
         case ('linear_drag_torque')
            call body%set_linear_drag_torque(a)
         case ('shear_flow_torque')
            call body%set_shear_flow_torque(a(1:3), a(4), matrix(a(5:13)))
         case ('drag')
            call body%set_drag(a(1:3), flow=a(4:6))
         case ('langevin')
            call body%set_langevin(a(1:3), a(7), seed=whole(line, 2), id=whole(line, 1), flow=a(4:6))
         case ('rotor_momentum')
            call body%set_rotor_momentum(a)
         case ('rotor_torque')
            call body%set_rotor_torque(a)
         case default
            error stop 'no statement on a body: '//word
         end select
      end associate
   end subroutine set_torque_of_body

   function of_body(noun) result(got)
      character(*), intent(in) :: noun
      real(dp), allocatable :: got(:)
      real(dp) :: one, two(2), three(3), four(4)
      integer(int64) :: draws

      select case (noun)
      case ('time')
         call body%get_time(one)
         got = [one]
      case ('clock')
         call body%get_clock(two)
         got = two
      case ('orientation')
         call body%get_orientation(four)
         got = four
      case ('kinetic_energy')
         call body%get_kinetic_energy(one)
         got = [one]
      case ('noise_draws')
         call body%get_noise_draws(draws)
         got = [real(draws, dp)]
      case default
         call get_vector_of_body(noun, three)
         got = three
      end select
   end function of_body

   subroutine get_vector_of_body(noun, vector)
      character(*), intent(in) :: noun
      real(dp), intent(out) :: vector(3)

      select case (noun)
      case ('angular_velocity')
         call body%get_angular_velocity(vector)
      case ('angular_velocity_body')
         call body%get_angular_velocity_body(vector)
      case ('angular_momentum')
         call body%get_angular_momentum(vector)
      case ('rotor_momentum')
         call body%get_rotor_momentum(vector)
      case ('rotor_torque')
         call body%get_rotor_torque(vector)
      case ('acting_torque')
         call body%get_acting_torque(vector)
      case ('angular_acceleration')
         call body%get_angular_acceleration(vector)
      case default
         error stop 'a body has no '//noun
      end select
   end subroutine get_vector_of_body

   ! ---- an ensemble

   subroutine move_ensemble(line, word)
      type(line_t), intent(in) :: line
      character(*), intent(in) :: word

      associate (a => line%numbers)
         select case (word)
         case ('method')
            call ensemble%set_method(method_of(line))
         case ('advance')
            call ensemble%advance(a(1), int(whole(line, 1)))
         case ('drift')
            call ensemble%drift(a(1))
         case ('thermalize')
            call ensemble%thermalize(a(1))
         case ('scale_angular_momenta')
            call ensemble%scale_angular_momenta(a(1))
         case ('lock_axes')
            call ensemble%lock_axes(axes_of(line))
         case ('time')
            call ensemble%set_time(a(1))
         case ('clock')
            call ensemble%set_clock(a)
         case ('noise_draws')
            call ensemble%set_noise_draws(whole(line, 1))
         case ('ids')
            call ensemble%set_ids(wholes(line))
         case ('active')
            call ensemble%set_active(int(wholes(line)) + 1) ! the table counts from 0
         case default
            call give_vectors(line, word)
         end select
      end associate
   end subroutine move_ensemble

   !> Finds which numbers of the line belong to all bodies together or to each, and gives them.
   subroutine give_vectors(line, word)
      type(line_t), intent(in) :: line
      character(*), intent(in) :: word
      real(dp), allocatable :: matrices(:, :, :)

      associate (a => line%numbers, n => size(line%numbers))
         select case (word)
         case ('inertias')
            matrices = reshape(a, [3, 3, n/9], order=[2, 1, 3])
            if (n == 9) call set(line, word, matrices(:, :, 1))
            if (n > 9) call set(line, word, matrices)
         case ('gravity_gradient_torque')
            if (n == 4) call set(line, word, a(4))
            if (n > 4) call set(line, word, a(4:))
         case ('orientations')
            call give_rows(line, word, 4, a)
         case ('uniform_field_torque', 'drag')
            call give_rows(line, word, 3, a(:n - 3))
         case ('langevin')
            call give_rows(line, word, 3, a(:n - 5))
         case ('shear_flow_torque')
            call give_rows(line, word, 3, a(:n - 10))
         case ('kick')
            call give_rows(line, word, 3, a(2:))
         case ('kick_drift')
            call give_rows(line, word, 3, a(3:))
         case default
            call give_rows(line, word, 3, a)
         end select
      end associate
   end subroutine give_vectors

   !> Gives one row for all bodies, or a row for each.
   subroutine give_rows(line, word, width, numbers)
      type(line_t), intent(in) :: line
      character(*), intent(in) :: word
      integer, intent(in) :: width
      real(dp), intent(in) :: numbers(:)
      real(dp), allocatable :: rows(:, :)

      rows = reshape(numbers, [width, size(numbers)/width])
      if (size(rows, 2) == 1) call set(line, word, rows(:, 1))
      if (size(rows, 2) > 1) call set(line, word, rows)
   end subroutine give_rows

   !> The array `v` must be a variable, because gfortran 12 hands on an expression as if it began one row later.
   subroutine set(line, word, v)
      type(line_t), intent(in) :: line
      character(*), intent(in) :: word
      real(dp), intent(in), target, contiguous :: v(..)

      associate (a => line%numbers)
         select case (word)
         case ('inertias')
            call ensemble%set_inertias(v)
         case ('principal_inertias')
            call ensemble%set_principal_inertias(v)
         case ('orientations')
            call ensemble%set_orientations(v)
         case ('angular_velocities')
            call ensemble%set_angular_velocities(v)
         case ('angular_momenta')
            call ensemble%set_angular_momenta(v)
         case ('kick')
            call ensemble%kick(a(1), v, frame_of(line))
         case ('kick_drift')
            call ensemble%kick_drift(a(1), a(2), v, frame_of(line))
         case default
            call set_torque_of_ensemble(line, word, v)
         end select
      end associate
   end subroutine set

   subroutine set_torque_of_ensemble(line, word, v)
      type(line_t), intent(in) :: line
      character(*), intent(in) :: word
      real(dp), intent(in), target, contiguous :: v(..)

      associate (a => line%numbers, n => size(line%numbers))
         select case (word)
         case ('constant_torque')
            call ensemble%set_constant_torque(v, frame_of(line))
         case ('uniform_field_torque')
            call ensemble%set_uniform_field_torque(v, a(n - 2:))
         case ('gravity_gradient_torque')
            call ensemble%set_gravity_gradient_torque(a(1:3), v)
         case ('linear_drag_torque')
            call ensemble%set_linear_drag_torque(v)
         case ('shear_flow_torque')
            call ensemble%set_shear_flow_torque(v, a(n - 9), matrix(a(n - 8:)))
         case ('drag')
            call ensemble%set_drag(v, flow=a(n - 2:))
         case ('langevin')
            call ensemble%set_langevin(v, a(n - 1), whole(line, 1), flow=a(n - 4:n - 2))
         case ('rotor_momentum')
            call ensemble%set_rotor_momentum(v)
         case default
            error stop 'no statement on an ensemble: '//word
         end select
      end associate
   end subroutine set_torque_of_ensemble

   function of_ensemble(noun) result(got)
      character(*), intent(in) :: noun
      real(dp), allocatable :: got(:)
      real(dp) :: one, two(2), three(3), energies(ensemble%count())
      real(dp) :: orientations(4, ensemble%count()), vectors(3, ensemble%count())
      integer(int64) :: whole_number

      select case (noun)
      case ('time')
         call ensemble%get_time(one)
         got = [one]
      case ('clock')
         call ensemble%get_clock(two)
         got = two
      case ('orientations')
         call ensemble%get_orientations(orientations)
         got = [orientations]
      case ('angular_velocities')
         call ensemble%get_angular_velocities(vectors)
         got = [vectors]
      case ('angular_momenta')
         call ensemble%get_angular_momenta(vectors)
         got = [vectors]
      case ('kinetic_energies')
         call ensemble%get_kinetic_energies(energies)
         got = energies
      case ('total_kinetic_energy')
         call ensemble%get_total_kinetic_energy(one)
         got = [one]
      case ('total_angular_momentum')
         call ensemble%get_total_angular_momentum(three)
         got = three
      case ('noise_draws')
         call ensemble%get_noise_draws(whole_number)
         got = [real(whole_number, dp)]
      case ('degrees_of_freedom')
         call ensemble%get_degrees_of_freedom(whole_number)
         got = [real(whole_number, dp)]
      case default
         error stop 'an ensemble has no '//noun
      end select
   end function of_ensemble

end program test_cases
