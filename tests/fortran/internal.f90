!> A counterexample: an internal procedure passed as a torque. The compiler calls it through code on the stack.
module internal
   use check
   implicit none

contains

   subroutine count_calls(body, calls)
      type(qi_body_t), intent(inout) :: body
      integer, intent(out) :: calls

      calls = 0
      call body%set_torque(counted)
      call body%step(0.1_dp)
      call body%clear_torque()

   contains

      subroutine counted(time, orientation, angular_velocity, torque, data, stat)
         real(dp), intent(in) :: time, orientation(4), angular_velocity(3)
         real(dp), intent(inout) :: torque(3)
         class(*), intent(inout) :: data
         integer, intent(inout) :: stat

         calls = calls + 1
      end subroutine counted

   end subroutine count_calls

end module internal
