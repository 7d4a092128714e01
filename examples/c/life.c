/* Calls the entries of life.arr and compares boards with those of another way to count: each living cell
 * tells its neighbours.
 *
 *     life
 */
#include "life.h"

#include "support.h"

/* One step of a board, in place. */
static void step_board(bool *board, int64_t h, int64_t w)
{
    int *told = (int *)allocate(h * w, sizeof(int));
    for (int64_t cell = 0; cell < h * w; cell++)
        if (board[cell])
            for (int64_t di = h - 1; di <= h + 1; di++)
                for (int64_t dj = w - 1; dj <= w + 1; dj++)
                    if (di != h || dj != w)
                        told[(cell / w + di) % h * w + (cell % w + dj) % w] += 1;
    for (int64_t cell = 0; cell < h * w; cell++)
        board[cell] = told[cell] == 3 || (told[cell] == 2 && board[cell]);
    free(told);
}

static int64_t count_board(const bool *board, int64_t h, int64_t w)
{
    int64_t count = 0;
    for (int64_t cell = 0; cell < h * w; cell++)
        count += board[cell];
    return count;
}

/* All three entries for a board, of which `part` in 100 cells live. */
static void check(arr_context *ctx, int64_t h, int64_t w, int64_t part, int64_t steps, uint64_t *random)
{
    bool *board = (bool *)allocate(h * w, sizeof(bool)), *before;
    arr_bool_2d input = arr_bool_2d_borrow(board, h, w), result;
    arr_i64_1d counts;
    int64_t rest, alive, settles = -1;
    for (int64_t cell = 0; cell < h * w; cell++)
        board[cell] = random_below(random, 100) < part;
    if (generation(ctx, &result, steps, input) != ARR_OK ||
        populations(ctx, &counts, steps, input) != ARR_OK ||
        settled(ctx, &rest, &alive, steps, input) != ARR_OK) {
        expect(0, arr_context_error(ctx));
        free(board);
        return;
    }
    before = (bool *)allocate(h * w, sizeof(bool));
    expect(counts.shape[0] == steps + 1, "a number for each step, and for the beginning");
    for (int64_t step = 0; step <= steps; step++) {
        expect(counts.data[step] == count_board(board, h, w), "populations");
        if (step == steps)
            expect(result.shape[0] == h && result.shape[1] == w &&
                       memcmp(result.data, board, (size_t)(h * w)) == 0,
                   "generation");
        memcpy(before, board, (size_t)(h * w));
        step_board(board, h, w);
        if (settles < 0 && memcmp(before, board, (size_t)(h * w)) == 0)
            settles = step;
    }
    expect(rest == settles, "settled: the step");
    expect(settles < 0 || alive == count_board(board, h, w), "settled: the living cells");
    printf("%lld x %lld: %lld living cells, %lld after %lld steps, settles after %lld\n", (long long)h,
           (long long)w, (long long)counts.data[0], (long long)counts.data[steps], (long long)steps,
           (long long)rest);
    arr_bool_2d_free(ctx, &result);
    arr_i64_1d_free(ctx, &counts);
    free(before);
    free(board);
}

int main(void)
{
    uint64_t random = 88172645463325252u;
    arr_context *ctx = arr_context_new(NULL); /* NULL: default options */
    if (ctx == NULL)
        return 1;
    check(ctx, 64, 48, 30, 100, &random);
    check(ctx, 3, 100, 40, 50, &random);
    check(ctx, 20, 20, 7, 60, &random);
    check(ctx, 1, 1, 100, 3, &random);
    check(ctx, 1, 30, 50, 9, &random);
    check(ctx, 2, 2, 60, 9, &random);
    check(ctx, 0, 4, 50, 3, &random);
    check(ctx, 10, 10, 0, 0, &random);
    arr_context_free(ctx);
    return summary();
}
