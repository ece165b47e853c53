!> The functions of the C library, called through their interfaces: those that need no object, and those of objects by handle.
program test_rotation
   use check
   use, intrinsic :: iso_c_binding, only: c_funloc, c_loc, c_null_char, c_null_funptr, c_null_ptr, c_ptr
   implicit none
   real(dp), parameter :: pi = acos(-1.0_dp), x(3) = [1, 0, 0], y(3) = [0, 1, 0], z(3) = [0, 0, 1]
   real(dp) :: q(4), p(4), v(3), axis(3), angle, angles(3), matrix(3, 3), omega(3), rates(3), axis_angle(4)
   real(dp), target :: arm(3)

   call ok(qi_version_number() == QI_MODULE_VERSION_NUMBER, 'the module is for the library that is linked')
   call ok(qi_text(qi_version_string()) == '0.2.0', 'the version is a text')
   call ok(qi_text(qi_status_name(QI_ERR_CALLBACK)) == 'QI_ERR_CALLBACK', 'a status has a name')
   call ok(len(qi_text(qi_status_message(QI_ERR_INERTIA))) > 10, 'a status has a meaning')
   call ok(qi_text(qi_last_error()) == '', 'there was no error yet')
   call ok(len(qi_text(c_null_ptr)) == 0, 'NULL is an empty text')

   call must(qi_orientation_from_axis_angle(z, pi/2, q))
   call must(qi_rotate(q, x, v))
   call ok(near(v, y), 'a quarter about z takes x to y')
   call must(qi_rotate_inverse(q, y, v))
   call ok(near(v, x), 'and back')
   call must(qi_orientation_to_axis_angle(q, axis, angle))
   call ok(near(axis, z) .and. abs(angle - pi/2) < 1e-15_dp, 'axis and angle come out')
   call must(qi_orientation_from_rotation_vector(z*pi/2, p))
   call ok(near(p, q), 'from a rotation vector')
   call must(qi_orientation_to_rotation_vector(q, v))
   call ok(near(v, z*pi/2), 'to a rotation vector')
   call must(qi_orientation_to_matrix(q, matrix))
   matrix = transpose(matrix) ! the library writes row-major
   call ok(near(matmul(matrix, x), y), 'a matrix is transposed to be as on paper')
   call must(qi_orientation_from_matrix(transpose(matrix), p))
   call ok(near(p, q), 'from a matrix')
   call must(qi_orientation_from_euler([0.1_dp, 0.2_dp, 0.3_dp], 'ZXZ'//c_null_char, p))
   call must(qi_orientation_to_euler(p, 'ZXZ'//c_null_char, angles))
   call ok(near(angles, [0.1_dp, 0.2_dp, 0.3_dp]), 'Euler angles there and back')
   rates = [0.3_dp, -0.7_dp, 1.1_dp]
   angles = [0.4_dp, 1.1_dp, -2.0_dp] ! yaw, pitch, roll
   call must(qi_angular_velocity_from_euler_rates(angles, rates, 'ZYX'//c_null_char, omega))
   call ok(near(omega, [1.1_dp*cos(1.1_dp)*cos(0.4_dp) + 0.7_dp*sin(0.4_dp), 1.1_dp*cos(1.1_dp)*sin(0.4_dp) - 0.7_dp*cos(0.4_dp), &
      0.3_dp - 1.1_dp*sin(1.1_dp)]), 'an angular velocity of rates of Euler angles')
   call must(qi_angular_velocity_to_euler_rates(angles, omega, 'ZYX'//c_null_char, v))
   call ok(near(v, rates), 'and back')
   call must(qi_orientation_from_axis_angle([0.48_dp, -0.6_dp, 0.64_dp], 2.2_dp, axis_angle))
   call must(qi_orientation_from_mrp(tan(2.2_dp/4)*[0.48_dp, -0.6_dp, 0.64_dp], p))
   call ok(near(p, axis_angle), 'an orientation of Rodrigues parameters')
   call must(qi_orientation_to_mrp(p, v))
   call ok(near(v, tan(2.2_dp/4)*[0.48_dp, -0.6_dp, 0.64_dp]), 'and back')
   call must(qi_orientation_product(q, q, p))
   call must(qi_rotate(p, x, v))
   call ok(near(v, -x), 'a product')
   call must(qi_orientation_inverse(q, p))
   call must(qi_rotate(p, y, v))
   call ok(near(v, x), 'an inverse')
   call must(qi_orientation_slerp([1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp], q, 0.5_dp, p))
   call must(qi_orientation_angle(p, q, angle))
   call ok(abs(angle - pi/4) < 1e-15_dp, 'half way, and the angle that is left')

   call ok(qi_rotate([2.0_dp, 0.0_dp, 0.0_dp, 0.0_dp], x, v) == QI_ERR_ORIENTATION, 'no unit quaternion')
   call ok(index(qi_text(qi_last_error()), 'qi_rotate: `orientation`') == 1, 'the last error is a text')
   call ok(qi_orientation_from_axis_angle([0.0_dp, 0.0_dp, 0.0_dp], 1.0_dp, q) == QI_ERR_INVALID, 'an axis of no direction')
   call ok(qi_orientation_from_euler([0.1_dp, 0.2_dp, 0.3_dp], 'xxz'//c_null_char, q) == QI_ERR_INVALID, 'no such sequence')
   angles = [0.4_dp, pi/2, 0.0_dp]
   call ok(qi_angular_velocity_to_euler_rates(angles, omega, 'ZYX'//c_null_char, v) == QI_ERR_INVALID, 'gimbal lock')
   call ok(qi_orientation_from_mrp([0.0_dp, nan(), 0.0_dp], q) == QI_ERR_NON_FINITE, 'no Rodrigues parameters')
   call ok(qi_orientation_from_matrix(2*diagonal, q) == QI_ERR_ORIENTATION, 'no rotation')
   call ok(qi_orientation_slerp(p, p, nan(), q) == QI_ERR_NON_FINITE, 'not a number')

   q = [1, 0, 0, 0]
   omega = [0, 0, 1]
   arm = [0, 0, 2]
   call must(qi_integrate(diagonal, q, omega, 0.0_dp, 0.01_dp, 10_int64, c_funloc(push), c_loc(arm)))
   call ok(abs(omega(3) - (1 + 0.1_dp*2/3)) < 1e-14_dp, 'qi_integrate takes a C function pointer and user data')
   omega = [0, 0, 1]
   call ok(qi_integrate(diagonal, q, omega, 0.0_dp, nan(), 10_int64, c_null_funptr, c_null_ptr) == QI_ERR_NON_FINITE .and. &
      near(omega, z), 'and changes nothing when it fails')
   call objects_by_their_handles()
   call finish()

contains

   subroutine must(status)
      integer, intent(in) :: status

      if (status /= QI_OK) call ok(.false., qi_text(qi_last_error()))
   end subroutine must

   logical function near(a, b)
      real(dp), intent(in) :: a(:), b(:)

      near = maxval(abs(a - b)) < 1e-13_dp
   end function near

   !> The functions of bodies and ensembles, called with handles instead of the types.
   subroutine objects_by_their_handles()
      use, intrinsic :: iso_c_binding, only: c_associated, c_int32_t, c_int64_t, c_ptrdiff_t, c_size_t
      type(c_ptr) :: body, bodies
      integer(c_int32_t) :: status
      integer(c_int64_t) :: completed
      integer(c_size_t) :: written
      real(dp), target :: packed(4, 3)
      real(dp) :: records(8, 3)

      body = qi_create_body(moments)
      call ok(c_associated(body), 'arguments that may be NULL may be left out')
      call ok(.not. c_associated(qi_create_body(-moments, status=status)) , 'a constructor that fails gives NULL')
      call ok(status == QI_ERR_INERTIA, 'and the status')
      call ok(qi_advance(body, 0.1_dp, 2_c_int64_t) == QI_OK, 'completed may be left out')
      call ok(qi_advance(body, 0.1_dp, 2_c_int64_t, completed) == QI_OK .and. completed == 2, 'or received')
      call ok(qi_record(body, 0.1_dp, 2_c_int64_t, 1_c_int64_t, records, 3_c_size_t, written) == QI_OK .and. written == 3, &
         'records are columns')
      call qi_destroy_body(body)
      call qi_destroy_body(c_null_ptr)

      bodies = qi_create_ensemble(3_c_size_t)
      packed = 0
      packed(1, :) = 1
      call must(qi_bind_orientations(bodies, c_loc(packed), 4_c_ptrdiff_t, 1_c_ptrdiff_t, QI_SCALAR_FIRST%number))
      call must(qi_set_ensemble_active(bodies, [0_c_size_t, 2_c_size_t], 2_c_size_t))
      call must(qi_set_angular_velocities(bodies, c_loc(arm), 0_c_ptrdiff_t, 1_c_ptrdiff_t))
      call must(qi_advance_ensemble(bodies, 0.1_dp, 5_c_int64_t))
      call ok(near(packed(:, 2), [1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp]) .and. abs(packed(4, 3) - sin(0.5_dp)) < 1e-13_dp, &
         'strides by hand, indices from 0')
      call qi_destroy_ensemble(bodies)
      call qi_destroy_ensemble(c_null_ptr)
   end subroutine objects_by_their_handles

end program test_rotation
