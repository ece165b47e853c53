# drop_in.jl: a program for QuaternionIntegrator.jl, with one line changed
using Quatint, LinearAlgebra, Printf

Ib = Diagonal([1.0, 2.0, 3.0])
q0 = [1.0, 0.0, 0.0, 0.0]
ω0 = [1.0, 1.0, 1.0]
q1, ω1 = integrate(q0, ω0, Ib, 1e-3, q -> [0.0, 0.0, 0.0], 10_000)
@printf("q = (%.5f, %.5f, %.5f, %.5f)\n", q1...)

# It prints:
# q = (0.46254, -0.31433, 0.04943, 0.82753)
