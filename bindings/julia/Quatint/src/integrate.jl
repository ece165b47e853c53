# The function of QuaternionIntegrator.jl, with the same arguments and the same meaning.

"""
    integrate(q0, ω0, Ib, Δt, torque; tolerance = nothing, IbInv = nothing)
    integrate(q0, ω0, Ib, Δt, torque, N; tolerance = nothing)

Takes one step of length `Δt`, or `N` steps. Returns `(q1, ω1)`, the orientation and the angular velocity at the end.

With a `tolerance` it goes over the same time in steps that the tolerance chooses, as [`solve!`](@ref).

- `q0`: orientation, of any type with the fields `s, v1, v2, v3` and a constructor from four numbers, or an array of four
  numbers.
- `ω0`: angular velocity, world frame; an ordinary or static array of three numbers.
- `Ib`: inertia tensor in the body axes: 3×3, or a number or a multiple of `I` for equal moments.
- `torque(q)`: the torque in the world frame at the orientation `q`, which has the type of `q0`.
- `IbInv`: accepted for compatibility and not used.

The results have the types of the inputs. Numbers may carry units of any package whose numbers can be divided by their
`oneunit` and, once dimensionless, convert to `Float64` (Unitful's do). `ω0` is 1/time, `Ib` mass · length², `torque` an
energy, each in any unit of that dimension. `ω1` has the unit of `ω0`.
"""
integrate(q0, ω0, Ib, Δt, torque; tolerance = nothing, IbInv = nothing) =
    integrate(q0, ω0, Ib, Δt, torque, 1; tolerance = tolerance)

function integrate(q0, ω0, Ib, Δt, torque, N::Integer; tolerance = nothing)
    count_of_steps(N)
    rate, inertia = oneunit(ω0[1]), unit_of_inertia(Ib)
    numbers = inertia_in(Ib, inertia)
    make = quaternion_like(q0)
    adapted = TorqueOfOrientation(torque, make, inertia * rate * rate)
    if tolerance !== nothing
        q1, ω1 = solved(numbers, four(q0), three_in(ω0, rate), number(Δt * rate) * N, adapted, tolerance)
        return make(q1...), like(ω0, ω1, rate)
    end
    q, ω = Ref(four(q0)), Ref(three_in(ω0, rate))
    callback = Callback(adapted)
    GC.@preserve q ω callback begin
        dt = number(Δt * rate)
        check(calling_back(() -> qi_integrate(numbers, Ptr{Float64}(pointer_from_objref(q)),
            Ptr{Float64}(pointer_from_objref(ω)), 0.0, dt, N, pointer_of(callback), user_data(callback))), callback)
    end
    make(q[]...), like(ω0, ω[], rate)
end

unit_of_inertia(Ib) = oneunit(Ib[1, 1])
unit_of_inertia(Ib::Number) = oneunit(Ib)
unit_of_inertia(Ib::UniformScaling) = oneunit(Ib.λ)

function inertia_in(Ib, unit)
    size(Ib) == (3, 3) || refuse_size(Ib)
    Float64[number(Ib[i, j] / unit) for i in 1:3 for j in 1:3]
end
inertia_in(Ib::Number, unit) = collect(tensor((x = number(Ib / unit); (x, x, x))))
inertia_in(Ib::UniformScaling, unit) = inertia_in(Ib.λ, unit)

"Orientation and angular velocity after a time, with error control."
function solved(numbers, q, ω, duration, torque, tolerance)
    body = Body(reshape(numbers, 3, 3); orientation = q, angular_velocity = ω)
    try
        solve!(set_torque!(body, torque), duration; tolerance = tolerance)
        four(orientation(body)), three(angular_velocity(body))
    finally
        close(body)
    end
end

"Adapts a torque that depends on the orientation only, in the caller's quaternion type and units, to the torque of a body."
struct TorqueOfOrientation{F, Q, U}
    f::F
    make::Q
    unit::U
end

@inline (t::TorqueOfOrientation)(_, q, _) = three_in(t.f(t.make(q.s, q.v1, q.v2, q.v3)), t.unit)
