!> quatint in Fortran: the rotation of rigid bodies under torque. Fortran 2018.
!!
!! `use quatint` gives two layers. The types `qi_body_t` and `qi_ensemble_t` have type-bound procedures. Below them is an
!! interface for every function of quatint.h, which documents units, frames, errors and threads. Every public name begins with
!! `qi_`.
!!
!! Conventions:
!!
!! Arrays       orientation(4) is (w, x, y, z). The type-bound procedures take matrices in mathematical order:
!!              velocity_gradient(i,j). The functions of the C library use row-major matrices: transpose them. The library
!!              works in bound arrays in place, with any strides. It reads or writes all other arrays only during the call.
!!              These may be any expression, section or component; what is not allocated is refused. An array of any rank,
!!              `(..)`, is taken as it is, also a pointer to a component, `p => c%a`. Where the dummy argument is `(:)`, gfortran
!!              12 does not see how far apart the elements of a pointer lie that a procedure of yours has as an argument.
!! Indices      count from 1. Error texts come from the library, which counts from 0. If an error concerns a body, its
!!              number counted from 1 is appended to the text, and qi_error_body() returns it.
!! Errors       Without `stat`, an error stops the program: `error stop` with the error text. With `stat`, the procedure returns
!!              the status in `stat` (QI_OK is 0) and the text in `errmsg`, if present. Without an error, `errmsg` keeps its
!!              value, as with ALLOCATE. After an error the other results are undefined; bodies, ensembles and bound arrays are
!!              as they were, except that advance, record and the solve procedures keep the completed steps.
!! Seeds, ids   are unsigned in the library. Fortran has no unsigned integers: the 64 bits of an integer(c_int64_t) are taken as
!!              they are, so -1 is the greatest id.
!! Torques      are objects of types that extend qi_torque_t or a similar type, or module procedures. An internal procedure is called
!!              through code on the stack, which is gone when its host returns.
!! Objects      A finalizer destroys an object together with its variable. Objects cannot be copied: an assignment is
!!              `error stop`, and a copy that Fortran makes in another way owns nothing. `call a%move_to(b)` moves an object.
!!              Fortran does not finalize the variables of a main program; call `destroy`.
module quatint
   use quatint_c
   use quatint_support, only: qi_text, qi_error_body
   use quatint_callbacks, only: qi_torque_t, qi_chunk_torque_t, qi_chunk_torque_soa_t, qi_event_t, qi_monitor_t, &
      qi_inertia_t, qi_rate_t, qi_torque, qi_chunk_torque, qi_chunk_torque_soa, qi_event_value, qi_monitor, qi_inertia, qi_rate
   use quatint_types
   implicit none
end module quatint
