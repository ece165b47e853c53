# What QuaternionIntegrator.jl offers, with the same arguments in the same meaning.

"""
    integrate(q0, ω0, Ib, Δt, torque; IbInv = nothing)
    integrate(q0, ω0, Ib, Δt, torque, N)

One step of length `Δt`, or `N` of them: `(q1, ω1)`, the orientation and the angular velocity at the end.

- `q0`: orientation, any type with the fields `s, v1, v2, v3` and a constructor of four numbers, or an array of four.
- `ω0`: angular velocity, world frame; a plain or a static array of three.
- `Ib`: inertia tensor in the axes of the body, 3×3.
- `torque(q)`: the torque in the world frame at an orientation, which it gets in the type of `q0`.
- `IbInv`: taken, and not needed.

What comes out is of the type that went in. Numbers may carry units, of any package whose numbers divide by their `oneunit` and
convert to `Float64` where nothing remains (Unitful's do): `ω0` one over a time, `Ib` mass · length², `torque` an energy, in whatever
units; `ω1` is in those of `ω0`.
"""
integrate(q0, ω0, Ib, Δt, torque; IbInv = nothing) = integrate(q0, ω0, Ib, Δt, torque, 1)

function integrate(q0, ω0, Ib, Δt, torque, N::Integer)
    N >= 0 || throw(ArgumentError("$N steps"))
    size(Ib) == (3, 3) || throw(DimensionMismatch("the inertia is 3×3, not $(join(size(Ib), '×'))"))
    rate, inertia = oneunit(ω0[1]), oneunit(Ib[1, 1])
    numbers = Float64[number(Ib[i, j] / inertia) for i in 1:3 for j in 1:3]
    make = quaternion_like(q0)
    q, ω = Ref(four(q0)), Ref(three_in(ω0, rate))
    callback = Callback(TorqueOfOrientation(torque, make, inertia * rate * rate))
    GC.@preserve q ω callback begin
        check(qi_integrate(numbers, Ptr{Float64}(pointer_from_objref(q)), Ptr{Float64}(pointer_from_objref(ω)), 0.0,
            number(Δt * rate), N, pointer_of(callback), user_data(callback)), callback)
    end
    make(q[]...), like(ω0, ω[], rate)
end

"A torque of the orientation alone, in the caller's quaternions and units, as the torque of a body."
struct TorqueOfOrientation{F, Q, U}
    f::F
    make::Q
    unit::U
end

@inline (t::TorqueOfOrientation)(_, q, _) = three_in(t.f(t.make(q.s, q.v1, q.v2, q.v3)), t.unit)
