!> What the procedures of quatint_types share: errors and checks of arrays. Nothing here is for users but qi_text and
!! qi_error_body.
module quatint_support
   use, intrinsic :: iso_c_binding
   use quatint_c
   implicit none
   private
   public :: owned_t, held, own, is_copy, qi_text, qi_error_body, settle, refuse, fail_here, view_t, no_number, view_of, &
      view_of_points, one_or_each, view_of_records, view_of_gradients, parameters, is_there, has_target, has_shape, &
      has_size, is_count, counted_from_0, at_most_huge, list, frame_or_world

   !> What a body or an ensemble owns. Fortran has ways of copying an object bit by bit that no procedure of ours sees, such as
   !! `allocate(source=)`. The copy is in another place than `place`, which shows that it owns nothing.
   type :: owned_t
      type(c_ptr) :: handle = c_null_ptr
      type(c_ptr) :: place = c_null_ptr
   end type owned_t

   !> Location of the vectors of an array, as the library needs it. Strides count doubles.
   type :: view_t
      type(c_ptr) :: first = c_null_ptr
      integer(c_ptrdiff_t) :: body_stride = 0, component_stride = 1
   end type view_t

   !> An address for arrays without elements.
   real(c_double), target, save :: no_number = 0

   !> Appended to an error of the library where there is no object.
   character(*), parameter :: NO_OBJECT = ' (not created yet, destroyed, moved, or a copy, which owns nothing)'

