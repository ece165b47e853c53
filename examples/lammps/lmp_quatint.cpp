/* lmp_quatint.cpp: the program `lmp` with two fixes more, for builds of LAMMPS that cannot load plugins, such as Debian's. */
#include "fix_quatint_langevin.h"
#include "error.h"
#include "input.h"
#include "modify.h"

using namespace LAMMPS_NS;

template <class T> static Fix *create(LAMMPS *lmp, int narg, char **arg) { return new T(lmp, narg, arg); }

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  auto *lmp = new LAMMPS(argc, argv, MPI_COMM_WORLD);
  if (lmp->num_ver != 20210929) // debian/atom_vec_ellipsoid.h holds for this version
    lmp->error->all(FLERR, std::string("lmp_quatint was written for LAMMPS of 29 Sep 2021"));
  auto &fixes = *lmp->modify->fix_map; // LAMMPS' command `plugin load` writes there, too
  fixes["quatint"] = create<FixQuatint>, fixes["quatint/langevin"] = create<FixQuatintLangevin>;
  lmp->input->file();
  delete lmp;
  MPI_Finalize();
}
