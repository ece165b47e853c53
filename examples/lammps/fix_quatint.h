/* fix_quatint.h: `fix ID group quatint` moves ellipsoids by velocity Verlet, in LAMMPS' own arrays. See docs/lammps.md.
 *
 * Half steps kick velocities and angular momenta; in between quatint turns each ellipsoid freely and exactly. LAMMPS keeps angular
 * momenta in the order of its atoms, and orientations in another order, that of `bonus`. quatint works in both arrays.
 */
#pragma once
#include "atom.h"
#include "atom_vec_ellipsoid.h"
#include "error.h"
#include "fix.h"
#include "force.h"
#include "update.h"
#include <quatint.h>
#include <vector>

namespace LAMMPS_NS {
struct FixQuatint : public Fix {
  qi_ensemble *ellipsoids = nullptr;
  std::vector<int> atoms; // body k is atom atoms[k] of this rank

  FixQuatint(LAMMPS *lmp, int narg, char **arg) : Fix(lmp, narg, arg) { time_integrate = 1; }
  ~FixQuatint() override { qi_destroy_ensemble(ellipsoids); }
  int setmask() override { return FixConst::INITIAL_INTEGRATE | FixConst::FINAL_INTEGRATE | FixConst::POST_NEIGHBOR; }
  void setup_post_neighbor() override { post_neighbor(); }

  /* Atoms have changed their ranks or their places in the arrays, or the arrays have moved: find them anew. */
  void post_neighbor() override {
    const auto *vec = static_cast<AtomVecEllipsoid *>(atom->style_match("ellipsoid"));
    if (!vec || utils::strmatch(update->integrate_style, "^respa"))
      error->all(FLERR, std::string("fix quatint needs atom_style ellipsoid and run_style verlet"));
    std::vector<int> rows;
    std::vector<double> moments;
    atoms.clear();
    for (int i = 0; i < atom->nlocal; i++) {
      if (!(atom->mask[i] & groupbit)) continue;
      if (atom->ellipsoid[i] < 0) error->one(FLERR, std::string("fix quatint: an atom of the group is not an ellipsoid"));
      atoms.push_back(i), rows.push_back(atom->ellipsoid[i]);
      const double *r = vec->bonus[rows.back()].shape, k = 0.2*atom->rmass[i];
      moments.insert(moments.end(), {k*(r[1]*r[1] + r[2]*r[2]), k*(r[0]*r[0] + r[2]*r[2]), k*(r[0]*r[0] + r[1]*r[1])});
    }
    /* A new ensemble: the old one may be bound to memory that LAMMPS has freed, and resizing would read it. */
    qi_destroy_ensemble(ellipsoids);
    ellipsoids = qi_create_ensemble(atoms.size(), nullptr);
    if (atoms.empty()) return;
    /* momenta before orientations: otherwise the ensemble first turns its own angular velocities to the new orientations */
    if (qi_set_principal_inertias(ellipsoids, moments.data(), 3, 1) != QI_OK
        || qi_bind_angular_velocity_rows(ellipsoids, atom->angmom[0], 3, 1, QI_ANGMOM_WORLD, atoms.data()) != QI_OK
        || qi_bind_orientation_rows(ellipsoids, vec->bonus->quat, sizeof *vec->bonus/8, 1, QI_SCALAR_FIRST, rows.data()) != QI_OK)
      error->one(FLERR, std::string(qi_last_error()));
  }

  void initial_integrate(int) override {
    final_integrate();
    for (int i : atoms) for (int c = 0; c < 3; c++) atom->x[i][c] += update->dt * atom->v[i][c];
    if (qi_drift_ensemble(ellipsoids, update->dt) != QI_OK) error->one(FLERR, std::string(qi_last_error()));
  }

  /* The kick of half a step, with the bits of fix nve/asphere: angular momenta take no more than velocities. */
  void final_integrate() override {
    const double half = 0.5*update->dt * force->ftm2v;
    for (int i : atoms)
      for (int c = 0; c < 3; c++) {
        atom->v[i][c] += half/atom->rmass[i] * atom->f[i][c];
        atom->angmom[i][c] += half * atom->torque[i][c];
      }
  }
};
} // namespace LAMMPS_NS
