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
/* The principal moments of inertia of an atom: those that newer versions of LAMMPS keep (with superellipsoids), which the first of these
 * two functions reads where `bonus` has them; else those of an ellipsoid with these semi-axes. */
template <class Bonus>
auto add_moments(std::vector<double> &moments, const Bonus &bonus, double, int) -> decltype(bonus.inertia[0], void())
{
  moments.insert(moments.end(), bonus.inertia, bonus.inertia + 3);
}
template <class Bonus>
void add_moments(std::vector<double> &moments, const Bonus &bonus, double mass, long)
{
  const double *r = bonus.shape, k = 0.2*mass;
  moments.insert(moments.end(), {k*(r[1]*r[1] + r[2]*r[2]), k*(r[0]*r[0] + r[2]*r[2]), k*(r[0]*r[0] + r[1]*r[1])});
}

struct FixQuatint : public Fix {
  qi_ensemble *ellipsoids = nullptr;
  std::vector<int> atoms; // body k is atom atoms[k] of this rank
  std::vector<double> moments; // 3 a body
  double dt = 0, half = 0; // half a step, in units that turn a force into a change of momentum

  FixQuatint(LAMMPS *lmp, int narg, char **arg) : Fix(lmp, narg, arg) { time_integrate = dynamic_group_allow = 1; }
  ~FixQuatint() override { qi_destroy_ensemble(ellipsoids); }
  int setmask() override { return FixConst::INITIAL_INTEGRATE | FixConst::FINAL_INTEGRATE | FixConst::POST_NEIGHBOR; }
  void setup_post_neighbor() override { post_neighbor(); }
  void init() override { dt = update->dt, half = 0.5*dt * force->ftm2v; } // not at `run pre no`, as in fix nve/asphere
  void reset_dt() override { init(); }

  /* Atoms have changed their ranks or their places in the arrays, or the arrays have moved: find them anew. */
  void post_neighbor() override {
    const auto *vec = static_cast<AtomVecEllipsoid *>(atom->style_match("ellipsoid"));
    if (!vec || utils::strmatch(update->integrate_style, "^respa"))
      error->all(FLERR, std::string("fix quatint needs atom_style ellipsoid and run_style verlet"));
    std::vector<int> rows;
    atoms.clear(), moments.clear();
    for (int i = 0; i < atom->nlocal; i++) {
      if (!(atom->mask[i] & groupbit)) continue;
      if (atom->ellipsoid[i] < 0) error->one(FLERR, std::string("fix quatint: an atom of the group is not an ellipsoid"));
      atoms.push_back(i), rows.push_back(atom->ellipsoid[i]);
      add_moments(moments, vec->bonus[rows.back()], atom->rmass[i], 0);
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
    move(dt);
    if (qi_drift_ensemble(ellipsoids, dt) != QI_OK) error->one(FLERR, std::string(qi_last_error()));
  }

  void move(double duration) {
    for (int i : atoms) for (int c = 0; c < 3; c++) atom->x[i][c] += duration * atom->v[i][c];
  }

  /* The kick of half a step, with the bits of fix nve/asphere: angular momenta take no more than velocities. */
  void final_integrate() override {
    if (group_has_changed()) post_neighbor();
    for (int i : atoms)
      for (int c = 0; c < 3; c++) {
        atom->v[i][c] += half/atom->rmass[i] * atom->f[i][c];
        atom->angmom[i][c] += half * atom->torque[i][c];
      }
  }

  /* Whether the group has other atoms than those listed: a dynamic group, or the command `group` before `run pre no`. */
  bool group_has_changed() const {
    std::size_t k = 0;
    for (int i = 0; i < atom->nlocal; i++)
      if (atom->mask[i] & groupbit && (k == atoms.size() || atoms[k++] != i)) return true;
    return k != atoms.size();
  }
};
} // namespace LAMMPS_NS
