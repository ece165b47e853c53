!> Many bodies: their life, rows, torques and steps.
submodule (quatint_types) quatint_ensemble
   implicit none

contains

   module procedure ensemble_create
      type(c_ptr) :: handle
      integer(c_int32_t) :: status

      if (.not. is_count(count, 'count', stat, errmsg)) return
      if (is_copy(self%owned)) then
         call refuse('the variable holds a copy of an ensemble, which owns nothing; destroy the copy first', stat, errmsg)
         return
      end if
      handle = qi_create_ensemble(int(count, c_size_t), status)
      call settle(status, stat, errmsg)
      if (.not. c_associated(handle)) return
      call self%destroy()
      call own(self%owned, handle)
   end procedure ensemble_create

   module procedure ensemble_destroy
      if (c_associated(held(self%owned))) then
         call qi_destroy_ensemble(self%owned%handle)
         if (associated(self%callback)) deallocate (self%callback)
      end if
      self%owned = owned_t()
      self%callback => null()
   end procedure ensemble_destroy

   module procedure ensemble_finalize
      call self%destroy()
   end procedure ensemble_finalize

   module procedure ensemble_exists
      ensemble_exists = c_associated(held(self%owned))
   end procedure ensemble_exists

   module procedure ensemble_move_to
      if (is_copy(self%owned)) error stop 'quatint: a copy of an ensemble cannot be moved, because it owns nothing'
      if (c_associated(held(self%owned), held(to%owned))) return
      call to%destroy()
      if (.not. self%exists()) return
      call own(to%owned, self%owned%handle)
      to%callback => self%callback
      self%owned = owned_t()
      self%callback => null()
   end procedure ensemble_move_to

   module procedure ensemble_refuse_copy
      if (c_associated(to%owned%handle) .or. c_associated(from%owned%handle)) &
         error stop 'quatint: an ensemble cannot be copied by an assignment; use move_to'
   end procedure ensemble_refuse_copy

   module procedure ensemble_c_handle
      ensemble_c_handle = held(self%owned)
   end procedure ensemble_c_handle

   module procedure ensemble_count
      ensemble_count = int(qi_get_ensemble_count(held(self%owned)))
   end procedure ensemble_count

   module procedure ensemble_select
      integer(c_size_t), allocatable :: from_0(:)
      integer(c_int32_t) :: status

      if (.not. counted_from_0('from', from, from_0, stat, errmsg)) return
      status = qi_select_bodies(held(self%owned), from_0, size(from_0, kind=c_size_t))
      call settle(status, stat, errmsg)
   end procedure ensemble_select

   module procedure ensemble_row_size
      ensemble_row_size = int(qi_get_ensemble_row_size(held(self%owned), parts))
   end procedure ensemble_row_size

   module procedure ensemble_get_rows
      integer(c_size_t), allocatable :: from_0(:)

      if (.not. is_array('rows', rows, stat, errmsg)) return
      if (.not. are_rows(self, parts, shape(rows), bodies, from_0, stat, errmsg)) return
      call settle(qi_get_ensemble_rows(held(self%owned), parts, from_0, size(rows, 2, c_size_t), rows), stat, errmsg)
   end procedure ensemble_get_rows

   module procedure ensemble_set_rows
      integer(c_size_t), allocatable :: from_0(:)

      if (.not. is_array('rows', rows, stat, errmsg)) return
      if (.not. are_rows(self, parts, shape(rows), bodies, from_0, stat, errmsg)) return
      call settle(qi_set_ensemble_rows(held(self%owned), parts, from_0, size(rows, 2, c_size_t), rows), stat, errmsg)
   end procedure ensemble_set_rows

   !> Checks the shape of rows, and converts the list of their bodies. Without a list, `from_0` is not allocated, and so absent
   !! where it is passed on.
   logical function are_rows(self, parts, given, bodies, from_0, stat, errmsg)
      class(qi_ensemble_t), intent(in) :: self
      integer(c_int32_t), intent(in) :: parts
      integer, intent(in) :: given(2)
      integer, intent(in), optional :: bodies(:)
      integer(c_size_t), allocatable, intent(out) :: from_0(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer :: count

      are_rows = iand(parts, not(QI_PART_STATE + QI_PART_INERTIA + QI_PART_TORQUE + QI_PART_MEMORY + QI_PART_ID + &
                                 QI_PART_BOUND)) == 0
      if (.not. are_rows) then
         call refuse('`parts` must be a sum of QI_PART constants', stat, errmsg)
         return
      end if
      count = self%count()
      if (present(bodies)) then
         count = size(bodies)
         are_rows = counted_from_0('bodies', bodies, from_0, stat, errmsg)
      else if (given(2) == 0) then
         count = 0 ! nothing happens. To gfortran an empty array constructor is an absent argument.
      end if
      if (are_rows) are_rows = has_shape(held(self%owned), 'rows', given, [self%row_size(parts), count], stat, errmsg, &
         '. Are parts, torque, drag, rotors, random torques and method those of the ensemble that wrote the rows?')
   end function are_rows

   module procedure ensemble_lock_axes_of_all
      call settle(qi_set_ensemble_locked_axes(held(self%owned), [axes], 0_c_ptrdiff_t), stat, errmsg)
   end procedure ensemble_lock_axes_of_all

   module procedure ensemble_lock_axes_of_each
      if (size(axes) > 0) then
         if (.not. is_there('axes', c_loc(axes), stat, errmsg)) return
      end if
      if (.not. has_shape(held(self%owned), 'axes', shape(axes), [self%count()], stat, errmsg)) return
      call settle(qi_set_ensemble_locked_axes(held(self%owned), axes, 1_c_ptrdiff_t), stat, errmsg)
   end procedure ensemble_lock_axes_of_each

   module procedure ensemble_get_kinetic_energy_sums
      if (.not. is_there('sums', c_loc(sums), stat, errmsg)) return
      if (has_shape(held(self%owned), 'sums', shape(sums), [integer :: QI_SUM_SIZE], stat, errmsg)) &
         call settle(qi_get_kinetic_energy_sums(held(self%owned), sums), stat, errmsg)
   end procedure ensemble_get_kinetic_energy_sums

   module procedure ensemble_get_angular_momentum_sums
      if (.not. is_there('sums', c_loc(sums), stat, errmsg)) return
      if (has_shape(held(self%owned), 'sums', shape(sums), [integer :: QI_SUM_SIZE, 3], stat, errmsg)) &
         call settle(qi_get_angular_momentum_sums(held(self%owned), sums), stat, errmsg)
   end procedure ensemble_get_angular_momentum_sums

   module procedure ensemble_set_active
      integer(c_size_t), allocatable :: from_0(:)
      integer(c_int32_t) :: status

      if (.not. counted_from_0('indices', indices, from_0, stat, errmsg)) return
      status = qi_set_ensemble_active(held(self%owned), from_0, size(from_0, kind=c_size_t))
      call settle(status, stat, errmsg)
   end procedure ensemble_set_active

   module procedure ensemble_set_all_active
      integer(c_int32_t) :: status

      status = qi_set_ensemble_active(held(self%owned), count=0_c_size_t)
      call settle(status, stat, errmsg)
   end procedure ensemble_set_all_active

   module procedure ensemble_set_ids
      if (present(ids)) then
         if (.not. has_shape(held(self%owned), 'ids', shape(ids), [self%count()], stat, errmsg)) return
      end if
      call settle(qi_set_ensemble_ids(held(self%owned), ids), stat, errmsg)
   end procedure ensemble_set_ids

   module procedure ensemble_step
      call settle(qi_step_ensemble(held(self%owned), dt), stat, errmsg)
   end procedure ensemble_step

   module procedure ensemble_advance
      integer(c_int64_t) :: done
      integer(c_int32_t) :: status

      if (present(completed)) completed = 0
      if (.not. is_count(steps, 'steps', stat, errmsg)) return
      done = 0
      status = qi_advance_ensemble(held(self%owned), dt, int(steps, c_int64_t), done)
      if (present(completed)) completed = int(done)
      call settle(status, stat, errmsg)
   end procedure ensemble_advance

end submodule quatint_ensemble
