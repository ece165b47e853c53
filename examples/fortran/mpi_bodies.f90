! mpi_bodies.f90: bodies that move between the ranks of an MPI program. The bits do not depend on the number of ranks.
!
!     mpirun -n 4 mpi_bodies [bodies [steps [write [read]]]]      default: 1000 100 - -
!
! Magnetised grains fly through a periodic box and turn in a field that depends on place and time. A rank has the grains in its
! slice of the box; every ten steps those that have left it move, with all that the library keeps of them. `write` is a file for
! the final state, `read` one to go on from, to the step `steps` as counted from the initial values; -: none. A file gets its name
! when it is complete on the disk, and holds checksums: a run that is killed while it writes leaves the file of before. The sums
! are exact and the hash is over all bits of all grains: c_examples/mpi_bodies.c prints the same numbers and writes the same file.
module grains
   use, intrinsic :: iso_fortran_env, only: dp => real64, int64
   use quatint
   implicit none
   real(dp), parameter :: strength = 2

   !> The grains of this rank, in the order of its ensemble.
   type :: grains_t
      integer(int64), allocatable :: id(:)        !! from 0
      real(dp), allocatable :: place(:, :)        !! in a periodic box: 0 <= x < 1
      real(dp), allocatable :: velocity(:, :)
      real(dp) :: start = 0                       !! the time of these places
   end type grains_t

contains

   pure elemental real(dp) function wrap(x)
      real(dp), intent(in) :: x

      wrap = x
      if (wrap < 0) wrap = wrap + 1
      if (wrap >= 1) wrap = wrap - 1
   end function wrap

   !> A wave of period 1, near sin(2 pi x), for x >= 0. Without a branch: places are random, so a processor cannot foresee it.
   pure real(dp) function wave(x)
      real(dp), intent(in) :: x
      real(dp) :: s

      s = (x - real(int(x, int64), dp)) - 0.5_dp
      wave = 16*s*(abs(s) - 0.5_dp)
   end function wave

   !> The field turns the long axes, x of the body frame.
   recursive subroutine torques(time, first, count, orientation, angular_velocity, torque, data, stat)
      real(dp), intent(in) :: time
      integer, intent(in) :: first, count
      real(dp), intent(in) :: orientation(4, count), angular_velocity(3, count)
      real(dp), intent(inout) :: torque(3, count)
      class(*), intent(inout) :: data
      integer, intent(inout) :: stat
      real(dp) :: p(3), f(3), d(3)
      integer :: i, body

      select type (data)
      type is (grains_t)
         do i = 1, count
            body = first + i - 1
            p = wrap(data%place(:, body) + (time - data%start)*data%velocity(:, body))
            f = [wave(p(2) + time), wave(p(3) + time), wave(p(1) + time)]
            associate (w => orientation(1, i), x => orientation(2, i), y => orientation(3, i), z => orientation(4, i))
               d = [1 - 2*(y*y + z*z), 2*(x*y + w*z), 2*(x*z - w*y)]
            end associate
            torque(:, i) = [strength*(d(2)*f(3) - d(3)*f(2)), strength*(d(3)*f(1) - d(1)*f(3)), &
               strength*(d(1)*f(2) - d(2)*f(1))]
         end do
      class default
         stat = 1
      end select
   end subroutine torques

end module grains

