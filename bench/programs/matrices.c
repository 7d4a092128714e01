/* Many small matrices by hand: each result is computed in registers. */
#include "support.h"

typedef ARRAY(f64, 3) f64sss;

ENTRY(products_4) {
    const i64 n = ((const f64sss *)in[0])->shape[0];
    const f64 *restrict a = IN(f64, 0), *restrict b = IN(f64, 1);
    f64 *restrict o = KEPT(f64, 16 * n);
    for (i64 at = 0; at < n; at++, a += 16, b += 16, o += 16)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                o[4 * i + j] = a[4 * i] * b[j] + a[4 * i + 1] * b[4 + j] + a[4 * i + 2] * b[8 + j] + a[4 * i + 3] * b[12 + j];
    *(f64sss *)out[0] = (f64sss){o - 16 * n, {n, 4, 4}, {16, 4, 1}, NULL};
    return DONE;
}

static void product(int n, const f64 *restrict a, const f64 *restrict b, f64 *restrict o) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            f64 sum = 0;
            for (int k = 0; k < n; k++) sum += a[n * i + k] * b[n * k + j];
            o[n * i + j] = sum;
        }
}
ENTRY(products_4_unfused) {
    const i64 n = ((const f64sss *)in[0])->shape[0];
    f64 *o = KEPT(f64, 16 * n);
    for (i64 at = 0; at < n; at++) product(4, IN(f64, 0) + 16 * at, IN(f64, 1) + 16 * at, o + 16 * at);
    *(f64sss *)out[0] = (f64sss){o, {n, 4, 4}, {16, 4, 1}, NULL};
    return DONE;
}

/* Makes APQ zero. R is the number that is neither P nor Q. */
#define ROTATE(APP, AQQ, APQ, ARP, ARQ)                                            \
    do {                                                                           \
        const f64 theta = ((AQQ) - (APP)) / (2 * (APQ));                           \
        const f64 root = fabs(theta) + sqrt(theta * theta + 1);                    \
        const f64 t = (APQ) == 0 ? 0 : (theta < 0 ? -1 : 1) / root;                \
        const f64 cosine = 1 / sqrt(t * t + 1), sine = t * cosine, rp = (ARP), rq = (ARQ);      \
        (APP) -= t * (APQ);                                                        \
        (AQQ) += t * (APQ);                                                        \
        (APQ) = 0;                                                                 \
        (ARP) = cosine * rp - sine * rq;                                                   \
        (ARQ) = sine * rp + cosine * rq;                                                   \
    } while (0)

ENTRY(eigenvalues_3) {
    const i64 n = ((const f64sss *)in[0])->shape[0];
    const f64 *restrict x = IN(f64, 0);
    f64 *restrict o = KEPT(f64, 3 * n);
    for (i64 at = 0; at < n; at++) {
        const f64 *restrict m = x + 9 * at;
        f64 a = m[0], b = m[4], c = m[8], ab = m[1], ac = m[2], bc = m[5];
        for (int k = 0; k < 5; k++) {
            ROTATE(a, b, ab, ac, bc);
            ROTATE(a, c, ac, ab, bc);
            ROTATE(b, c, bc, ab, ac);
        }
        o[3 * at] = a, o[3 * at + 1] = b, o[3 * at + 2] = c;
    }
    *(f64ss *)out[0] = (f64ss){o, {n, 3}, {3, 1}, NULL};
    return DONE;
}
ENTRY(eigenvalues_3_unfused) { return eigenvalues_3__uniform(ctx, out, in); }
