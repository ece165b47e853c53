!> Parts of torques, and exact sums.
submodule (quatint_types) quatint_parts
   implicit none

contains

   module procedure qi_add_in_body_frame
      if (stat == 0) stat = qi_add_body_torque(orientation, torque_body, torque)
   end procedure qi_add_in_body_frame

   module procedure qi_add_uniform_field
      if (stat == 0) stat = qi_add_uniform_field_torque(orientation, vector_body, field_world, torque)
   end procedure qi_add_uniform_field

   module procedure qi_add_gravity_gradient
      if (stat == 0) stat = qi_add_gravity_gradient_torque(orientation, inertia, direction_world, gradient, torque)
   end procedure qi_add_gravity_gradient

   module procedure qi_add_linear_drag
      if (stat == 0) stat = qi_add_linear_drag_torque(orientation, angular_velocity, coefficients, flow, torque)
   end procedure qi_add_linear_drag

   module procedure qi_add_shear_flow
      if (stat == 0) stat = qi_add_shear_flow_torque(orientation, angular_velocity, resistances, &
         row_by_row(velocity_gradient), torque)
   end procedure qi_add_shear_flow

   module procedure qi_add_values_to_sum
      if (.not. is_array('values', values, stat, errmsg)) return
      if (is_sum(sum, stat, errmsg)) call settle(qi_add_to_sum(sum, values, size(values, kind=c_size_t)), stat, errmsg)
   end procedure qi_add_values_to_sum

   module procedure qi_get_sum_value
      if (is_sum(sum, stat, errmsg)) call settle(qi_get_sum(sum, value), stat, errmsg)
   end procedure qi_get_sum_value

   logical function is_sum(sum, stat, errmsg)
      integer(c_int64_t), intent(in), target :: sum(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      is_sum = is_there('sum', c_loc(sum), stat, errmsg)
      if (.not. is_sum) return
      is_sum = size(sum) == QI_SUM_SIZE
      if (.not. is_sum) call refuse('`sum` has the shape ('//list(shape(sum))//'); it must be ('// &
         list([integer :: QI_SUM_SIZE])//')', stat, errmsg)
   end function is_sum

end submodule quatint_parts
