!> Solutions with error control.
submodule (quatint_types) quatint_solve
   implicit none

contains

   module procedure body_solve
      integer(c_int64_t) :: torques
      integer(c_int32_t) :: status

      torques = 0
      status = qi_solve(held(self%owned), end_time, tolerance, torques)
      if (present(evaluations)) evaluations = at_most_huge(torques)
      call settle(status, stat, errmsg)
   end procedure body_solve

   module procedure body_solve_record
      integer(c_size_t) :: columns
      integer(c_int32_t) :: status

      if (present(written)) written = 0
      if (.not. is_array('times', times, stat, errmsg)) return
      if (.not. is_array('records', records, stat, errmsg)) return
      if (size(records, 1) /= 8) then
         call refuse('`records` has '//list([size(records, 1)])//' rows; it must have 8', stat, errmsg)
         return
      else if (size(records, 2) < size(times)) then
         call fail_here(QI_ERR_CAPACITY, '`records` is too small: '//list([size(times)])//' needed, '// &
            list([size(records, 2)])//' given', stat, errmsg)
         return
      end if
      columns = 0
      status = qi_solve_record(held(self%owned), times, size(times, kind=c_size_t), tolerance, records, columns)
      if (present(written)) written = int(columns)
      call settle(status, stat, errmsg)
   end procedure body_solve_record

   module subroutine body_solve_monitored_procedure(self, end_time, tolerance, monitor, data, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(in) :: end_time, tolerance
      procedure(qi_monitor) :: monitor
      class(*), intent(inout), target, optional :: data
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(monitor_t), target :: callback

      if (.not. is_data(data, stat, errmsg)) return
      callback%procedure => monitor
      callback%data => no_data
      if (present(data)) callback%data => data
      call solve_monitored(self, end_time, tolerance, callback, stat, errmsg)
   end subroutine body_solve_monitored_procedure

   module procedure body_solve_monitored_object
      type(monitor_t), target :: callback

      callback%object => monitor
      call solve_monitored(self, end_time, tolerance, callback, stat, errmsg)
   end procedure body_solve_monitored_object

   subroutine solve_monitored(self, end_time, tolerance, callback, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(in) :: end_time, tolerance
      type(monitor_t), intent(inout), target :: callback
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_solve_monitored(held(self%owned), [end_time], 1_c_size_t, tolerance, every=1_c_int64_t, &
         monitor=c_funloc(call_monitor), user_data=c_loc(callback)), stat, errmsg)
   end subroutine solve_monitored

   module subroutine body_solve_until_procedure(self, end_time, tolerance, event, happened, direction, data, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(in) :: end_time, tolerance
      procedure(qi_event_value) :: event
      logical, intent(out) :: happened
      type(qi_crossing_t), intent(in), optional :: direction
      class(*), intent(inout), target, optional :: data
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(event_t), target :: callback

      happened = .false.
      if (.not. is_data(data, stat, errmsg)) return
      callback%value => event
      callback%data => no_data
      if (present(data)) callback%data => data
      call solve_until(self, end_time, tolerance, callback, happened, direction, stat, errmsg)
   end subroutine body_solve_until_procedure

   module procedure body_solve_until_object
      type(event_t), target :: callback

      callback%object => event
      call solve_until(self, end_time, tolerance, callback, happened, direction, stat, errmsg)
   end procedure body_solve_until_object

   subroutine solve_until(self, end_time, tolerance, callback, happened, direction, stat, errmsg)
      class(qi_body_t), intent(inout) :: self
      real(c_double), intent(in) :: end_time, tolerance
      type(event_t), intent(inout), target :: callback
      logical, intent(out) :: happened
      type(qi_crossing_t), intent(in), optional :: direction
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      type(qi_crossing_t) :: crossing
      integer(c_int32_t) :: status
      character(30) :: time

      crossing = QI_ANY_CROSSING
      if (present(direction)) crossing = direction
      status = qi_solve_until(held(self%owned), end_time, tolerance, c_funloc(call_event), crossing%number, c_loc(callback))
      happened = status == QI_EVENT
      if (callback%stat /= 0) then
         write (time, '(g0.6)') callback%time
         call fail_here(QI_ERR_CALLBACK, 'the event function returned '//list([callback%stat])//' at time '//trim(time), &
            stat, errmsg)
      else
         call settle(status, stat, errmsg)
      end if
   end subroutine solve_until

   module procedure body_solve_statistics
      integer(c_int64_t) :: counts(3)
      integer(c_int32_t) :: status

      counts = 0
      status = qi_get_solve_statistics(held(self%owned), counts(1), counts(2), counts(3))
      if (present(evaluations)) evaluations = at_most_huge(counts(1))
      if (present(accepted)) accepted = at_most_huge(counts(2))
      if (present(rejected)) rejected = at_most_huge(counts(3))
      call settle(status, stat, errmsg)
   end procedure body_solve_statistics

end submodule quatint_solve
