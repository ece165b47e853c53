!> Mass, centre of mass and inertia of assemblies.
submodule (quatint_types) quatint_mass
   implicit none

contains

   module procedure mass_add_point
      real(c_double) :: at(3)

      if (.not. taken('position', position, [3], at, stat, errmsg)) return
      call settle(qi_add_point_mass(mass, at, self%sum), stat, errmsg)
   end procedure mass_add_point

   module procedure mass_add_sphere
      real(c_double) :: at(3)

      if (.not. taken('position', position, [3], at, stat, errmsg)) return
      call settle(qi_add_sphere_mass(mass, radius, at, self%sum), stat, errmsg)
   end procedure mass_add_sphere

   module procedure mass_add_ellipsoid
      real(c_double) :: axes(3), at(3)

      if (.not. taken('semi_axes', semi_axes, [3], axes, stat, errmsg)) return
      if (.not. is_place(position, orientation, at, stat, errmsg)) return
      call settle(qi_add_ellipsoid_mass(mass, axes, at, orientation, self%sum), stat, errmsg)
   end procedure mass_add_ellipsoid

   module procedure mass_add_box
      real(c_double) :: lengths(3), at(3)

      if (.not. taken('edges', edges, [3], lengths, stat, errmsg)) return
      if (.not. is_place(position, orientation, at, stat, errmsg)) return
      call settle(qi_add_box_mass(mass, lengths, at, orientation, self%sum), stat, errmsg)
   end procedure mass_add_box

   module procedure mass_add_cylinder
      real(c_double) :: at(3)

      if (.not. is_place(position, orientation, at, stat, errmsg)) return
      call settle(qi_add_cylinder_mass(mass, radius, length, at, orientation, self%sum), stat, errmsg)
   end procedure mass_add_cylinder

   module procedure mass_add_capsule
      real(c_double) :: at(3)

      if (.not. is_place(position, orientation, at, stat, errmsg)) return
      call settle(qi_add_capsule_mass(mass, radius, length, at, orientation, self%sum), stat, errmsg)
   end procedure mass_add_capsule

   module procedure mass_add_hemisphere
      real(c_double) :: at(3)

      if (.not. is_place(position, orientation, at, stat, errmsg)) return
      call settle(qi_add_hemisphere_mass(mass, radius, at, orientation, self%sum), stat, errmsg)
   end procedure mass_add_hemisphere

   module procedure mass_add_cone
      real(c_double) :: at(3)

      if (.not. is_place(position, orientation, at, stat, errmsg)) return
      call settle(qi_add_cone_mass(mass, radius, height, at, orientation, self%sum), stat, errmsg)
   end procedure mass_add_cone

   module procedure mass_add_mesh
      integer(c_size_t) :: n

      if (.not. is_array('corners', corners, stat, errmsg)) return
      n = size(corners, 3, kind=c_size_t)
      if (.not. has_size('corners', corners, [3, 3, int(n)], stat, errmsg)) return
      call settle(qi_add_mesh_mass(density, n, corners, self%sum), stat, errmsg)
   end procedure mass_add_mesh

   module procedure mass_add_inertia
      real(c_double) :: of_inertia(3, 3), at(3)

      if (.not. taken('inertia', inertia, [3, 3], of_inertia, stat, errmsg)) return
      if (.not. is_place(position, orientation, at, stat, errmsg)) return
      call settle(qi_add_inertia_mass(mass, of_inertia, at, orientation, self%sum), stat, errmsg)
   end procedure mass_add_inertia

   module procedure mass_get_properties
      real(c_double) :: of_centre(3), of_inertia(3, 3)
      integer(c_int32_t) :: status

      mass = 0
      if (.not. has_size('centre', centre, [3], stat, errmsg)) return
      if (.not. has_size('inertia', inertia, [3, 3], stat, errmsg)) return
      status = qi_get_mass_properties(self%sum, mass, of_centre, of_inertia)
      call settle(status, stat, errmsg)
      if (status /= QI_OK) return
      call put(of_centre, centre)
      call put(of_inertia, inertia)
   end procedure mass_get_properties

   module procedure mass_get_inertia_about
      real(c_double) :: at(3), of_inertia(3, 3)
      integer(c_int32_t) :: status

      if (.not. taken('point', point, [3], at, stat, errmsg)) return
      if (.not. has_size('inertia', inertia, [3, 3], stat, errmsg)) return
      status = qi_get_inertia_about(self%sum, at, of_inertia)
      call settle(status, stat, errmsg)
      if (status == QI_OK) call put(of_inertia, inertia)
   end procedure mass_get_inertia_about

   logical function is_place(position, orientation, at, stat, errmsg)
      real(c_double), intent(in), target :: position(..)
      real(c_double), intent(in), optional :: orientation(:)
      real(c_double), intent(inout) :: at(3)   !! the position
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      is_place = taken('position', position, [3], at, stat, errmsg)
      if (is_place .and. present(orientation)) is_place = has_size('orientation', orientation, [4], stat, errmsg)
   end function is_place

end submodule quatint_mass
