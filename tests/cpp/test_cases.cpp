// Plays the cases of tests/data/cases.txt, from the root of the repository: tests/rust/cases.rs says what their words mean.
#include "check.hpp"
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <variant>

using Numbers = std::vector<double>;

// One line of the table: its words, and the numbers after the first word, up to a word that is none.
struct Line {
    std::vector<std::string> words;
    Numbers numbers;

    explicit Line(const std::string &text)
    {
        std::istringstream in(text);
        for (std::string word; in >> word;) words.push_back(word);
        for (std::size_t i = 1; i < words.size(); i++) {
            char *end = nullptr;
            const double number = std::strtod(words[i].c_str(), &end);
            if (*end != '\0') break;
            numbers.push_back(number);
        }
    }

    bool is(const char *word) const { return words[0] == word; }
    const std::string &last() const { return words.back(); }
    Frame frame() const { return last() == "world" ? Frame::world : Frame::body; }

    // The whole number at this place from the end, exactly.
    std::uint64_t whole(std::size_t from_end) const { return std::stoull(words[words.size() - from_end]); }

    template <std::size_t N>
    std::array<double, N> some(std::size_t first) const
    {
        std::array<double, N> numbers_here;
        for (std::size_t i = 0; i < N; i++) numbers_here[i] = numbers.at(first + i);
        return numbers_here;
    }

    // The last three numbers before so many others.
    Vector flow(std::size_t after) const { return some<3>(numbers.size() - after - 3); }

    // Gives a function the numbers from `first` to so many before the end: an array for all bodies, or a vector of those of
    // each.
    template <std::size_t N, class F>
    void each(std::size_t first, std::size_t after, F &&give) const
    {
        std::vector<std::array<double, N>> rows;
        for (std::size_t i = first; i + after < numbers.size(); i += N) rows.push_back(some<N>(i));
        rows.size() == 1 ? give(rows[0]) : give(rows);
    }
};

static Method method_of(const std::string &word)
{
    static const std::map<std::string, Method> METHODS = {
        {"pcdm", Method::pcdm}, {"splitting", Method::splitting}, {"splitting_4", Method::splitting_4},
        {"splitting_6", Method::splitting_6}, {"cf4", Method::cf4}, {"force_gradient", Method::force_gradient},
        {"brownian", Method::brownian},
    };
    return METHODS.at(word);
}

[[noreturn]] static void refuse(const std::string &word)
{
    std::fprintf(stderr, "there is no %s\n", word.c_str());
    std::exit(1);
}

static void set_forces(Body &b, const Line &l)
{
    const auto v = [&] { return l.some<3>(0); };
    if (l.is("constant_torque")) b.set_constant_torque(v(), l.frame());
    else if (l.is("uniform_field_torque")) b.set_uniform_field_torque(v(), l.some<3>(3));
    else if (l.is("gravity_gradient_torque")) b.set_gravity_gradient_torque(v(), l.numbers[3]);
    else if (l.is("linear_drag_torque")) b.set_linear_drag_torque(v());
    else if (l.is("shear_flow_torque")) b.set_shear_flow_torque(v(), l.numbers[3], l.some<9>(4));
    else if (l.is("drag")) b.set_drag(v(), l.some<3>(3));
    else if (l.is("langevin")) b.set_langevin(v(), l.numbers[6], l.whole(2), l.whole(1), l.some<3>(3));
    else if (l.is("rotor_momentum")) b.set_rotor_momentum(v());
    else if (l.is("rotor_torque")) b.set_rotor_torque(v());
    else refuse(l.words[0]);
}

static void set_state(Body &b, const Line &l)
{
    if (l.is("time")) b.set_time(l.numbers[0]);
    else if (l.is("clock")) b.set_clock(l.some<2>(0));
    else if (l.is("noise_draws")) b.set_noise_draws(l.whole(1));
    else if (l.is("state")) b.set_state(l.some<4>(0), l.some<3>(4));
    else if (l.is("state_body")) b.set_state_body(l.some<4>(0), l.some<3>(4));
    else if (l.is("angular_momentum")) b.set_angular_momentum(l.some<3>(0));
    else if (l.is("inertia"))
        b.set_inertia(l.some<9>(0), l.last() == "angular_velocity" ? Keep::angular_velocity : Keep::angular_momentum);
    else set_forces(b, l);
}

