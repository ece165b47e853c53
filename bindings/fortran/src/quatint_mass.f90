!> Mass, centre of mass and inertia of assemblies.
submodule (quatint_types) quatint_mass
   implicit none

contains

   module procedure mass_add_point
      if (.not. is_vector('position', position, stat, errmsg)) return
      call settle(qi_add_point_mass(mass, position, self%sum), stat, errmsg)
   end procedure mass_add_point

   module procedure mass_add_sphere
      if (.not. is_vector('position', position, stat, errmsg)) return
      call settle(qi_add_sphere_mass(mass, radius, position, self%sum), stat, errmsg)
   end procedure mass_add_sphere

   module procedure mass_add_ellipsoid
      if (.not. is_vector('semi_axes', semi_axes, stat, errmsg)) return
      if (.not. is_place(position, orientation, stat, errmsg)) return
      call settle(qi_add_ellipsoid_mass(mass, semi_axes, position, orientation, self%sum), stat, errmsg)
   end procedure mass_add_ellipsoid

   module procedure mass_add_box
      if (.not. is_vector('edges', edges, stat, errmsg)) return
      if (.not. is_place(position, orientation, stat, errmsg)) return
      call settle(qi_add_box_mass(mass, edges, position, orientation, self%sum), stat, errmsg)
   end procedure mass_add_box

   module procedure mass_add_cylinder
      if (.not. is_place(position, orientation, stat, errmsg)) return
      call settle(qi_add_cylinder_mass(mass, radius, length, position, orientation, self%sum), stat, errmsg)
   end procedure mass_add_cylinder

   module procedure mass_add_mesh
      integer(c_size_t) :: n

      n = size(corners, 3, kind=c_size_t)
      if (.not. has_size('corners', shape(corners), [3, 3, int(n)], stat, errmsg)) return
      call settle(qi_add_mesh_mass(density, n, corners, self%sum), stat, errmsg)
   end procedure mass_add_mesh

   module procedure mass_add_inertia
      if (.not. has_size('inertia', shape(inertia), [3, 3], stat, errmsg)) return
      if (.not. is_place(position, orientation, stat, errmsg)) return
      call settle(qi_add_inertia_mass(mass, inertia, position, orientation, self%sum), stat, errmsg)
   end procedure mass_add_inertia

   module procedure mass_get_properties
      mass = 0
      if (.not. is_vector('centre', centre, stat, errmsg)) return
      if (.not. has_size('inertia', shape(inertia), [3, 3], stat, errmsg)) return
      call settle(qi_get_mass_properties(self%sum, mass, centre, inertia), stat, errmsg)
   end procedure mass_get_properties

   logical function is_vector(name, vector, stat, errmsg)
      character(*), intent(in) :: name
      real(c_double), intent(in) :: vector(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      is_vector = has_size(name, shape(vector), [3], stat, errmsg)
   end function is_vector

   logical function is_place(position, orientation, stat, errmsg)
      real(c_double), intent(in) :: position(:)
      real(c_double), intent(in), optional :: orientation(:)
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg

      is_place = is_vector('position', position, stat, errmsg)
      if (is_place .and. present(orientation)) is_place = has_size('orientation', shape(orientation), [4], stat, errmsg)
   end function is_place

end submodule quatint_mass
