/* lmp_quatint.cpp: the program `liggghts` with the fixes of quatint, for a LIGGGHTS that is installed as a library, such as Debian's. */
#include "error.h"
#include "fix_multisphere_quatint.h"
#include "fix_superquadric_quatint.h"
#include "input.h"
#include "lammps.h"
#include "modify.h"
#include <map>
#include <string>

using namespace LAMMPS_NS;

template <class T> static Fix *create(LAMMPS *lmp, int narg, char **arg) { return new T(lmp, narg, arg); }

/* The map of fixes is private in LIGGGHTS, and there is no command for plugins. An explicit instantiation may name private members. */
typedef std::map<std::string, Fix *(*)(LAMMPS *, int, char **)> Fixes;
template <Fixes *Modify::*Member> struct Opened {
  friend Fixes &fixes_of(Modify &modify) { return *(modify.*Member); }
};
Fixes &fixes_of(Modify &modify);
template struct Opened<&Modify::fix_map>;

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  LAMMPS *lmp = new LAMMPS(argc, argv, MPI_COMM_WORLD);
  Fixes &fixes = fixes_of(*lmp->modify);
  fixes["multisphere/quatint"] = create<FixMultisphereQuatint>;
#ifdef SUPERQUADRIC_ACTIVE_FLAG
  fixes["nve/superquadric/quatint"] = create<FixSuperquadricQuatint>;
#endif
  lmp->input->file();
  delete lmp;
  MPI_Finalize();
}
