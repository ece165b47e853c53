// Every function that takes an array, with arrays of every form: it takes their numbers, or refuses them by its name, or does not compile.
// `tests/outside/cpp.rs` reads the names from the header: each function that takes a view has a line here.
#include "check.hpp"
#include <Eigen/Dense>

using Eigen::Dynamic, Eigen::Map, Eigen::Matrix3d;
using Numbers = std::vector<double>;
using MatrixByRows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
template <std::size_t K>
using Rows = std::vector<std::array<double, K>>;

static constexpr std::size_t N = 3; // bodies

// Generic numbers; those of an orientation, K = 4, have unit length.
template <std::size_t K>
static Rows<K> generic(std::size_t count = N, double shift = 0)
{
    Rows<K> rows(count);
    for (std::size_t i = 0; i < count; i++) {
        double square = 0;
        for (std::size_t c = 0; c < K; c++) {
            rows[i][c] = 1.5 + shift + std::sin(1.0 + 3.7 * static_cast<double>(i * K + c));
            square += rows[i][c] * rows[i][c];
        }
        for (double &x : rows[i]) {
            if (K == 4) x /= std::sqrt(square);
        }
    }
    return rows;
}

static Rows<9> tensors()
{
    Rows<9> rows(N, GENERIC);
    for (std::size_t i = 0; i < N; i++) {
        for (double &x : rows[i]) x *= 1.0 + static_cast<double>(i);
    }
    return rows;
}

static Ensemble of_bodies()
{
    Ensemble e(N);
    e.set_inertias(GENERIC);
    e.set_orientations(generic<4>());
    e.set_angular_velocities(generic<3>());
    e.set_points({0, 1, 2}, generic<3>(3, 0.5));
    return e;
}

// All numbers of an ensemble after steps: they depend on what it was given.
static Numbers moved(Ensemble &e)
{
    e.advance(0.01, 3);
    return e.rows(parts::all);
}

template <std::size_t K>
struct Cell {
    double before;
    std::array<double, K> array;
    double plain[K];
    double after;
};

// A call of `function` that gives these numbers, or, unless it must, an Error that names the function.
template <class Call>
static void right_or_refused(const char *function, const char *form, bool must, const Numbers &expected, Call call)
{
    try {
        const Numbers got = call();
        const bool is_same = got.size() == expected.size() && std::memcmp(got.data(), expected.data(), sizeof(double) * got.size()) == 0;
        if (!is_same) std::fprintf(stderr, "%s: other numbers from %s\n", function, form);
        CHECK(is_same);
    } catch (const Error &error) {
        const bool is_named = std::strstr(error.what(), function) != nullptr;
        if (must || !is_named) std::fprintf(stderr, "%s refuses %s: %s\n", function, form, error.what());
        CHECK(!must && is_named);
    }
}

template <class Call>
static void refused(const char *function, const char *form, Call call)
{
    try {
        call();
    } catch (const Error &error) {
        if (std::strstr(error.what(), function) == nullptr) std::fprintf(stderr, "%s, %s: %s\n", function, form, error.what());
        CHECK(std::strstr(error.what(), function) != nullptr);
        return;
    }
    std::fprintf(stderr, "%s takes %s\n", function, form);
    CHECK(false);
}

