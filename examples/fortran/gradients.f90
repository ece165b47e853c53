! gradients.f90: fibres are carried by a row of eddies, and turn as the fluid around them does.
! `gradients(k, j, i)` is the derivative of velocity component j along axis k at body i:
! `gradients(:, :, i)` is the transpose of the `velocity_gradient` of `set_shear_flow_torque`. With
! `transposed=.true.` it is `gradients(j, k, i)`, which is also how OpenFOAM has them. The array may be a section, or lie in records: `call e%bind_flow_gradients(p(1)%g, p(2)%g)`. See
! docs/torques.md.
program eddies
   use, intrinsic :: iso_fortran_env, only: dp => real64
   use quatint
   implicit none
   integer, parameter :: n = 200
   real(dp), parameter :: dt = 0.01_dp, at_rest(3, 3) = 0
   real(dp), target :: gradients(3, 3, n)
   real(dp) :: x(2, n), q(4, n), moments(3)
   integer :: i, step
   type(qi_ensemble_t) :: fibres

   x = reshape([(0.03_dp*i, 0.5_dp + 0.01_dp*i, i=1, n)], [2, n])
   moments = [0.01_dp, 0.1_dp, 0.1_dp]
   call fibres%create(n)
   call fibres%set_principal_inertias(moments)
   call fibres%set_shear_flow_torque([0.5_dp, 0.1_dp, 0.1_dp], 1.0_dp, at_rest)
   gradients = 0
   call fibres%bind_flow_gradients(gradients)
   do step = 1, 1000
      do i = 1, n   ! the velocity is (sin x cos y, -cos x sin y, 0)
         associate (sx => sin(x(1, i)), cx => cos(x(1, i)), sy => sin(x(2, i)), cy => cos(x(2, i)))
            gradients(1, 1, i) = cx*cy    ! of component 1 along axis 1
            gradients(2, 1, i) = -sx*sy   ! of component 1 along axis 2
            gradients(1, 2, i) = sx*sy    ! of component 2 along axis 1
            gradients(2, 2, i) = -cx*cy   ! of component 2 along axis 2
            x(:, i) = x(:, i) + dt*[sx*cy, -cx*sy]
         end associate
      end do
      call fibres%step(dt)
      if (mod(step, 250) == 0) then
         call fibres%get_orientations(q)
         print '(a, f5.1, a, f7.4, a, 2f8.4)', 't =', step*dt, '   mean alignment with x', &
            sum((1 - 2*(q(3, :)**2 + q(4, :)**2))**2)/n, '   the last fibre', q(1, n), q(4, n)
      end if
   end do
   call fibres%destroy()
end program eddies

! It prints:
! t =  2.5   mean alignment with x 0.3989   the last fibre  0.9955 -0.0944
! t =  5.0   mean alignment with x 0.4505   the last fibre  0.9875 -0.1575
! t =  7.5   mean alignment with x 0.5712   the last fibre  0.6769 -0.7361
! t = 10.0   mean alignment with x 0.5112   the last fibre  0.0727 -0.9974
