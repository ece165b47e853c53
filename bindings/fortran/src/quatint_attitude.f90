!> Orientations from given angular velocities.
submodule (quatint_types) quatint_attitude
   implicit none

contains

   module subroutine turn_by_procedure(orientation, start_time, end_time, steps, rate, frame, data, stat, errmsg)
      real(c_double), intent(inout), target :: orientation(..)
      real(c_double), intent(in) :: start_time, end_time
      integer, intent(in) :: steps
      procedure(qi_rate) :: rate
      type(qi_frame_t), intent(in), optional :: frame
      class(*), intent(inout), target, optional :: data
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(rate_t), target :: callback

      if (.not. is_data(data, stat, errmsg)) return
      callback%procedure => rate
      callback%data => no_data
      if (present(data)) callback%data => data
      call turn(orientation, start_time, end_time, steps, callback, frame, stat, errmsg)
   end subroutine turn_by_procedure

   module procedure turn_by_object
      type(rate_t), target :: callback

      callback%object => rate
      call turn(orientation, start_time, end_time, steps, callback, frame, stat, errmsg)
   end procedure turn_by_object

   subroutine turn(orientation, start_time, end_time, steps, callback, frame, stat, errmsg)
      real(c_double), intent(inout), target :: orientation(..)
      real(c_double), intent(in) :: start_time, end_time
      integer, intent(in) :: steps
      type(rate_t), intent(inout), target :: callback
      type(qi_frame_t), intent(in), optional :: frame
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      real(c_double) :: q(4)
      integer(c_int32_t) :: status

      if (.not. taken('orientation', orientation, [4], q, stat, errmsg)) return
      if (.not. is_count(steps, 'steps', stat, errmsg)) return
      status = qi_turn_orientation(q, start_time, end_time, int(steps, c_size_t), c_funloc(call_rate), frame_or_world(frame), &
         c_loc(callback))
      call settle(status, stat, errmsg)
      if (status == QI_OK) call put(q, orientation)
   end subroutine turn

   module procedure qi_turn_through
      real(c_double) :: q(4)
      real(c_double), allocatable, target :: samples(:, :)   ! side by side
      type(c_ptr) :: first
      integer(c_size_t) :: n
      integer(c_int32_t) :: status

      if (.not. taken('orientation', orientation, [4], q, stat, errmsg)) return
      if (.not. is_array('angular_velocities', angular_velocities, stat, errmsg)) return
      n = size(angular_velocities, 2, kind=c_size_t)
      if (.not. has_size('angular_velocities', angular_velocities, [3, int(n)], stat, errmsg)) return
      samples = angular_velocities
      first = c_null_ptr
      if (n > 0) first = c_loc(samples)
      status = qi_turn_by_samples(q, n, first, 3_c_ptrdiff_t, dt, frame_or_world(frame))
      call settle(status, stat, errmsg)
      if (status == QI_OK) call put(q, orientation)
   end procedure qi_turn_through

end submodule quatint_attitude