// Calls `test(form, must be taken, view)` with views of a copy of the rows, in memory of every arrangement. `after` gets the rows
// that are there afterwards.
template <bool constant, std::size_t K, class Test>
static void in_every_form(const Rows<K> &rows, Test test)
{
    const auto n = static_cast<std::ptrdiff_t>(rows.size());
    const auto k = static_cast<std::ptrdiff_t>(K);
    const auto fill = [&](double *first, std::ptrdiff_t body, std::ptrdiff_t component) {
        for (std::ptrdiff_t i = 0; i < n; i++) {
            for (std::ptrdiff_t c = 0; c < k; c++) {
                first[i * body + c * component] = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(c)];
            }
        }
    };
    const auto read = [&](const double *first, std::ptrdiff_t body, std::ptrdiff_t component) {
        Numbers numbers;
        for (std::ptrdiff_t i = 0; i < n; i++) {
            for (std::ptrdiff_t c = 0; c < k; c++) numbers.push_back(first[i * body + c * component]);
        }
        return numbers;
    };
    using Any = std::conditional_t<constant, ConstView, View>;
    const auto strided = [&](const char *form, bool must, std::ptrdiff_t first, std::ptrdiff_t body, std::ptrdiff_t component) {
        Numbers memory(static_cast<std::size_t>(8 * n * (k + 2)), 99);
        double *const start = memory.data() + first;
        fill(start, body, component);
        test(form, must, Any(start, body, component, static_cast<std::size_t>(n), K), [&] { return read(start, body, component); });
        Numbers untouched(memory.size(), 99);
        for (std::ptrdiff_t i = 0; i < n; i++) {
            for (std::ptrdiff_t c = 0; c < k; c++) {
                untouched[static_cast<std::size_t>(first + i * body + c * component)] = start[i * body + c * component];
            }
        }
        CHECK(memory == untouched);
    };
    strided("rows that are apart", true, 0, k + 2, 1);
    strided("rows in reverse", true, (n - 1) * k, -k, 1);
    strided("columns", false, 0, 1, n);
    strided("columns in reverse", false, (k - 1) * n, 1, -n);
    strided("every other number", false, 1, 2 * k, 2);

    Rows<K> packed = rows;
    const auto read_packed = [&] { return read(packed.data()->data(), k, 1); };
    test("a std::vector", true, Any(packed), read_packed);
    std::array<std::array<double, K>, N> fixed;
    std::copy(rows.begin(), rows.end(), fixed.begin());
    test("a std::array of arrays", true, Any(fixed), [&] { return read(fixed.data()->data(), k, 1); });
    std::vector<Cell<K>> cells(rows.size());
    constexpr std::ptrdiff_t apart = sizeof(Cell<K>) / sizeof(double);
    fill(cells.data()->array.data(), apart, 1);
    fill(cells.data()->plain, apart, 1);
    test("members that are arrays", true, Any(members(cells, &Cell<K>::array)), [&] { return read(cells.data()->array.data(), apart, 1); });
    test("members of C", true, Any(members(cells, &Cell<K>::plain)), [&] { return read(cells.data()->plain, apart, 1); });

    Eigen::Matrix<double, static_cast<int>(K), Dynamic> columns(k, n);
    fill(columns.data(), k, 1);
    test("a matrix of Eigen with columns", true, Any(columns), [&] { return read(columns.data(), k, 1); });
    Eigen::Matrix<double, Dynamic, static_cast<int>(K)> by_rows(n, k);
    fill(by_rows.data(), 1, n);
    test("a matrix of Eigen with rows", K == 1, Any(by_rows), [&] { return read(by_rows.data(), 1, n); });
    Map<Eigen::Matrix<double, static_cast<int>(K), Dynamic>> map(packed.data()->data(), k, n);
    fill(packed.data()->data(), k, 1);
    test("a Map of Eigen", true, Any(map), read_packed);
    if constexpr (K != 4) { // four numbers of Eigen may be a quaternion with the scalar last
        std::vector<Eigen::Matrix<double, static_cast<int>(K), 1>> vectors(rows.size());
        fill(vectors.data()->data(), k, 1);
        test("vectors of Eigen", true, Any(vectors), [&] { return read(vectors.data()->data(), k, 1); });
    }
}

// A function that reads rows. `call(ensemble, view)` gives numbers that depend on them.
template <std::size_t K, class Call>
static void reads(const char *function, const Rows<K> &rows, Call call)
{
    Ensemble first = of_bodies();
    const Numbers expected = call(first, ConstView(rows));
    in_every_form<true>(rows, [&](const char *form, bool must, const ConstView &view, auto) {
        right_or_refused(function, form, must, expected, [&] {
            Ensemble e = of_bodies();
            return call(e, view);
        });
    });
    Ensemble e = of_bodies();
    const Numbers before = e.rows(parts::state);
    Rows<K> more = rows, fewer = rows;
    more.push_back(rows[0]), fewer.pop_back();
    refused(function, "a row too many", [&] { call(e, ConstView(more)); });
    refused(function, "a row too few", [&] { call(e, ConstView(fewer)); });
    refused(function, "no row", [&] { call(e, ConstView(Rows<K>())); });
    refused(function, "rows that are too long", [&] { call(e, ConstView(Rows<K + 1>(N))); });
    refused(function, "a single number a row", [&] { call(e, ConstView(Rows<(K == 1 ? 2 : 1)>(N))); });
    CHECK(e.rows(parts::state) == before);
}

