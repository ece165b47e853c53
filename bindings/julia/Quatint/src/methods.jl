# The methods that advance bodies, by name.

const METHODS = (pcdm = QI_METHOD_PCDM, cf4 = QI_METHOD_CF4, splitting = QI_METHOD_SPLITTING,
    splitting_4 = QI_METHOD_SPLITTING_4, splitting_6 = QI_METHOD_SPLITTING_6,
    force_gradient = QI_METHOD_FORCE_GRADIENT, brownian = QI_METHOD_BROWNIAN)

number_of(method::Symbol) = haskey(METHODS, method) ? METHODS[method] :
    refuse_method(method)
number_of(method) = refuse_method(method)

refuse_method(method) =
    throw(ArgumentError("the method must be $(join((":$name" for name in keys(METHODS)), ", ", " or ")), not $(repr(method))"))

function name_of_method(get)
    number = Ref{Int32}(0)
    check(get(number))
    keys(METHODS)[findfirst(==(number[]), collect(values(METHODS)))]
end
