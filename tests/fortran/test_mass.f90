!> Mass properties of assemblies, beside closed formulas, and principal axes.
program test_mass
   use check
   implicit none
   !> The assembly that the tests of every language build. Nothing in it lies along an axis.
   real(dp), parameter :: expected(3, 3) = reshape([11.600948941891815_dp, 0.30560892760832625_dp, 1.0400209969838572_dp, &
      0.30560892760832625_dp, 10.07999641799384_dp, 1.1330076497875956_dp, &
      1.0400209969838572_dp, 1.1330076497875956_dp, 11.69820579132151_dp], [3, 3])
   real(dp), parameter :: about_a_point(3, 3) = reshape([16.202272386666667_dp, 1.70047696_dp, -0.1592364_dp, &
      1.70047696_dp, 12.77106938_dp, 3.4076544_dp, -0.1592364_dp, 3.4076544_dp, 15.079283166666666_dp], [3, 3])
   real(dp), parameter :: known(3, 3) = reshape([-0.11_dp, -0.012_dp, 0.009_dp,  -0.012_dp, -0.13_dp, -0.007_dp, &
      0.009_dp, -0.007_dp, -0.12_dp], [3, 3])
   real(dp), parameter :: lengths(3) = [0.4_dp, 0.5_dp, 0.7_dp], place(3) = [0.1_dp, 0.2_dp, -0.3_dp]
   real(dp), parameter :: no_turn(4) = [1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp]

   call an_assembly()
   call defaults()
   call refusals()
   call axes()
   call finish()

