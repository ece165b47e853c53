!> Orientations from given angular velocities, beside the closed form of a coning motion.
module conings
   use check
   implicit none

   type, extends(qi_rate_t) :: coning_t
      real(dp) :: amplitude = 0
      integer :: calls = 0, fail_at = 0
   contains
      procedure :: evaluate => coning_rate
   end type coning_t

   type :: amplitude_t
      real(dp) :: amplitude = 0
   end type amplitude_t

contains

   subroutine coning_rate(self, time, angular_velocity, stat)
      class(coning_t), intent(inout) :: self
      real(dp), intent(in) :: time
      real(dp), intent(inout) :: angular_velocity(3)
      integer, intent(inout) :: stat

      self%calls = self%calls + 1
      if (self%calls == self%fail_at) stat = 7
      angular_velocity(:2) = self%amplitude*[cos(3*time), sin(3*time)]
   end subroutine coning_rate

   subroutine coning(time, angular_velocity, data, stat)
      real(dp), intent(in) :: time
      real(dp), intent(inout) :: angular_velocity(3)
      class(*), intent(inout) :: data
      integer, intent(inout) :: stat

      select type (data)
      type is (amplitude_t)
         angular_velocity(:2) = data%amplitude*[cos(3*time), sin(3*time)]
      class default
         stat = 5
      end select
   end subroutine coning

end module conings

program test_attitude
   use check
   use conings
   implicit none
   real(dp), parameter :: start(4) = [0.5_dp, -0.1_dp, 0.7_dp, 0.5_dp]
   real(dp), parameter :: in_body(4) = [0.38577307636891406_dp, 0.043578453853795565_dp, &
      0.6932969186910561_dp, 0.6071403745774642_dp]
   real(dp), parameter :: in_world(4) = [0.5962913350399517_dp, 0.037682495356439624_dp, &
      0.7112801869859638_dp, 0.3702663485940847_dp]

   call by_functions()
   call by_samples()
   call refusals()
   call finish()

contains

   logical function near_to(a, b, tolerance)
      real(dp), intent(in) :: a(4), b(4), tolerance

      near_to = all(abs(a - b) < tolerance)
   end function near_to

   subroutine by_functions()
      type(coning_t) :: spinning
      type(amplitude_t) :: data
      real(dp) :: q(4), many(4, 2), coarse

      q = start
      spinning = coning_t(amplitude=0.8_dp)
      call qi_turn(q, 0.2_dp, 4.2_dp, 1000, spinning, QI_FRAME_BODY)
      call ok(near_to(q, in_body, 5e-12_dp), 'an object turns as the closed form says')
      call ok(spinning%calls == 2000, 'two calls a step')
      data = amplitude_t(0.8_dp)
      call qi_turn(q, 4.2_dp, 0.2_dp, 1000, coning, QI_FRAME_BODY, data)
      call ok(near_to(q, start, 5e-12_dp), 'and a procedure turns it back')
      call qi_turn(q, 0.2_dp, 4.2_dp, 1000, coning, data=data)
      call ok(near_to(q, in_world, 5e-12_dp), 'the world frame is the default')

      many(:, 1) = 7
      many(:, 2) = start
      call qi_turn(many(:, 2), 0.2_dp, 4.2_dp, 50, coning, QI_FRAME_BODY, data)
      coarse = maxval(abs(many(:, 2) - in_body))
      call ok(all(abs(many(:, 1) - 7) <= 0), 'an orientation may be a section')
      q = start
      call qi_turn(q, 0.2_dp, 4.2_dp, 100, coning, QI_FRAME_BODY, data)
      call ok(abs(coarse/maxval(abs(q - in_body)) - 16) < 1, 'half the step has a sixteenth of the error')
      spinning%fail_at = spinning%calls + 1
      q = start
      call qi_turn(q, 1.0_dp, 1.0_dp, 5, spinning)
      call ok(all(abs(q - start) <= 0), 'where no time passes nothing turns, and nothing is asked')
   end subroutine by_functions

   subroutine by_samples()
      real(dp) :: q(4), samples(3, 401), rate(4)
      integer :: n

      samples = 0
      do n = 0, 400
         samples(:2, n + 1) = 0.8_dp*[cos(3*(0.2_dp + 0.01_dp*n)), sin(3*(0.2_dp + 0.01_dp*n))]
      end do
      q = start
      call qi_turn_through(q, samples, 0.01_dp, QI_FRAME_BODY)
      call ok(near_to(q, in_body, 5e-9_dp), 'samples turn as the closed form says')
      call qi_turn_through(q, samples(:, 401:1:-1), -0.01_dp, QI_FRAME_BODY)
      call ok(near_to(q, start, 1e-14_dp), 'and back')
      call qi_turn_through(q, samples, 0.01_dp)
      call ok(near_to(q, in_world, 5e-9_dp), 'also in the world frame')
      call ok(qi_orientation_rate(2*start, [0.3_dp, -0.7_dp, 1.1_dp], rate) == QI_OK, 'a derivative of any length')
      call ok(near_to(rate, [-0.03_dp, -0.97_dp, -0.61_dp, 0.69_dp], 1e-15_dp), 'is that of the rotation')
   end subroutine by_samples

   subroutine refusals()
      type(coning_t) :: spinning
      real(dp) :: q(4), samples(3, 5)
      character(200) :: errmsg
      integer :: stat

      q = start
      samples = 1
      spinning = coning_t(amplitude=0.8_dp, fail_at=5)
      call qi_turn(q, 0.0_dp, 1.0_dp, 100, spinning, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_CALLBACK, errmsg, 'the rate callback returned 7 at time 0.02', 'a rate that stops')
      call qi_turn(q, 0.0_dp, 1.0_dp, 100, coning, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_CALLBACK, errmsg, 'returned 5', 'a rate without its data')
      call qi_turn(q, 0.0_dp, 1.0_dp, 0, spinning, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`steps`', 'no steps')
      call qi_turn(q, 0.0_dp, 1.0_dp, -1, spinning, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`steps` is negative', 'negative steps')
      call qi_turn(q(:3), 0.0_dp, 1.0_dp, 1, spinning, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`orientation` has the shape (3)', 'three numbers for an orientation')
      q = 2*start
      call qi_turn(q, 0.0_dp, 1.0_dp, 1, spinning, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_ORIENTATION, errmsg, '`orientation`', 'no unit quaternion')
      q = start
      call qi_turn_through(q, samples(:2, :), 0.1_dp, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`angular_velocities` has the shape (2, 5)', 'samples of two numbers')
      call qi_turn_through(q, samples(:, :1), 0.1_dp, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_INVALID, errmsg, '`samples` must be at least 2', 'one sample')
      samples(2, 3) = nan()
      call qi_turn_through(q, samples, 0.1_dp, stat=stat, errmsg=errmsg)
      call refused(stat, QI_ERR_NON_FINITE, errmsg, '`angular_velocities[7]`', 'a sample that is not a number')
      call ok(all(abs(q - start) <= 0), 'the orientation is as it was')
   end subroutine refusals

end program test_attitude
