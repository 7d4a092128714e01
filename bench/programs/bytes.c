/* Counts over bytes, in blocks whose counts fit in bytes, and SHA-256 of eight messages at once. */
#include "support.h"

typedef uint8_t u8;
typedef uint32_t u32;
typedef ARRAY(u8, 1) u8s;
typedef ARRAY(u32, 2) u32ss;

static inline u8 is_space(u8 c) { return (c == ' ') | (c == '\n') | (c == '\t'); }

ENTRY(words_u8) {
    const i64 n = LENGTH(u8, 0);
    const u8 *restrict x = IN(u8, 0);
    i64 lines = 0, words = 0, letters = 0;
    if (n > 0) {
        lines = x[0] == '\n';
        words = !is_space(x[0]);
        letters = (x[0] & 0xC0) != 0x80;
    }
    for (i64 i = 1; i < n;) {
        const i64 end = i + 128 < n ? i + 128 : n;
        u8 a = 0, b = 0, c = 0;
        for (; i < end; i++) {
            a += x[i] == '\n';
            b += !is_space(x[i]) & is_space(x[i - 1]);
            c += (x[i] & 0xC0) != 0x80;
        }
        lines += a;
        words += b;
        letters += c;
    }
    GIVE_SCALAR(i64, 0, lines);
    GIVE_SCALAR(i64, 1, words);
    GIVE_SCALAR(i64, 2, letters);
    return DONE;
}

PASS i64 flags_sum(i64 n, const u8 *restrict flags) {
    i64 sum = 0;
    for (i64 i = 0; i < n; i++) sum += flags[i];
    return sum;
}
PASS void ends(i64 n, const u8 *restrict x, u8 *restrict o) {
    for (i64 i = 0; i < n; i++) o[i] = x[i] == '\n';
}
PASS void begins(i64 n, const u8 *restrict x, u8 *restrict o) {
    if (n > 0) o[0] = !is_space(x[0]);
    for (i64 i = 1; i < n; i++) o[i] = !is_space(x[i]) & is_space(x[i - 1]);
}
PASS void leads(i64 n, const u8 *restrict x, u8 *restrict o) {
    for (i64 i = 0; i < n; i++) o[i] = (x[i] & 0xC0) != 0x80;
}

ENTRY(words_u8_unfused) {
    const i64 n = LENGTH(u8, 0);
    const u8 *x = IN(u8, 0);
    u8 *flags = KEPT(u8, n);
    ends(n, x, flags);
    GIVE_SCALAR(i64, 0, flags_sum(n, flags));
    begins(n, x, flags);
    GIVE_SCALAR(i64, 1, flags_sum(n, flags));
    leads(n, x, flags);
    GIVE_SCALAR(i64, 2, flags_sum(n, flags));
    return DONE;
}

static const u32 constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};
static const u32 initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                               0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

enum { LANES = 8 };
typedef u32 lanes __attribute__((vector_size(4 * LANES)));
#define ROTR(X, K) ((X) >> (K) | (X) << (32 - (K)))

/* Hashes so many messages, at most LANES. */
static inline __attribute__((always_inline)) void hash(const u32 *restrict m, u32 *restrict o, const int count) {
    lanes w[64], s[8];
    for (int t = 0; t < 16; t++) {
        w[t] = (lanes){0};
        for (int l = 0; l < count; l++) w[t][l] = m[16 * l + t];
    }
    for (int t = 16; t < 64; t++) {
        const lanes p = w[t - 15], q = w[t - 2];
        w[t] = w[t - 16] + (ROTR(p, 7) ^ ROTR(p, 18) ^ p >> 3) + w[t - 7] + (ROTR(q, 17) ^ ROTR(q, 19) ^ q >> 10);
    }
    for (int k = 0; k < 8; k++) s[k] = (lanes){0} + initial[k];
    lanes a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7];
    for (int t = 0; t < 64; t++) {
        const lanes t1 = h + (ROTR(e, 6) ^ ROTR(e, 11) ^ ROTR(e, 25)) + ((e & f) ^ (~e & g)) + constants[t] + w[t];
        const lanes t2 = (ROTR(a, 2) ^ ROTR(a, 13) ^ ROTR(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g; g = f; f = e; e = d + t1;
        d = c; c = b; b = a; a = t1 + t2;
    }
    const lanes last[8] = {a, b, c, d, e, f, g, h};
    for (int k = 0; k < 8; k++) {
        s[k] += last[k];
        for (int l = 0; l < count; l++) o[8 * l + k] = s[k][l];
    }
}

ENTRY(sha256_u32) {
    const u32ss *blocks = in[0];
    const i64 n = blocks->shape[0];
    const u32 *restrict m = blocks->data;
    u32 *restrict o = KEPT(u32, 8 * n);
    i64 i = 0;
    for (; i + LANES <= n; i += LANES) hash(m + 16 * i, o + 8 * i, LANES);
    if (i < n) hash(m + 16 * i, o + 8 * i, (int)(n - i));
    *(u32ss *)out[0] = (u32ss){o, {n, 8}, {8, 1}, NULL};
    return DONE;
}
ENTRY(sha256_u32_unfused) { return sha256_u32__uniform(ctx, out, in); }
