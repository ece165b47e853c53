// No step allocates memory with C++'s operator new. tests/allocation.rs tests the allocations of the library itself.
#include "check.hpp"
#include <new>

static std::size_t allocations = 0;

void *operator new(std::size_t size)
{
    allocations++;
    if (void *memory = std::malloc(size == 0 ? 1 : size)) return memory;
    throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

static void a_step_of_a_body_allocates_nothing()
{
    Body body = top();
    body.set_torque(weight);
    const std::size_t before = allocations;
    CHECK(before > 0); // storing the torque allocated, so the counter works
    body.step(1e-2);
    body.advance(1e-2, 100);
    CHECK(allocations == before);
}

static void a_record_into_a_vector_with_room_allocates_nothing()
{
    Body body = top();
    std::vector<Record> rows;
    rows.reserve(101);
    const std::size_t before = allocations;
    body.record(1e-2, 100, 1, rows);
    CHECK(allocations == before && rows.size() == 101);
}

static void a_solution_allocates_nothing()
{
    Body body = top();
    body.set_torque(weight);
    const std::vector<double> times{0.1, 0.2, 0.3};
    std::vector<Record> rows;
    rows.reserve(times.size());
    const std::size_t before = allocations;
    body.solve(0.05, 1e-9);
    body.solve_record(times, 1e-9, rows);
    const auto found = body.solve_until(1, 1e-9, [](double t, const Quaternion &, const Vector &) { return t - 0.5; });
    CHECK(allocations == before && rows.size() == 3 && found.has_value());
}

static void a_step_of_an_ensemble_allocates_nothing()
{
    Ensemble e(300);
    e.set_torque([](double t, std::size_t, const Quaternion &q, const Vector &omega) { return weight(t, q, omega); });
    const std::size_t before = allocations;
    e.step(1e-2);
    e.advance(1e-2, 10);
    CHECK(allocations == before);
}

static void a_step_by_stages_allocates_the_first_time_only()
{
    Ensemble e(300);
    const auto torque = [](double, const auto &, const auto &, auto &) {};
    e.step_with(1e-2, torque);
    const std::size_t before = allocations;
    for (int i = 0; i < 10; i++) e.step_with(1e-2, torque);
    CHECK(allocations == before);
}

static void a_kick_and_a_drift_allocate_nothing()
{
    Body body = top();
    Ensemble e(300);
    const Vector torques{1, 2, 3}; // one for all
    const std::size_t before = allocations;
    body.kick(1e-2, torques);
    body.drift(1e-2);
    e.kick_drift(1e-2, 1e-2, torques);
    e.kick(1e-2, torques);
    CHECK(allocations == before);
}

int main()
{
    RUN(a_kick_and_a_drift_allocate_nothing);
    RUN(a_step_of_a_body_allocates_nothing);
    RUN(a_record_into_a_vector_with_room_allocates_nothing);
    RUN(a_solution_allocates_nothing);
    RUN(a_step_of_an_ensemble_allocates_nothing);
    RUN(a_step_by_stages_allocates_the_first_time_only);
    return 0;
}