// A function that writes rows.
template <std::size_t K, class Call>
static void writes(const char *function, Call call)
{
    const Ensemble e = of_bodies();
    Rows<K> rows(N);
    call(e, View(rows));
    Numbers expected;
    for (const auto &row : rows) expected.insert(expected.end(), row.begin(), row.end());
    in_every_form<false>(Rows<K>(N), [&](const char *form, bool, const View &view, auto read) {
        right_or_refused(function, form, true, expected, [&] {
            call(e, view);
            return read();
        });
    });
    Rows<K> more(N + 1), fewer(N - 1);
    Rows<K + 1> longer(N);
    refused(function, "a row too many", [&] { call(e, View(more)); });
    refused(function, "a row too few", [&] { call(e, View(fewer)); });
    refused(function, "rows that are too long", [&] { call(e, View(longer)); });
    refused(function, "the same row for all", [&] { call(e, View(rows.data()->data(), 0)); });
}

// A function that binds rows, which steps then read and write.
template <std::size_t K, class Call>
static void binds(const char *function, const Rows<K> &rows, Call call)
{
    const auto run = [&](const View &view, auto read) {
        Ensemble e = of_bodies();
        call(e, view);
        e.kick_drift(0.1, 0.1, generic<3>());
        Numbers numbers = read(), states = moved(e);
        numbers.insert(numbers.end(), states.begin(), states.end());
        return numbers;
    };
    Rows<K> first = rows;
    const auto flat = [&] {
        Numbers numbers;
        for (const auto &row : first) numbers.insert(numbers.end(), row.begin(), row.end());
        return numbers;
    };
    const Numbers expected = run(View(first), flat);
    in_every_form<false>(rows, [&](const char *form, bool, const View &view, auto read) {
        right_or_refused(function, form, true, expected, [&] { return run(view, read); });
    });
    Ensemble e = of_bodies();
    const Numbers before = e.rows(parts::state);
    Rows<K> more = generic<K>(N + 1), fewer = generic<K>(N - 1);
    Rows<K + 1> longer(N);
    if (std::strstr(function, "_rows") == nullptr) refused(function, "a row too many", [&] { call(e, View(more)); });
    refused(function, "a row too few", [&] { call(e, View(fewer)); });
    refused(function, "rows that are too long", [&] { call(e, View(longer)); });
    refused(function, "the same row for all", [&] { call(e, View(first.data()->data(), 0)); });
    CHECK(e.rows(parts::state) == before);
}

static void arrays_that_are_read_are_taken_in_any_form_or_refused()
{
    const auto v = generic<3>();
    reads("set_orientations", generic<4>(N, 0.3), [](Ensemble &e, const ConstView &a) { e.set_orientations(a); return moved(e); });
    reads("set_angular_velocities", v, [](Ensemble &e, const ConstView &a) { e.set_angular_velocities(a); return moved(e); });
    reads("set_angular_momenta", v, [](Ensemble &e, const ConstView &a) { e.set_angular_momenta(a); return moved(e); });
    reads("set_inertias", tensors(), [](Ensemble &e, const ConstView &a) { e.set_inertias(a); return moved(e); });
    reads("set_principal_inertias", generic<3>(N, 7), [](Ensemble &e, const ConstView &a) { e.set_principal_inertias(a); return moved(e); });
    reads("set_constant_torque", v, [](Ensemble &e, const ConstView &a) { e.set_constant_torque(a); return moved(e); });
    reads("set_uniform_field_torque", v, [](Ensemble &e, const ConstView &a) {
        e.set_uniform_field_torque(a, Vector{0, 0, -1});
        return moved(e);
    });
    reads("set_gravity_gradient_torque", generic<1>(), [](Ensemble &e, const ConstView &a) {
        e.set_gravity_gradient_torque(Vector{1, 2, 3}, a);
        return moved(e);
    });
    reads("set_linear_drag_torque", v, [](Ensemble &e, const ConstView &a) { e.set_linear_drag_torque(a); return moved(e); });
    reads("set_shear_flow_torque", v, [](Ensemble &e, const ConstView &a) {
        e.set_shear_flow_torque(a, 0.1, generic<9>()[0]);
        return moved(e);
    });
    reads("set_drag", v, [](Ensemble &e, const ConstView &a) { e.set_drag(a); return moved(e); });
    reads("set_drag", v, [](Ensemble &e, const ConstView &a) { e.set_drag(Vector{1, 2, 3}, a); return moved(e); });
    reads("set_langevin", v, [](Ensemble &e, const ConstView &a) {
        e.set_method(Method::splitting);
        e.set_langevin(a, 1, 7);
        return moved(e);
    });
    reads("set_langevin", v, [](Ensemble &e, const ConstView &a) {
        e.set_method(Method::splitting);
        e.set_langevin(Vector{1, 2, 3}, 1, 7, a);
        return moved(e);
    });
    reads("set_rotor_momentum", v, [](Ensemble &e, const ConstView &a) { e.set_rotor_momentum(a); return moved(e); });
    reads("kick", v, [](Ensemble &e, const ConstView &a) { e.kick(0.1, a); return moved(e); });
    reads("kick_drift", v, [](Ensemble &e, const ConstView &a) { e.kick_drift(0.1, 0.1, a); return moved(e); });
    const auto flat = [](const std::vector<Vector> &rows) {
        Numbers numbers;
        for (const Vector &row : rows) numbers.insert(numbers.end(), row.begin(), row.end());
        return numbers;
    };
    reads("set_points", v, [&](Ensemble &e, const ConstView &a) { e.set_points({0, 1, 1}, a); return flat(e.point_positions()); });
    reads("point_positions", v, [&](Ensemble &e, const ConstView &a) { return flat(e.point_positions(a)); });
    reads("point_velocities", v, [&](Ensemble &e, const ConstView &a) { return flat(e.point_velocities(a)); });
    reads("sum_point_forces", v, [&](Ensemble &e, const ConstView &a) {
        std::vector<Vector> sums(N);
        e.sum_point_forces(a, std::nullopt, View(sums));
        return flat(sums);
    });
}

