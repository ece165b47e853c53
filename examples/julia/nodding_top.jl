# nodding_top.jl: draws how a top nods that is released with its axis at rest.
#
#     julia --project=bindings/julia/Quatint examples/julia/nodding_top.jl [nodding_top.svg]
#
# The axis falls, turns aside and rises to a cusp, where it rests again. The program finds where it leans most by an event, and
# compares the lean with the exact one: a root of the polynomial of the turning points (Landau, Lifshitz, Mechanics, § 35).
# The tip of the axis, from above, is drawn from the states at 2000 times; a dot marks where it leans most.

using Quatint, LinearAlgebra, Printf

const MOMENT, MOMENT_OF_AXIS, SPIN, LEAN = 1.0, 0.5, 4.0, 0.6 # about the fixed point; rad/s; rad. Weight times arm is 1

axis(q) = rotate(q, Quatint.Vec3(0, 0, 1))

weight(time, q, ω) = cross(axis(q), Quatint.Vec3(0, 0, -1))

rise(time, q, ω) = cross(ω, axis(q))[3] # how fast the tip rises

function top()
    q = orientation((1, 0, 0), LEAN)
    set_torque!(Body([MOMENT, MOMENT, MOMENT_OF_AXIS]; orientation = q, angular_velocity = rotate(q, (0, 0, SPIN))), weight)
end

"Where the axis leans most: the times, and the tips."
function nods(count)
    body, times, tips = top(), Float64[], Quatint.Vec3[]
    for _ in 1:count
        solve_until!(rise, body, time(body) + 100; tolerance = 1e-12, direction = :rising) || error("it does not nod")
        push!(times, time(body))
        push!(tips, axis(orientation(body)))
    end
    times, tips
end

function picture(path, dots)
    at(tip) = @sprintf("%.2f,%.2f", 250 + 240 * tip[1], 250 - 240 * tip[2])
    ring(z) = @sprintf("<circle cx='250' cy='250' r='%.2f' fill='none' stroke='#bbb'/>\n", 240 * sqrt(1 - z^2))
    string("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 500 500'>\n<rect width='500' height='500' fill='white'/>\n",
        ring(path[1][3]), ring(dots[1][3]),
        "<polyline fill='none' stroke='#2a78d6' stroke-width='2' points='", join(map(at, path), " "), "'/>\n",
        (replace(at(dot), r"(.*),(.*)" => s"<circle cx='\1' cy='\2' r='4' fill='#e34948'/>\n") for dot in dots)..., "</svg>\n")
end

function main(file)
    times, tips = nods(20)
    rows = record(top(), range(0, times[end]; length = 2000); tolerance = 1e-9)
    path = [axis(rows.orientation[:, i]) for i in 1:2000]
    write(file, picture(path, tips))

    # 1 - u² = 2 λ (cos LEAN - u), where u is the cosine of the greatest lean
    λ = (MOMENT_OF_AXIS * SPIN)^2 / (4 * MOMENT)
    exact = acos(λ - sqrt(λ^2 - 2 * λ * cos(LEAN) + 1))
    worst = maximum(abs(acos(tip[3]) - exact) for tip in tips)
    @printf("it nods every %.6f s, from %.6f to %.6f rad\n", times[2] - times[1], LEAN, acos(tips[1][3]))
    println("the greatest lean is right to 1e-10 in ", length(tips), " nods: ", worst < 1e-10)
    println("the picture: ", file)
    worst < 1e-10 || exit(1)
end

main(isempty(ARGS) ? "nodding_top.svg" : ARGS[1])
