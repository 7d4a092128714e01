#include <iostream>

#include <ratio.hpp>

int main() {
    arr::context ctx;
    try {
        std::cout << arr::call::ratio(ctx, 6, 2) << '\n';
        arr::call::ratio(ctx, 6, 0);
    } catch (const arr::error &error) {
        std::cout << error.what() << '\n';
    }
}
