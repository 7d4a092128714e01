/* Lends the threads of a pool in C++ to calls. The pool has a queue of jobs, as TBB and its like have; with TBB,
 * `lend` would be `tbb::parallel_for(0, copies, [=](int64_t) { body(argument); })`.
 *
 *     arrc build examples/mandelbrot.arr
 *     c++ pool.cpp mandelbrot.o libarr_runtime.a -lm -lpthread
 */
#include "mandelbrot.h"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

#include "support.h"

class Pool {
public:
    explicit Pool(int threads)
    {
        for (int i = 0; i < threads; i++)
            workers.emplace_back([this] { work(); });
    }

    ~Pool()
    {
        {
            std::lock_guard<std::mutex> lock(mutex);
            is_closed = true;
        }
        changed.notify_all();
        for (std::thread &worker : workers)
            worker.join();
    }

    Pool(const Pool &) = delete;
    Pool &operator=(const Pool &) = delete;

    /* Runs `job` in this thread and in up to `copies - 1` others, until all are done. */
    void run(int64_t copies, const std::function<void()> &job)
    {
        int64_t left = copies - 1;
        std::mutex end;
        std::condition_variable done;
        for (int64_t i = 1; i < copies; i++) {
            std::lock_guard<std::mutex> lock(mutex);
            jobs.push([&] {
                job();
                std::lock_guard<std::mutex> count(end);
                left -= 1;
                done.notify_one();
            });
        }
        changed.notify_all();
        job();
        std::unique_lock<std::mutex> lock(end);
        done.wait(lock, [&] { return left == 0; });
    }

private:
    void work()
    {
        for (;;) {
            std::unique_lock<std::mutex> lock(mutex);
            changed.wait(lock, [this] { return is_closed || !jobs.empty(); });
            if (jobs.empty())
                return;
            std::function<void()> job = std::move(jobs.front());
            jobs.pop();
            lock.unlock();
            job();
        }
    }

    std::mutex mutex;
    std::condition_variable changed;
    std::queue<std::function<void()>> jobs;
    std::vector<std::thread> workers;
    bool is_closed = false;
};

extern "C" void lend(void *user, int64_t copies, void (*body)(void *argument), void *argument)
{
    static_cast<Pool *>(user)->run(copies, [=] { body(argument); });
}

int main()
{
    Pool pool(3);
    arr_options options;
    arr_options_init(&options);
    options.threads = 4;
    options.parallel = lend;
    options.parallel_user = &pool;
    arr_context *ctx = arr_context_new(&options);
    double part = 0, alone = 0;
    expect(area(ctx, &part, 300, 400, 200) == ARR_OK, "area");
    arr_stats stats;
    arr_context_stats(ctx, &stats);
    expect(stats.threads == 4 && stats.parallel_passes > 0, "threads of the pool");
    arr_context_free(ctx);

    options.threads = 1;
    ctx = arr_context_new(&options);
    expect(area(ctx, &alone, 300, 400, 200) == ARR_OK && alone == part, "the same bits with one thread");
    arr_context_free(ctx);
    return summary();
}
