!> The arrays of the caller in which an ensemble works.
submodule (quatint_types) quatint_arrays
   implicit none

contains

   module procedure ensemble_bind_orientations
      type(view_t) :: view

      if (view_to_bind(held(self%owned), 'orientations', orientations, 4, layout, view, stat, errmsg, rows)) &
         call bind_orientations(self, view, order, stat, errmsg, rows)
   end procedure ensemble_bind_orientations

   module procedure ensemble_bind_orientations_records
      type(view_t) :: view

      if (view_of_records(held(self%owned), 'orientations', first, second, 4, view, stat, errmsg, rows)) &
         call bind_orientations(self, view, order, stat, errmsg, rows)
   end procedure ensemble_bind_orientations_records

   subroutine bind_orientations(self, view, order, stat, errmsg, rows)
      class(qi_ensemble_t), intent(inout) :: self
      type(view_t), intent(in) :: view
      type(qi_order_t), intent(in), optional :: order
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer, intent(in), optional :: rows(:)
      integer(c_int32_t) :: in_order

      in_order = QI_SCALAR_FIRST%number
      if (present(order)) in_order = order%number
      if (present(rows)) then
         call settle(qi_bind_orientation_rows(held(self%owned), view%first, view%body_stride, view%component_stride, in_order, &
            int(rows - 1, c_int32_t)), stat, errmsg)
      else
         call settle(qi_bind_orientations(held(self%owned), view%first, view%body_stride, view%component_stride, in_order), &
            stat, errmsg)
      end if
   end subroutine bind_orientations

   module procedure ensemble_bind_angular_velocities
      type(view_t) :: view

      if (view_to_bind(held(self%owned), 'angular_velocities', angular_velocities, 3, layout, view, stat, errmsg, rows)) &
         call bind_angular_velocities(self, view, kind, stat, errmsg, rows)
   end procedure ensemble_bind_angular_velocities

   module procedure ensemble_bind_angular_velocities_records
      type(view_t) :: view

      if (view_of_records(held(self%owned), 'angular_velocities', first, second, 3, view, stat, errmsg, rows)) &
         call bind_angular_velocities(self, view, kind, stat, errmsg, rows)
   end procedure ensemble_bind_angular_velocities_records

   subroutine bind_angular_velocities(self, view, kind, stat, errmsg, rows)
      class(qi_ensemble_t), intent(inout) :: self
      type(view_t), intent(in) :: view
      type(qi_kind_t), intent(in), optional :: kind
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer, intent(in), optional :: rows(:)
      integer(c_int32_t) :: of_kind

      of_kind = QI_OMEGA_WORLD%number
      if (present(kind)) of_kind = kind%number
      if (present(rows)) then
         call settle(qi_bind_angular_velocity_rows(held(self%owned), view%first, view%body_stride, view%component_stride, &
            of_kind, int(rows - 1, c_int32_t)), stat, errmsg)
      else
         call settle(qi_bind_angular_velocities(held(self%owned), view%first, view%body_stride, view%component_stride, &
            of_kind), stat, errmsg)
      end if
   end subroutine bind_angular_velocities

   module procedure ensemble_bind_predicted_velocities
      type(view_t) :: view

      if (view_to_bind(held(self%owned), 'angular_velocities', angular_velocities, 3, layout, view, stat, errmsg)) &
         call bind_predicted_velocities(self, view, ahead, stat, errmsg)
   end procedure ensemble_bind_predicted_velocities

   module procedure ensemble_bind_predicted_velocities_records
      type(view_t) :: view

      if (view_of_records(held(self%owned), 'angular_velocities', first, second, 3, view, stat, errmsg)) &
         call bind_predicted_velocities(self, view, ahead, stat, errmsg)
   end procedure ensemble_bind_predicted_velocities_records

   subroutine bind_predicted_velocities(self, view, ahead, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      type(view_t), intent(in) :: view
      real(c_double), intent(in) :: ahead
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      call settle(qi_bind_predicted_velocities(held(self%owned), view%first, view%body_stride, view%component_stride, ahead), &
         stat, errmsg)
   end subroutine bind_predicted_velocities

   module procedure ensemble_unbind_predicted_velocities
      type(view_t) :: none

      call bind_predicted_velocities(self, none, 0.0_c_double, stat, errmsg)
   end procedure ensemble_unbind_predicted_velocities

   module procedure ensemble_bind_flow_gradients
      type(view_t) :: view
      real(c_double), pointer :: from_1(:, :, :), first(:, :), second(:, :)

      if (.not. has_target('gradients', associated(gradients), stat, errmsg)) return
      if (.not. has_shape(held(self%owned), 'gradients', shape(gradients), [3, 3, self%count()], stat, errmsg)) return
      view = view_t(c_loc(no_number), 9)
      if (size(gradients) > 0) then
         from_1(1:, 1:, 1:) => gradients
         first => from_1(:, :, 1)
         second => from_1(:, :, min(2, self%count()))
         if (.not. view_of_gradients(held(self%owned), first, second, view, stat, errmsg)) return
      end if
      call bind_gradients(self, view, transposed, stat, errmsg)
   end procedure ensemble_bind_flow_gradients

   module procedure ensemble_bind_flow_gradients_records
      type(view_t) :: view

      if (view_of_gradients(held(self%owned), first, second, view, stat, errmsg)) &
         call bind_gradients(self, view, transposed, stat, errmsg)
   end procedure ensemble_bind_flow_gradients_records

   subroutine bind_gradients(self, view, transposed, stat, errmsg)
      class(qi_ensemble_t), intent(inout) :: self
      type(view_t), intent(in) :: view
      logical, intent(in), optional :: transposed
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      integer(c_ptrdiff_t) :: row_stride, column_stride

      row_stride = 3
      column_stride = 1
      if (present(transposed)) then
         if (transposed) row_stride = 1
         if (transposed) column_stride = 3
      end if
      call settle(qi_bind_flow_gradients(held(self%owned), view%first, view%body_stride, row_stride, column_stride), stat, errmsg)
   end subroutine bind_gradients

   module procedure ensemble_unbind_flow_gradients
      call settle(qi_bind_flow_gradients(held(self%owned), c_null_ptr, 0_c_ptrdiff_t, 0_c_ptrdiff_t, 0_c_ptrdiff_t), stat, errmsg)
   end procedure ensemble_unbind_flow_gradients

end submodule quatint_arrays
