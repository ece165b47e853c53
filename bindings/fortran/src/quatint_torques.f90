!> Torques and inertias that users write: the library is given one of the functions of quatint_callbacks, and a callback_t that
!! tells it whom to call.
submodule (quatint_types) quatint_torques
   implicit none

contains

   module subroutine body_set_torque_procedure(self, torque, data, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      procedure(qi_torque) :: torque
      class(*), intent(inout), target, optional :: data
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(callback_t), pointer :: callback

      if (.not. is_data(data, stat, errmsg)) return
      callback => new_callback(data)
      callback%torque => torque
      call set_torque(self, callback, stat, errmsg)
   end subroutine body_set_torque_procedure

   module procedure body_set_torque_object
      type(callback_t), pointer :: callback

      callback => new_callback()
      callback%torque_object => torque
      call set_torque(self, callback, stat, errmsg)
   end procedure body_set_torque_object

   subroutine set_torque(self, callback, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      type(callback_t), pointer, intent(inout) :: callback
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: status

      status = qi_set_torque(held(self%owned), c_funloc(call_torque), c_loc(callback))
      call keep_callback(status, callback, self%callback)
      call settle(status, stat, errmsg)
   end subroutine set_torque

   module procedure body_clear_torque
      call settle(qi_set_torque(held(self%owned), c_null_funptr, c_null_ptr), stat, errmsg)
   end procedure body_clear_torque

   module subroutine body_set_inertia_procedure(self, inertia, data, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      procedure(qi_inertia) :: inertia
      class(*), intent(inout), target, optional :: data
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(callback_t), pointer :: callback

      if (.not. is_data(data, stat, errmsg)) return
      callback => new_callback(data)
      callback%inertia => inertia
      call set_inertia_function(self, callback, stat, errmsg)
   end subroutine body_set_inertia_procedure

   module procedure body_set_inertia_object
      type(callback_t), pointer :: callback

      callback => new_callback()
      callback%inertia_object => inertia
      call set_inertia_function(self, callback, stat, errmsg)
   end procedure body_set_inertia_object

   subroutine set_inertia_function(self, callback, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      type(callback_t), pointer, intent(inout) :: callback
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: status

      status = qi_set_inertia_function(held(self%owned), c_funloc(call_inertia), c_loc(callback))
      call keep_callback(status, callback, self%inertia_callback)
      call settle(status, stat, errmsg)
   end subroutine set_inertia_function

   module procedure body_clear_inertia_function
      call settle(qi_set_inertia_function(held(self%owned), c_null_funptr, c_null_ptr), stat, errmsg)
   end procedure body_clear_inertia_function

   module subroutine ensemble_set_torque_procedure(self, torque, data, frame, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      procedure(qi_chunk_torque) :: torque
      class(*), intent(inout), target, optional :: data
      type(qi_frame_t), intent(in), optional :: frame
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(callback_t), pointer :: callback

      if (.not. is_data(data, stat, errmsg)) return
      callback => new_callback(data)
      callback%chunk => torque
      call set_chunk_torque(self, callback, c_funloc(call_chunk_torque), QI_LAYOUT_AOS, frame, stat, errmsg)
   end subroutine ensemble_set_torque_procedure

   module procedure ensemble_set_torque_object
      type(callback_t), pointer :: callback

      callback => new_callback()
      callback%chunk_object => torque
      call set_chunk_torque(self, callback, c_funloc(call_chunk_torque), QI_LAYOUT_AOS, frame, stat, errmsg)
   end procedure ensemble_set_torque_object

   module subroutine ensemble_set_torque_soa(self, torque, data, frame, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      procedure(qi_chunk_torque_soa) :: torque
      class(*), intent(inout), target, optional :: data
      type(qi_frame_t), intent(in), optional :: frame
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(callback_t), pointer :: callback

      if (.not. is_data(data, stat, errmsg)) return
      callback => new_callback(data)
      callback%chunk_soa => torque
      call set_chunk_torque(self, callback, c_funloc(call_chunk_torque_soa), QI_LAYOUT_SOA, frame, stat, errmsg)
   end subroutine ensemble_set_torque_soa

   module procedure ensemble_set_torque_soa_object
      type(callback_t), pointer :: callback

      callback => new_callback()
      callback%chunk_soa_object => torque
      call set_chunk_torque(self, callback, c_funloc(call_chunk_torque_soa), QI_LAYOUT_SOA, frame, stat, errmsg)
   end procedure ensemble_set_torque_soa_object

   subroutine set_chunk_torque(self, callback, called, layout, frame, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      type(callback_t), pointer, intent(inout) :: callback
      type(c_funptr), value :: called
      type(qi_layout_t), intent(in) :: layout
      type(qi_frame_t), intent(in), optional :: frame
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_int32_t) :: status

      status = qi_set_ensemble_torque(held(self%owned), called, layout%number, frame_or_world(frame), c_loc(callback))
      call keep_callback(status, callback, self%callback)
      call settle(status, stat, errmsg)
   end subroutine set_chunk_torque

   module procedure ensemble_clear_torque
      call settle(qi_set_ensemble_torque(held(self%owned), c_null_funptr, QI_LAYOUT_AOS%number, &
         QI_FRAME_WORLD%number, c_null_ptr), stat, errmsg)
   end procedure ensemble_clear_torque

end submodule quatint_torques
