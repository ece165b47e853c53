# Mass, centre of mass and inertia of assemblies, and the principal axes of a tensor.

"""
    Mass()

The mass, the centre of mass and the inertia of an assembly of parts; at first of no parts. `add_point!`, `add_sphere!`,
`add_ellipsoid!`, `add_box!`, `add_cylinder!`, `add_capsule!`, `add_hemisphere!`, `add_cone!`, `add_mesh!` and `add_inertia!` add a
part each and return the sum; [`mass_properties`](@ref) and [`inertia_about`](@ref) read it. All positions are in the same axes, those of the assembly; their origin may be anywhere.
A part with a negative mass is a hole.

`numbers` are $(Int(QI_MASS_SIZE)) numbers that hold the sum: the mass, and the integrals of x, y, z, xx, yy, zz, xy, xz, yz over it,
each to 30 bits, and then what is left of each.
`a + b` is the sum of the parts of both; over processes it is `MPI.Allreduce!(m.numbers, +, comm)`. `Mass(numbers)` makes a sum of
such numbers, which it keeps.
"""
struct Mass
    numbers::Vector{Float64}

    Mass() = new(zeros(QI_MASS_SIZE))
    Mass(numbers::Vector{Float64}) = (check_length(numbers, QI_MASS_SIZE, "a sum of parts"); new(numbers))
end

Base.:+(a::Mass, b::Mass) = Mass(a.numbers + b.numbers)
Base.copy(m::Mass) = Mass(copy(m.numbers))
Base.show(io::IO, m::Mass) = print(io, "Mass of ", m.numbers[1] + m.numbers[11])

const IDENTITY = Quaternion(1.0, 0.0, 0.0, 0.0)

"""
    add_point!(m, mass, position)

Adds a point to the sum `m`.
"""
function add_point!(m::Mass, mass, position)
    check(qi_add_point_mass(number(mass), vector(position), m.numbers))
    m
end

"""
    add_sphere!(m, mass, radius, position)

Adds a solid sphere to the sum `m`. `position` is its centre.
"""
function add_sphere!(m::Mass, mass, radius, position)
    check(qi_add_sphere_mass(number(mass), number(radius), vector(position), m.numbers))
    m
end

"""
    add_ellipsoid!(m, mass, semi_axes, position, orientation = (1, 0, 0, 0))

Adds a solid ellipsoid to the sum `m`. `position` is its centre; `orientation` leads from its axes to those of the assembly.
"""
function add_ellipsoid!(m::Mass, mass, semi_axes, position, orientation = IDENTITY)
    turn = collect(four(orientation))
    check(qi_add_ellipsoid_mass(number(mass), vector(semi_axes), vector(position), turn, m.numbers))
    m
end

"""
    add_box!(m, mass, edges, position, orientation = (1, 0, 0, 0))

Adds a solid box to the sum `m`. The place is given as in [`add_ellipsoid!`](@ref).
"""
function add_box!(m::Mass, mass, edges, position, orientation = IDENTITY)
    turn = collect(four(orientation))
    check(qi_add_box_mass(number(mass), vector(edges), vector(position), turn, m.numbers))
    m
end

"""
    add_cylinder!(m, mass, radius, length, position, orientation = (1, 0, 0, 0))

Adds a solid cylinder along its z axis to the sum `m`. The place is given as in [`add_ellipsoid!`](@ref).
"""
function add_cylinder!(m::Mass, mass, radius, length, position, orientation = IDENTITY)
    turn = collect(four(orientation))
    check(qi_add_cylinder_mass(number(mass), number(radius), number(length), vector(position), turn, m.numbers))
    m
end

"""
    add_capsule!(m, mass, radius, length, position, orientation = (1, 0, 0, 0))

Adds a solid capsule to the sum `m`: a cylinder of this `length` along its z axis, with half a sphere on each end. The place is given
as in [`add_ellipsoid!`](@ref).
"""
function add_capsule!(m::Mass, mass, radius, length, position, orientation = IDENTITY)
    turn = collect(four(orientation))
    check(qi_add_capsule_mass(number(mass), number(radius), number(length), vector(position), turn, m.numbers))
    m
