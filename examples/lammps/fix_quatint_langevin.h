/* fix_quatint_langevin.h: `fix ID group quatint/langevin Tstart Tstop damp seed [angmom factor]` moves ellipsoids in a fluid at a
 * temperature: drag and noise on velocities and angular momenta, besides the forces. See docs/lammps.md and docs/random.md.
 *
 * BAOAB: kick, half a drift, drag and noise for the step, half a drift, kick. Between the kicks, rotations take one step of quatint
 * without a torque. The noise is a function of the seed, the atom's id and the number of the step since the fix was made, which goes into
 * restart files.
 */
#pragma once
#include "comm.h"
#include "fix_quatint.h"
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace LAMMPS_NS {
struct FixQuatintLangevin : public FixQuatint {
  qi_ensemble *centres = nullptr; // see turn_and_thermalize()
  std::vector<double> mass, drag, drag_of_centres;
  double t_start, t_stop, damp, factor = 1; // factor: how much faster angular momenta relax than velocities
  uint64_t seed, draws = 0;
  double kt = -1; // of the ensembles

  FixQuatintLangevin(LAMMPS *lmp, int narg, char **arg) : FixQuatint(lmp, narg, arg) {
    restart_global = 1;
    if (narg != 7 && !(narg == 9 && strcmp(arg[7], "angmom") == 0))
      error->all(FLERR, std::string("fix quatint/langevin needs: Tstart Tstop damp seed [angmom factor]"));
    t_start = utils::numeric(FLERR, arg[3], false, lmp), t_stop = utils::numeric(FLERR, arg[4], false, lmp);
    damp = utils::numeric(FLERR, arg[5], false, lmp);
    const bigint number = utils::bnumeric(FLERR, arg[6], false, lmp);
    if (narg == 9) factor = utils::numeric(FLERR, arg[8], false, lmp);
    if (!(t_start >= 0 && t_stop >= 0 && damp > 0 && factor >= 0 && number >= 0))
      error->all(FLERR, std::string("fix quatint/langevin: a temperature, damp, seed or factor is out of range"));
    seed = number;
  }
  ~FixQuatintLangevin() override { qi_destroy_ensemble(centres); }

  void post_neighbor() override {
    FixQuatint::post_neighbor();
    qi_destroy_ensemble(centres);
    centres = qi_create_ensemble(atoms.size(), nullptr);
    kt = -1;
    if (atoms.empty()) return;
    std::vector<uint64_t> ids;
    drag.clear(), drag_of_centres.clear(), mass.clear();
    for (int i : atoms) {
      ids.push_back(atom->tag[i]);
      mass.insert(mass.end(), 3, atom->rmass[i]);
      drag_of_centres.insert(drag_of_centres.end(), 3, atom->rmass[i]/damp);
    }
    for (double moment : moments) drag.push_back(moment*factor/damp);
    if (qi_set_principal_inertias(centres, mass.data(), 3, 1) != QI_OK
        || qi_bind_angular_velocity_rows(centres, atom->v[0], 3, 1, QI_OMEGA_BODY, atoms.data()) != QI_OK
        || qi_set_ensemble_ids(centres, ids.data()) != QI_OK || qi_set_ensemble_ids(ellipsoids, ids.data()) != QI_OK
        || qi_set_ensemble_method(ellipsoids, QI_METHOD_SPLITTING) != QI_OK)
      error->one(FLERR, std::string(qi_last_error()));
  }

  void initial_integrate(int) override {
    final_integrate();
    move(0.5*dt);
    turn_and_thermalize();
    move(0.5*dt);
  }

  /* The rotations of a step, and drag and noise. Each component of a velocity obeys the equation of the angular velocity of a sphere whose
   * moment is the mass; so an ensemble of such spheres, bound to the velocities, serves the centres. Its seed is another one. */
  void turn_and_thermalize() {
    if (atoms.empty()) { draws++; return; }
    const bigint steps = update->endstep - update->beginstep;
    const double part = steps > 0 ? double(update->ntimestep - update->beginstep)/steps : 0;
    const double now = force->boltz/force->mvv2e * (t_start + part*(t_stop - t_start));
    if (kt != now
        && (qi_set_ensemble_langevin(ellipsoids, drag.data(), 3, nullptr, 0, now, seed) != QI_OK
            || qi_set_ensemble_langevin(centres, drag_of_centres.data(), 3, nullptr, 0, now, ~seed) != QI_OK
            || qi_set_ensemble_noise(ellipsoids, draws) != QI_OK || qi_set_ensemble_noise(centres, draws) != QI_OK))
      error->one(FLERR, std::string(qi_last_error()));
    kt = now, draws++;
    if (qi_step_ensemble(ellipsoids, dt) != QI_OK || qi_thermalize_ensemble(centres, dt) != QI_OK)
      error->one(FLERR, std::string(qi_last_error()));
  }

  void reset_target(double temperature) override { t_start = t_stop = temperature; }

  void write_restart(FILE *file) override {
    if (comm->me != 0) return;
    const int size = sizeof draws;
    fwrite(&size, sizeof size, 1, file);
    fwrite(&draws, sizeof draws, 1, file);
  }
  void restart(char *saved) override { memcpy(&draws, saved, sizeof draws); }
};
} // namespace LAMMPS_NS
