! top_by_methods.f90: how far a heavy top is off after 5 seconds, and its energy after 500 seconds, by method and step.
! docs/methods.md says which method to take.
program top_by_method
   use, intrinsic :: iso_fortran_env, only: dp => real64
   use quatint
   implicit none
   real(dp), parameter :: inertia(3, 3) = reshape([1.0_dp, 0.0_dp, 0.0_dp, &
      0.0_dp, 1.0_dp, 0.0_dp,  0.0_dp, 0.0_dp, 0.5_dp], [3, 3])
   type(qi_method_t), parameter :: methods(5) = [QI_METHOD_PCDM, QI_METHOD_SPLITTING, QI_METHOD_CF4, QI_METHOD_SPLITTING_4, &
      QI_METHOD_SPLITTING_6]
   character(*), parameter :: names(5) = ['PCDM       ', 'SPLITTING  ', 'CF4        ', 'SPLITTING_4', 'SPLITTING_6']
   real(dp), parameter :: steps(3) = [0.04_dp, 0.02_dp, 0.01_dp]
   real(dp) :: exact(4), q(4), start, energy, error(3)
   integer :: i, k, status

   call spin(QI_METHOD_SPLITTING_6, 0.001_dp, 5, exact, energy)
   call spin(QI_METHOD_PCDM, 0.001_dp, 0, q, start)
   print '(a)', 'dt              0.04      0.02      0.01   energy error after 500 s'
   do k = 1, 5
      do i = 1, 3
         call spin(methods(k), steps(i), 5, q, energy)
         status = qi_orientation_angle(q, exact, error(i))
      end do
      call spin(methods(k), steps(3), 500, q, energy)
      print '(a, 3es10.1, a, es12.1)', names(k), error, ' rad', energy/start - 1
   end do

contains

   subroutine spin(method, dt, seconds, q, energy)
      type(qi_method_t), intent(in) :: method
      integer, intent(in) :: seconds
      real(dp), intent(in) :: dt
      real(dp), intent(out) :: q(4), energy
      type(qi_body_t) :: top

      if (qi_orientation_from_axis_angle([1.0_dp, 0.0_dp, 0.0_dp], 0.3_dp, q) /= QI_OK) error stop
      call top%create(inertia, q, [0.0_dp, -6.0_dp, 19.0_dp])
      call top%set_uniform_field_torque([0.0_dp, 0.0_dp, 1.0_dp], [0.0_dp, 0.0_dp, -9.81_dp]) ! its weight
      call top%set_method(method)
      call top%advance(dt, nint(seconds/dt))
      call top%get_orientation(q)
      call top%get_kinetic_energy(energy)
      energy = energy + 9.81_dp*(1 - 2*(q(2)**2 + q(3)**2)) ! the height of the centre of mass
   end subroutine spin

end program top_by_method

! It prints:
! dt              0.04      0.02      0.01   energy error after 500 s
! PCDM          5.5E-01   1.4E-01   3.2E-02 rad     1.3E-02
! SPLITTING     2.4E-03   6.1E-04   1.5E-04 rad    -8.0E-07
! CF4           5.8E-03   3.6E-04   2.2E-05 rad    -7.4E-06
! SPLITTING_4   1.0E-08   7.5E-10   4.9E-11 rad     8.8E-14
! SPLITTING_6   7.2E-11   1.1E-12   1.8E-14 rad    -7.8E-16
