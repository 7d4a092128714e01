// The product of two matrices, and an array divided by sums, from C++: arguments are containers and views, results are arrays
// that free themselves, and errors are exceptions.
#include "matmul.hpp"
#include "normalize2.hpp"

#include <cstdlib>
#include <iostream>
#include <vector>

static void check(bool holds, const char *what) {
    if (!holds) {
        std::cerr << "wrong: " << what << '\n';
        std::exit(1);
    }
}

static void products(arr::context &ctx) {
    const double numbers[] = {1, 2, 3, 4, 5, 6};
    const arr::view<double, 2> a(numbers, {2, 3});
    // The same matrix with its rows and columns exchanged: nothing is copied.
    const arr::view<double, 2> transposed(numbers, {3, 2}, {1, 3});
    auto [product, largest] = arr::call::matmul(ctx, a, transposed);
    check(product.shape() == std::array<std::size_t, 2>{2, 2}, "the shape of the product");
    check(product(0, 0) == 14 && product(0, 1) == 32 && product(1, 1) == 77, "the product");
    check(largest == 77, "the largest element");
    // A result is an argument of the next call.
    auto [square, most] = arr::call::matmul(ctx, product, product);
    check(square(1, 0) == 32 * 14 + 77 * 32 && most == square(1, 1), "the square");
#ifdef __cpp_lib_mdspan
    auto [again, same] = arr::call::matmul(ctx, std::mdspan(numbers, 2, 3), transposed);
    check(again.mdspan().extent(1) == 2 && same == largest, "mdspan");
#endif
    try {
        arr::call::matmul(ctx, a, a);
        check(false, "matrices that do not fit");
    } catch (const arr::error &error) {
        check(error.code() == ARR_ERROR_SHAPE, "the code of the error");
        std::cout << error.what() << '\n';
    }
}

static void quotients(arr::context &ctx) {
    const std::vector<std::int64_t> xs{10, -20, 30};
    arr::array<std::int64_t> all, positive;
    std::tie(all, positive) = arr::call::normalize2(ctx, xs);
    check(all.size() == 3 && all[0] == 0 && all[2] == 1, "the quotients by the sum");
    for (std::int64_t y : positive) std::cout << y << '\n';
#ifdef __cpp_lib_span
    const auto [some, rest] = arr::call::normalize2(ctx, std::span(xs).first(1));
    check(some.span().size() == 1 && rest.span()[0] == 1, "span");
#endif
    try {
        arr::call::normalize2(ctx, std::vector<std::int64_t>{1, -1});
        check(false, "a sum of zero");
    } catch (const arr::error &error) {
        check(error.code() == ARR_ERROR_DIVISION, "the code of the division");
    }
}

int main() {
    // The arrays may outlive the context that they were made in.
    arr::array<std::int64_t> kept;
    {
        arr::context ctx;
        products(ctx);
        quotients(ctx);
        kept = std::get<0>(arr::call::normalize2(ctx, std::vector<std::int64_t>{4, 4}));
    }
    check(kept.size() == 2 && kept[1] == 0, "an array after its context");
    arr_options options;
    arr_options_init(&options);
    options.memory_limit = 1;
    arr::context small(&options);
    try {
        arr::call::normalize2(small, std::vector<std::int64_t>{1, 2});
        check(false, "a limit of memory");
    } catch (const arr::error &error) {
        check(error.code() == ARR_ERROR_MEMORY, "the code of the limit");
    }
    return 0;
}
