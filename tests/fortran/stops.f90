!> Cases that stop with an error because `stat` is absent: `stops CASE`.
program stops
   use check
   implicit none

   type :: particle_t
      type(qi_body_t) :: body
      integer :: id = 0
   end type particle_t
   type :: crowd_t
      type(qi_body_t), allocatable :: bodies(:)
   end type crowd_t
   type :: torques_t
      real(dp), allocatable :: torque(:, :)
   end type torques_t
   type(torques_t) :: forgotten
   integer, target :: code = 0
   type(qi_body_t) :: body, other, bodies(2)
   type(qi_ensemble_t) :: ensemble, second
   type(particle_t) :: p, q
   type(crowd_t) :: crowd, same_crowd
   type(qi_body_t), allocatable :: copy, more(:)
   type(orders_t), target :: orders
   real(dp) :: bad(3, 3), narrow(3, 5)
   character(50) :: what
   logical :: happened

   call get_command_argument(1, what)
   call body%create(moments)
   call ensemble%create(5)
   select case (what)
   case ('inertia')
      bad = 0
      bad(1, 1) = -1
      call other%create(bad)
   case ('callback')
      orders%at_call = 1
      orders%stop_with = 3
      call body%set_torque(weight, orders)
      call body%step(0.1_dp)
   case ('event')
      orders%at_call = 1
      orders%stop_with = 4
      call body%solve_until(1.0_dp, 1e-9_dp, rise, happened, data=orders)
   case ('tolerance')
      call body%solve(1.0_dp, nan())
   case ('nan in a torque')
      orders%bad_body = 4
      call ensemble%set_torque(weights, orders)
      call ensemble%step(0.1_dp)
   case ('copy')
      other = body
   case ('copy onto')
      body = other
   case ('copy in an array')
      bodies(1) = other
      bodies = body
   case ('copy in a component')
      call p%body%create(moments)
      q = p
   case ('copy of an array in a component')
      allocate (crowd%bodies(2))
      call crowd%bodies(2)%create(moments)
      same_crowd = crowd
      call same_crowd%bodies(2)%step(0.1_dp)
   case ('copy by a structure constructor')
      q = particle_t(body, 1)
   case ('copy by an array constructor')
      allocate (more(2))
      more = [body, other]
   case ('copy of the result of a function')
      other = made()
   case ('copy of a copy')
      allocate (copy, source=body)
      other = copy
   case ('result of a function as a source')
      allocate (copy, source=made())
      call copy%step(0.1_dp)
   case ('moved copy')
      allocate (copy, source=body)
      call copy%move_to(other)
   case ('copy of an ensemble')
      second = ensemble
   case ('moved')
      call body%move_to(other)
      call body%step(0.1_dp)
   case ('destroyed')
      call ensemble%destroy()
      call ensemble%step(0.1_dp)
   case ('never created')
      call second%set_orientations([1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp])
   case ('unallocated')
      call ensemble%kick(0.1_dp, forgotten%torque)
   case ('unallocated, with a drift')
      call ensemble%kick_drift(0.1_dp, 0.1_dp, forgotten%torque)
   case ('stat for data')
      call body%set_torque(weight, code)
   case ('matrix of another size')
      call other%create(narrow)
   case ('shape')
      narrow = 0
      call ensemble%set_orientations(narrow)
   end select
   print '(a)', 'it goes on'

contains

   function made() result(body)
      type(qi_body_t) :: body

      call body%create(moments)
   end function made

end program stops
