/* An external, without the header: it is compiled before that is there. */
#include <stdint.h>

int twice_of(void *ctx, int64_t *out, int64_t x);

int twice_of(void *ctx, int64_t *out, int64_t x)
{
    (void)ctx;
    *out = 2 * x;
    return 0;
}