program mpi_bodies
   use, intrinsic :: iso_fortran_env, only: dp => real64, int64, error_unit
   use, intrinsic :: iso_c_binding, only: c_char, c_int, c_null_char
   use mpi_f08
   use quatint
   use grains
   implicit none
   real(dp), parameter :: dt = 0.01_dp
   integer, parameter :: every = 10   ! steps between migrations
   integer, parameter :: parts = QI_PART_STATE + QI_PART_INERTIA + QI_PART_TORQUE + QI_PART_MEMORY
   integer, parameter :: row_size = 17, record_size = 7 + row_size   ! a record is id, place, velocity and row
   integer, parameter :: header_bytes = 64, record_bytes = 8*record_size
   integer(int64), parameter :: prime = 2147483647
   type(qi_ensemble_t) :: ensemble
   type(grains_t), target :: grain
   type(MPI_Datatype) :: record
   integer(int64) :: bodies, steps, step, changes
   integer :: rank, ranks
   character(:), allocatable :: write_to, read_from

   call MPI_Init()
   call MPI_Comm_rank(MPI_COMM_WORLD, rank)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks)
   call MPI_Type_contiguous(record_size, MPI_DOUBLE_PRECISION, record)
   call MPI_Type_commit(record)
   bodies = number_or(1, 1000_int64)
   steps = number_or(2, 100_int64)
   write_to = word(3)
   read_from = word(4)
   if (bodies < 0) call give_up('the number of bodies is negative')

   step = 0
   changes = 0
   if (read_from == '-') then
      call begin()
   else
      call read_file(read_from)
   end if
   do while (step < steps)
      call ensemble%get_time(grain%start)
      call ensemble%step(dt)
      grain%place = wrap(grain%place + dt*grain%velocity)
      step = step + 1
      if (mod(step, int(every, int64)) == 0) call migrate()
   end do
   if (write_to /= '-') call write_file(write_to)
   call print_results()

   call ensemble%destroy()
   call MPI_Type_free(record)
   call MPI_Finalize()

