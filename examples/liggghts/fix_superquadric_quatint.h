/* fix_superquadric_quatint.h: `fix ID group nve/superquadric/quatint` moves superquadrics by velocity Verlet, in LIGGGHTS' own arrays.
 * See docs/liggghts.md.
 *
 * Half steps kick velocities and angular momenta; in between quatint turns each body freely and exactly. LIGGGHTS keeps orientations,
 * angular momenta and principal moments of inertia in the order of its atoms; quatint works in these arrays. Contact models also read
 * `omega`, which follows from them after each half of the step.
 */
#ifdef SUPERQUADRIC_ACTIVE_FLAG
#ifdef FIX_CLASS
FixStyle(nve/superquadric/quatint,FixSuperquadricQuatint)
#elif !defined(FIX_SUPERQUADRIC_QUATINT_H)
#define FIX_SUPERQUADRIC_QUATINT_H
#include "atom.h"
#include "error.h"
#include "fix.h"
#include "force.h"
#include "modify.h"
#include "update.h"
#include <cstdio>
#include <cstring>
#include <quatint.h>
#include <string>
#include <vector>

namespace LAMMPS_NS {
struct FixSuperquadricQuatint : public Fix {
  qi_ensemble *bodies;
  std::vector<int> atoms;    // body k is atom atoms[k] of this rank
  std::vector<double> omega; // 3 a body, world frame
  double dt, half;           // half a step, in units that turn a force into a change of momentum

  FixSuperquadricQuatint(LAMMPS *lmp, int narg, char **arg) : Fix(lmp, narg, arg), bodies(NULL), dt(0), half(0) {
    if (narg != 3) error->fix_error(FLERR, this, "takes no keywords: leave out integration_scheme, there is only one");
    if (!atom->superquadric_flag)
      error->fix_error(FLERR, this, "needs atom_style superquadric; for clumps of spheres there is fix multisphere/quatint");
    time_integrate = 1;
  }
  ~FixSuperquadricQuatint() { qi_destroy_ensemble(bodies); }
  int setmask() { return FixConst::INITIAL_INTEGRATE | FixConst::FINAL_INTEGRATE | FixConst::PRE_NEIGHBOR; }
  void setup_pre_neighbor() { pre_neighbor(); }
  void reset_dt() { dt = update->dt, half = 0.5*dt * force->ftm2v; }

  void init() {
    reset_dt();
    if (strstr(update->integrate_style, "respa")) error->fix_error(FLERR, this, "needs run_style verlet");
    if (modify->n_fixes_style("couple/cfd/force/implicit") > 0)
      error->fix_error(FLERR, this, "has no implicit drag: with fix couple/cfd/force/implicit use fix nve/superquadric");
  }

  /* Atoms have changed their ranks or their places in the arrays, or the arrays have moved: find them anew. */
  void pre_neighbor() {
    std::vector<double> moments;
    atoms.clear();
    for (int i = 0; i < atom->nlocal; i++) {
      if (!(atom->mask[i] & groupbit)) continue;
      atoms.push_back(i);
      moments.insert(moments.end(), atom->inertia[i], atom->inertia[i] + 3);
    }
    /* A new ensemble: the old one may be bound to memory that LIGGGHTS has freed, and resizing would read it. */
    qi_destroy_ensemble(bodies);
    bodies = qi_create_ensemble(atoms.size(), NULL);
    omega.resize(3*atoms.size());
    if (atoms.empty()) return;
    /* momenta before orientations: otherwise the ensemble first turns its own angular velocities to the new orientations */
    check(qi_set_principal_inertias(bodies, moments.data(), 3, 1));
    check(qi_bind_angular_velocity_rows(bodies, atom->angmom[0], 3, 1, QI_ANGMOM_WORLD, atoms.data()));
    check(qi_bind_orientation_rows(bodies, atom->quaternion[0], 4, 1, QI_SCALAR_FIRST, atoms.data()));
  }

  void initial_integrate(int) {
    if (group_has_changed()) pre_neighbor();
    kick();
    for (int i : atoms) for (int c = 0; c < 3; c++) atom->x[i][c] += dt * atom->v[i][c];
    check(qi_drift_ensemble(bodies, dt));
    set_omega();
  }

  void final_integrate() {
    if (group_has_changed()) pre_neighbor();
    kick();
    set_omega();
  }

  /* The kick of half a step: velocities get the bits of fix nve/superquadric. */
  void kick() {
    for (int i : atoms)
      for (int c = 0; c < 3; c++) {
        atom->v[i][c] += half/atom->rmass[i] * atom->f[i][c];
        atom->angmom[i][c] += half * atom->torque[i][c];
      }
  }

  void set_omega() {
    if (atoms.empty()) return;
    check(qi_get_angular_velocities(bodies, omega.data(), 3, 1));
    for (std::size_t k = 0; k < atoms.size(); k++) for (int c = 0; c < 3; c++) atom->omega[atoms[k]][c] = omega[3*k + c];
  }

  /* Whether the group has other atoms than those listed: a dynamic group, or the command `group` before `run pre no`. */
  bool group_has_changed() const {
    std::size_t k = 0;
    for (int i = 0; i < atom->nlocal; i++)
      if (atom->mask[i] & groupbit && (k == atoms.size() || atoms[k++] != i)) return true;
    return k != atoms.size();
  }

  /* Ends the run if quatint has refused, with the atom whose moments, momentum or orientation it refuses. */
  void check(qi_status status) const {
    if (status == QI_OK) return;
    const int64_t body = qi_last_error_body();
    std::string message = std::string("Fix ") + style + ": " + qi_last_error();
    if (body >= 0) message += "; body " + std::to_string(body) + " is the atom with the id " + std::to_string(atom->tag[atoms[body]]);
    fprintf(stderr, "ERROR: %s\n", message.c_str()); // if the output goes to a file, error->one loses the message
    error->one(FLERR, message.c_str());
  }
};
} // namespace LAMMPS_NS
#endif
#endif
