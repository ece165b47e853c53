# restart.jl: a run that is written to a file, and another that goes on from the file with the same bits.
# A row is a column here. Of a body, `rows(body)` is a vector, and `set_rows!` comes after its
# torque and method. See docs/restart.md.
using Quatint, Serialization

function torque!(torque, time, bodies, q, ω)
    torque[:, 1] .= sin(3time)
    torque[:, 3] .= .-0.1 .* ω[:, 3]
end

# every run has the same method and the same torque
ensemble(n) = set_torque!(Ensemble(n; method = :splitting), torque!)

save(e, file) = serialize(file, (clock(e), rows(e)))

function load(file)
    time, numbers = deserialize(file)
    e = set_clock!(ensemble(size(numbers, 2)), time)
    set_rows!(e, numbers) # last: what is set after them makes :splitting forget the torque that it keeps
end

function run(file)
    e = ensemble(1000)
    set_principal_inertias!(e, [c + 0.001i for c in 1:3, i in 1:1000])
    set_angular_velocities!(e, [sin(c + 0.1i) for c in 1:3, i in 1:1000])
    advance!(e, 0.1, 100)
    save(e, file)
    again = load(file)
    advance!(e, 0.1, 100)
    advance!(again, 0.1, 100)
    println(size(rows(e)), ", the clocks show ", time(e), " and ", time(again))
    println("the same bits: ", rows(again) == rows(e) && clock(again) == clock(e))
end

mktemp((file, _) -> run(file))

# It prints:
# (20, 1000), the clocks show 20.0 and 20.0
# the same bits: true