end

"""
    add_hemisphere!(m, mass, radius, position, orientation = (1, 0, 0, 0))

Adds half of a solid sphere to the sum `m`, which lies above its flat face, along its z axis. `position` is the centre of the flat
face; `orientation` as in [`add_ellipsoid!`](@ref).
"""
function add_hemisphere!(m::Mass, mass, radius, position, orientation = IDENTITY)
    turn = collect(four(orientation))
    check(qi_add_hemisphere_mass(number(mass), number(radius), vector(position), turn, m.numbers))
    m
end

"""
    add_cone!(m, mass, radius, height, position, orientation = (1, 0, 0, 0))

Adds a solid cone to the sum `m`, along its z axis from its base to its tip. `position` is the centre of the base; `orientation` as in
[`add_ellipsoid!`](@ref).
"""
function add_cone!(m::Mass, mass, radius, height, position, orientation = IDENTITY)
    turn = collect(four(orientation))
    check(qi_add_cone_mass(number(mass), number(radius), number(height), vector(position), turn, m.numbers))
    m
end

"""
    add_mesh!(m, density, corners)

Adds the solid inside of a closed surface of triangles to the sum `m`. `corners` is a 3×3×n array: column `j` of page `i` is corner
`j` of triangle `i`. The corners are counterclockwise as seen from outside; those of hollows as seen from within them.
"""
function add_mesh!(m::Mass, density, corners)
    ndims(corners) == 3 && size(corners)[1:2] == (3, 3) ||
        throw(DimensionMismatch("the corners of triangles must be 3×3×n, not $(join(size(corners), '×'))"))
    numbers = corners isa Array{Float64} ? corners : array(corners)
    check(qi_add_mesh_mass(number(density), size(corners, 3), numbers, m.numbers))
    m
end

"""
    add_inertia!(m, mass, inertia, position, orientation = (1, 0, 0, 0))

Adds a part to the sum `m` whose inertia, about its own centre of mass and along its own axes, is known: a 3×3 tensor or three
moments. `position` is its centre of mass; `orientation` as in [`add_ellipsoid!`](@ref). To take a part away, give the negative of
its mass and of its inertia.
"""
function add_inertia!(m::Mass, mass, inertia, position, orientation = IDENTITY)
    turn = collect(four(orientation))
    check(qi_add_inertia_mass(number(mass), nine(inertia), vector(position), turn, m.numbers))
    m
end

"""
    mass_properties(m)

Returns the named tuple `(mass, centre, inertia)` of a [`Mass`](@ref): the mass, the centre of mass in the axes of the assembly, and
the inertia about it along these axes, a 3×3 tensor that [`Body`](@ref) takes.
"""
function mass_properties(m::Mass)
    mass, centre, inertia = Ref(0.0), Vector{Float64}(undef, 3), Matrix{Float64}(undef, 3, 3)
    check(qi_get_mass_properties(m.numbers, mass, centre, inertia))
    (mass = mass[], centre = Vec3(centre), inertia = inertia)
end

"""
    inertia_about(m, point)

Returns the inertia of a [`Mass`](@ref) about any point, along the axes of the assembly: a 3×3 tensor.
"""
function inertia_about(m::Mass, point)
    inertia = Matrix{Float64}(undef, 3, 3)
    check(qi_get_inertia_about(m.numbers, vector(point), inertia))
    inertia
end

"""
    principal_axes(inertia)

Returns the named tuple `(moments, orientation)`: the principal moments of an inertia, and the rotation from the principal axes to
the body axes, as the library computes with them: `inertia ≈ R * Diagonal(moments) * R'` with `R = rotation_matrix(orientation)`.
"""
function principal_axes(inertia)
    moments, orientation = Vector{Float64}(undef, 3), Vector{Float64}(undef, 4)
    check(qi_get_principal_axes(nine(inertia), moments, orientation))
    (moments = Vec3(moments), orientation = Quaternion(orientation))
end
