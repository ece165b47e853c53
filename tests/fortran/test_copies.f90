!> The ways in which Fortran copies an object bit by bit, without a procedure of ours: a copy owns nothing, does nothing and frees
!! nothing, and the original goes on. stops.f90 has the ways that end the program.
module holders
   use quatint
   use check, only: dp, moments
   implicit none

   type :: holder_t
      type(qi_body_t) :: body
      integer :: id = 0
   end type holder_t

   type :: crowd_t
      type(qi_body_t), allocatable :: bodies(:)
   end type crowd_t

contains

   subroutine start(body)
      type(qi_body_t), intent(inout) :: body

      call body%create(moments, angular_velocity=[0.1_dp, 0.2_dp, 0.3_dp])
   end subroutine start

   !> The object is finalized on entry, or made anew.
   subroutine make_anew(body)
      type(qi_body_t), intent(out) :: body

      call start(body)
   end subroutine make_anew

   logical function exists_by_value(body)
      type(qi_body_t), value :: body

      exists_by_value = body%exists()
   end function exists_by_value

   !> Elements that are not side by side are copied in and out.
   subroutine step_all(bodies, stats)
      type(qi_body_t), intent(inout) :: bodies(2)
      integer, intent(out) :: stats(2)
      integer :: i

      do i = 1, 2
         call bodies(i)%step(0.1_dp, stats(i))
      end do
   end subroutine step_all

   !> The same, with new bodies. They would be lost when the elements are copied out.
   subroutine create_all(bodies, stats)
      type(qi_body_t), intent(inout) :: bodies(2)
      integer, intent(out) :: stats(2)
      integer :: i

      do i = 1, 2
         call bodies(i)%create(moments, stat=stats(i))
      end do
   end subroutine create_all

   !> An array whose shape is assumed is not copied.
   subroutine step_all_in_place(bodies)
      type(qi_body_t), intent(inout) :: bodies(:)
      integer :: i

      do i = 1, size(bodies)
         call bodies(i)%step(0.1_dp)
      end do
   end subroutine step_all_in_place

end module holders

program test_copies
   use check
   use holders
   implicit none

   call copies_by_allocation()
   call copies_of_ensembles()
   call copies_in_components()
   call copies_as_arguments()
   call what_is_no_copy()
   call finish()

