!> Torques, events and inertias of users: their interfaces, and the functions that the library calls.
module quatint_callbacks
   use, intrinsic :: iso_c_binding
   use quatint_c
   use quatint_support
   implicit none
   private
   public :: qi_torque_t, qi_chunk_torque_t, qi_chunk_torque_soa_t, qi_event_t, qi_monitor_t, qi_inertia_t, qi_rate_t, &
      qi_torque, qi_chunk_torque, qi_chunk_torque_soa, qi_event_value, qi_monitor, qi_inertia, qi_rate, callback_t, event_t, &
      monitor_t, rate_t, no_data, &
      new_callback, is_data, keep_callback, call_torque, call_chunk_torque, call_chunk_torque_soa, call_inertia, call_event, &
      call_monitor, call_rate

   ! ---- torques, events and inertias as types: yours extend these. An object is passed to every call of its `evaluate`, so its
   !      components are what the torque needs to know, and may keep what it finds.

   !> A torque on one body, for set_torque of qi_body_t.
   type, abstract :: qi_torque_t
   contains
      procedure(torque_of_object), deferred :: evaluate
   end type qi_torque_t

   !> A torque on chunks of bodies, for set_torque of qi_ensemble_t. Its arrays are (4, count) and (3, count).
   type, abstract :: qi_chunk_torque_t
   contains
      procedure(chunk_torque_of_object), deferred :: evaluate
   end type qi_chunk_torque_t

   !> The same with arrays (count, 4) and (count, 3): the fastest.
   type, abstract :: qi_chunk_torque_soa_t
   contains
      procedure(chunk_torque_soa_of_object), deferred :: evaluate
   end type qi_chunk_torque_soa_t

   !> A function of the motion, for solve_until.
   type, abstract :: qi_event_t
   contains
      procedure(event_value_of_object), deferred :: evaluate
   end type qi_event_t

   !> What is called after each step of a solution, for solve_monitored.
   type, abstract :: qi_monitor_t
   contains
      procedure(monitor_of_object), deferred :: evaluate
   end type qi_monitor_t

   !> The inertia of a body as a function of the time, for set_inertia_function.
   type, abstract :: qi_inertia_t
   contains
      procedure(inertia_of_object), deferred :: evaluate
   end type qi_inertia_t

   !> An angular velocity as a function of the time, for qi_turn.
   type, abstract :: qi_rate_t
   contains
      procedure(rate_of_object), deferred :: evaluate
   end type qi_rate_t

   ! The arguments are those of the procedures below, without `data`.
   abstract interface
      subroutine rate_of_object(self, time, angular_velocity, stat)
         import
         class(qi_rate_t), intent(inout) :: self
         real(c_double), intent(in) :: time
         real(c_double), intent(inout) :: angular_velocity(3)
         integer, intent(inout) :: stat
      end subroutine rate_of_object

      subroutine torque_of_object(self, time, orientation, angular_velocity, torque, stat)
         import
         class(qi_torque_t), intent(inout) :: self
         real(c_double), intent(in) :: time, orientation(4), angular_velocity(3)
         real(c_double), intent(inout) :: torque(3)
         integer, intent(inout) :: stat
      end subroutine torque_of_object

      subroutine chunk_torque_of_object(self, time, first, count, orientation, angular_velocity, torque, stat)
         import
         class(qi_chunk_torque_t), intent(inout) :: self
         real(c_double), intent(in) :: time
         integer, intent(in) :: first, count
         real(c_double), intent(in) :: orientation(4, count), angular_velocity(3, count)
         real(c_double), intent(inout) :: torque(3, count)
         integer, intent(inout) :: stat
      end subroutine chunk_torque_of_object

      subroutine chunk_torque_soa_of_object(self, time, first, count, orientation, angular_velocity, torque, stat)
         import
         class(qi_chunk_torque_soa_t), intent(inout) :: self
         real(c_double), intent(in) :: time
         integer, intent(in) :: first, count
         real(c_double), intent(in) :: orientation(count, 4), angular_velocity(count, 3)
         real(c_double), intent(inout) :: torque(count, 3)
         integer, intent(inout) :: stat
      end subroutine chunk_torque_soa_of_object

      subroutine event_value_of_object(self, time, orientation, angular_velocity, value, stat)
         import
         class(qi_event_t), intent(inout) :: self
         real(c_double), intent(in) :: time, orientation(4), angular_velocity(3)
         real(c_double), intent(out) :: value
         integer, intent(inout) :: stat
      end subroutine event_value_of_object

      subroutine monitor_of_object(self, time, orientation, angular_velocity, stat)
         import
         class(qi_monitor_t), intent(inout) :: self
         real(c_double), intent(in) :: time, orientation(4), angular_velocity(3)
         integer, intent(inout) :: stat
      end subroutine monitor_of_object

      subroutine inertia_of_object(self, time, inertia, stat)
         import
         class(qi_inertia_t), intent(inout) :: self
         real(c_double), intent(in) :: time
         real(c_double), intent(inout) :: inertia(3, 3)
         integer, intent(inout) :: stat
      end subroutine inertia_of_object
   end interface

   ! ---- the same as procedures, with `data` of any type

   abstract interface
      !> A torque on one body, called in each stage of a step: by the default method twice. All vectors are in the world frame.
      subroutine qi_torque(time, orientation, angular_velocity, torque, data, stat)
         import
         real(c_double), intent(in) :: time                 !! the time of the stage
         real(c_double), intent(in) :: orientation(4)       !! (w, x, y, z), body to world
         real(c_double), intent(in) :: angular_velocity(3)  !! rad/s
         real(c_double), intent(inout) :: torque(3)         !! zero on entry
         class(*), intent(inout) :: data                    !! the `data` passed to set_torque; the integer 0 if there was none
         integer, intent(inout) :: stat                     !! 0 on entry; set any other value to abandon the step
      end subroutine qi_torque

      !> A torque on a chunk of at most 64 bodies: first .. first + count - 1; after set_active, positions in that list.
      subroutine qi_chunk_torque(time, first, count, orientation, angular_velocity, torque, data, stat)
         import
         real(c_double), intent(in) :: time
         integer, intent(in) :: first, count
         real(c_double), intent(in) :: orientation(4, count), angular_velocity(3, count)
         real(c_double), intent(inout) :: torque(3, count)
         class(*), intent(inout) :: data
         integer, intent(inout) :: stat
      end subroutine qi_chunk_torque

      !> The same with a column for each component, which is the ensemble's own layout. It needs no transposition, and the
      !! compiler can vectorise loops over a chunk.
      subroutine qi_chunk_torque_soa(time, first, count, orientation, angular_velocity, torque, data, stat)
         import
         real(c_double), intent(in) :: time
         integer, intent(in) :: first, count
         real(c_double), intent(in) :: orientation(count, 4), angular_velocity(count, 3)
         real(c_double), intent(inout) :: torque(count, 3)
         class(*), intent(inout) :: data
         integer, intent(inout) :: stat
      end subroutine qi_chunk_torque_soa

      !> A function of the motion for solve_until: an event is where `value` becomes zero or changes its sign. It is
      !! called at many times within each step, not in their order. All vectors are in the world frame.
      subroutine qi_event_value(time, orientation, angular_velocity, value, data, stat)
         import
         real(c_double), intent(in) :: time
         real(c_double), intent(in) :: orientation(4)       !! (w, x, y, z), body to world
         real(c_double), intent(in) :: angular_velocity(3)  !! rad/s
         real(c_double), intent(out) :: value
         class(*), intent(inout) :: data                    !! the `data` passed to solve_until; the integer 0 if there was none
         integer, intent(inout) :: stat                     !! 0 on entry; set any other value to end the solution
      end subroutine qi_event_value

      !> What solve_monitored calls after each step that is taken, with the time and the state at its end: to follow a long
      !! solution, or to end it. All vectors are in the world frame. It must not use the body.
      subroutine qi_monitor(time, orientation, angular_velocity, data, stat)
         import
         real(c_double), intent(in) :: time
         real(c_double), intent(in) :: orientation(4)       !! (w, x, y, z), body to world
         real(c_double), intent(in) :: angular_velocity(3)  !! rad/s
         class(*), intent(inout) :: data                    !! the `data` passed with it; the integer 0 if there was none
         integer, intent(inout) :: stat                     !! 0 on entry; set any other value to end the solution
      end subroutine qi_monitor

      !> The inertia of a body as a function of the time, for set_inertia_function. It is called at times that are not in order,
      !! and gives the same inertia for the same time. It must not use the body.
      subroutine qi_inertia(time, inertia, data, stat)
         import
         real(c_double), intent(in) :: time
         real(c_double), intent(inout) :: inertia(3, 3)     !! zero on entry
         class(*), intent(inout) :: data                    !! the `data` passed with it; the integer 0 if there was none
         integer, intent(inout) :: stat   !! 0 on entry; set any other value to stop the call that moves the body
      end subroutine qi_inertia

      !> An angular velocity as a function of the time, for qi_turn.
      subroutine qi_rate(time, angular_velocity, data, stat)
         import
         real(c_double), intent(in) :: time
         real(c_double), intent(inout) :: angular_velocity(3)   !! rad/s, in the frame of the call; zero on entry
         class(*), intent(inout) :: data                        !! the `data` passed with it; the integer 0 if there was none
         integer, intent(inout) :: stat                         !! 0 on entry; set any other value to end the call
      end subroutine qi_rate
   end interface

   !> User data that the library passes to our callbacks: one procedure, or one object. Allocated separately: its address
   !! stays when a body or an ensemble is moved.
   type :: callback_t
      procedure(qi_torque), pointer, nopass :: torque => null()
      procedure(qi_chunk_torque), pointer, nopass :: chunk => null()
      procedure(qi_chunk_torque_soa), pointer, nopass :: chunk_soa => null()
      procedure(qi_inertia), pointer, nopass :: inertia => null()
      class(*), pointer :: data => null()
      class(qi_torque_t), pointer :: torque_object => null()
      class(qi_chunk_torque_t), pointer :: chunk_object => null()
      class(qi_chunk_torque_soa_t), pointer :: chunk_soa_object => null()
      class(qi_inertia_t), pointer :: inertia_object => null()
   end type callback_t

   !> The same for the event function of solve_until, which is called only during that call.
   type :: event_t
      procedure(qi_event_value), pointer, nopass :: value => null()
      class(*), pointer :: data => null()
      class(qi_event_t), pointer :: object => null()
      integer :: stat = 0            !! what the event function returned, if it ended the solution
      real(c_double) :: time = 0     !! and at what time
   end type event_t

   !> The same for the monitor of solve_monitored.
   type :: monitor_t
      procedure(qi_monitor), pointer, nopass :: procedure => null()
      class(*), pointer :: data => null()
      class(qi_monitor_t), pointer :: object => null()
   end type monitor_t

   !> The same for the angular velocity of qi_turn.
   type :: rate_t
      procedure(qi_rate), pointer, nopass :: procedure => null()
      class(*), pointer :: data => null()
      class(qi_rate_t), pointer :: object => null()
   end type rate_t

   !> Target of `data` for a callback without data.
   integer, target, save :: no_data = 0

