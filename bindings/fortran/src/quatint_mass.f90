!> Mass, centre of mass and inertia of assemblies.
submodule (quatint_types) quatint_mass
   implicit none

contains

   module procedure mass_add_point
      if (.not. has_size('position', position, [3], stat, errmsg)) return
      call settle(qi_add_point_mass(mass, position, self%sum), stat, errmsg)
   end procedure mass_add_point

   module procedure mass_add_sphere
      if (.not. has_size('position', position, [3], stat, errmsg)) return
      call settle(qi_add_sphere_mass(mass, radius, position, self%sum), stat, errmsg)
   end procedure mass_add_sphere

   module procedure mass_add_ellipsoid
      if (.not. has_size('semi_axes', semi_axes, [3], stat, errmsg)) return
      if (.not. is_place(position, orientation, stat, errmsg)) return
      call settle(qi_add_ellipsoid_mass(mass, semi_axes, position, orientation, self%sum), stat, errmsg)
   end procedure mass_add_ellipsoid

   module procedure mass_add_box
      if (.not. has_size('edges', edges, [3], stat, errmsg)) return
      if (.not. is_place(position, orientation, stat, errmsg)) return
      call settle(qi_add_box_mass(mass, edges, position, orientation, self%sum), stat, errmsg)
   end procedure mass_add_box

   module procedure mass_add_cylinder
      if (.not. is_place(position, orientation, stat, errmsg)) return
      call settle(qi_add_cylinder_mass(mass, radius, length, position, orientation, self%sum), stat, errmsg)
   end procedure mass_add_cylinder

   module procedure mass_add_mesh
      integer(c_size_t) :: n

      if (.not. is_array('corners', corners, stat, errmsg)) return
      n = size(corners, 3, kind=c_size_t)
      if (.not. has_size('corners', corners, [3, 3, int(n)], stat, errmsg)) return
      call settle(qi_add_mesh_mass(density, n, corners, self%sum), stat, errmsg)
   end procedure mass_add_mesh

   module procedure mass_add_inertia
      if (.not. has_size('inertia', inertia, [3, 3], stat, errmsg)) return
      if (.not. is_place(position, orientation, stat, errmsg)) return
      call settle(qi_add_inertia_mass(mass, inertia, position, orientation, self%sum), stat, errmsg)
   end procedure mass_add_inertia

   module procedure mass_get_properties
      mass = 0
      if (.not. has_size('centre', centre, [3], stat, errmsg)) return
      if (.not. has_size('inertia', inertia, [3, 3], stat, errmsg)) return
      call settle(qi_get_mass_properties(self%sum, mass, centre, inertia), stat, errmsg)
   end procedure mass_get_properties

   logical function is_place(position, orientation, stat, errmsg)
      real(c_double), intent(in) :: position(:)
      real(c_double), intent(in), optional :: orientation(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      is_place = has_size('position', position, [3], stat, errmsg)
      if (is_place .and. present(orientation)) is_place = has_size('orientation', orientation, [4], stat, errmsg)
   end function is_place

end submodule quatint_mass
