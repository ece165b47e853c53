# Sums that do not depend on the order of their terms, nor on how bodies are spread over ensembles and processes.

"""
    ExactSum()

The exact sum of any number of `Float64`; at first 0. `push!` adds a number, `append!` a collection, `+` another sum, and
`Float64(sum)` is the number nearest to the sum. The order of the terms does not change a bit of it.

`words` are $(Int(QI_SUM_SIZE)) integers that hold the sum. Added element by element, those of several processes (up to 2^31)
hold the sum over all of them: `MPI.Allreduce!(sum.words, +, comm)`. `ExactSum(words)` makes a sum of such integers, which it
keeps.
"""
struct ExactSum
    words::Vector{Int64}

    ExactSum() = new(zeros(Int64, QI_SUM_SIZE))
    ExactSum(words::Vector{Int64}) = (check_length(words, QI_SUM_SIZE, "an exact sum"); new(words))
end

function Base.append!(s::ExactSum, numbers)
    terms = numbers isa Array{Float64} ? numbers : array(numbers)
    check(qi_add_to_sum(s.words, terms, length(terms)))
    s
end

Base.push!(s::ExactSum, x) = append!(s, (number(x),))

Base.Float64(s::ExactSum) = one_from(out -> qi_get_sum(s.words, out))
Base.:+(a::ExactSum, b::ExactSum) = ExactSum(a.words + b.words)
Base.copy(s::ExactSum) = ExactSum(copy(s.words))
Base.show(io::IO, s::ExactSum) = print(io, "ExactSum of ", Float64(s))

"""
    kinetic_energy_sums(ensemble)

The exact sum of the rotational kinetic energies of the active bodies, an [`ExactSum`](@ref).
"""
function kinetic_energy_sums(e::Ensemble)
    s = ExactSum()
    GC.@preserve e check(qi_get_kinetic_energy_sums(handle_of(e), s.words))
    s
end

"""
    angular_momentum_sums(ensemble)

The exact sums of the angular momenta of the active bodies, world frame: a vector of three [`ExactSum`](@ref), for x, y and z.
`Float64.(sums)` are three numbers.
"""
function angular_momentum_sums(e::Ensemble)
    words = Matrix{Int64}(undef, QI_SUM_SIZE, 3)
    GC.@preserve e check(qi_get_angular_momentum_sums(handle_of(e), words))
    [ExactSum(words[:, c]) for c in 1:3]
end
