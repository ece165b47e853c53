# Points fixed to the bodies of an ensemble: spheres of clumps, atoms of rigid molecules.

"""
    set_points!(ensemble, bodies, arms; layout = nothing)

Fixes points to the bodies, such as the spheres of clumps or the atoms of rigid molecules, in place of those before. They do
not change the inertia.

`bodies` are the indices of the body of each point, in ascending order; a body may have any number of points, or none. `arms`
are the points from the centre of mass, in the body frame: a 3×m or m×3 matrix, a vector of `m` vectors, or one vector for
all. Both are copied. For `layout` see [`set_orientations!`](@ref). `resize!` and [`select_bodies!`](@ref) drop the points.

[`point_positions`](@ref), [`point_velocities`](@ref) and [`sum_point_forces`](@ref) are computed on the threads of the
ensemble, with the same bits on any number of them.
"""
function set_points!(e::Ensemble, bodies, arms; layout = nothing)
    from = indices_of(e, bodies)
    from === NO_LIST && (from = collect(Csize_t, 0:e.count - 1)) # a point on each body
    d = readable(arms, 3, length(from); layout = layout, things = "points")
    GC.@preserve e d check(qi_set_points(handle_of(e), length(from), from, d.pointer, d.body_stride, d.component_stride))
    e
end

"""
    point_positions(ensemble; centres = nothing, layout = nothing)

Returns the positions of the points, world frame, 3×m. `centres` are the positions of the centres of mass: a 3×n or n×3
matrix, a vector of `n` vectors, `particles => :field`, or one vector for all. `nothing` is zeros, which give the arms in the
world frame. For `layout` see [`set_orientations!`](@ref).
"""
point_positions(e::Ensemble; centres = nothing, layout = nothing) =
    point_positions!(Matrix{Float64}(undef, 3, point_count(e)), e; centres = centres, layout = layout, of_points = :columns)

"""
    point_positions!(positions, ensemble; centres = nothing, layout = nothing, of_points = layout)

The same, written to an array of your program: a 3×m or m×3 matrix (any strides), a vector of `m` tuples or static vectors, or
`points => :field`. It must overlap neither `centres` nor a bound array. `of_points` is the layout of `positions`.
"""
function point_positions!(positions, e::Ensemble; centres = nothing, layout = nothing, of_points = layout)
    X = view_or_null(centres, e.count, layout)
    x = writable(positions, point_count(e), of_points, "points")
    GC.@preserve e X x check(qi_get_point_positions(
        handle_of(e), X.pointer, X.body_stride, X.component_stride, x.pointer, x.body_stride, x.component_stride))
    positions
end

"""
    point_velocities(ensemble; centre_velocities = nothing, predicted = false, layout = nothing)

Returns the velocities of the points, world frame, 3×m. `centre_velocities` are those of the centres of mass; their forms are
those of [`point_positions`](@ref). `predicted = true` takes the angular velocities in the array of
[`bind_predicted_velocities!`](@ref), for forces that depend on the velocity.
"""
point_velocities(e::Ensemble; centre_velocities = nothing, predicted = false, layout = nothing) = point_velocities!(
    Matrix{Float64}(undef, 3, point_count(e)), e;
    centre_velocities = centre_velocities, predicted = predicted, layout = layout, of_points = :columns)

"""
    point_velocities!(velocities, ensemble; centre_velocities = nothing, predicted = false, layout = nothing,
        of_points = layout)

The same, written to an array of your program, as by [`point_positions!`](@ref).
"""
function point_velocities!(velocities, e::Ensemble; centre_velocities = nothing, predicted::Bool = false, layout = nothing,
        of_points = layout)
    V = view_or_null(centre_velocities, e.count, layout)
    v = writable(velocities, point_count(e), of_points, "points")
    GC.@preserve e V v check(qi_get_point_velocities(handle_of(e), predicted, V.pointer, V.body_stride, V.component_stride,
        v.pointer, v.body_stride, v.component_stride))
    velocities
end

"""
    sum_point_forces(ensemble, forces; layout = nothing)

Sums the forces on the points of each body, and their torques about its centre of mass, world frame, in the order of the
points. Returns `(forces = F, torques = τ)`, each 3×n; bodies without points get zeros. The torques are what [`kick!`](@ref)
takes. `forces` has the forms of the arms of [`set_points!`](@ref), or is `points => :field`.
"""
function sum_point_forces(e::Ensemble, forces; layout = nothing)
    F, τ = Matrix{Float64}(undef, 3, e.count), Matrix{Float64}(undef, 3, e.count)
    sum_point_forces!(F, τ, e, forces; layout = layout, of_bodies = :columns)
    (forces = F, torques = τ)
end

"""
    sum_point_forces!(body_forces, body_torques, ensemble, forces; layout = nothing, of_bodies = layout)

The same, written to arrays of your program, with the forms of [`bind!`](@ref); `nothing` for one that is not wanted. They must
overlap neither each other nor `forces` nor a bound array. `of_bodies` is their layout.
"""
function sum_point_forces!(body_forces, body_torques, e::Ensemble, forces; layout = nothing, of_bodies = layout)
    f = readable(forces, 3, point_count(e); layout = layout, things = "points")
    F = writable(body_forces, e.count, of_bodies, "bodies")
    τ = writable(body_torques, e.count, of_bodies, "bodies")
    GC.@preserve e f F τ check(qi_sum_point_forces(handle_of(e), f.pointer, f.body_stride, f.component_stride,
        F.pointer, F.body_stride, F.component_stride, τ.pointer, τ.body_stride, τ.component_stride))
    (forces = body_forces, torques = body_torques)
end

const NO_VIEW = View(C_NULL, 3, 1, nothing)

view_or_null(::Nothing, n, layout) = NO_VIEW
view_or_null(array, n, layout) = readable(array, 3, n; layout = layout)

writable(::Nothing, n, layout, things) = NO_VIEW
function writable(array, n, layout, things)
    view = view_of(array, 3, n; layout = layout, things = things)
    GC.@preserve view touch(view, 0:n - 1)
    view
end
