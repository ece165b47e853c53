! panel.f90: a satellite with one panel, tilted by 0.4 rad.
! `add_mesh` takes the corners of triangles, `(3, 3, n)`. The component `sum` holds `QI_MASS_SIZE`
! numbers, which may be added. See docs/inertia.md.
program panel
   use, intrinsic :: iso_c_binding, only: dp => c_double
   use quatint
   implicit none
   type(qi_mass_t) :: satellite
   real(dp) :: tilt(4), mass, centre(3), inertia(3, 3)
   integer :: i

   if (qi_orientation_from_axis_angle([0.0_dp, 1.0_dp, 0.0_dp], 0.4_dp, tilt) /= QI_OK) error stop
   call satellite%add_box(120.0_dp, [1.0_dp, 0.8_dp, 1.2_dp], [0.0_dp, 0.0_dp, 0.0_dp])   ! kg, edges, centre
   call satellite%add_box(9.0_dp, [0.02_dp, 2.4_dp, 0.8_dp], [0.1_dp, 1.6_dp, 0.3_dp], tilt)
   call satellite%get_properties(mass, centre, inertia)
   print '(a, f0.1, 3(a, f6.4), a)', 'mass ', mass, ' kg, centre of mass (', centre(1), ', ', centre(2), ', ', centre(3), ') m'
   do i = 1, 3
      print '(f9.4, 2f10.4)', inertia(i, :)
   end do
end program panel

! It prints:
! mass 129.0 kg, centre of mass (0.0070, 0.1116, 0.0209) m
!   47.7133   -1.3395   -0.4232
!   -1.3395   25.7175   -4.0186
!   -0.4232   -4.0186   42.3093