static void arrays_that_are_written_are_those_of_the_caller_or_refused()
{
    writes<4>("get_orientations", [](const Ensemble &e, const View &a) { e.get_orientations(a); });
    writes<3>("get_angular_velocities", [](const Ensemble &e, const View &a) { e.get_angular_velocities(a); });
    writes<3>("get_angular_momenta", [](const Ensemble &e, const View &a) { e.get_angular_momenta(a); });
    writes<1>("get_kinetic_energies", [](const Ensemble &e, const View &a) { e.get_kinetic_energies(a); });
    writes<3>("get_point_positions", [](const Ensemble &e, const View &a) { e.get_point_positions(a); });
    writes<3>("get_point_positions", [](const Ensemble &e, const View &a) { e.get_point_positions(Vector{1, 2, 3}, a); });
    writes<3>("get_point_velocities", [](const Ensemble &e, const View &a) { e.get_point_velocities(a); });
    writes<3>("sum_point_forces", [](const Ensemble &e, const View &a) { e.sum_point_forces(generic<3>(), a, std::nullopt); });
    writes<3>("sum_point_forces", [](const Ensemble &e, const View &a) { e.sum_point_forces(generic<3>(), std::nullopt, a); });
}

static void arrays_that_are_bound_are_worked_in_or_refused()
{
    binds("bind_orientations", generic<4>(), [](Ensemble &e, const View &a) { e.bind_orientations(a); });
    binds("bind_orientations", generic<4>(), [](Ensemble &e, const View &a) { e.bind_orientations(a, Scalar::last); });
    binds("bind_angular_velocities", generic<3>(), [](Ensemble &e, const View &a) { e.bind_angular_velocities(a); });
    binds("bind_orientation_rows", generic<4>(), [](Ensemble &e, const View &a) { e.bind_orientation_rows(a, {2, 0, 1}); });
    binds("bind_angular_velocity_rows", generic<3>(), [](Ensemble &e, const View &a) { e.bind_angular_velocity_rows(a, {2, 0, 1}); });
    binds("bind_predicted_velocities", generic<3>(), [](Ensemble &e, const View &a) { e.bind_predicted_velocities(a, 0.05); });
}