contains

   !> The initial values of the grains that live here.
   subroutine begin()
      real(dp), allocatable :: q(:, :), omega(:, :), inertia(:, :, :)
      real(dp) :: u(15)
      integer(int64) :: id, n

      n = 0
      do id = 0, bodies - 1
         u = draws(id)
         if (home(u(1)) == rank) n = n + 1
      end do
      allocate (grain%id(n), grain%place(3, n), grain%velocity(3, n), q(4, n), omega(3, n), inertia(3, 3, n))
      n = 0
      do id = 0, bodies - 1
         u = draws(id)
         if (home(u(1)) /= rank) cycle
         n = n + 1
         grain%id(n) = id
         grain%place(:, n) = u(1:3)
         grain%velocity(:, n) = (u(4:6) - 0.5_dp)*0.8_dp
         if (qi_orientation_from_rotation_vector((u(7:9) - 0.5_dp)*6, q(:, n)) /= QI_OK) call give_up('orientation')
         omega(:, n) = (u(10:12) - 0.5_dp)*2
         inertia(:, :, n) = 0
         inertia(1, 1, n) = 1 + u(13)
         inertia(2, 2, n) = 1 + u(14)
         inertia(3, 3, n) = 1 + u(15)
         if (mod(id, 3_int64) /= 0) cycle   ! every third one has principal axes that are not the axes of its frame
         inertia(1, 2, n) = 0.25_dp*u(14)
         inertia(1, 3, n) = 0.25_dp*u(15)
         inertia(2, 3, n) = 0.25_dp*u(13)
         inertia(2, 1, n) = inertia(1, 2, n)
         inertia(3, 1, n) = inertia(1, 3, n)
         inertia(3, 2, n) = inertia(2, 3, n)
      end do
      call ensemble%create(int(n))
      call ensemble%set_inertias(inertia)
      call ensemble%set_orientations(q)
      call ensemble%set_angular_velocities(omega)
      call ensemble%set_method(QI_METHOD_SPLITTING)
      call ensemble%set_torque(torques, grain)
   end subroutine begin

   !> Fifteen numbers between 0 and 1 that belong to a grain, whatever rank asks for them.
   pure function draws(id) result(u)
      integer(int64), intent(in) :: id
      real(dp) :: u(15)
      integer(int64) :: s
      integer :: i

      s = 1 + mod(id*69621 + 2013, 2147483646_int64)
      do i = 1, 15
         s = mod(48271*s, 2147483647_int64)
         u(i) = s/2147483648.0_dp
      end do
   end function draws

   !> The rank in whose slice of the box a grain is.
   pure elemental integer function home(x)
      real(dp), intent(in) :: x

      home = min(int(x*ranks), ranks - 1)
   end function home

   !> Sends the grains that have left this slice to the ranks where they are now.
   subroutine migrate()
      real(dp), allocatable :: leaving(:, :), arriving(:, :)
      integer, allocatable :: leavers(:), stayers(:), newcomers(:)
      integer :: to(ensemble%count()), i

      to = home(grain%place(1, :))
      leavers = pack([(i, i=1, size(to))], to /= rank)
      stayers = pack([(i, i=1, size(to))], to == rank)
      changes = changes + size(leavers)
      allocate (leaving(record_size, size(leavers)))
      call get_records(leavers, leaving)
      call send(leaving, to(leavers), arriving)
      call ensemble%select(stayers)
      call ensemble%resize(size(stayers) + size(arriving, 2))
      newcomers = [(size(stayers) + i, i=1, size(arriving, 2))]
      call ensemble%set_rows(parts, arriving(8:, :), newcomers)
      grain%id = [grain%id(stayers), int(arriving(1, :), int64)]
      grain%place = joined(grain%place(:, stayers), arriving(2:4, :))
      grain%velocity = joined(grain%velocity(:, stayers), arriving(5:7, :))
   end subroutine migrate

   pure function joined(a, b)
      real(dp), intent(in) :: a(:, :), b(:, :)
      real(dp) :: joined(3, size(a, 2) + size(b, 2))

      joined(:, :size(a, 2)) = a
      joined(:, size(a, 2) + 1:) = b
   end function joined

   subroutine get_records(list, records)
      integer, intent(in) :: list(:)
      real(dp), intent(out) :: records(record_size, size(list))

      records(1, :) = real(grain%id(list), dp)
      records(2:4, :) = grain%place(:, list)
      records(5:7, :) = grain%velocity(:, list)
      call ensemble%get_rows(parts, records(8:, :), list)
   end subroutine get_records

   !> Sends each record to a rank, and returns those that come here.
   subroutine send(records, to, received)
      real(dp), intent(in) :: records(:, :)
      integer, intent(in) :: to(:)
      real(dp), allocatable, intent(out) :: received(:, :)
      real(dp), allocatable :: sorted(:, :)
      integer :: leaves(0:ranks - 1), comes(0:ranks - 1), leaves_at(0:ranks - 1), comes_at(0:ranks - 1), r, i, n

      allocate (sorted(record_size, size(to)))
      n = 0
      do r = 0, ranks - 1
         leaves_at(r) = n
         do i = 1, size(to)
            if (to(i) /= r) cycle
            n = n + 1
            sorted(:, n) = records(:, i)
         end do
         leaves(r) = n - leaves_at(r)
      end do
      call MPI_Alltoall(leaves, 1, MPI_INTEGER, comes, 1, MPI_INTEGER, MPI_COMM_WORLD)
      comes_at = [(sum(comes(:r - 1)), r=0, ranks - 1)]
      allocate (received(record_size, sum(comes)))
      call MPI_Alltoallv(sorted, leaves, leaves_at, record, received, comes, comes_at, record, MPI_COMM_WORLD)
   end subroutine send

   !> The first id in the block of a rank, in the file.
   pure integer(int64) function first_of(r)
      integer, intent(in) :: r

      first_of = (r*bodies)/ranks
   end function first_of

   !> Where the record of a grain is in the file, in bytes: after the header of eight words, in the order of the ids.
   pure integer(MPI_OFFSET_KIND) function place_of_record(id)
      integer(int64), intent(in) :: id

      place_of_record = header_bytes + id*record_bytes
   end function place_of_record

   !> Where its checksum is: behind all records, two words for each.
   pure integer(MPI_OFFSET_KIND) function place_of_check(id)
      integer(int64), intent(in) :: id

      place_of_check = place_of_record(bodies) + 16*id
   end function place_of_check

   !> Writes the file under a name at which nobody looks, and puts it in the place of the old one when all is on the disk. `rename`
   !> does that at once: whoever opens the name gets the one or the other, whole.
   subroutine write_file(name)
      character(*), intent(in) :: name
      interface
         integer(c_int) function rename(old, new) bind(C)
            import :: c_char, c_int
            character(kind=c_char), intent(in) :: old(*), new(*)
         end function rename
      end interface

      call write_new_file(name//'.new')
      call MPI_Barrier(MPI_COMM_WORLD)   ! now each rank has its piece on the disk
      if (rank /= 0) return
      if (rename(name//'.new'//c_null_char, name//c_null_char) /= 0) call give_up(name//' cannot be replaced by the new file')
   end subroutine write_file

   !> Each rank writes the records of a block of grains.
   subroutine write_new_file(name)
      character(*), intent(in) :: name
      type(MPI_File) :: file
      real(dp), allocatable :: records(:, :), received(:, :), own(:, :)
      real(dp) :: clock(2)
      integer(int64) :: header(8), place
      integer(int64), allocatable :: checks(:, :)
      integer :: i, n, status

      n = ensemble%count()
      allocate (records(record_size, n), own(record_size, first_of(rank + 1) - first_of(rank)))
      call get_records([(i, i=1, n)], records)
      call send(records, int(((grain%id + 1)*ranks - 1)/bodies), received)   ! the rank whose block has the id
      do i = 1, size(received, 2)
         place = int(received(1, i), int64) - first_of(rank) + 1
         own(:, place) = received(:, i)
      end do
      checks = hashes_of(own)
      call ensemble%get_clock(clock)
      header(:6) = [transfer('QIBODIES', 0_int64), bodies, int(record_size, int64), step, transfer(clock, [0_int64])]
      header(7:) = hash_of_file(header(:6), checks)

      call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, file, status)
      if (status /= MPI_SUCCESS) call give_up('cannot write '//name)
      call MPI_File_set_size(file, place_of_check(bodies), status)
      if (status /= MPI_SUCCESS) call give_up('cannot write '//name)
      if (rank == 0) then
         call MPI_File_write_at(file, 0_MPI_OFFSET_KIND, header, 8, MPI_INT64_T, MPI_STATUS_IGNORE, status)
         if (status /= MPI_SUCCESS) call give_up('cannot write '//name)
      end if
      call MPI_File_write_at_all(file, place_of_record(first_of(rank)), own, size(own, 2), record, MPI_STATUS_IGNORE, status)
      if (status /= MPI_SUCCESS) call give_up('cannot write '//name)
      call MPI_File_write_at_all(file, place_of_check(first_of(rank)), checks, size(checks), MPI_INT64_T, MPI_STATUS_IGNORE, status)
      if (status /= MPI_SUCCESS) call give_up('cannot write '//name)
      call MPI_File_sync(file, status)
      if (status /= MPI_SUCCESS) call give_up('cannot write '//name)
      call MPI_File_close(file, status)
      if (status /= MPI_SUCCESS) call give_up('cannot write '//name)
   end subroutine write_new_file

   !> Each rank reads a block and sends its records to where the grains are.
   subroutine read_file(name)
      character(*), intent(in) :: name
      type(MPI_File) :: file
      real(dp), allocatable :: own(:, :), received(:, :)
      character(:), allocatable :: fault
      integer(int64) :: header(8), first
      integer(int64), allocatable :: checks(:, :)
      integer(MPI_OFFSET_KIND) :: bytes
      integer :: status, i

      call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, file, status)
      if (status /= MPI_SUCCESS) call give_up('cannot read '//name)
      header = 0
      call MPI_File_get_size(file, bytes, status)
      if (status == MPI_SUCCESS .and. bytes >= header_bytes) &
         call MPI_File_read_at_all(file, 0_MPI_OFFSET_KIND, header, 8, MPI_INT64_T, MPI_STATUS_IGNORE, status)
      if (status /= MPI_SUCCESS) call give_up('cannot read '//name)
      call check_header(name, header, bytes)

      first = first_of(rank)
      allocate (own(record_size, first_of(rank + 1) - first), checks(2, first_of(rank + 1) - first))
      call MPI_File_read_at_all(file, place_of_record(first), own, size(own, 2), record, MPI_STATUS_IGNORE, status)
      if (status /= MPI_SUCCESS) call give_up('cannot read '//name)
      call MPI_File_read_at_all(file, place_of_check(first), checks, size(checks), MPI_INT64_T, MPI_STATUS_IGNORE, status)
      if (status /= MPI_SUCCESS) call give_up('cannot read '//name)
      call MPI_File_close(file)
      do i = 1, size(own, 2)
         fault = fault_of(first + i - 1, own(:, i), checks(:, i))
         if (fault /= '') call give_up(name//': record '//decimal(first + i - 1)//': '//fault)
      end do
      if (any(hash_of_file(header(:6), checks) /= header(7:))) &
         call give_up(name//' has a wrong checksum: the header is damaged, or some records are of another file')
      step = header(4)

      call send(own, home(own(2, :)), received)
      grain%id = int(received(1, :), int64)
      grain%place = received(2:4, :)
      grain%velocity = received(5:7, :)
      call ensemble%create(size(received, 2))
      call ensemble%set_clock(transfer(header(5:6), [0.0_dp]))
      call ensemble%set_torque(torques, grain)
      call ensemble%set_method(QI_METHOD_SPLITTING)
      call ensemble%set_rows(parts, received(8:, :), stat=status)   ! last: setting the others forgets the last torque
      if (status == QI_OK) return
      i = qi_error_body()
      if (i < 1) call give_up(qi_text(qi_last_error()))
      call give_up(name//': record '//decimal(grain%id(i))//': '//qi_text(qi_last_error_cause()))
   end subroutine read_file

   !> Gives up if a header is not one to go on from.
   subroutine check_header(name, header, bytes)
      character(*), intent(in) :: name
      integer(int64), intent(in) :: header(8)
      integer(MPI_OFFSET_KIND), intent(in) :: bytes
      real(dp) :: clock(2), time

      if (header(1) /= transfer('QIBODIES', 0_int64)) call give_up(name//' is not a file of this program')
      if (header(3) /= record_size) call give_up(name//' has records of another size')
      if (header(2) /= bodies) call give_up(name//' has another number of bodies')
      if (bytes /= place_of_check(bodies)) call give_up(name//' has not the length of a complete file')
      if (header(4) < 0 .or. header(4) > steps) &
         call give_up(name//' is of a step that is negative, or beyond the last one asked for')
      clock = transfer(header(5:6), clock)
      time = header(4)*dt
      if (.not. all(abs(clock - [time, 0.0_dp]) <= 1e-9_dp*(1 + time))) &
         call give_up(name//' has a clock that does not fit its step')
   end subroutine check_header

   !> What is wrong with a record; nothing: ''. `set_rows` will check its row: orientation, inertia and so on.
   function fault_of(id, record, check) result(fault)
      integer(int64), intent(in) :: id, check(2)
      real(dp), intent(in) :: record(record_size)
      character(:), allocatable :: fault

      fault = ''
      if (.not. abs(record(1) - id) <= 0) then   ! NaN is not <= 0, either
         fault = 'its id is not its place in the file'
      else if (.not. all(record(2:4) >= 0 .and. record(2:4) < 1)) then
         fault = 'its place is not in the box, 0 <= x < 1'
      else if (.not. all(abs(record(5:7))*dt <= 1)) then
         fault = 'its velocity is no number, or more than the box in a step'
      else if (any(abs(record) > huge(1.0_dp))) then
         fault = 'it has an infinite number'   ! NaN may be: no torque is kept yet
      else if (any(hashes_of(reshape(record, [record_size, 1])) /= reshape(check, [2, 1]))) then
         fault = 'its checksum is not that of its contents'
      end if
   end function fault_of

   subroutine print_results()
      integer(int64) :: sums(QI_SUM_SIZE, 4), hash(2), total
      real(dp) :: totals(4), time
      real(dp), allocatable :: records(:, :)
      integer :: i

      call ensemble%get_kinetic_energy_sums(sums(:, 1))
      call ensemble%get_angular_momentum_sums(sums(:, 2:4))
      call MPI_Allreduce(MPI_IN_PLACE, sums, size(sums), MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD)
      do i = 1, 4
         call qi_get_sum_value(sums(:, i), totals(i))
      end do
      allocate (records(record_size, ensemble%count()))
      call get_records([(i, i=1, size(records, 2))], records)
      hash = hash_of_file([integer(int64) ::], hashes_of(records))
      call MPI_Allreduce(changes, total, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD)
      call ensemble%get_time(time)
      if (rank /= 0) return
      print '(a, i0, a, i0)', 'ranks ', ranks, ', changes of rank ', total
      print '(a, i0, a, i0, a, 1x, es23.16e2)', 'bodies ', bodies, ', step ', step, ', time', time
      print '(a, 1x, es23.16e2)', 'energy', totals(1)
      print '(a, 3(1x, es23.16e2))', 'angular momentum', totals(2:4)
      print '(3a)', 'hash ', hexadecimal(hash(1)), hexadecimal(hash(2))
   end subroutine print_results

   !> Goes on with two hashes of words: polynomials in 16 bits at a time. No change of a single 16 bits is lost; any other is with a
   !> chance of 2**(-62).
   pure subroutine hash_words(words, hash)
      integer(int64), intent(in) :: words(:)
      integer(int64), intent(inout) :: hash(2)
      integer(int64), parameter :: factor(2) = [48271_int64, 69621_int64]
      integer :: i, shift

      do i = 1, size(words)
         do shift = 0, 48, 16
            hash = mod(hash*factor + ibits(words(i), shift, 16), prime)
         end do
      end do
   end subroutine hash_words

   !> The hashes of each record, which begin with its id.
   pure function hashes_of(records) result(hashes)
      real(dp), intent(in) :: records(:, :)
      integer(int64) :: hashes(2, size(records, 2))
      integer :: i

      do i = 1, size(records, 2)
         hashes(:, i) = int(records(1, i), int64) + 1
         call hash_words(transfer(records(:, i), [0_int64]), hashes(:, i))
      end do
   end function hashes_of

   !> The hash of a header, and the sum over the records of all ranks: the order of the grains does not matter.
   function hash_of_file(header, hashes) result(hash)
      integer(int64), intent(in) :: header(:), hashes(:, :)
      integer(int64) :: hash(2)
      integer :: i

      hash = 0
      if (rank == 0) call hash_words(header, hash)
      do i = 1, size(hashes, 2)
         hash = mod(hash + hashes(:, i), prime)
      end do
      call MPI_Allreduce(MPI_IN_PLACE, hash, 2, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD)
      hash = mod(hash, prime)
   end function hash_of_file

   !> Eight digits, with small letters as C writes them.
   function hexadecimal(number) result(digits)
      integer(int64), intent(in) :: number
      character(8) :: digits
      integer :: i

      write (digits, '(z8.8)') number
      do i = 1, 8
         if (digits(i:i) >= 'A') digits(i:i) = achar(iachar(digits(i:i)) + 32)
      end do
   end function hexadecimal

   !> A number without blanks.
   function decimal(number) result(digits)
      integer(int64), intent(in) :: number
      character(:), allocatable :: digits
      character(20) :: wide

      write (wide, '(i0)') number
      digits = trim(wide)
   end function decimal

   !> An argument of the command line.
   function word(position) result(text)
      integer, intent(in) :: position
      character(:), allocatable :: text
      integer :: length

      text = '-'
      if (command_argument_count() < position) return
      call get_command_argument(position, length=length)
      deallocate (text)
      allocate (character(length) :: text)
      call get_command_argument(position, text)
   end function word

   integer(int64) function number_or(position, default)
      integer, intent(in) :: position
      integer(int64), intent(in) :: default
      character(:), allocatable :: text
      integer :: status

      number_or = default
      if (command_argument_count() < position) return
      text = word(position)
      read (text, *, iostat=status) number_or
      if (status /= 0) call give_up('`'//text//'` is no number')
   end function number_or

   !> Ends the program on all ranks.
   subroutine give_up(text)
      character(*), intent(in) :: text

      write (error_unit, '(2a)') 'mpi_bodies: ', text
      call MPI_Abort(MPI_COMM_WORLD, 1)
      error stop
   end subroutine give_up

end program mpi_bodies
