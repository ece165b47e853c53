!> One body: its life, steps and rows.
submodule (quatint_types) quatint_body
   implicit none

contains

   module procedure body_create
      type(c_ptr) :: handle
      integer(c_int32_t) :: status
      real(c_double) :: of_inertia(3, 3)

      if (.not. taken('inertia', inertia, [3, 3], of_inertia, stat, errmsg)) return
      if (present(orientation)) then
         if (.not. has_size('orientation', orientation, [4], stat, errmsg)) return
      end if
      if (present(angular_velocity)) then
         if (.not. has_size('angular_velocity', angular_velocity, [3], stat, errmsg)) return
      end if
      if (is_copy(self%owned)) then
         call refuse('the variable holds a copy of a body, which owns nothing; destroy the copy first', stat, errmsg)
         return
      end if
      handle = qi_create_body(of_inertia, orientation, angular_velocity, status)
      call settle(status, stat, errmsg)
      if (.not. c_associated(handle)) return
      call self%destroy()
      call own(self%owned, handle)
   end procedure body_create

   module procedure body_destroy
      if (c_associated(held(self%owned))) then
         call qi_destroy_body(self%owned%handle)
         if (associated(self%callback)) deallocate (self%callback)
         if (associated(self%inertia_callback)) deallocate (self%inertia_callback)
      end if
      self%owned = owned_t()
      self%callback => null()
      self%inertia_callback => null()
   end procedure body_destroy

   module procedure body_finalize
      call self%destroy()
   end procedure body_finalize

   module procedure body_exists
      body_exists = c_associated(held(self%owned))
   end procedure body_exists

   module procedure body_move_to
      if (is_copy(self%owned)) error stop 'quatint: a copy of a body cannot be moved, because it owns nothing'
      if (c_associated(held(self%owned), held(to%owned))) return
      call to%destroy()
      if (.not. self%exists()) return
      call own(to%owned, self%owned%handle)
      to%callback => self%callback
      to%inertia_callback => self%inertia_callback
      self%owned = owned_t()
      self%callback => null()
      self%inertia_callback => null()
   end procedure body_move_to

   module procedure body_refuse_copy
      if (c_associated(to%owned%handle) .or. c_associated(from%owned%handle)) &
         error stop 'quatint: a body cannot be copied by an assignment; use move_to'
   end procedure body_refuse_copy

   module procedure body_c_handle
      body_c_handle = held(self%owned)
   end procedure body_c_handle

   module procedure body_step
      call settle(qi_step(held(self%owned), dt), stat, errmsg)
   end procedure body_step

   module procedure body_advance
      integer(c_int64_t) :: done
      integer(c_int32_t) :: status

      if (present(completed)) completed = 0
      if (.not. is_count(steps, 'steps', stat, errmsg)) return
      done = 0
      status = qi_advance(held(self%owned), dt, int(steps, c_int64_t), done)
      if (present(completed)) completed = int(done)
      call settle(status, stat, errmsg)
   end procedure body_advance

   module procedure body_record
      integer(c_size_t) :: columns
      integer(c_int32_t) :: status

      if (present(written)) written = 0
      if (.not. is_array('records', records, stat, errmsg)) return
      if (steps < 0 .or. every < 0) then
         call refuse('`steps` or `every` is negative', stat, errmsg)
         return
      else if (size(records, 1) /= 8) then
         call refuse('`records` has '//list([size(records, 1)])//' rows; it must have 8', stat, errmsg)
         return
      end if
      columns = 0
      status = qi_record(held(self%owned), dt, int(steps, c_int64_t), int(every, c_int64_t), records, &
         size(records, 2, c_size_t), columns)
      if (present(written)) written = int(columns)
      call settle(status, stat, errmsg)
   end procedure body_record

   module procedure body_row_size
      body_row_size = int(qi_get_body_row_size(held(self%owned), parts))
   end procedure body_row_size

   module procedure body_get_row
      if (.not. has_size('row', row, [self%row_size(parts)], stat, errmsg)) return
      call settle(qi_get_body_row(held(self%owned), parts, row), stat, errmsg)
   end procedure body_get_row

   module procedure body_set_row
      if (.not. has_size('row', row, [self%row_size(parts)], stat, errmsg)) return
      call settle(qi_set_body_row(held(self%owned), parts, row), stat, errmsg)
   end procedure body_set_row

end submodule quatint_body
