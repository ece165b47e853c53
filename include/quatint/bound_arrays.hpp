// A part of quatint.hpp, which includes it: what an ensemble has bound, and sums without rounding.

namespace quatint {

/// A sum of doubles without rounding; see QI_SUM_SIZE. It does not depend on the order of the
/// terms. Sums over ensembles and ranks are added as integers, element by element: by +=, or by
/// MPI_Allreduce() on `integers`.
struct ExactSum {
    std::array<std::int64_t, QI_SUM_SIZE> integers{};

    /// The double nearest to the sum.
    [[nodiscard]] double value() const
    {
        double value;
        detail::check(qi_get_sum(integers.data(), &value));
        return value;
    }

    ExactSum &operator+=(double term)
    {
        detail::check(qi_add_to_sum(integers.data(), &term, 1));
        return *this;
    }

    ExactSum &operator+=(const ExactSum &other)
    {
        for (std::size_t k = 0; k < integers.size(); k++) integers[k] += other.integers[k];
        return *this;
    }
};

namespace detail {

/// A range that holds bound numbers, and what it was like when they were bound.
struct Watched {
    const void *range = nullptr; // NULL: nothing to watch
    const void *start = nullptr;
    std::size_t size = 0;
    bool (*is_in_place)(const Watched &) = nullptr;
};

/// Whether a range holds its elements elsewhere, as a std::vector does: it may move them. Views do
/// not hold what they show.
template <class Range, class = void>
inline constexpr bool may_move = false;
template <class Range>
inline constexpr bool may_move<
    Range, std::void_t<decltype(std::data(std::declval<Range &>())),
                       decltype(std::size(std::declval<Range &>()))>> =
    !std::is_trivially_copyable_v<Range> && (!is_eigen<Range> || is_eigen_matrix<Range>);

template <class Range>
Watched watched(const Range &range)
{
    if constexpr (may_move<Range>) {
        return {std::addressof(range), std::data(range), static_cast<std::size_t>(std::size(range)),
                [](const Watched &then) {
                    const auto &now = *static_cast<const Range *>(then.range);
                    return std::data(now) == then.start
                           && static_cast<std::size_t>(std::size(now)) == then.size;
                }};
    } else {
        return {};
    }
}

/// The arrays of Ensemble::bind(). The ensemble owns this, so that it ends with the ensemble.
class BoundArrays {
public:
    BoundArrays(qi_ensemble *ensemble, const Watched &orientations,
                const Watched &angular_velocities)
        : ensemble_(ensemble), orientations_(orientations), angular_velocities_(angular_velocities)
    {
    }

    void expect_in_place() const
    {
        if (are_lost_) {
            throw Error(QI_ERR_INVALID,
                        "quatint::Ensemble: the states are lost: they were in arrays that had "
                        "moved, or were not valid, when the Bound of bind() ended");
        }
        if (!are_in_place()) {
            throw Error(QI_ERR_INVALID,
                        "quatint::Ensemble: an array of bind() has moved or has another size: it "
                        "must stay as it was until its Bound ends");
        }
    }

    void forget_orientations() noexcept { orientations_ = {}; }
    void forget_angular_velocities() noexcept { angular_velocities_ = {}; }

    /// Memory that has moved is not read any more.
    void release() noexcept
    {
        if (are_lost_) return;
        are_lost_ = !are_in_place() || !is_released();
        forget_orientations();
        forget_angular_velocities();
    }

private:
    bool are_in_place() const
    {
        const auto is_in_place = [](const Watched &watched) {
            return watched.range == nullptr || watched.is_in_place(watched);
        };
        return is_in_place(orientations_) && is_in_place(angular_velocities_);
    }

    /// Steps that have begun would keep the arrays.
    bool is_released() noexcept
    {
        if (qi_release_arrays(ensemble_) == QI_OK) return true;
        return qi_cancel_ensemble_step(ensemble_) == QI_OK && qi_release_arrays(ensemble_) == QI_OK;
    }

    qi_ensemble *ensemble_;
    Watched orientations_;
    Watched angular_velocities_;
    bool are_lost_ = false;
};

} // namespace detail

/// What Ensemble::bind() returns. When it ends, the ensemble copies the last states to its own
/// memory and no longer uses arrays of the caller. Declare it after the arrays, so that it ends
/// first; the ensemble may end at any time.
class [[nodiscard]] Bound {
public:
    Bound() = default;
    Bound(Bound &&) = default;
    Bound &operator=(Bound &&other) noexcept
    {
        release();
        arrays_ = std::move(other.arrays_);
        return *this;
    }
    ~Bound() { release(); }

    /// Releases the arrays now.
    void release() noexcept
    {
        if (const auto arrays = arrays_.lock()) arrays->release();
        arrays_.reset();
    }

private:
    friend class Ensemble;
    explicit Bound(const std::shared_ptr<detail::BoundArrays> &arrays) : arrays_(arrays) {}

    std::weak_ptr<detail::BoundArrays> arrays_;
};

} // namespace quatint
