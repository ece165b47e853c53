# bench.jl: the cost of a torque written in Julia, and `integrate` compared with the same algorithm in ordinary arrays, and with
# QuaternionIntegrator.jl where Julia finds it.
#
#     make bench-julia
#
# The same torques are also written in C and compiled here. Every contender runs in every round. Quoted ratios are medians.

using Quatint, LinearAlgebra, Libdl, Printf, Statistics

const ROUNDS = 31

"Measures nanoseconds per unit for each contender in interleaved rounds, and the median ratio to the first contender."
function measure(title, contenders, units; rounds = ROUNDS)
    times = [Float64[] for _ in contenders]
    for round in 0:rounds, (i, (_, run)) in enumerate(contenders)
        t = time_ns()
        run()
        round > 0 && push!(times[i], (time_ns() - t) / units)
    end
    @printf("\n%-56s %9s %9s\n", title, "ns", "of first")
    for (i, (name, _)) in enumerate(contenders)
        @printf("  %-54s %9.2f %8.2fx\n", name, median(times[i]), median(times[i] ./ times[1]))
    end
    times
end

# the weight of a heavy top, (R e3) × (0, 0, -1), in C and in Julia

const C_SOURCE = """
#include <stddef.h>
#include <stdint.h>
int32_t weight(double time, const double *q, const double *omega, double *torque, void *data)
{
    torque[0] = -2*(q[2]*q[3] - q[0]*q[1]);
    torque[1] = 2*(q[1]*q[3] + q[0]*q[2]);
    torque[2] = 0;
    return 0;
}
int32_t weights(double time, size_t first, size_t n, const double *restrict q, const double *omega, double *restrict torque, void *data)
{
    for (size_t i = 0; i < n; i++) {
        torque[i] = -2*(q[2*n + i]*q[3*n + i] - q[i]*q[n + i]);
        torque[n + i] = 2*(q[n + i]*q[3*n + i] + q[i]*q[2*n + i]);
    }
    return 0;
}
"""

weight(time, q, ω) = (-2 * (q.v2 * q.v3 - q.s * q.v1), 2 * (q.v1 * q.v3 + q.s * q.v2), 0.0)

function weights(torque, time, bodies, q, ω)
    @inbounds @simd for i in 1:size(q, 1)
        torque[i, 1] = -2 * (q[i, 3] * q[i, 4] - q[i, 1] * q[i, 2])
        torque[i, 2] = 2 * (q[i, 2] * q[i, 4] + q[i, 1] * q[i, 3])
    end
end

function compiled()
    folder = mktempdir()
    write(joinpath(folder, "torque.c"), C_SOURCE)
    library = joinpath(folder, "torque.so")
    run(`cc -O3 -march=native -shared -fPIC -o $library $(joinpath(folder, "torque.c"))`)
    dlopen(library)
end

function steps(body, n)
    for _ in 1:n
        step!(body, 1e-3)
    end
end

function one_body(library)
    in_c, in_julia = (Body([1, 2, 3]; angular_velocity = (1, 1, 1)) for _ in 1:2)
    Quatint.check(Quatint.qi_set_torque(in_c.handle, dlsym(library, :weight), C_NULL))
    set_torque!(in_julia, weight)
    n = 20_000
    measure("one body, step!", ["C callback" => () -> steps(in_c, n), "Julia function" => () -> steps(in_julia, n)], n)
end

function many_bodies(library)
    n, repeats = 4096, 50
    in_c, in_julia = Ensemble(n), Ensemble(n)
    for e in (in_c, in_julia)
        set_inertias!(e, [1, 2, 3])
        set_angular_velocities!(e, (1, 1, 1))
    end
    Quatint.check(Quatint.qi_set_ensemble_torque(in_c.handle, dlsym(library, :weights), 1, 0, C_NULL))
    set_torque!(in_julia, weights)
    # the torque expression alone: the same number of evaluations on chunks of the same size, in Julia's own arrays
    q, ω, torque = rand(64, 4), rand(64, 3), zeros(64, 3)
    expression() = for _ in 1:2 * repeats * n ÷ 64
        weights(torque, 0.0, 1:64, q, ω)
    end
    times = measure("an ensemble of $n, step!",
        ["C callback, columns" => () -> steps(in_c, repeats), "Julia function, rows" => () -> steps(in_julia, repeats),
            "the Julia expression alone" => expression], n * repeats)
    @printf("  Julia's over C's plus the expression: %.2fx\n", median(times[2] ./ (times[1] .+ times[3])))
