# Plays the cases of tests/data/cases.txt: tests/rust/cases.rs says what their words mean.

module Cases

using Test, Quatint

const TORQUES = ("constant_torque", "uniform_field_torque", "gravity_gradient_torque", "linear_drag_torque", "shear_flow_torque")

"The cases in order: name => lines, each split into words."
function read_cases(path)
    cases = Pair{String, Vector{Vector{SubString{String}}}}[]
    for line in eachline(path)
        if startswith(line, "case ")
            push!(cases, line[6:end] => [])
        elseif !isempty(line) && !startswith(line, "#")
            push!(last(cases).second, split(line))
        end
    end
    cases
end

"The numbers at the beginning, up to a word that is none."
function numbers_of(words)
    numbers = [tryparse(Float64, word) for word in words]
    end_of_them = something(findfirst(isnothing, numbers), length(numbers) + 1) - 1
    Float64.(numbers[1:end_of_them])
end

"A vector for all bodies, or a matrix with a column for each."
columns(numbers, size) = length(numbers) == size ? numbers : reshape(numbers, size, :)

"The table writes matrices by rows."
matrix(numbers) = permutedims(reshape(numbers, 3, 3))

"A tensor for all bodies, or a 3×3×n array."
tensors(numbers) = length(numbers) == 9 ? matrix(numbers) : permutedims(reshape(numbers, 3, 3, :), (2, 1, 3))

function made(word, words)
    word == "ensemble" && return Ensemble(parse(Int, words[1]))
    a = numbers_of(words)
    Body(matrix(a[1:9]); orientation = a[10:13], angular_velocity = a[14:16])
end

function torque_of(word, words)
    a = numbers_of(words)
    word == "constant_torque" && return ConstantTorque(columns(a, 3); frame = Symbol(words[end]))
    word == "uniform_field_torque" && return UniformFieldTorque(columns(a[1:end-3], 3), a[end-2:end])
    word == "gravity_gradient_torque" && return GravityGradientTorque(a[1:3], length(a) == 4 ? a[4] : a[4:end])
    word == "linear_drag_torque" && return LinearDragTorque(columns(a, 3))
    ShearFlowTorque(columns(a[1:end-10], 3), a[end-9], matrix(a[end-8:end]))
end

function set_bath!(object, words)
    of_body = object isa Body
    integers = parse.(UInt64, words[end-of_body:end])
    a = numbers_of(words)[1:end-1-of_body]
    more = of_body ? (id = integers[2],) : NamedTuple()
    set_langevin!(object, columns(a[1:end-4], 3); flow = a[end-3:end-1], kt = a[end], seed = integers[1], more...)
end

"The function `set_word!` of the package."
setter(word) = getfield(Quatint, Symbol("set_", word, "!"))

function play!(object, word, words)
    a = numbers_of(words)
    frame = Symbol(words[end])
    if word in TORQUES
        set_torque!(object, torque_of(word, words))
    elseif word == "inertia"
        set_inertia!(object, matrix(a); keep = Symbol(words[end]))
    elseif word == "inertias"
        set_inertias!(object, tensors(a))
    elseif word == "drag"
        set_drag!(object, columns(a[1:end-3], 3); flow = a[end-2:end])
    elseif word == "langevin"
        set_bath!(object, words)
    elseif word in ("method", "solve_method")
        setter(word)(object, Symbol(words[1]))
    elseif word in ("noise_draws", "ids")
        integers = parse.(UInt64, words)
        setter(word)(object, word == "ids" ? integers : integers[1])
    elseif word == "active"
        set_active!(object, Int.(a) .+ 1)
    elseif word in ("state", "state_body")
        setter(word)(object, a[1:4], a[5:7])
    elseif word == "lock_axes"
        lock_axes!(object, words[1])
    elseif word == "advance"
        advance!(object, a[1], Int(a[2]))
    elseif word == "solve"
        solve!(object, a[1]; tolerance = a[2])
    elseif word == "kick"
        kick!(object, a[1], columns(a[2:end], 3); frame = frame)
    elseif word == "kick_drift"
        kick_drift!(object, a[1], a[2], columns(a[3:end], 3); frame = frame)
    elseif word in ("drift", "thermalize", "scale_angular_momenta")
        getfield(Quatint, Symbol(word, "!"))(object, a[1])
    elseif word == "time"
        set_time!(object, a[1])
    elseif word == "clock"
        set_clock!(object, a)
    else
        setter(word)(object, columns(a, word == "orientations" ? 4 : 3))
    end
end

"The numbers of a noun, those of each body one after the other."
got(object, noun) = vec(Float64[x for x in getfield(Quatint, Symbol(noun))(object)])

function play_case(lines)
    object = nothing
    for line in lines
        word, words = line[1], line[2:end]
        if word in ("body", "ensemble")
            object = made(word, words)
        elseif word == "expect"
            @test isequal((words[1], got(object, words[1])), (words[1], numbers_of(words[2:end])))
        else
            play!(object, word, words)
        end
    end
end

const CASES = read_cases(joinpath(@__DIR__, "../../../../tests/data/cases.txt"))

@testset "the table of cases comes out to the bit" begin
    @testset "$name" for (name, lines) in CASES
        play_case(lines)
    end
    @test length(CASES) > 70
end

end