static void play(Body &b, const Line &l)
{
    if (l.is("method")) b.set_method(method_of(l.last()));
    else if (l.is("advance")) b.advance(l.numbers[0], l.whole(1));
    else if (l.is("solve_method")) b.set_solve_method(l.last() == "stiff" ? SolveMethod::stiff
                                                         : l.last() == "splitting" ? SolveMethod::splitting
                                                                                   : SolveMethod::nonstiff);
    else if (l.is("solve")) b.solve(l.numbers[0], l.numbers[1]);
    else if (l.is("kick")) b.kick(l.numbers[0], l.some<3>(1), l.frame());
    else if (l.is("drift")) b.drift(l.numbers[0]);
    else if (l.is("thermalize")) b.thermalize(l.numbers[0]);
    else if (l.is("lock_axes")) b.lock_axes(QI_AXIS_X | QI_AXIS_Z);
    else set_state(b, l);
}

static void set_forces(Ensemble &e, const Line &l)
{
    const std::size_t n = l.numbers.size();
    if (l.is("constant_torque")) l.each<3>(0, 0, [&](const auto &v) { e.set_constant_torque(v, l.frame()); });
    else if (l.is("uniform_field_torque")) l.each<3>(0, 3, [&](const auto &v) { e.set_uniform_field_torque(v, l.flow(0)); });
    else if (l.is("gravity_gradient_torque") && n == 4) e.set_gravity_gradient_torque(l.some<3>(0), l.numbers[3]);
    else if (l.is("gravity_gradient_torque"))
        e.set_gravity_gradient_torque(l.some<3>(0), Numbers(l.numbers.begin() + 3, l.numbers.end()));
    else if (l.is("linear_drag_torque")) l.each<3>(0, 0, [&](const auto &v) { e.set_linear_drag_torque(v); });
    else if (l.is("shear_flow_torque"))
        l.each<3>(0, 10, [&](const auto &v) { e.set_shear_flow_torque(v, l.numbers[n - 10], l.some<9>(n - 9)); });
    else if (l.is("drag")) l.each<3>(0, 3, [&](const auto &v) { e.set_drag(v, l.flow(0)); });
    else if (l.is("langevin"))
        l.each<3>(0, 5, [&](const auto &v) { e.set_langevin(v, l.numbers[n - 2], l.whole(1), l.flow(2)); });
    else if (l.is("rotor_momentum")) l.each<3>(0, 0, [&](const auto &v) { e.set_rotor_momentum(v); });
    else refuse(l.words[0]);
}

template <class Integer>
static std::vector<Integer> integers(const Line &l)
{
    std::vector<Integer> found;
    for (std::size_t i = 1; i < l.words.size(); i++) found.push_back(static_cast<Integer>(std::stoull(l.words[i])));
    return found;
}

static void set_state(Ensemble &e, const Line &l)
{
    if (l.is("time")) e.set_time(l.numbers[0]);
    else if (l.is("clock")) e.set_clock(l.some<2>(0));
    else if (l.is("noise_draws")) e.set_noise_draws(l.whole(1));
    else if (l.is("ids")) e.set_ids(integers<std::uint64_t>(l));
    else if (l.is("active")) e.set_active(integers<std::size_t>(l));
    else if (l.is("inertias")) l.each<9>(0, 0, [&](const auto &v) { e.set_inertias(v); });
    else if (l.is("principal_inertias")) l.each<3>(0, 0, [&](const auto &v) { e.set_principal_inertias(v); });
    else if (l.is("orientations")) l.each<4>(0, 0, [&](const auto &v) { e.set_orientations(v); });
    else if (l.is("angular_velocities")) l.each<3>(0, 0, [&](const auto &v) { e.set_angular_velocities(v); });
    else if (l.is("angular_momenta")) l.each<3>(0, 0, [&](const auto &v) { e.set_angular_momenta(v); });
    else set_forces(e, l);
}

static void play(Ensemble &e, const Line &l)
{
    if (l.is("method")) e.set_method(method_of(l.last()));
    else if (l.is("advance")) e.advance(l.numbers[0], l.whole(1));
    else if (l.is("kick")) l.each<3>(1, 0, [&](const auto &v) { e.kick(l.numbers[0], v, l.frame()); });
    else if (l.is("drift")) e.drift(l.numbers[0]);
    else if (l.is("kick_drift"))
        l.each<3>(2, 0, [&](const auto &v) { e.kick_drift(l.numbers[0], l.numbers[1], v, l.frame()); });
    else if (l.is("thermalize")) e.thermalize(l.numbers[0]);
    else if (l.is("scale_angular_momenta")) e.scale_angular_momenta(l.numbers[0]);
    else if (l.is("lock_axes")) e.lock_axes(QI_AXIS_X | QI_AXIS_Z);
    else set_state(e, l);
}

