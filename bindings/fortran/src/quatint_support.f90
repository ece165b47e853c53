!> What the procedures of quatint_types share: errors and checks of arrays. Nothing here is for users but qi_text and
!! qi_error_body.
module quatint_support
   use, intrinsic :: iso_c_binding
   use quatint_c
   implicit none
   private
   public :: owned_t, held, own, is_copy, qi_text, qi_error_body, settle, refuse, fail_here, view_t, no_number, view_of, &
      view_of_points, packed_view_of, row_by_row, view_to_bind, view_of_records, view_of_gradients, is_no_component, is_there, &
      has_target, has_shape, is_array, has_size, taken, put, is_count, counted_from_0, at_most_huge, list, frame_or_world

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
      real(c_double), allocatable :: copy(:)   !! of the numbers, if it is located there
   end type view_t

   !> An address for arrays without elements.
   real(c_double), target, save :: no_number = 0

   interface is_no_component
      procedure :: is_no_component_of_rank_1, is_no_component_of_rank_2
   end interface is_no_component

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

   !> Locates the numbers of an array: those that hold for all bodies, or those of each body; with `count`, those of each of
   !! so many bodies or points. Their number is the last extent, and with QI_LAYOUT_SOA the first. It makes no copy.
   logical function view_of(ensemble, name, array, of_one, view, stat, errmsg, layout, count)
      type(c_ptr), intent(in) :: ensemble
      character(*), intent(in) :: name
      real(c_double), intent(in), target :: array(..)
      integer, intent(in) :: of_one(:)   !! the shape for one body
      type(view_t), intent(out) :: view
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(qi_layout_t), intent(in), optional :: layout
      integer, intent(in), optional :: count
      integer(c_ptrdiff_t) :: strides(3)
      integer(c_int) :: extents(15)
      integer :: bodies

      view_of = is_layout(layout, stat, errmsg)
      if (view_of) view_of = is_array(name, array, stat, errmsg)
      if (.not. view_of) return
      call get_shape(array, extents)
      bodies = count_of(ensemble)
      if (present(count)) bodies = count
      if (rank(array) == size(of_one) .and. .not. present(count)) then
         view_of = has_shape(ensemble, name, extents(:rank(array)), of_one, stat, errmsg)
      else if (is_in_columns(layout)) then
         view_of = has_shape(ensemble, name, extents(:rank(array)), [bodies, of_one], stat, errmsg)
      else
         view_of = has_shape(ensemble, name, extents(:rank(array)), [of_one, bodies], stat, errmsg)
      end if
      if (view_of) view_of = have_strides(name, array, strides, stat, errmsg)
      if (.not. view_of) return
      view%first = address_of(array)
      view%component_stride = strides(1)
      if (rank(array) > size(of_one)) view%body_stride = strides(max(1, rank(array)))
      if (is_in_columns(layout) .and. rank(array) == 2) then
         view%body_stride = strides(1)
         view%component_stride = strides(2)
      end if
      if (any(extents(:rank(array)) == 0)) view = view_t(c_loc(no_number), product(of_one))
   end function view_of

   !> The same for parameters and inertias, whose numbers of one body lie side by side: if they do not, `view` has a copy.
   logical function packed_view_of(ensemble, name, array, of_one, view, stat, errmsg)
      type(c_ptr), intent(in) :: ensemble
      character(*), intent(in) :: name
      real(c_double), intent(in), target :: array(..)
      integer, intent(in) :: of_one(:)
      type(view_t), intent(out), target :: view
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_ptrdiff_t) :: strides(3)

      packed_view_of = view_of(ensemble, name, array, of_one, view, stat, errmsg)
      if (.not. packed_view_of .or. size(of_one) == 0) return
      packed_view_of = have_strides(name, array, strides, stat, errmsg)
      if (.not. packed_view_of .or. size(array) <= 0) return
      if (strides(1) == 1 .and. (size(of_one) == 1 .or. strides(2) == 3)) return
      allocate (view%copy(size(array)))
      select rank (array)
      rank (1)
         call copy_vector(array, size(array), view%copy)
      rank (2)
         call copy_matrix(array, size(array), view%copy)
      rank (3)
         call copy_tensors(array, size(array), view%copy)
      end select
      view%first = c_loc(view%copy)
      if (view%body_stride /= 0) view%body_stride = product(of_one)
   end function packed_view_of

   !> Distances between neighbours in memory, in doubles.
   logical function have_strides(name, array, strides, stat, errmsg)
      character(*), intent(in) :: name
      real(c_double), intent(in), target :: array(..)
      integer(c_ptrdiff_t), intent(out) :: strides(3)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_intptr_t) :: bytes(3)
      integer :: i

      bytes = 8
      if (size(array) > 0) then
         select rank (array)
         rank (1)
            call measure_vector(array, bytes)
         rank (2)
            call measure_matrix(array, bytes)
         rank (3)
            call measure_tensors(array, bytes)
         end select
      end if
      have_strides = .true.
      do i = 1, 3
         if (have_strides) have_strides = are_doubles(name, bytes(i), strides(i), stat, errmsg)
      end do
   end function have_strides

   !> Refuses an array that is not allocated, or a pointer without a target. `[real ::]` has no address either, but no elements.
   logical function is_array(name, array, stat, errmsg)
      character(*), intent(in) :: name
      real(c_double), intent(in), target :: array(..)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int) :: extents(15)

      call get_shape(array, extents)
      is_array = has_target(name, c_associated(address_of(array)) .or. any(extents(:rank(array)) == 0), stat, errmsg)
   end function is_array

   !> The shape, the first of `extents`. To gfortran that of an expression without elements and address ends in -1.
   subroutine get_shape(array, extents)
      real(c_double), intent(in), target :: array(..)
      integer(c_int), intent(out) :: extents(15) ! the greatest rank

      extents = 0
      if (c_associated(address_of(array))) then
         call measure(array, extents)
      else
         extents(:rank(array)) = max(0, shape(array))
      end if
   end subroutine get_shape

   ! An array of any rank as it is. Its inquiry functions and `select rank` alone will not do in gfortran: there the elements of an
   ! expression count from 0, those of a pointer to a component lie side by side, and an expression without elements is of
   ! assumed size. In the descriptor that a procedure with bind(C) is given, all count from 0 and have their distances in bytes.
   pure subroutine measure(array, extents) bind(C, name='')
      real(c_double), intent(in) :: array(..)
      integer(c_int), intent(inout) :: extents(15)

      extents(:rank(array)) = shape(array)
   end subroutine measure

   pure subroutine measure_integers(array, extents) bind(C, name='')
      integer(c_int), intent(in) :: array(..)
      integer(c_int), intent(inout) :: extents(15)

      extents(:rank(array)) = shape(array)
   end subroutine measure_integers

   subroutine measure_vector(array, bytes) bind(C, name='')
      real(c_double), intent(in) :: array(:)
      integer(c_intptr_t), intent(inout) :: bytes(3)

      bytes(1) = bytes_between(array(1), array(min(2, size(array))))
   end subroutine measure_vector

   subroutine measure_matrix(array, bytes) bind(C, name='')
      real(c_double), intent(in) :: array(:, :)
      integer(c_intptr_t), intent(inout) :: bytes(3)

      bytes(1) = bytes_between(array(1, 1), array(min(2, size(array, 1)), 1))
      bytes(2) = bytes_between(array(1, 1), array(1, min(2, size(array, 2))))
   end subroutine measure_matrix

   subroutine measure_tensors(array, bytes) bind(C, name='')
      real(c_double), intent(in) :: array(:, :, :)
      integer(c_intptr_t), intent(inout) :: bytes(3)

      bytes(1) = bytes_between(array(1, 1, 1), array(min(2, size(array, 1)), 1, 1))
      bytes(2) = bytes_between(array(1, 1, 1), array(1, min(2, size(array, 2)), 1))
      bytes(3) = bytes_between(array(1, 1, 1), array(1, 1, min(2, size(array, 3))))
   end subroutine measure_tensors

   subroutine copy_vector(array, count, copy) bind(C, name='')
      real(c_double), intent(in) :: array(:)
      integer(c_int), value :: count
      real(c_double), intent(out) :: copy(count)

      copy = array
   end subroutine copy_vector

   subroutine put_vector(array, count, numbers) bind(C, name='')
      real(c_double), intent(inout) :: array(:)
      integer(c_int), value :: count
      real(c_double), intent(in) :: numbers(count)

      array = numbers
   end subroutine put_vector

   subroutine put_matrix(array, extents, numbers) bind(C, name='')
      real(c_double), intent(inout) :: array(:, :)
      integer(c_int), intent(in) :: extents(2)
      real(c_double), intent(in) :: numbers(extents(1), extents(2))

      array = numbers
   end subroutine put_matrix

   subroutine copy_integers(array, count, copy) bind(C, name='')
      integer(c_int), intent(in) :: array(:)
      integer(c_int), value :: count
      integer(c_int), intent(out) :: copy(count)

      copy = array
   end subroutine copy_integers

   subroutine copy_matrix(array, count, copy) bind(C, name='')
      real(c_double), intent(in) :: array(:, :)
      integer(c_int), value :: count
      real(c_double), intent(out) :: copy(count)

      copy = reshape(array, [count])
   end subroutine copy_matrix

   subroutine copy_tensors(array, count, copy) bind(C, name='')
      real(c_double), intent(in) :: array(:, :, :)
      integer(c_int), value :: count
      real(c_double), intent(out) :: copy(count)

      copy = reshape(array, [count])
   end subroutine copy_tensors

   !> A matrix of Fortran as the library takes it, row by row.
   pure function row_by_row(matrix)
      real(c_double), intent(in) :: matrix(3, 3)
      real(c_double) :: row_by_row(3, 3)

      row_by_row = transpose(matrix)
   end function row_by_row

   !> The address of an array; null if it is not allocated or a pointer without a target, and of some without elements.
   type(c_ptr) function address_of(array) result(address)
      real(c_double), intent(in), target :: array(..)

      select rank (array) ! the standard allows c_loc for any rank, but not every compiler supports it
      rank (0)
         address = c_loc(array)
      rank (1)
         address = c_loc(array)
      rank (2)
         address = c_loc(array)
      rank (3)
         address = c_loc(array)
      rank (*)
         address = c_null_ptr ! of assumed size, and to gfortran any expression without elements
      rank default
         address = c_loc(no_number) ! no procedure takes so many indices
      end select
   end function address_of

   !> Locates the vectors of an array with one vector for each point.
   logical function view_of_points(ensemble, name, array, layout, view, stat, errmsg)
      type(c_ptr), intent(in) :: ensemble
      character(*), intent(in) :: name
      real(c_double), intent(in), target :: array(..)
      type(qi_layout_t), intent(in), optional :: layout
      type(view_t), intent(out) :: view
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_size_t) :: count
      integer(c_int32_t) :: status

      status = qi_get_point_count(ensemble, count)
      view_of_points = status == QI_OK
      if (view_of_points) then
         view_of_points = view_of(ensemble, name, array, [3], view, stat, errmsg, layout, int(count))
      else
         call settle(status, stat, errmsg)
      end if
   end function view_of_points

   logical function is_layout(layout, stat, errmsg)
      type(qi_layout_t), intent(in), optional :: layout
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      is_layout = .true.
      if (present(layout)) is_layout = is_in_columns(layout) .or. layout%number == QI_LAYOUT_AOS%number
      if (.not. is_layout) call refuse('`layout` must be QI_LAYOUT_AOS or QI_LAYOUT_SOA', stat, errmsg)
   end function is_layout

   pure logical function is_in_columns(layout)
      type(qi_layout_t), intent(in), optional :: layout

      is_in_columns = .false.
      if (present(layout)) is_in_columns = layout%number == QI_LAYOUT_SOA%number
   end function is_in_columns

   ! ---- arrays in which the library works: pointers, so that the compiler requires a target and makes no copy

   !> Locates the vectors of an array, one for each body. With `rows`, body i has vector number rows(i).
   logical function view_to_bind(ensemble, name, array, components, layout, view, stat, errmsg, rows)
      type(c_ptr), intent(in) :: ensemble
      character(*), intent(in) :: name
      real(c_double), pointer, intent(in) :: array(:, :)
      integer, intent(in) :: components
      type(qi_layout_t), intent(in), optional :: layout
      type(view_t), intent(out) :: view
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer, intent(in), optional :: rows(:)
      real(c_double), pointer :: vectors(:, :)
      integer :: expected(2), second(2)
      logical :: columns

      view_to_bind = is_layout(layout, stat, errmsg)
      if (view_to_bind) view_to_bind = has_target(name, associated(array), stat, errmsg)
      if (view_to_bind) view_to_bind = is_no_component(name, array, stat, errmsg)
      if (.not. view_to_bind) return
      columns = is_in_columns(layout)
      expected = [components, count_of(ensemble)]
      if (present(rows)) then
         expected(2) = size(array, merge(1, 2, columns))
         view_to_bind = are_rows_of(ensemble, rows, expected(2), stat, errmsg)
         if (.not. view_to_bind) return
      end if
      second = [1, min(2, size(array, 2))]
      if (columns) then
         expected = expected([2, 1])
         second = [min(2, size(array, 1)), 1]
      end if
      view%first = c_loc(no_number)
      view%body_stride = components ! where there is no body; 0 would mean one vector for all
      view_to_bind = has_shape(ensemble, name, shape(array), expected, stat, errmsg)
      if (.not. view_to_bind .or. size(array) == 0) return
      vectors(1:, 1:) => array
      view%first = c_loc(vectors(1, 1))
      view_to_bind = distance(name, vectors(1, 1), vectors(second(1), second(2)), view%body_stride, stat, errmsg)
      second = merge([1, 2], [2, 1], columns)
      if (view_to_bind) view_to_bind = distance(name, vectors(1, 1), vectors(second(1), second(2)), view%component_stride, &
         stat, errmsg)
   end function view_to_bind

   !> Locates the vectors of an array of records, from the first two vectors.
   logical function view_of_records(ensemble, name, first, second, components, view, stat, errmsg, rows)
      type(c_ptr), intent(in) :: ensemble
      character(*), intent(in) :: name
      real(c_double), pointer, intent(in) :: first(:), second(:)
      integer, intent(in) :: components
      type(view_t), intent(out) :: view
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer, intent(in), optional :: rows(:)
      real(c_double), pointer :: vector(:), next(:)

      view_of_records = has_target(name, associated(first) .and. associated(second), stat, errmsg)
      if (view_of_records) view_of_records = has_shape(ensemble, name, shape(first), [components], stat, errmsg)
      if (view_of_records .and. present(rows)) view_of_records = are_rows_of(ensemble, rows, huge(rows), stat, errmsg)
      if (view_of_records) view_of_records = has_shape(ensemble, name, shape(second), [components], stat, errmsg)
      if (view_of_records) view_of_records = is_no_component(name, first, stat, errmsg)
      if (view_of_records) view_of_records = is_no_component(name, second, stat, errmsg)
      if (.not. view_of_records) return
      vector(1:) => first
      next(1:) => second
      view%first = c_loc(vector(1))
      view_of_records = distance(name, vector(1), vector(2), view%component_stride, stat, errmsg)
      if (view_of_records) view_of_records = distance(name, vector(1), next(1), view%body_stride, stat, errmsg)
   end function view_of_records

   !> Locates the velocity gradients of all bodies, from the first two. The library takes no strides within a gradient.
   logical function view_of_gradients(ensemble, first, second, view, stat, errmsg)
      type(c_ptr), intent(in) :: ensemble
      real(c_double), pointer, intent(in) :: first(:, :), second(:, :)
      type(view_t), intent(out) :: view
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      real(c_double), pointer :: gradient(:, :), next(:, :)

      view_of_gradients = has_target('gradients', associated(first) .and. associated(second), stat, errmsg)
      if (view_of_gradients) view_of_gradients = has_shape(ensemble, 'gradients', shape(first), [3, 3], stat, errmsg)
      if (view_of_gradients) view_of_gradients = has_shape(ensemble, 'gradients', shape(second), [3, 3], stat, errmsg)
      if (view_of_gradients) view_of_gradients = is_no_component('gradients', first, stat, errmsg)
      if (view_of_gradients) view_of_gradients = is_no_component('gradients', second, stat, errmsg)
      if (.not. view_of_gradients) return
      view_of_gradients = is_contiguous(first) .and. is_contiguous(second)
      if (.not. view_of_gradients) then
         call refuse('`gradients`: the nine numbers of a body must lie side by side', stat, errmsg)
         return
      end if
      gradient(1:, 1:) => first
      next(1:, 1:) => second
      view%first = c_loc(gradient(1, 1))
      view_of_gradients = distance('gradients', gradient(1, 1), next(1, 1), view%body_stride, stat, errmsg)
   end function view_of_gradients

   !> Refuses `c%a` and `z%re` of arrays of a derived or complex type. Where gfortran passes one as a pointer, it keeps how far
   !! apart the numbers lie, but may lose which component they are. What does not look at that distance, an assumed-shape
   !! array, ends elsewhere.
   logical function is_no_component_of_rank_1(name, array, stat, errmsg) result(is_none)
      character(*), intent(in) :: name
      real(c_double), pointer, intent(in) :: array(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      is_none = .true.
      if (size(array) > 0) is_none = ends_at(name, c_loc(array(ubound(array, 1))), end_of_rank_1(array), stat, errmsg)
   end function is_no_component_of_rank_1

   logical function is_no_component_of_rank_2(name, array, stat, errmsg) result(is_none)
      character(*), intent(in) :: name
      real(c_double), pointer, intent(in) :: array(:, :)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      is_none = .true.
      if (size(array) > 0) is_none = ends_at(name, c_loc(array(ubound(array, 1), ubound(array, 2))), end_of_rank_2(array), &
         stat, errmsg)
   end function is_no_component_of_rank_2

   type(c_ptr) function end_of_rank_1(array) result(address)
      real(c_double), intent(in), target :: array(:)

      address = c_loc(array(size(array)))
   end function end_of_rank_1

   type(c_ptr) function end_of_rank_2(array) result(address)
      real(c_double), intent(in), target :: array(:, :)

      address = c_loc(array(size(array, 1), size(array, 2)))
   end function end_of_rank_2

   logical function ends_at(name, of_pointer, of_numbers, stat, errmsg)
      character(*), intent(in) :: name
      type(c_ptr), intent(in) :: of_pointer, of_numbers
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      ends_at = c_associated(of_pointer, of_numbers)
      if (.not. ends_at) call refuse('`'//name//'` is a component of all elements of an array, as c%a or z%re, or a pointer '// &
         'to one, and compilers do not tell where its numbers are', stat, errmsg)
   end function ends_at

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
   logical function has_size(name, array, expected, stat, errmsg)
      character(*), intent(in) :: name
      real(c_double), intent(in), target :: array(..)
      integer, intent(in) :: expected(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int) :: extents(15)

      has_size = is_array(name, array, stat, errmsg)
      if (.not. has_size) return
      call get_shape(array, extents)
      has_size = rank(array) == size(expected)
      if (has_size) has_size = all(extents(:rank(array)) == expected)
      if (.not. has_size) call refuse('`'//name//'` has the shape ('//list(extents(:rank(array)))//'); it must be ('// &
         list(expected)//')', stat, errmsg)
   end function has_size

   !> Copies the numbers of a vector or matrix of fixed size.
   logical function taken(name, array, expected, numbers, stat, errmsg)
      character(*), intent(in) :: name
      real(c_double), intent(in), target :: array(..)
      integer, intent(in) :: expected(:)
      real(c_double), intent(inout) :: numbers(*)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      taken = has_size(name, array, expected, stat, errmsg)
      if (.not. taken) return
      select rank (array)
      rank (1)
         call copy_vector(array, size(array), numbers)
      rank (2)
         call copy_matrix(array, size(array), numbers)
      end select
   end function taken

   !> Writes numbers to a vector or matrix of their size.
   subroutine put(numbers, array)
      real(c_double), intent(in) :: numbers(*)
      real(c_double), intent(inout), target :: array(..)

      select rank (array)
      rank (1)
         call put_vector(array, size(array), numbers)
      rank (2)
         call put_matrix(array, shape(array), numbers)
      end select
   end subroutine put

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
      integer, intent(in), target :: indices(..)
      integer(c_size_t), allocatable, intent(out) :: from_0(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int) :: extents(15)
      integer(c_int), allocatable :: from_1(:)

      ! without an address it is not allocated, or a constructor, which gfortran takes to be of assumed size
      counted_from_0 = has_target(name, c_associated(c_loc(indices)) .or. all(shape(indices) == -1), stat, &
         errmsg)
      if (.not. counted_from_0) return
      extents = 0
      if (c_associated(c_loc(indices))) call measure_integers(indices, extents)
      counted_from_0 = rank(indices) == 1 .and. extents(1) >= 0
      if (.not. counted_from_0) then
         call refuse('`'//name//'` has the shape ('//list(extents(:rank(indices)))//'); it must have one index, and a size', &
            stat, errmsg)
         return
      end if
      allocate (from_0(extents(1)), from_1(extents(1)))
      if (extents(1) == 0) return
      select rank (indices)
      rank (1)
         call copy_integers(indices, extents(1), from_1)
      end select
      from_0 = int(from_1, c_size_t) - 1
      counted_from_0 = all(from_1 >= 1)
      if (.not. counted_from_0) call refuse('`'//name//'` must count from 1', stat, errmsg)
   end function counted_from_0

   !> A count as a default integer; the greatest, if it is greater.
   pure integer function at_most_huge(count)
      integer(c_int64_t), intent(in) :: count

      at_most_huge = int(min(count, int(huge(at_most_huge), c_int64_t)))
   end function at_most_huge

   !> Distance between two numbers in memory, in doubles.
   logical function distance(name, from, to, doubles, stat, errmsg)
      character(*), intent(in) :: name
      real(c_double), intent(in) :: from, to
      integer(c_ptrdiff_t), intent(out) :: doubles
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      distance = are_doubles(name, bytes_between(from, to), doubles, stat, errmsg)
   end function distance

   integer(c_intptr_t) function bytes_between(from, to)
      real(c_double), intent(in), target :: from, to

      bytes_between = transfer(c_loc(to), bytes_between) - transfer(c_loc(from), bytes_between)
   end function bytes_between

   logical function are_doubles(name, bytes, doubles, stat, errmsg)
      character(*), intent(in) :: name
      integer(c_intptr_t), intent(in) :: bytes
      integer(c_ptrdiff_t), intent(out) :: doubles
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      doubles = bytes/8
      are_doubles = mod(bytes, 8_c_intptr_t) == 0
      if (.not. are_doubles) call fail_here(QI_ERR_MISALIGNED, '`'//name//'`: the numbers are '//list([int(bytes)])// &
         ' bytes apart, which is not a whole number of doubles', stat, errmsg)
   end function are_doubles

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