static void gradients_are_read_as_they_lie()
{
    const Rows<9> rows = generic<9>();
    reads("bind_flow_gradients", rows, [](Ensemble &e, const ConstView &a) {
        e.set_shear_flow_torque(Vector{1, 1, 2}, 0.1, Matrix{});
        e.bind_flow_gradients(a);
        return moved(e);
    });
    struct Place {
        Matrix3d by_columns;
        MatrixByRows by_rows;
        double other;
    };
    std::vector<Matrix3d> by_columns(N);
    std::vector<MatrixByRows> by_rows(N);
    std::vector<Place> places(N);
    for (std::size_t i = 0; i < N; i++) {
        by_rows[i] = Map<const MatrixByRows>(rows[i].data());
        by_columns[i] = places[i].by_columns = places[i].by_rows = by_rows[i];
    }
    const auto with = [&](auto bind) {
        Ensemble e = of_bodies();
        e.set_shear_flow_torque(Vector{1, 1, 2}, 0.1, Matrix{});
        bind(e);
        return moved(e);
    };
    const Numbers expected = with([&](Ensemble &e) { e.bind_flow_gradients(rows); });
    CHECK(with([&](Ensemble &e) { e.bind_flow_gradients(by_rows); }) == expected);
    CHECK(with([&](Ensemble &e) { e.bind_flow_gradients(members(places, &Place::by_rows)); }) == expected);
    const Rows<9> same(N, rows[0]);
    const Numbers of_one = with([&](Ensemble &e) { e.bind_flow_gradients(same); });
    CHECK(with([&](Ensemble &e) { e.bind_flow_gradients(by_rows[0]); }) == of_one);
    CHECK(with([&](Ensemble &e) { e.set_shear_flow_torque(Vector{1, 1, 2}, 0.1, from_eigen(by_columns[0])); }) == of_one);
    CHECK(with([&](Ensemble &e) { e.bind_flow_gradients(by_columns); }) == expected);
    CHECK(with([&](Ensemble &e) { e.bind_flow_gradients(by_columns[0]); }) == of_one);
    CHECK(with([&](Ensemble &e) { e.bind_flow_gradients(members(places, &Place::by_columns)); }) == expected);
    const ConstView copied = View(by_columns);
    CHECK(with([&](Ensemble &e) { e.bind_flow_gradients(copied); }) == expected);
    CHECK(with([&](Ensemble &e) { e.bind_flow_gradients(by_columns[0].data(), 9, 1, 3); }) == expected);
    CHECK(with([&](Ensemble &e) { e.bind_flow_gradients(rows[0].data(), 9, 3, 1); }) == expected);
}

// ---- what does not compile

template <class Array>
auto takes_gradients(int) -> decltype(std::declval<Ensemble &>().bind_flow_gradients(std::declval<Array>()), std::true_type());
template <class>
std::false_type takes_gradients(...);
template <class Array>
inline constexpr bool takes = decltype(takes_gradients<Array>(0))::value;

struct Holder {
    Matrix gradient;
};
template <class Structs>
auto has_members(int) -> decltype(members(std::declval<Structs>(), &Holder::gradient), std::true_type());
template <class>
std::false_type has_members(...);

static void temporaries_and_other_numbers_do_not_compile()
{
    using std::array, std::vector, Eigen::Matrix;
    static_assert(takes<vector<quatint::Matrix> &> && takes<const vector<quatint::Matrix> &> && takes<ConstView> && takes<View>);
    static_assert(takes<quatint::Matrix &> && takes<const Matrix3d &> && takes<Map<Matrix<double, 9, Dynamic>>>);
    static_assert(!takes<vector<quatint::Matrix>> && !takes<const vector<quatint::Matrix>>);
    static_assert(!takes<quatint::Matrix> && !takes<const quatint::Matrix> && !takes<array<quatint::Matrix, 2>>);
    static_assert(!takes<Matrix3d> && !takes<const Matrix3d> && !takes<const array<quatint::Matrix, 2>>);
    static_assert(!takes<Matrix<double, 9, Dynamic>> && !takes<const Matrix<double, 9, Dynamic>>);
    static_assert(!takes<const vector<MatrixByRows>> && !takes<quatint::Matrix[2]>);
    static_assert(decltype(has_members<vector<Holder> &>(0))::value && decltype(has_members<const vector<Holder> &>(0))::value);
    static_assert(!decltype(has_members<vector<Holder>>(0))::value && !decltype(has_members<const vector<Holder>>(0))::value);
    static_assert(!std::is_constructible_v<View, vector<Vector>> && !std::is_constructible_v<View, const vector<Vector>>);
    static_assert(!std::is_constructible_v<View, const array<Vector, 2>> && !std::is_constructible_v<View, Eigen::Matrix3Xd>);
    static_assert(!std::is_constructible_v<View, const Eigen::Matrix3Xd> && !std::is_constructible_v<View, const Eigen::Matrix3Xd &>);
    static_assert(!std::is_constructible_v<ConstView, vector<float> &> && !std::is_constructible_v<ConstView, vector<int> &>);
    static_assert(!std::is_constructible_v<ConstView, vector<bool> &> && !std::is_constructible_v<ConstView, vector<array<float, 3>> &>);
    static_assert(!std::is_constructible_v<ConstView, vector<array<int, 3>> &> && !std::is_constructible_v<ConstView, Eigen::Matrix3Xf &>);
    static_assert(!std::is_constructible_v<ConstView, Eigen::MatrixXd &> && !std::is_constructible_v<ConstView, Eigen::Matrix3Xi &>);
    static_assert(!std::is_constructible_v<ConstView, vector<Eigen::MatrixXd> &>);
    using detail::is_made_of_doubles;
    static_assert(is_made_of_doubles<double[4]>() && is_made_of_doubles<array<array<double, 3>, 3>>() && is_made_of_doubles<Holder>());
    static_assert(!is_made_of_doubles<std::int64_t[3]>() && !is_made_of_doubles<array<std::int64_t, 3>>());
    static_assert(!is_made_of_doubles<vector<double>>() && !is_made_of_doubles<Eigen::MatrixXd>() && !is_made_of_doubles<double *>());
}

