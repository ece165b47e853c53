/* Debian's liblammps-dev lacks this header of LAMMPS. These are the parts that fix_quatint.cpp needs, for the library of Debian 12
 * (29 Sep 2021, amd64): where the pointer to the orientations is. lmp_quatint.cpp refuses any other version.
 */
#ifndef LMP_ATOM_VEC_ELLIPSOID_H
#define LMP_ATOM_VEC_ELLIPSOID_H
#include "pointers.h"

namespace LAMMPS_NS {
class AtomVec : protected Pointers {
  char others[2656 - sizeof(Pointers)];
};

class AtomVecEllipsoid : public AtomVec {
 public:
  struct Bonus {
    double shape[3]; // semi-axes
    double quat[4];  // w x y z
    int ilocal;      // index of the atom
  } *bonus;
};
} // namespace LAMMPS_NS
#endif