contains

   function new_callback(data) result(callback)
      class(*), intent(inout), target, optional :: data
      type(callback_t), pointer :: callback

      allocate (callback)
      callback%data => no_data
      if (present(data)) callback%data => data
   end function new_callback

   !> Refuses an integer: it is nearly always the `stat` of the call, given without its keyword.
   logical function is_data(data, stat, errmsg)
      class(*), intent(in), optional :: data
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      is_data = .true.
      if (.not. present(data)) return
      select type (data)
      type is (integer)
         is_data = .false.
         call refuse('`data` is an integer: for the status write stat=..., an integer of yours put into a derived type', &
            stat, errmsg)
      end select
   end function is_data

   !> If the library accepted the new callback, frees the old one; otherwise frees the new one.
   subroutine keep_callback(status, new, kept)
      integer(c_int32_t), intent(in) :: status
      type(callback_t), pointer, intent(inout) :: new, kept

      if (status == QI_OK) then
         if (associated(kept)) deallocate (kept)
         kept => new
      else
         deallocate (new)
      end if
   end subroutine keep_callback

   recursive integer(c_int32_t) function call_torque(time, orientation, angular_velocity, torque, user_data) bind(C, name='')
      real(c_double), value :: time
      real(c_double), intent(in) :: orientation(4), angular_velocity(3)
      real(c_double), intent(inout) :: torque(3)
      type(c_ptr), value :: user_data
      type(callback_t), pointer :: callback
      integer :: stat

      call c_f_pointer(user_data, callback)
      stat = 0
      if (associated(callback%torque)) then
         call callback%torque(time, orientation, angular_velocity, torque, callback%data, stat)
      else
         call callback%torque_object%evaluate(time, orientation, angular_velocity, torque, stat)
      end if
      call_torque = stat
   end function call_torque

   recursive integer(c_int32_t) function call_inertia(time, inertia, user_data) bind(C, name='')
      real(c_double), value :: time
      real(c_double), intent(inout) :: inertia(3, 3)   ! symmetric, so that rows are columns
      type(c_ptr), value :: user_data
      type(callback_t), pointer :: callback
      integer :: stat

      call c_f_pointer(user_data, callback)
      stat = 0
      if (associated(callback%inertia)) then
         call callback%inertia(time, inertia, callback%data, stat)
      else
         call callback%inertia_object%evaluate(time, inertia, stat)
      end if
      call_inertia = stat
   end function call_inertia

   !> The event function has no status in C: if it sets `stat`, its value is NaN, which ends the solution.
   recursive real(c_double) function call_event(time, orientation, angular_velocity, user_data) bind(C, name='')
      real(c_double), value :: time
      real(c_double), intent(in) :: orientation(4), angular_velocity(3)
      type(c_ptr), value :: user_data
      type(event_t), pointer :: callback

      call c_f_pointer(user_data, callback)
      if (associated(callback%value)) then
         call callback%value(time, orientation, angular_velocity, call_event, callback%data, callback%stat)
      else
         call callback%object%evaluate(time, orientation, angular_velocity, call_event, callback%stat)
      end if
      if (callback%stat == 0) return
      callback%time = time
      call_event = not_a_number()
   end function call_event

   recursive integer(c_int32_t) function call_monitor(time, orientation, angular_velocity, user_data) bind(C, name='')
      real(c_double), value :: time
      real(c_double), intent(in) :: orientation(4), angular_velocity(3)
      type(c_ptr), value :: user_data
      type(monitor_t), pointer :: callback
      integer :: stat

      call c_f_pointer(user_data, callback)
      stat = 0
      if (associated(callback%procedure)) then
         call callback%procedure(time, orientation, angular_velocity, callback%data, stat)
      else
         call callback%object%evaluate(time, orientation, angular_velocity, stat)
      end if
      call_monitor = stat
   end function call_monitor

   recursive integer(c_int32_t) function call_rate(time, angular_velocity, user_data) bind(C, name='')
      real(c_double), value :: time
      real(c_double), intent(inout) :: angular_velocity(3)
      type(c_ptr), value :: user_data
      type(rate_t), pointer :: callback
      integer :: stat

      call c_f_pointer(user_data, callback)
      stat = 0
      if (associated(callback%procedure)) then
         call callback%procedure(time, angular_velocity, callback%data, stat)
      else
         call callback%object%evaluate(time, angular_velocity, stat)
      end if
      call_rate = stat
   end function call_rate

   ! alone in its procedure, because a compiler may save and restore the floating-point status wherever this module is used
   real(c_double) function not_a_number()
      use, intrinsic :: ieee_arithmetic, only: ieee_quiet_nan, ieee_value

      not_a_number = ieee_value(not_a_number, ieee_quiet_nan)
   end function not_a_number

   ! recursive: several threads may call it at the same time
   recursive integer(c_int32_t) function call_chunk_torque(time, first, count, orientation, angular_velocity, torque, &
      user_data) bind(C, name='')
      real(c_double), value :: time
      integer(c_size_t), value :: first, count
      real(c_double), intent(in) :: orientation(4, count), angular_velocity(3, count)
      real(c_double), intent(inout) :: torque(3, count)
      type(c_ptr), value :: user_data
      type(callback_t), pointer :: callback
      integer :: stat

      call c_f_pointer(user_data, callback)
      stat = 0
      if (associated(callback%chunk)) then
         call callback%chunk(time, int(first) + 1, int(count), orientation, angular_velocity, torque, callback%data, stat)
      else
         call callback%chunk_object%evaluate(time, int(first) + 1, int(count), orientation, angular_velocity, torque, stat)
      end if
      call_chunk_torque = stat
   end function call_chunk_torque

   recursive integer(c_int32_t) function call_chunk_torque_soa(time, first, count, orientation, angular_velocity, torque, &
      user_data) bind(C, name='')
      real(c_double), value :: time
      integer(c_size_t), value :: first, count
      real(c_double), intent(in) :: orientation(count, 4), angular_velocity(count, 3)
      real(c_double), intent(inout) :: torque(count, 3)
      type(c_ptr), value :: user_data
      type(callback_t), pointer :: callback
      integer :: stat

      call c_f_pointer(user_data, callback)
      stat = 0
      if (associated(callback%chunk_soa)) then
         call callback%chunk_soa(time, int(first) + 1, int(count), orientation, angular_velocity, torque, callback%data, stat)
      else
         call callback%chunk_soa_object%evaluate(time, int(first) + 1, int(count), orientation, angular_velocity, torque, stat)
      end if
      call_chunk_torque_soa = stat
   end function call_chunk_torque_soa

end module quatint_callbacks
