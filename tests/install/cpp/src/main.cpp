// Prints a sum, the same sum without threads, and the message of a call that fails.
#include <iostream>
#include <vector>

#include "made.hpp"
#include "one_thread.hpp"
#include "sums.hpp"

int main() {
    arr::context ctx;
    const std::vector<double> numbers{1, 2, 4};
    std::cout << arr::call::scaled_sum(ctx, numbers) << ' ' << arr::call::one_scaled_sum(ctx, numbers) << '\n';
    try {
        arr::call::made_ratio(ctx, 1, 0);
    } catch (const arr::error &error) {
        std::cout << error.what() << '\n';
    }
    arr::call::made_ratio(ctx, 4, 2);
}
