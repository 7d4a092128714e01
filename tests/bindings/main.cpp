#include "odd.hpp"
// A header may be included twice, and with the C header.
#include "odd.hpp"
#include "odd.h"

#include <array>
#include <vector>

#define CHECK(condition) \
    do { \
        if (!(condition)) return __LINE__; \
    } while (0)

int main() {
    arr::context ctx;
    const auto [flag, number, fraction] = arr::call::move(ctx, true, -7, 0.5f);
    CHECK(flag && number == -7 && fraction == 0.5f);
    CHECK(arr::call::check(ctx, 1, 2) == 12);
    const std::vector<double> xs{1, 3}, ys{2, 4};
    const auto [x, y] = arr::call::farthest(ctx, xs, ys);
    CHECK(x == 3 && y == 4);
    const auto [tag, root] = arr::call::root(ctx, 4);
    CHECK(tag == 1 && root == 2);
    const bool bits[6] = {true, false, false, false, true, true};
    const auto flipped = arr::call::flipped(ctx, arr::view<bool, 2>(bits, {2, 3}));
    CHECK(!flipped(0, 0) && flipped(1, 0) && !flipped(2, 1) && flipped.shape()[0] == 3);
    // Two results in one buffer, of which each owner gives up its part once.
    auto [one, other] = arr::call::both(ctx, std::vector<std::int64_t>{1, 2});
    arr::array<std::int64_t> moved = std::move(one);
    CHECK(one.empty() && moved[1] == 3 && other[1] == 3);
    moved = std::move(other);
    CHECK(moved[0] == 2);
    CHECK(arr::call::three(ctx)[2] == 255);

    // Results in memory of ours: a container, an array of C, and memory with a shape.
    std::int64_t first[2] = {};
    std::vector<std::int64_t> second(2);
    const auto [m, n] = arr::call::both_into(ctx, first, second, std::vector<std::int64_t>{1, 2});
    CHECK(m[0] == 2 && n[0] == 2 && first[1] == 3 && second[0] == 2);
    bool turned[6] = {};
    const auto shape = arr::call::flipped_into(ctx, arr::destination<bool, 2>(turned, {3, 2}), arr::view<bool, 2>(bits, {2, 3}));
    CHECK(shape[0] == 3 && shape[1] == 2 && turned[2] && !turned[5]);
    std::array<std::uint8_t, 3> bytes{};
    arr::call::three_into(ctx, bytes);
    CHECK(bytes[2] == 255);
    std::array<std::uint8_t, 2> few{};
    try {
        arr::call::three_into(ctx, few);
        return __LINE__;
    } catch (const arr::error &error) {
        CHECK(error.code() == ARR_ERROR_SHAPE);
    }
#ifdef __cpp_lib_mdspan
    const std::mdspan<bool, std::dextents<std::size_t, 2>> matrix(turned, 3, 2);
    arr::call::flipped_into(ctx, matrix, arr::view<bool, 2>(bits, {2, 3}));
#endif
#ifdef __cpp_lib_span
    arr::call::three_into(ctx, std::span<std::uint8_t>(bytes));
#endif
    return 0;
}