contains

   !> The original is as it was, and the copy is refused.
   subroutine expect_empty(copy, original, how)
      type(qi_body_t), intent(inout) :: copy, original
      character(*), intent(in) :: how
      integer :: stat
      character(200) :: errmsg

      call copy%step(0.1_dp, stat, errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'a copy, which owns nothing', 'a body copied by '//how//' is refused')
      call ok(.not. copy%exists(), 'it does not exist')
      call original%step(0.1_dp, stat)
      call ok(stat == QI_OK .and. original%exists(), 'and the original goes on')
   end subroutine expect_empty

   subroutine copies_by_allocation()
      type(qi_body_t) :: body
      type(qi_body_t), allocatable :: copy, others(:)
      class(qi_body_t), allocatable :: any_copy
      integer :: i, stat
      character(200) :: errmsg

      call start(body)
      call body%set_torque(weight)
      allocate (copy, source=body)
      call expect_empty(copy, body, 'source=')
      call copy%destroy()
      call ok(body%exists(), 'destroy leaves the original')
      deallocate (copy)
      call ok(body%exists(), 'and so does deallocate')
      allocate (copy, source=body)
      call copy%create(moments, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'the variable holds a copy of a body', 'no body is created in a copy')
      call copy%destroy()
      call start(copy)
      call ok(copy%exists(), 'what was a copy may become a body')
      call copy%move_to(body)
      call ok(body%exists() .and. .not. copy%exists(), 'and then move')
      allocate (others(3), source=body)
      do i = 1, 3
         call expect_empty(others(i), body, 'source= to an array')
      end do
      call body%move_to(others(2))
      call ok(others(2)%exists() .and. .not. body%exists(), 'a body may move to its copy')
      allocate (any_copy, source=others(2))
      call ok(.not. any_copy%exists() .and. others(2)%exists(), 'a polymorphic copy is empty')
      deallocate (copy)
      allocate (copy, mold=others(2))
      call ok(.not. copy%exists(), 'mold= copies nothing')
      call start(copy)
      call ok(copy%exists(), 'and makes a variable like any other')
   end subroutine copies_by_allocation

   subroutine copies_of_ensembles()
      type(qi_ensemble_t) :: e
      type(qi_ensemble_t), allocatable :: copy
      integer :: stat
      character(200) :: errmsg

      call e%create(5)
      call e%set_torque(weights)
      allocate (copy, source=e)
      call copy%step(0.1_dp, stat, errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'a copy, which owns nothing', 'an ensemble copied by source= is refused')
      call copy%create(3, stat, errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, 'the variable holds a copy of an ensemble', 'none is created in it')
      call copy%set_orientations([1.0_dp, 0.0_dp, 0.0_dp, 0.0_dp], stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_NULL, errmsg, 'a copy, which owns nothing', 'whatever it is asked')
      call ok(copy%count() == 0 .and. .not. copy%exists(), 'it has no bodies')
      deallocate (copy)
      call e%step(0.1_dp)
      call ok(e%exists(), 'and the original goes on')
   end subroutine copies_of_ensembles

   subroutine copies_in_components()
      type(holder_t) :: holder
      type(holder_t), allocatable :: copy
      type(crowd_t) :: crowd
      type(crowd_t), allocatable :: crowd_copy

      call start(holder%body)
      allocate (copy, source=holder)
      call expect_empty(copy%body, holder%body, 'source= of a type that holds it')
      deallocate (copy)
      call holder%body%step(0.1_dp)
      allocate (copy, source=holder_t(holder%body, 3))
      call expect_empty(copy%body, holder%body, 'a structure constructor')
      allocate (crowd%bodies(2))
      call start(crowd%bodies(1))
      call start(crowd%bodies(2))
      allocate (crowd_copy, source=crowd)
      call expect_empty(crowd_copy%bodies(2), crowd%bodies(2), 'source= of a type with an array of them')
   end subroutine copies_in_components

   subroutine copies_as_arguments()
      type(qi_body_t) :: body, bodies(3)
      integer :: i, stats(2)

      call start(body)
      call ok(.not. exists_by_value(body) .and. body%exists(), 'a body passed by value is an empty copy')
      do i = 1, 3
         call start(bodies(i))
      end do
      call step_all(bodies(1:3:2), stats)
      call ok(all(stats == QI_ERR_NULL), 'elements that the compiler copies in are refused')
      call ok(all(bodies%exists()), 'and are as they were after they are copied out')
      call create_all(bodies(1:3:2), stats)
      call ok(all(stats == QI_ERR_INVALID) .and. all(bodies%exists()), 'also where new ones should take their place')
      call step_all(bodies(1:2), stats)
      call ok(all(stats == QI_OK), 'elements that it does not copy are bodies')
      call step_all_in_place(bodies(1:3:2))
      call ok(.true., 'in an array of assumed shape, too')
   end subroutine copies_as_arguments

   subroutine what_is_no_copy()
      type(qi_body_t), allocatable :: bodies(:), moved(:)
      type(qi_body_t) :: body, empty
      integer :: i

      allocate (bodies(2))
      do i = 1, 2
         call start(bodies(i))
      end do
      call move_alloc(bodies, moved)
      call ok(all(moved%exists()), 'move_alloc takes bodies along')
      call moved(2)%step(0.1_dp)
      call body%destroy()
      call make_anew(body)
      call ok(body%exists(), 'an intent(out) argument may become a body')
      empty = nobody()
      call ok(.true., 'an assignment of no body to no body')
   end subroutine what_is_no_copy

   !> A variable without a body.
   function nobody() result(body)
      type(qi_body_t) :: body

      call body%destroy()
   end function nobody

end program test_copies
