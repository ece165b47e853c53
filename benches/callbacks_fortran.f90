! callbacks_fortran.f90: the Fortran contenders of the benchmark callbacks.c. They do the same work as the C contenders: one
! heavy top of one_body.c; 4096 tops with a callback in columns; 100000 tops in q(4,n), omega(3,n).
module callbacks_fortran
   use, intrinsic :: iso_c_binding, only: c_f_pointer, c_loc, c_ptr, dp => c_double
   use quatint
   implicit none
   private

   integer, parameter :: STEPS = 20000, COUNT = 4096, ENSEMBLE_STEPS = 50, BOUND_COUNT = 100000, BOUND_STEPS = 4
   real(dp), parameter :: H = 1e-3_dp
   real(dp), parameter :: INERTIA(3, 3) = reshape([1.0_dp, 0.0_dp, 0.0_dp,  0.0_dp, 2.0_dp, 0.0_dp, &
      0.0_dp, 0.0_dp, 3.0_dp], [3, 3])
   real(dp), parameter :: OMEGA_0(3) = [1.0_dp, 1.0_dp, 1.0_dp]

   type :: bound_t
      type(qi_ensemble_t) :: ensemble
      real(dp) :: q(4, BOUND_COUNT), omega(3, BOUND_COUNT)
   end type bound_t

contains

   !> Weight of a heavy top, (R e3) x (0, 0, -1).
   subroutine weight(time, orientation, angular_velocity, torque, data, stat)
      real(dp), intent(in) :: time, orientation(4), angular_velocity(3)
      real(dp), intent(inout) :: torque(3)
      class(*), intent(inout) :: data
      integer, intent(inout) :: stat

      associate (w => orientation(1), x => orientation(2), y => orientation(3), z => orientation(4))
         torque(1) = -2*(y*z - w*x)
         torque(2) = 2*(x*z + w*y)
      end associate
   end subroutine weight

   subroutine weights(time, first, count, orientation, angular_velocity, torque, data, stat)
      real(dp), intent(in) :: time
      integer, intent(in) :: first, count
      real(dp), intent(in) :: orientation(4, count), angular_velocity(3, count)
      real(dp), intent(inout) :: torque(3, count)
      class(*), intent(inout) :: data
      integer, intent(inout) :: stat
      integer :: i

      do i = 1, count
         associate (w => orientation(1, i), x => orientation(2, i), y => orientation(3, i), z => orientation(4, i))
            torque(1, i) = -2*(y*z - w*x)
            torque(2, i) = 2*(x*z + w*y)
         end associate
      end do
   end subroutine weights

   subroutine weights_soa(time, first, count, orientation, angular_velocity, torque, data, stat)
      real(dp), intent(in) :: time
      integer, intent(in) :: first, count
      real(dp), intent(in) :: orientation(count, 4), angular_velocity(count, 3)
      real(dp), intent(inout) :: torque(count, 3)
      class(*), intent(inout) :: data
      integer, intent(inout) :: stat

      associate (w => orientation(:, 1), x => orientation(:, 2), y => orientation(:, 3), z => orientation(:, 4))
         torque(:, 1) = -2*(y*z - w*x)
         torque(:, 2) = 2*(x*z + w*y)
      end associate
   end subroutine weights_soa

   type(c_ptr) function fortran_make() bind(C)
      type(qi_body_t), pointer :: body

      allocate (body)
      call body%create(INERTIA, angular_velocity=OMEGA_0)
      call body%set_torque(weight)
      fortran_make = c_loc(body)
   end function fortran_make

   subroutine fortran_run(context) bind(C)
      type(c_ptr), value :: context
      type(qi_body_t), pointer :: body
      integer :: i

      call c_f_pointer(context, body)
      do i = 1, STEPS
         call body%step(H)
      end do
   end subroutine fortran_run

   type(c_ptr) function fortran_ensemble_make() bind(C)
      type(qi_ensemble_t), pointer :: ensemble

      allocate (ensemble)
      call ensemble%create(COUNT)
      call ensemble%set_inertias(INERTIA)
      call ensemble%set_angular_velocities(OMEGA_0)
      call ensemble%set_torque_soa(weights_soa)
      fortran_ensemble_make = c_loc(ensemble)
   end function fortran_ensemble_make

   subroutine fortran_ensemble_run(context) bind(C)
      type(c_ptr), value :: context
      type(qi_ensemble_t), pointer :: ensemble
      integer :: i

      call c_f_pointer(context, ensemble)
      do i = 1, ENSEMBLE_STEPS
         call ensemble%step(H)
      end do
   end subroutine fortran_ensemble_run

   type(c_ptr) function fortran_bound_make() bind(C)
      type(bound_t), pointer :: bound

      allocate (bound)
      bound%q = 0
      bound%q(1, :) = 1
      bound%omega = 1
      call bound%ensemble%create(BOUND_COUNT)
      call bound%ensemble%set_inertias(INERTIA)
      call bound%ensemble%bind_orientations(bound%q)
      call bound%ensemble%bind_angular_velocities(bound%omega)
      call bound%ensemble%set_torque(weights)
      fortran_bound_make = c_loc(bound)
   end function fortran_bound_make

   subroutine fortran_bound_run(context) bind(C)
      type(c_ptr), value :: context
      type(bound_t), pointer :: bound
      integer :: i

      call c_f_pointer(context, bound)
      do i = 1, BOUND_STEPS
         call bound%ensemble%step(H)
      end do
   end subroutine fortran_bound_run

end module callbacks_fortran