contains

   subroutine an_assembly()
      type(qi_mass_t) :: assembly, other
      type(qi_body_t) :: body
      real(dp) :: mass, centre(3), inertia(3, 3), other_mass, other_centre(3), other_inertia(3, 3)

      call build(assembly)
      call assembly%get_properties(mass, centre, inertia)
      call ok(abs(mass - 15.0656_dp) < 1e-13_dp, 'an assembly has the mass of its parts')
      call ok(all(abs(centre - [0.07906090696686491_dp, 0.21905798640611726_dp, 0.039709005947323704_dp]) < 1e-15_dp), &
         'it has the centre of mass of closed formulas')
      call ok(all(abs(inertia - expected) < 2e-14_dp), 'it has the inertia of closed formulas')
      call assembly%get_inertia_about([0.3_dp, -0.2_dp, 0.4_dp], other_inertia)
      call ok(all(abs(other_inertia - about_a_point) < 3e-14_dp), 'about a point it has that of closed formulas')
      call body%create(inertia)
      call ok(body%exists(), 'a body takes the inertia')

      call other%add_point(4.0_dp, [0.5_dp, -0.25_dp, 2.0_dp])
      call ok(all(abs(other%sum(:10) - [4.0_dp, 2.0_dp, -1.0_dp, 8.0_dp, 1.0_dp, 0.25_dp, 16.0_dp, -0.5_dp, 4.0_dp, -2.0_dp]) &
         <= 0) .and. all(abs(other%sum(11:)) <= 0) .and. size(other%sum) == 20, 'the sum holds the moments')
      other%sum = other%sum + assembly%sum
      call assembly%add_point(4.0_dp, [0.5_dp, -0.25_dp, 2.0_dp])
      call assembly%get_properties(mass, centre, inertia)
      call other%get_properties(other_mass, other_centre, other_inertia)
      call ok(abs(mass - other_mass) < 4e-15_dp .and. all(abs(centre - other_centre) < 4e-16_dp) &
         .and. all(abs(inertia - other_inertia) < 4e-15_dp), 'sums add up')
      assembly%sum = 0
      other%sum = 0
      call assembly%add_box(1.0_dp, [1.0_dp, 1.0_dp, 1.0_dp], [1e5_dp, 2e5_dp, 3e5_dp])
      call other%add_box(1.0_dp, [1.0_dp, 1.0_dp, 1.0_dp], [1e5_dp, 2e5_dp, 3e5_dp + 1])
      other%sum = other%sum + assembly%sum
      call other%get_properties(mass, centre, inertia)
      call ok(abs(inertia(1, 1) - 5/6.0_dp) < 4e-14_dp .and. abs(inertia(3, 3) - 2/6.0_dp) < 4e-14_dp, &
         'a distant origin costs no digits')
   end subroutine an_assembly

   subroutine build(assembly)
      type(qi_mass_t), intent(inout) :: assembly
      real(dp), parameter :: a(3) = [0.1_dp, 0.2_dp, -0.3_dp], b(3) = [1.3_dp, 0.1_dp, 0.2_dp], c(3) = [0.4_dp, 1.5_dp, 0.1_dp], &
         d(3) = [0.2_dp, 0.3_dp, 1.1_dp]

      call assembly%add_point(0.7_dp, [0.4_dp, -0.3_dp, 0.9_dp])
      call assembly%add_sphere(2.5_dp, 0.35_dp, [-0.8_dp, 0.6_dp, 0.2_dp])
      call assembly%add_ellipsoid(1.9_dp, [0.3_dp, 0.5_dp, 0.7_dp], [0.2_dp, -0.9_dp, -0.4_dp], [0.5_dp, -0.1_dp, 0.7_dp, 0.5_dp])
      call assembly%add_box(3.1_dp, [0.6_dp, 0.9_dp, 1.3_dp], [0.7_dp, 0.8_dp, -0.5_dp], [0.1_dp, 0.7_dp, -0.5_dp, 0.5_dp])
      call assembly%add_cylinder(1.3_dp, 0.25_dp, 1.7_dp, [-0.3_dp, -0.4_dp, 1.1_dp], [0.7_dp, 0.5_dp, 0.1_dp, -0.5_dp])
      call assembly%add_capsule(0.9_dp, 0.3_dp, 0.8_dp, [0.6_dp, -0.7_dp, 0.3_dp], [0.1_dp, -0.5_dp, 0.7_dp, 0.5_dp])
      call assembly%add_hemisphere(1.7_dp, 0.6_dp, [-0.5_dp, 0.3_dp, -0.8_dp], [0.7_dp, -0.1_dp, 0.5_dp, 0.5_dp])
      call assembly%add_cone(1.1_dp, 0.4_dp, 1.2_dp, [-0.2_dp, 0.9_dp, 0.5_dp], [0.5_dp, 0.7_dp, 0.5_dp, -0.1_dp])
      call assembly%add_mesh(6.4_dp, reshape([a, c, b,  a, b, d,  b, c, d,  c, a, d], [3, 3, 4]))
      call assembly%add_inertia(-0.4_dp, known, [0.5_dp, 0.7_dp, -0.6_dp], [0.5_dp, 0.5_dp, -0.7_dp, 0.1_dp])
   end subroutine build

   subroutine defaults()
      type(qi_mass_t) :: with, without

      call with%add_ellipsoid(2.0_dp, lengths, place, no_turn)
      call without%add_ellipsoid(2.0_dp, lengths, place)
      call ok(same(with%sum, without%sum), 'an ellipsoid without an orientation is along the axes')
      call with%add_box(2.0_dp, lengths, place, no_turn)
      call without%add_box(2.0_dp, lengths, place)
      call ok(same(with%sum, without%sum), 'a box, too')
      call with%add_cylinder(2.0_dp, 0.3_dp, 1.1_dp, place, no_turn)
      call without%add_cylinder(2.0_dp, 0.3_dp, 1.1_dp, place)
      call ok(same(with%sum, without%sum), 'a cylinder, too')
      call with%add_capsule(2.0_dp, 0.3_dp, 1.1_dp, place, no_turn)
      call without%add_capsule(2.0_dp, 0.3_dp, 1.1_dp, place)
      call ok(same(with%sum, without%sum), 'a capsule, too')
      call with%add_hemisphere(2.0_dp, 0.3_dp, place, no_turn)
      call without%add_hemisphere(2.0_dp, 0.3_dp, place)
      call ok(same(with%sum, without%sum), 'half a sphere, too')
      call with%add_cone(2.0_dp, 0.3_dp, 1.1_dp, place, no_turn)
      call without%add_cone(2.0_dp, 0.3_dp, 1.1_dp, place)
      call ok(same(with%sum, without%sum), 'a cone, too')
      call with%add_inertia(2.0_dp, expected, place, no_turn)
      call without%add_inertia(2.0_dp, expected, place)
      call ok(same(with%sum, without%sum), 'a known inertia, too')
   end subroutine defaults

   subroutine refusals()
      type(qi_mass_t) :: assembly, before
      real(dp) :: mass, centre(3), inertia(3, 3), triangles(3, 3, 2)
      character(200) :: errmsg
      integer :: stat

      call build(before)
      assembly%sum = before%sum
      triangles = 0
      call assembly%add_point(nan(), place, stat, errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, '`mass`', 'a mass that is not a number')
      call assembly%add_point(1.0_dp, lengths(:2), stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`position` has the shape (2); it must be (3)', 'a position of two numbers')
      call assembly%add_sphere(1.0_dp, -1.0_dp, place, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`radius`', 'a negative radius')
      call assembly%add_ellipsoid(1.0_dp, -lengths, place, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`semi_axes`', 'negative semi-axes')
      call assembly%add_box(1.0_dp, lengths(:2), place, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`edges` has the shape (2)', 'two edges')
      call assembly%add_box(1.0_dp, lengths, place, lengths, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`orientation` has the shape (3)', 'an orientation of three numbers')
      call assembly%add_cylinder(1.0_dp, 1.0_dp, 1.0_dp, place, 2*no_turn, stat, errmsg)
      call refused(stat, QI_ERR_ORIENTATION, errmsg, '`orientation`', 'no unit quaternion')
      call assembly%add_capsule(1.0_dp, 1.0_dp, -1.0_dp, place, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`length`', 'a negative length')
      call assembly%add_hemisphere(1.0_dp, 1.0_dp, lengths(:2), stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`position` has the shape (2)', 'a face at two numbers')
      call assembly%add_cone(1.0_dp, 1.0_dp, -1.0_dp, place, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`height`', 'a negative height')
      call assembly%add_mesh(1.0_dp, triangles(:, :2, :1), stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`corners` has the shape (3, 2, 1)', 'triangles of two corners')
      triangles(:, :, 1) = diagonal
      call assembly%add_mesh(1.0_dp, triangles, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'closed surface', 'an open surface')
      call assembly%add_inertia(1.0_dp, shear, place, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INERTIA, errmsg, '`inertia`', 'a tensor that is not symmetric')
      call assembly%add_mesh(1.0_dp, triangles(:, :, :0), stat, errmsg)
      call ok(stat == QI_OK .and. same(assembly%sum, before%sum), 'no triangles add nothing, nor does what is refused')
      assembly%sum = 0
      call assembly%get_properties(mass, centre, inertia, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'positive mass', 'an assembly without mass has no properties')
      call assembly%get_inertia_about(place, inertia, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'positive mass', 'it has no inertia about a point')
      call assembly%get_inertia_about(lengths(:2), inertia, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`point` has the shape (2)', 'a point of two numbers')
   end subroutine refusals

   subroutine axes()
      real(dp) :: moments(3), q(4), r(3, 3), inertia(3, 3)
      integer :: i

      call ok(qi_get_principal_axes(expected, moments, q) == QI_OK, 'a tensor has principal axes')
      call ok(qi_orientation_to_matrix(q, r) == QI_OK, 'an orientation')
      r = transpose(r)
      inertia = 0
      do i = 1, 3
         inertia = inertia + moments(i)*spread(r(:, i), 2, 3)*spread(r(:, i), 1, 3)
      end do
      call ok(all(abs(inertia - expected) < 2e-14_dp), 'the moments about the principal axes make up the tensor')
      call ok(abs(minval(moments) - 9.472672911802718_dp) < 2e-14_dp .and. abs(maxval(moments) - 13.062850206131667_dp) < 2e-14_dp &
         .and. abs(sum(moments) - minval(moments) - maxval(moments) - 10.843628033272779_dp) < 4e-14_dp, &
         'they are those of the characteristic polynomial')
      call ok(qi_get_principal_axes(-expected, moments, q) == QI_ERR_INERTIA, 'negative moments are refused')
   end subroutine axes

end program test_mass
