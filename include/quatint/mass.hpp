// A part of quatint.hpp, which includes it: mass, centre of mass and inertia.

namespace quatint {

/// What Mass::properties() returns.
struct MassProperties {
    double mass;
    Vector centre;  ///< of mass, in the axes of the assembly
    Matrix inertia; ///< about the centre of mass, along the axes of the assembly: what a Body takes
};

/// The sum of the parts of an assembly; see QI_MASS_SIZE. A part with a negative mass is a hole. Sums are added by +=, or by
/// MPI_Allreduce() on `numbers`. Vectors and orientations of Eigen go in by from_eigen().
struct Mass {
    std::array<double, QI_MASS_SIZE> numbers{};

    void add_point(double mass, const Vector &position)
    {
        detail::check(qi_add_point_mass(mass, position.data(), numbers.data()));
    }

    void add_sphere(double mass, double radius, const Vector &position)
    {
        detail::check(qi_add_sphere_mass(mass, radius, position.data(), numbers.data()));
    }

    void add_ellipsoid(double mass, const Vector &semi_axes, const Vector &position, const Quaternion &orientation = {1, 0, 0, 0})
    {
        detail::check(qi_add_ellipsoid_mass(mass, semi_axes.data(), position.data(), orientation.data(), numbers.data()));
    }

    void add_box(double mass, const Vector &edges, const Vector &position, const Quaternion &orientation = {1, 0, 0, 0})
    {
        detail::check(qi_add_box_mass(mass, edges.data(), position.data(), orientation.data(), numbers.data()));
    }

    /// A cylinder along its z axis.
    void add_cylinder(double mass, double radius, double length, const Vector &position,
                      const Quaternion &orientation = {1, 0, 0, 0})
    {
        detail::check(qi_add_cylinder_mass(mass, radius, length, position.data(), orientation.data(), numbers.data()));
    }

    /// The solid inside of a closed surface: three corners each, counterclockwise as seen from outside.
    void add_mesh(double density, const std::vector<std::array<Vector, 3>> &triangles)
    {
        static_assert(sizeof(std::array<Vector, 3>) == 9 * sizeof(double), "triangles without gaps");
        const double *const corners = triangles.empty() ? nullptr : triangles.data()->data()->data();
        detail::check(qi_add_mesh_mass(density, triangles.size(), corners, numbers.data()));
    }

    /// A part whose inertia about its own centre of mass is known, along its own axes.
    void add_inertia(double mass, const Matrix &inertia, const Vector &position, const Quaternion &orientation = {1, 0, 0, 0})
    {
        detail::check(qi_add_inertia_mass(mass, inertia.data(), position.data(), orientation.data(), numbers.data()));
    }

    Mass &operator+=(const Mass &other)
    {
        for (std::size_t k = 0; k < numbers.size(); k++) numbers[k] += other.numbers[k];
        return *this;
    }

    [[nodiscard]] MassProperties properties() const
    {
        MassProperties all;
        detail::check(qi_get_mass_properties(numbers.data(), &all.mass, all.centre.data(), all.inertia.data()));
        return all;
    }
};

struct PrincipalAxes {
    Vector moments;
    Quaternion orientation; ///< from the principal axes to the body axes
};

[[nodiscard]] inline PrincipalAxes principal_axes(const Matrix &inertia)
{
    PrincipalAxes axes;
    detail::check(qi_get_principal_axes(inertia.data(), axes.moments.data(), axes.orientation.data()));
    return axes;
}

} // namespace quatint