contains

   ! ---- what an object owns

   !> The handle; null if there is none, or if this is a copy.
   pure type(c_ptr) function held(owned)
      type(owned_t), intent(in), target :: owned

      held = c_null_ptr
      if (c_associated(owned%place, c_loc(owned))) held = owned%handle
   end function held

   subroutine own(owned, handle)
      type(owned_t), intent(inout), target :: owned
      type(c_ptr), intent(in) :: handle

      owned%handle = handle
      owned%place = c_loc(owned)
   end subroutine own

   !> Whether it is a bit-by-bit copy of one that owns something.
   logical function is_copy(owned)
      type(owned_t), intent(in) :: owned

      is_copy = c_associated(owned%handle) .and. .not. c_associated(held(owned))
   end function is_copy

   ! ---- errors

   !> Converts a string of the library to a Fortran string: `qi_text(qi_version_string())`.
   function qi_text(string) result(text)
      type(c_ptr), intent(in) :: string
      character(:), allocatable :: text
      character(kind=c_char), pointer :: characters(:)
      integer :: length, i

      length = 0
      if (c_associated(string)) then
         call c_f_pointer(string, characters, [huge(length)])
         do while (characters(length + 1) /= c_null_char)
            length = length + 1
         end do
      end if
      allocate (character(length) :: text)
      do i = 1, length
         text(i:i) = characters(i)
      end do
   end function qi_text

   !> Turns the status of a library call into `stat` and `errmsg`, or into `error stop`.
   subroutine settle(status, stat, errmsg)
      integer(c_int32_t), intent(in) :: status
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (status >= QI_OK) then
         if (present(stat)) stat = QI_OK
      else if (status == QI_ERR_NULL) then ! arrays are never NULL here, so the object is
         call fail(status, qi_text(qi_last_error())//NO_OBJECT, stat, errmsg)
      else
         call fail(status, qi_text(qi_last_error())//counted_from_1(qi_error_body()), stat, errmsg)
      end if
   end subroutine settle

   !> Reports an argument error found by this module.
   subroutine refuse(text, stat, errmsg)
      character(*), intent(in) :: text
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call fail_here(QI_ERR_INVALID, text, stat, errmsg)
   end subroutine refuse

   subroutine fail(status, text, stat, errmsg)
      integer(c_int32_t), intent(in) :: status
      character(*), intent(in) :: text
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      if (.not. present(stat)) error stop text
      stat = status
      if (present(errmsg)) errmsg = text
   end subroutine fail

   !> Reports an error found by this module, which concerns no body.
   subroutine fail_here(status, text, stat, errmsg)
      integer(c_int32_t), intent(in) :: status
      character(*), intent(in) :: text
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: refused

      refused = qi_step(c_null_ptr, 0.0_c_double) ! so that qi_error_body() is no longer that of an earlier error
      call fail(status, 'quatint: '//text, stat, errmsg)
   end subroutine fail_here

   !> The body that the last error on this thread concerns, counted from 1; the first, if there are several. 0 if the error
   !! concerns no single body of an ensemble.
   integer function qi_error_body()
      qi_error_body = int(qi_last_error_body()) + 1 ! SIZE_MAX, which means no body, is -1 as a Fortran integer
   end function qi_error_body

   !> The text that is appended to an error text of the library, which counts from 0. Empty if the error concerns no body.
   function counted_from_1(body) result(text)
      integer, intent(in) :: body
      character(:), allocatable :: text

      text = ''
      if (body > 0) text = ' (counted from 0; from 1 it is body '//list([body])//')'
   end function counted_from_1

   ! ---- arrays: each function checks its arguments; on an error it reports the error and returns false

   pure integer function count_of(ensemble)
      type(c_ptr), intent(in) :: ensemble

      count_of = int(qi_get_ensemble_count(ensemble))
   end function count_of

   !> Locates the vectors of an array with one vector for each body, or `count` vectors. With `rows`, body i has vector number
   !! rows(i).
   logical function view_of(ensemble, name, array, components, layout, view, stat, errmsg, rows, count)
      type(c_ptr), intent(in) :: ensemble
      character(*), intent(in) :: name
      real(c_double), intent(in), target :: array(:, :)
      integer, intent(in) :: components
      type(qi_layout_t), intent(in), optional :: layout
      type(view_t), intent(out) :: view
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer, intent(in), optional :: rows(:), count
      integer :: expected(2), second(2)
      logical :: columns

      view_of = .true.
      columns = .false.
      if (present(layout)) then
         columns = layout%number == QI_LAYOUT_SOA%number
         view_of = columns .or. layout%number == QI_LAYOUT_AOS%number
      end if
      if (.not. view_of) then
         call refuse('`layout` must be QI_LAYOUT_AOS or QI_LAYOUT_SOA', stat, errmsg)
         return
      end if
      view_of = is_there(name, c_loc(array), stat, errmsg)
      if (.not. view_of) return
      expected = [components, count_of(ensemble)]
      if (present(count)) expected(2) = count
      if (present(rows)) then
         expected(2) = size(array, merge(1, 2, columns))
         view_of = are_rows_of(ensemble, rows, expected(2), stat, errmsg)
         if (.not. view_of) return
      end if
      second = [1, min(2, size(array, 2))]
      if (columns) then
         expected = expected([2, 1])
         second = [min(2, size(array, 1)), 1]
      end if
      view%first = c_loc(no_number)
      view%body_stride = components ! where there is no body; 0 would mean one vector for all
      view_of = has_shape(ensemble, name, shape(array), expected, stat, errmsg)
      if (.not. view_of .or. size(array) == 0) return
      view%first = c_loc(array(1, 1))
      view_of = distance(name, array(1, 1), array(second(1), second(2)), view%body_stride, stat, errmsg)
      second = merge([1, 2], [2, 1], columns)
      if (view_of) view_of = distance(name, array(1, 1), array(second(1), second(2)), view%component_stride, stat, errmsg)
   end function view_of

   !> Locates the vectors of an array with one vector for each point.
   logical function view_of_points(ensemble, name, array, layout, view, stat, errmsg)
      type(c_ptr), intent(in) :: ensemble
      character(*), intent(in) :: name
      real(c_double), intent(in), target :: array(:, :)
      type(qi_layout_t), intent(in), optional :: layout
      type(view_t), intent(out) :: view
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_size_t) :: count
      integer(c_int32_t) :: status

      status = qi_get_point_count(ensemble, count)
      view_of_points = status == QI_OK
      if (view_of_points) then
         view_of_points = view_of(ensemble, name, array, 3, layout, view, stat, errmsg, count=int(count))
      else
         call settle(status, stat, errmsg)
      end if
   end function view_of_points

   !> Locates the vectors of an array with one vector for each body, or takes one vector for all bodies.
   logical function one_or_each(ensemble, name, array, components, layout, view, stat, errmsg)
      type(c_ptr), intent(in) :: ensemble
      character(*), intent(in) :: name
      real(c_double), intent(in), target :: array(..)
      integer, intent(in) :: components
      type(qi_layout_t), intent(in), optional :: layout
      type(view_t), intent(out) :: view
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      select rank (array)
      rank (1)
         one_or_each = is_there(name, c_loc(array), stat, errmsg)
         if (one_or_each) one_or_each = has_shape(ensemble, name, shape(array), [components], stat, errmsg)
         if (one_or_each) one_or_each = distance(name, array(1), array(2), view%component_stride, stat, errmsg)
         if (one_or_each) view%first = c_loc(array(1))
      rank (2)
         one_or_each = view_of(ensemble, name, array, components, layout, view, stat, errmsg)
      rank default
         one_or_each = has_shape(ensemble, name, shape(array), [components, count_of(ensemble)], stat, errmsg)
      end select
   end function one_or_each

   !> Locates the vectors of an array of records, from the first two vectors.
   logical function view_of_records(ensemble, name, first, second, components, view, stat, errmsg, rows)
      type(c_ptr), intent(in) :: ensemble
      character(*), intent(in) :: name
      real(c_double), intent(in), target :: first(:), second(:)
      integer, intent(in) :: components
      type(view_t), intent(out) :: view
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer, intent(in), optional :: rows(:)

      view_of_records = is_there(name, c_loc(first), stat, errmsg)
      if (view_of_records) view_of_records = is_there(name, c_loc(second), stat, errmsg)
      if (view_of_records) view_of_records = has_shape(ensemble, name, shape(first), [components], stat, errmsg)
      if (view_of_records .and. present(rows)) view_of_records = are_rows_of(ensemble, rows, huge(rows), stat, errmsg)
      if (view_of_records) view_of_records = has_shape(ensemble, name, shape(second), [components], stat, errmsg)
      if (.not. view_of_records) return
      view%first = c_loc(first(1))
      view_of_records = distance(name, first(1), first(2), view%component_stride, stat, errmsg)
      if (view_of_records) view_of_records = distance(name, first(1), second(1), view%body_stride, stat, errmsg)
   end function view_of_records

   !> Locates the velocity gradients of all bodies, from the first two. The library takes no strides within a gradient.
   logical function view_of_gradients(ensemble, first, second, view, stat, errmsg)
      type(c_ptr), intent(in) :: ensemble
      real(c_double), pointer, intent(in) :: first(:, :), second(:, :)
      type(view_t), intent(out) :: view
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      view_of_gradients = has_target('gradients', associated(first) .and. associated(second), stat, errmsg)
      if (view_of_gradients) view_of_gradients = has_shape(ensemble, 'gradients', shape(first), [3, 3], stat, errmsg)
      if (view_of_gradients) view_of_gradients = has_shape(ensemble, 'gradients', shape(second), [3, 3], stat, errmsg)
      if (.not. view_of_gradients) return
      view_of_gradients = is_contiguous(first) .and. is_contiguous(second)
      if (.not. view_of_gradients) then
         call refuse('`gradients`: the nine numbers of a body must lie side by side', stat, errmsg)
         return
      end if
      view%first = c_loc(first(1, 1))
      view_of_gradients = distance('gradients', first(1, 1), second(1, 1), view%body_stride, stat, errmsg)
   end function view_of_gradients

   !> Checks the rows of the bodies in an array. The library checks that no two are the same.
   logical function are_rows_of(ensemble, rows, last, stat, errmsg)
      type(c_ptr), intent(in) :: ensemble
      integer, intent(in) :: rows(:), last
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      are_rows_of = has_shape(ensemble, 'rows', shape(rows), [count_of(ensemble)], stat, errmsg)
      if (.not. are_rows_of) return
      are_rows_of = all(rows >= 1 .and. rows <= last)
      if (.not. are_rows_of) call refuse('`rows` must count from 1, and the array has '//list([last])//' rows', stat, errmsg)
   end function are_rows_of

   !> Locates torque parameters or inertias: one for all bodies, or one for each body (then the last extent is n).
   logical function parameters(ensemble, name, values, of_one, view, stat, errmsg)
      type(c_ptr), intent(in) :: ensemble
      character(*), intent(in) :: name
      real(c_double), intent(in), target, contiguous :: values(..)
      integer, intent(in) :: of_one(:)   !! the shape for one body
      type(view_t), intent(out) :: view
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      view%first = c_null_ptr
      select rank (values) ! the standard allows c_loc for any rank, but not every compiler supports it
      rank (0)
         view%first = c_loc(values)
      rank (1)
         view%first = c_loc(values)
      rank (2)
         view%first = c_loc(values)
      rank (3)
         view%first = c_loc(values)
      end select
      parameters = is_there(name, view%first, stat, errmsg)
      if (.not. parameters) return
      if (rank(values) == size(of_one)) then
         parameters = has_shape(ensemble, name, shape(values), of_one, stat, errmsg)
      else
         parameters = has_shape(ensemble, name, shape(values), [of_one, count_of(ensemble)], stat, errmsg)
         view%body_stride = product(of_one)
      end if
      if (size(values) == 0) view%first = c_loc(no_number)
   end function parameters

   !> Refuses an array that is not allocated, or a pointer without a target, by its address. It has no shape to report.
   logical function is_there(name, address, stat, errmsg)
      character(*), intent(in) :: name
      type(c_ptr), intent(in) :: address
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      is_there = has_target(name, c_associated(address), stat, errmsg)
   end function is_there

   logical function has_target(name, is_there, stat, errmsg)
      character(*), intent(in) :: name
      logical, intent(in) :: is_there
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      has_target = is_there
      if (.not. is_there) call refuse('`'//name//'` is not allocated, or is a pointer without a target', stat, errmsg)
   end function has_target

   logical function has_shape(ensemble, name, given, expected, stat, errmsg, hint)
      type(c_ptr), intent(in) :: ensemble
      character(*), intent(in) :: name
      integer, intent(in) :: given(:), expected(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      character(*), intent(in), optional :: hint
      character(:), allocatable :: more

      has_shape = .false.
      if (.not. c_associated(ensemble)) then
         call fail_here(QI_ERR_NULL, 'there is no ensemble'//NO_OBJECT, stat, errmsg)
         return
      end if
      if (size(given) == size(expected)) has_shape = all(given == expected)
      if (has_shape) return
      more = ''
      if (present(hint)) more = hint
      call refuse('`'//name//'` has the shape ('//list(given)//'); it must be ('//list(expected)//')'//more, stat, errmsg)
   end function has_shape

   !> Checks the shape of a vector or matrix of fixed size.
   logical function has_size(name, given, expected, stat, errmsg)
      character(*), intent(in) :: name
      integer, intent(in) :: given(:), expected(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      has_size = all(given == expected)
      if (.not. has_size) call refuse('`'//name//'` has the shape ('//list(given)//'); it must be ('// &
         list(expected)//')', stat, errmsg)
   end function has_size

   logical function is_count(number, name, stat, errmsg)
      integer, intent(in) :: number
      character(*), intent(in) :: name
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      is_count = number >= 0
      if (.not. is_count) call refuse('`'//name//'` is negative', stat, errmsg)
   end function is_count

   !> Converts a list of bodies that counts from 1 to one that counts from 0.
   logical function counted_from_0(name, indices, from_0, stat, errmsg)
      character(*), intent(in) :: name
      integer, intent(in) :: indices(:)
      integer(c_size_t), allocatable, intent(out) :: from_0(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      counted_from_0 = all(indices >= 1)
      if (counted_from_0) then
         allocate (from_0(size(indices)), source=int(indices, c_size_t) - 1)
      else
         call refuse('`'//name//'` must count from 1', stat, errmsg)
      end if
   end function counted_from_0

   !> A count as a default integer; the greatest, if it is greater.
   pure integer function at_most_huge(count)
      integer(c_int64_t), intent(in) :: count

      at_most_huge = int(min(count, int(huge(at_most_huge), c_int64_t)))
   end function at_most_huge

   !> Distance between two numbers in memory, in doubles.
   logical function distance(name, from, to, doubles, stat, errmsg)
      character(*), intent(in) :: name
      real(c_double), intent(in), target :: from, to
      integer(c_ptrdiff_t), intent(out) :: doubles
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_intptr_t) :: bytes

      bytes = transfer(c_loc(to), bytes) - transfer(c_loc(from), bytes)
      doubles = bytes/8
      distance = mod(bytes, 8_c_intptr_t) == 0
      if (.not. distance) call fail_here(QI_ERR_MISALIGNED, '`'//name//'`: the numbers are '//list([int(bytes)])// &
         ' bytes apart, which is not a whole number of doubles', stat, errmsg)
   end function distance

   function list(numbers) result(text)
      integer, intent(in) :: numbers(:)
      character(:), allocatable :: text
      character(12) :: digits
      integer :: i

      text = ''
      do i = 1, size(numbers)
         write (digits, '(i0)') numbers(i)
         if (i > 1) text = text//', '
         text = text//trim(digits)
      end do
   end function list

   pure integer(c_int32_t) function frame_or_world(frame)
      type(qi_frame_t), intent(in), optional :: frame

      frame_or_world = QI_FRAME_WORLD%number
      if (present(frame)) frame_or_world = frame%number
   end function frame_or_world

end module quatint_support
