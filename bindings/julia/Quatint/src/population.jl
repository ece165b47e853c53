# Ensembles whose bodies come and go.

"""
    resize!(ensemble, n)

Changes the number of bodies to `n`. The first bodies stay. New ones are as in a new [`Ensemble`](@ref), without torque and
drag. Where all bodies share the inertia or the parameters of a torque or a drag, new ones share them, too. The kind of the
torque, method, clock and threads stay. All bodies move. Bound arrays are released, as by [`release_arrays!`](@ref).
"""
function Base.resize!(e::Ensemble, n::Integer)
    n >= 0 || throw(ArgumentError("the number of bodies is $n; it must not be negative"))
    change_population(handle -> qi_resize_ensemble(handle, n), e, Int(whole(n, "n")))
end

"""
    select_bodies!(ensemble, bodies)

Body `i` becomes what body `bodies[i]` is. This removes bodies, changes their order and copies them:
`select_bodies!(e, sortperm(cells))`. The bodies may be given by a vector of `Bool`, too. Otherwise as `resize!`.
"""
function select_bodies!(e::Ensemble, bodies)
    from = indices_of(e, bodies)
    from === NO_LIST && (from = collect(Csize_t, 0:e.count - 1))
    change_population(handle -> qi_select_bodies(handle, from, length(from)), e, length(from))
end

"""
    deleteat!(ensemble, bodies)

Removes bodies, given by index or by a vector of `Bool`. The others keep their order. Otherwise as `resize!`.
"""
function Base.deleteat!(e::Ensemble, bodies)
    stays = trues(e.count)
    bodies isa Colon ? fill!(stays, false) : (stays[indices_of(e, bodies) .+ 1] .= false)
    select_bodies!(e, stays)
end

"""
    release_arrays!(ensemble)

Takes the states from the bound arrays into the ensemble's own memory. The arrays keep their contents, and neither the ensemble
nor the library uses them any more: predicted velocities are no longer written, either. Orientations and angular velocities
bound with `kind = :omega_body` keep their bits.

Before Julia 1.11 a vector that was bound can never be resized again: make a new one, for example `particles[stays]`.
"""
function release_arrays!(e::Ensemble)
    GC.@preserve e check(qi_release_arrays(handle_of(e)))
    fill!(e.bound, nothing)
    e
end

function change_population(change, e, count)
    handle = handle_of(e)
    count > e.most && make_room(count - e.most)
    GC.@preserve e disable_sigint() do # no interrupt may come after C has another number of bodies and before we have
        status = change(handle)
        status == QI_ERR_MEMORY && (GC.gc(); status = change(handle))
        check(status)
        setfield!(e, :count, count)
        e.most = max(e.most, count)
        fill!(e.bound, nothing)
    end
    e
end