static void turns_take_types_of_eigen()
{
    const Eigen::Quaterniond start = Eigen::Quaterniond(1, 2, 3, 4).normalized();
    const auto rate = [](double time) -> Eigen::Vector3d { return Eigen::Vector3d(1, time, -time); };
    const auto plain = [](double time) { return Vector{1, time, -time}; };
    CHECK(turn_orientation(start, 0, 1, 10, rate) == turn_orientation(from_eigen(start), 0, 1, 10, plain));
    const std::vector<Eigen::Vector3d> samples{{1, 2, 3}, {2, 3, 4}, {3, 2, 1}};
    const std::vector<Vector> arrays{{1, 2, 3}, {2, 3, 4}, {3, 2, 1}};
    CHECK(turn_by_samples(start, samples, 0.1, Frame::body) == turn_by_samples(from_eigen(start), arrays, 0.1, Frame::body));
    CHECK(orientation_rate(start, samples[0]) == orientation_rate(from_eigen(start), arrays[0]));
}

static void parts_of_an_assembly_may_be_of_eigen()
{
    const Vector position{1, -2, 0.5}, edges{1, 2, 3};
    const Eigen::Vector3d eigen_position(1, -2, 0.5), eigen_edges(1, 2, 3);
    const Eigen::Quaterniond turn = Eigen::Quaterniond(1, 2, 3, 4).normalized();
    const Quaternion q = from_eigen(turn);
    Matrix3d inertia;
    inertia << 4, 0.5, 0.2, 0.5, 5, 0.3, 0.2, 0.3, 6;
    Mass plain, eigen;
    plain.add_point(1, position), eigen.add_point(1, eigen_position);
    plain.add_sphere(1, 2, position), eigen.add_sphere(1, 2, eigen_position);
    plain.add_ellipsoid(1, edges, position, q), eigen.add_ellipsoid(1, eigen_edges, eigen_position, turn);
    plain.add_box(1, edges, position), eigen.add_box(1, eigen_edges, eigen_position);
    plain.add_cylinder(1, 2, 3, position, q), eigen.add_cylinder(1, 2, 3, eigen_position, turn);
    plain.add_capsule(1, 2, 3, position, q), eigen.add_capsule(1, 2, 3, eigen_position, turn);
    plain.add_hemisphere(1, 2, position), eigen.add_hemisphere(1, 2, eigen_position);
    plain.add_cone(1, 2, 3, position, q), eigen.add_cone(1, 2, 3, eigen_position, turn);
    plain.add_inertia(1, from_eigen(inertia), position, q), eigen.add_inertia(1, inertia, eigen_position + 0 * eigen_edges, turn);
    CHECK(plain.numbers == eigen.numbers);
    CHECK(plain.inertia_about(position) == eigen.inertia_about(eigen_position));
    CHECK(principal_axes(inertia).orientation == principal_axes(from_eigen(inertia)).orientation);
}

int main()
{
    RUN(arrays_that_are_read_are_taken_in_any_form_or_refused);
    RUN(arrays_that_are_written_are_those_of_the_caller_or_refused);
    RUN(arrays_that_are_bound_are_worked_in_or_refused);
    RUN(gradients_are_read_as_they_lie);
    RUN(temporaries_and_other_numbers_do_not_compile);
    RUN(turns_take_types_of_eigen);
    RUN(parts_of_an_assembly_may_be_of_eigen);
}
