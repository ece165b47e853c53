// A part of quatint.hpp, which includes it: mass, centre of mass and inertia.

namespace quatint {

/// What Mass::properties() returns.
struct MassProperties {
    double mass;
    Vector centre;  ///< of mass, in the axes of the assembly
    Matrix inertia; ///< about the centre of mass, along the axes of the assembly: what a Body takes
};

/// The sum of the parts of an assembly; see QI_MASS_SIZE. A part with a negative mass is a hole. Sums are added by +=, or by
/// MPI_Allreduce() on `numbers`. Vectors, matrices and orientations may be of Eigen.
struct Mass {
    std::array<double, QI_MASS_SIZE> numbers{};

    void add_point(double mass, const Vector &position)
    {
        detail::check(qi_add_point_mass(mass, position.data(), numbers.data()));
    }

    template <class... Given, detail::IfEigen<Given...> = nullptr>
    void add_point(const Given &...given) { add_point(detail::plain(given)...); }

    void add_sphere(double mass, double radius, const Vector &position)
    {
        detail::check(qi_add_sphere_mass(mass, radius, position.data(), numbers.data()));
    }

    template <class... Given, detail::IfEigen<Given...> = nullptr>
    void add_sphere(const Given &...given) { add_sphere(detail::plain(given)...); }

    void add_ellipsoid(double mass, const Vector &semi_axes, const Vector &position, const Quaternion &orientation = {1, 0, 0, 0})
    {
        detail::check(qi_add_ellipsoid_mass(mass, semi_axes.data(), position.data(), orientation.data(), numbers.data()));
    }

    template <class... Given, detail::IfEigen<Given...> = nullptr>
    void add_ellipsoid(const Given &...given) { add_ellipsoid(detail::plain(given)...); }

    void add_box(double mass, const Vector &edges, const Vector &position, const Quaternion &orientation = {1, 0, 0, 0})
    {
        detail::check(qi_add_box_mass(mass, edges.data(), position.data(), orientation.data(), numbers.data()));
    }

    template <class... Given, detail::IfEigen<Given...> = nullptr>
    void add_box(const Given &...given) { add_box(detail::plain(given)...); }

    /// A cylinder along its z axis.
    void add_cylinder(double mass, double radius, double length, const Vector &position,
                      const Quaternion &orientation = {1, 0, 0, 0})
    {
        detail::check(qi_add_cylinder_mass(mass, radius, length, position.data(), orientation.data(), numbers.data()));
    }

    template <class... Given, detail::IfEigen<Given...> = nullptr>
    void add_cylinder(const Given &...given) { add_cylinder(detail::plain(given)...); }

    /// A cylinder of this length along its z axis, with half a sphere on each end.
    void add_capsule(double mass, double radius, double length, const Vector &position,
                     const Quaternion &orientation = {1, 0, 0, 0})
    {
        detail::check(qi_add_capsule_mass(mass, radius, length, position.data(), orientation.data(), numbers.data()));
    }

    template <class... Given, detail::IfEigen<Given...> = nullptr>
    void add_capsule(const Given &...given) { add_capsule(detail::plain(given)...); }

    /// Half a sphere above its flat face, whose centre is at `position`.
    void add_hemisphere(double mass, double radius, const Vector &position, const Quaternion &orientation = {1, 0, 0, 0})
    {
        detail::check(qi_add_hemisphere_mass(mass, radius, position.data(), orientation.data(), numbers.data()));
    }

    template <class... Given, detail::IfEigen<Given...> = nullptr>
    void add_hemisphere(const Given &...given) { add_hemisphere(detail::plain(given)...); }

    /// A cone along its z axis; the centre of its base is at `position`.
    void add_cone(double mass, double radius, double height, const Vector &position,
                  const Quaternion &orientation = {1, 0, 0, 0})
    {
        detail::check(qi_add_cone_mass(mass, radius, height, position.data(), orientation.data(), numbers.data()));
    }

    template <class... Given, detail::IfEigen<Given...> = nullptr>
    void add_cone(const Given &...given) { add_cone(detail::plain(given)...); }

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

    template <class... Given, detail::IfEigen<Given...> = nullptr>
    void add_inertia(const Given &...given) { add_inertia(detail::plain(given)...); }

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

    /// The inertia about any point, along the axes of the assembly.
    [[nodiscard]] Matrix inertia_about(const Vector &point) const
    {
        Matrix inertia;
        detail::check(qi_get_inertia_about(numbers.data(), point.data(), inertia.data()));
        return inertia;
    }

    template <class T, detail::IfEigen<T> = nullptr>
    [[nodiscard]] Matrix inertia_about(const T &point) const { return inertia_about(detail::plain(point)); }
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

template <class T, detail::IfEigen<T> = nullptr>
[[nodiscard]] PrincipalAxes principal_axes(const T &inertia)
{
    return principal_axes(detail::plain(inertia));
}

} // namespace quatint