template <class Range>
static Numbers all_of(const Range &range)
{
    return Numbers(range.begin(), range.end());
}

template <std::size_t N>
static Numbers all_of(const std::vector<std::array<double, N>> &rows)
{
    Numbers flat;
    for (const auto &row : rows) flat.insert(flat.end(), row.begin(), row.end());
    return flat;
}

static Numbers get(Body &b, const std::string &noun)
{
    if (noun == "time") return {b.time()};
    if (noun == "clock") return all_of(b.clock());
    if (noun == "orientation") return all_of(b.orientation());
    if (noun == "angular_velocity") return all_of(b.angular_velocity());
    if (noun == "angular_velocity_body") return all_of(b.angular_velocity_body());
    if (noun == "angular_momentum") return all_of(b.angular_momentum());
    if (noun == "kinetic_energy") return {b.kinetic_energy()};
    if (noun == "noise_draws") return {static_cast<double>(b.noise_draws())};
    if (noun == "rotor_momentum") return all_of(b.rotor_momentum());
    if (noun == "rotor_torque") return all_of(b.rotor_torque());
    if (noun == "acting_torque") return all_of(b.acting_torque());
    if (noun == "angular_acceleration") return all_of(b.angular_acceleration());
    refuse(noun);
}

static Numbers get(Ensemble &e, const std::string &noun)
{
    if (noun == "time") return {e.time()};
    if (noun == "clock") return all_of(e.clock());
    if (noun == "orientations") return all_of(e.orientations());
    if (noun == "angular_velocities") return all_of(e.angular_velocities());
    if (noun == "angular_momenta") return all_of(e.angular_momenta());
    if (noun == "kinetic_energies") return e.kinetic_energies();
    if (noun == "total_kinetic_energy") return {e.total_kinetic_energy()};
    if (noun == "total_angular_momentum") return all_of(e.total_angular_momentum());
    if (noun == "noise_draws") return {static_cast<double>(e.noise_draws())};
    if (noun == "degrees_of_freedom") return {static_cast<double>(e.degrees_of_freedom())};
    refuse(noun);
}

static void expect(const Numbers &got, const Line &l, const std::string &name)
{
    Numbers expected;
    for (std::size_t i = 2; i < l.words.size(); i++) expected.push_back(std::strtod(l.words[i].c_str(), nullptr));
    if (!same(got, expected)) {
        std::fprintf(stderr, "%s: %s is", name.c_str(), l.words[1].c_str());
        for (const double number : got) std::fprintf(stderr, " %.17g", number);
        std::fprintf(stderr, "\n");
        std::exit(1);
    }
}

template <class Subject>
static void play(Subject &subject, const Line &l, const std::string &name)
{
    if (l.is("expect")) expect(get(subject, l.words[1]), l, name);
    else play(subject, l);
}

// Plays a line. A case is about a body or about an ensemble, which its first line makes.
static void play_any(std::variant<std::monostate, Body, Ensemble> &subject, const Line &l, const std::string &name)
{
    if (l.is("body")) subject.emplace<Body>(l.some<9>(0), l.some<4>(9), l.some<3>(13));
    else if (l.is("ensemble")) subject.emplace<Ensemble>(static_cast<std::size_t>(l.whole(1)));
    else if (subject.index() == 1) play(std::get<1>(subject), l, name);
    else play(std::get<2>(subject), l, name);
}

static void the_table_of_cases_comes_out_to_the_bit()
{
    std::ifstream table("tests/data/cases.txt");
    std::variant<std::monostate, Body, Ensemble> subject;
    std::string name;
    int cases = 0;
    for (std::string text; std::getline(table, text);) {
        if (text.rfind("case ", 0) == 0) {
            if (cases++ > 0) std::printf("ok %s\n", name.c_str());
            name = text.substr(5);
        } else if (!text.empty() && text[0] != '#') {
            play_any(subject, Line(text), name);
        }
    }
    CHECK(cases > 70);
}

int main()
{
    RUN(the_table_of_cases_comes_out_to_the_bit);
    return 0;
}
