/* fix_multisphere_quatint.h: `fix ID group multisphere/quatint` is `fix multisphere` of LIGGGHTS, in which quatint turns the clumps.
 * See docs/liggghts.md.
 *
 * Only the first half of the step differs: LIGGGHTS turns a clump by a Richardson iteration, quatint freely and exactly. All else is
 * inherited: contacts, insertion, exchange between ranks, restart files.
 */
#ifdef FIX_CLASS
FixStyle(multisphere/quatint,FixMultisphereQuatint)
#elif !defined(FIX_MULTISPHERE_QUATINT_H)
#define FIX_MULTISPHERE_QUATINT_H
#include "fix_multisphere.h"
#include "error.h"
#include "modify.h"
#include "update.h"
#include <cstdio>
#include <quatint.h>
#include <string>
#include <vector>

namespace LAMMPS_NS {
struct FixMultisphereQuatint : public FixMultisphere {
  typedef VectorContainer<double, 3> Vectors;
  Vectors &centre, &velocity, &pull, &torque, &angmom, &omega, &moments, &ex, &ey, &ez, &velocity_of_stream;
  VectorContainer<double, 4> &quat;
  VectorContainer<bool, 3> &is_pulled, &is_twisted;
  ScalarContainer<double> &mass, &density;
  ScalarContainer<int> &start_step;
  qi_ensemble *ensemble;
  std::vector<int> clumps;           // body k of the ensemble is clump clumps[k] of this rank
  double *bound_angmom, *bound_quat; // the arrays that it works in
  bool has_stream;                   // whether there is a `fix insert/stream`

  FixMultisphereQuatint(LAMMPS *lmp, int narg, char **arg)
    : FixMultisphere(lmp, narg, as_multisphere(arg)), centre(get<Vectors>("xcm")), velocity(get<Vectors>("vcm")), pull(get<Vectors>("fcm")),
      torque(get<Vectors>("torque")), angmom(get<Vectors>("angmom")), omega(get<Vectors>("omega")), moments(get<Vectors>("inertia")),
      ex(get<Vectors>("ex_space")), ey(get<Vectors>("ey_space")), ez(get<Vectors>("ez_space")),
      velocity_of_stream(get<Vectors>("v_integrate")), quat(get<VectorContainer<double, 4> >("quat")),
      is_pulled(get<VectorContainer<bool, 3> >("fflag")), is_twisted(get<VectorContainer<bool, 3> >("tflag")),
      mass(get<ScalarContainer<double> >("masstotal")), density(get<ScalarContainer<double> >("density")),
      start_step(get<ScalarContainer<int> >("start_step")), ensemble(NULL), bound_angmom(NULL), bound_quat(NULL),
      has_stream(false) {}
  ~FixMultisphereQuatint() { qi_destroy_ensemble(ensemble); }

  /* For LIGGGHTS this is a `fix multisphere`: it refuses unknown keywords, and takes restart files of the other. */
  static char **as_multisphere(char **arg) {
    static char style[] = "multisphere";
    arg[2] = style;
    return arg;
  }
  template <class Property> Property &get(const char *name) { return *data().prop().getElementProperty<Property>(name); }

  void initial_integrate(int vflag) {
    if (clumps_have_changed()) bind();
    for (int i = 0; i < n_body(); i++) {
      if (waits(i)) for (int c = 0; c < 3; c++) velocity(i)[c] = velocity_of_stream(i)[c];
      else kick(i);
      for (int c = 0; c < 3; c++) centre(i)[c] += dtv * velocity(i)[c];
    }
    check(qi_drift_ensemble(ensemble, dtv));
    for (int i : clumps) {
      MathExtra::q_to_exyz(quat(i), ex(i), ey(i), ez(i));
      MathExtra::angmom_to_omega(angmom(i), ex(i), ey(i), ez(i), moments(i), omega(i));
    }
    /* the spheres follow, as in fix multisphere */
    if (vflag) v_setup(vflag);
    else evflag = 0;
    set_xv();
    rev_comm_flag_ = MS_COMM_REV_X_V_OMEGA;
    reverse_comm();
  }

  /* The kick of half a step, with the bits of fix multisphere. */
  void kick(int i) {
    const double half = dtf/(1 + CAdd_*fluidDensity_/density(i)), half_over_mass = dtf/(mass(i)*(1 + CAdd_*fluidDensity_/density(i)));
    for (int c = 0; c < 3; c++) {
      if (is_pulled(i)[c]) velocity(i)[c] += half_over_mass * pull(i)[c];
      if (is_twisted(i)[c]) angmom(i)[c] += half * torque(i)[c];
    }
  }

  /* Whether the clump has not yet left the face of `fix insert/stream`: until then it moves straight on, and does not turn. */
  bool waits(int i) { return has_stream && update->ntimestep < start_step(i); }

  void init() {
    FixMultisphere::init();
    has_stream = modify->n_fixes_style("insert/stream") > 0;
  }
  void pre_neighbor() {
    FixMultisphere::pre_neighbor();
    bind();
  }

  void bind() {
    std::vector<double> principal;
    clumps.clear();
    for (int i = 0; i < n_body(); i++) {
      if (waits(i)) continue;
      clumps.push_back(i);
      principal.insert(principal.end(), moments(i), moments(i) + 3);
    }
    /* A new ensemble: the old one may be bound to memory that LIGGGHTS has freed, and resizing would read it. */
    qi_destroy_ensemble(ensemble);
    ensemble = qi_create_ensemble(clumps.size(), NULL);
    if (clumps.empty()) return;
    bound_angmom = angmom(0), bound_quat = quat(0);
    check(qi_set_principal_inertias(ensemble, principal.data(), 3, 1));
    check(qi_bind_angular_velocity_rows(ensemble, bound_angmom, 3, 1, QI_ANGMOM_WORLD, clumps.data()));
    check(qi_bind_orientation_rows(ensemble, bound_quat, 4, 1, QI_SCALAR_FIRST, clumps.data()));
  }

  /* Whether other clumps are to turn than those listed, or their arrays have moved. */
  bool clumps_have_changed() {
    std::size_t k = 0;
    for (int i = 0; i < n_body(); i++)
      if (!waits(i) && (k == clumps.size() || clumps[k++] != i)) return true;
    return k != clumps.size() || (k > 0 && (bound_angmom != angmom(0) || bound_quat != quat(0)));
  }

  /* Ends the run if quatint has refused, with the clump whose moments, momentum or orientation it refuses. */
  void check(qi_status status) {
    if (status == QI_OK) return;
    const int64_t body = qi_last_error_body();
    std::string message = std::string("Fix multisphere/quatint: ") + qi_last_error();
    if (body >= 0) message += "; body " + std::to_string(body) + " is the multisphere with the id " + std::to_string(tag(clumps[body]));
    fprintf(stderr, "ERROR: %s\n", message.c_str()); // if the output goes to a file, error->one loses the message
    error->one(FLERR, message.c_str());
  }
};
} // namespace LAMMPS_NS
#endif