end

# the algorithm as published, in ordinary arrays; the quaternion product is written with vector operations or component by
# component

in_vectors(a, b) = [a[1] * b[1] - dot(a[2:4], b[2:4]); a[1] * b[2:4] + b[1] * a[2:4] + cross(a[2:4], b[2:4])]
in_components(a, b) = [
    a[1] * b[1] - a[2] * b[2] - a[3] * b[3] - a[4] * b[4],
    a[1] * b[2] + a[2] * b[1] + a[3] * b[4] - a[4] * b[3],
    a[1] * b[3] - a[2] * b[4] + a[3] * b[1] + a[4] * b[2],
    a[1] * b[4] + a[2] * b[3] - a[3] * b[2] + a[4] * b[1]]
conjugate(q) = [q[1], -q[2], -q[3], -q[4]]
turned(product, q, v) = product(product(q, [0.0, v[1], v[2], v[3]]), conjugate(q))[2:4]
exponential(v) = (n = norm(v); s = sin(n / 2) / n; [cos(n / 2), s * v[1], s * v[2], s * v[3]])

function plain_step(product, q, ω, I, inverse, h, torque)
    w = turned(product, conjugate(q), ω)
    a = inverse * (turned(product, conjugate(q), torque(q)) - cross(w, I * w))
    half = product(exponential(turned(product, q, w + a * h / 4) * h / 2), q)
    middle = w + a * h / 2
    a = inverse * (turned(product, conjugate(half), torque(half)) - cross(middle, I * middle))
    q = product(exponential(turned(product, half, middle) * h), q)
    q, turned(product, q, w + a * h)
end

function plain(product, q, ω, I, h, torque, n)
    inverse = inv(I)
    for _ in 1:n
        q, ω = plain_step(product, q, ω, I, inverse, h, torque)
    end
    q, ω
end

function drop_in()
    n, start = 100_000, ([1.0, 0, 0, 0], [1.0, 1, 1], Matrix(Diagonal([1.0, 2, 3])), 1e-4)
    torque(q) = [-2 * (q[3] * q[4] - q[1] * q[2]), 2 * (q[2] * q[4] + q[1] * q[3]), 0.0]
    ours = integrate(start..., torque, n)
    for product in (in_vectors, in_components)
        theirs = plain(product, start..., torque, n)
        @assert isapprox(ours[1], theirs[1]; rtol = 1e-6) && isapprox(ours[2], theirs[2]; rtol = 1e-6)
    end
    times = measure("integrate, $n steps", ["integrate" => () -> integrate(start..., torque, n),
        "in ordinary arrays, vector operations" => () -> plain(in_vectors, start..., torque, n),
        "in ordinary arrays, components written out" => () -> plain(in_components, start..., torque, n)], n; rounds = 7)
    @printf("  integrate is %.0f and %.0f times faster\n", median(times[2] ./ times[1]), median(times[3] ./ times[1]))
end

# QuaternionIntegrator.jl itself, where it is installed beside this package

function the_original(theirs, quaternion, vector, matrix)
    n, start = 20_000, (quaternion(1.0, 0.0, 0.0, 0.0), vector(1.0, 1.0, 1.0), matrix(Diagonal([1.0, 2, 3])), 1e-4)
    torque(q) = vector(-2 * (q.v2 * q.v3 - q.s * q.v1), 2 * (q.v1 * q.v3 + q.s * q.v2), 0.0)
    times = measure("QuaternionIntegrator.jl, $n steps, $(nameof(typeof(start[2])))",
        ["integrate" => () -> integrate(start..., torque, n), "theirs" => () -> theirs(start..., torque, n)], n; rounds = 15)
    @printf("  integrate is %.0f times faster\n", median(times[2] ./ times[1]))
end

if Base.find_package("QuaternionIntegrator") !== nothing
    @eval import QuaternionIntegrator, Quaternions, StaticArrays
end

library = compiled()
one_body(library)
many_bodies(library)
drop_in()
if isdefined(Main, :QuaternionIntegrator)
    original, quaternion = QuaternionIntegrator.integrate, Quaternions.Quaternion
    the_original(original, quaternion, (x, y, z) -> [x, y, z], Matrix)
    the_original(original, quaternion, (x, y, z) -> StaticArrays.SVector(x, y, z), StaticArrays.SMatrix{3, 3})
end
