// moments.cpp: the moments of inertia that fix quatint takes, with the `bonus` of two versions of LAMMPS.
#include "fix_quatint.h"

struct Older { // 29 Sep 2021
  double shape[3], quat[4];
  int ilocal;
};

struct Newer { // with superellipsoids: a block of 1 x 1.5 x 3, whose moments are not those of the ellipsoid
  double shape[3], quat[4], block[3], inertia[3];
  bool flag_super;
  int ilocal;
};

int main()
{
  std::vector<double> moments;
  LAMMPS_NS::add_moments(moments, Older{{1, 2, 3}, {1, 0, 0, 0}, 0}, 5.0, 0);
  LAMMPS_NS::add_moments(moments, Newer{{1, 2, 3}, {1, 0, 0, 0}, {2, 2, 2}, {17, 19, 23}, true, 0}, 5.0, 0);
  return moments == std::vector<double>{13, 10, 5, 17, 19, 23} ? 0 : 1;
}
