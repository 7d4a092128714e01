/* Calls the entry of matmul.arr, compares its result with that of plain loops, passes a matrix by its
 * columns without copying it, and shows what happens when the sizes do not fit.
 *
 *     matmul
 */
#include "matmul.h"

#include "support.h"

enum { N = 17, M = 23, K = 11 };

static double left[N * M], right[M * K], columns[K * M];

/* Whether the result is the product of left and right, and the largest of it is as given. */
static int is_product(const arr_f64_2d *product, double largest)
{
    double most = product->data[0];
    int same = product->shape[0] == N && product->shape[1] == K;
    for (int i = 0; same && i < N; i++)
        for (int j = 0; same && j < K; j++) {
            const double found = product->data[i * product->stride[0] + j * product->stride[1]];
            double sum = 0;
            for (int l = 0; l < M; l++)
                sum += left[i * M + l] * right[l * K + j];
            same = found == sum; /* small whole numbers: exact in any order */
            most = found > most ? found : most;
        }
    return same && most == largest;
}

int main(void)
{
    arr_context *ctx = arr_context_new(NULL);
    arr_f64_2d product, a, b;
    double largest;
    for (int i = 0; i < N * M; i++)
        left[i] = (i * 31) % 17 - 8;
    for (int i = 0; i < M * K; i++) {
        right[i] = (i * 7) % 13 - 6;
        columns[(i % K) * M + i / K] = right[i];
    }

    a = arr_f64_2d_borrow(left, N, M);
    b = arr_f64_2d_borrow(right, M, K);
    expect(matmul(ctx, &product, &largest, a, b) == ARR_OK, "two matrices");
    expect(is_product(&product, largest), "the product of two matrices");
    printf("the largest of %d by %d elements is %g\n", N, K, largest);
    arr_f64_2d_free(ctx, &product);

    /* The same matrix, stored by columns: only the strides differ. */
    b = arr_f64_2d_borrow(columns, M, K);
    b.stride[0] = 1;
    b.stride[1] = M;
    expect(matmul(ctx, &product, &largest, a, b) == ARR_OK, "a matrix by its columns");
    expect(is_product(&product, largest), "the product with a matrix by its columns");
    arr_f64_2d_free(ctx, &product);

    /* No rows: the result has no rows either, but it has columns. */
    a = arr_f64_2d_borrow(left, 0, M);
    expect(matmul(ctx, &product, &largest, a, b) == ARR_OK, "a matrix without rows");
    expect(product.shape[0] == 0 && product.shape[1] == K, "the shape of an empty product");
    arr_f64_2d_free(ctx, &product);

    a = arr_f64_2d_borrow(left, N, M - 1);
    expect(matmul(ctx, &product, &largest, a, b) == ARR_ERROR_SHAPE, "sizes that do not fit");
    printf("as it should be: %s\n", arr_context_error(ctx));

    arr_context_free(ctx);
    return summary();
}
