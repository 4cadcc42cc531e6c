/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_order.h"
#include "sim_rng.h"

/* Coefficients x^1 ... x^b of one primitive polynomial of each degree b over
 * GF(2), found by testing random dense polynomials against the prime factors
 * of 2^b - 1. Dense ones scatter better than the usual trinomials. */
static const uint64_t taps[64] = {
    0x1, 0x1, 0x3, 0x5, 0xc, 0x17, 0x21, 0x78, 0xfa, 0x17c, 0x3aa, 0x577, 0xcd8, 0x1e7d, 0x248e,
    0x5a53, 0xb1fa, 0x148fb, 0x3cd94, 0x5540d, 0x85cb9, 0x11a927, 0x2b4685, 0x752c77, 0xb1d8c5,
    0x17aa31b, 0x2f2aad4, 0x797d212, 0xc959832, 0x16fdc512, 0x3234c0dd, 0x648252c0, 0xb0ac065b,
    0x184a1e1e4, 0x32a391db6, 0x726d4d766, 0xf3a620643, 0x1a014493c5, 0x37b22aa1bf, 0x6783561b35,
    0x9d3770cc67, 0x13df6fbdf24, 0x3b9964d6755, 0x6fcf3e7853d, 0x8c2fe70d6c8, 0x156dbd87753b,
    0x2d578d0c7fcf, 0x5157a1f6a141, 0xe663084e0de5, 0x1f453bdfd27f7, 0x32fd7446382d0,
    0x52a1bb5767d83, 0x81462a16efda4, 0x1afa6bd5badc73, 0x277ce6fece4502, 0x6bb51fdef760e2,
    0xd65838b4caf349, 0x1798fa1acbbc369, 0x2e6553b04ad83db, 0x703943975a7b067, 0xf509a71fcd25687,
    0x1f4b592344c56596, 0x3076bc5fea20ef9e, 0x45dd43b62b2b2b85,
};

/* Bits needed to write v. */
static unsigned bits(uint64_t v) { return v ? 64 - (unsigned)__builtin_clzll(v) : 0; }

void hci_perm_init(struct hci_perm *p, uint64_t n, uint64_t key)
{
    unsigned b = bits(n - 1);
    p->n = n;
    p->bits = n & (n - 1) ? (b > 6 ? b - 6 : 0) : b;
    p->mask = p->bits ? UINT64_MAX >> (64 - p->bits) : 0;
    p->radix = (n >> p->bits) + ((n & p->mask) != 0);
    p->inverse = p->radix > 1 ? UINT64_MAX / p->radix : 0;
    p->shift = p->bits > 1 ? (p->bits + 1) / 2 : 1;
    for (unsigned r = 0; r < HCI_PERM_ROUNDS; r++) {
        p->multiply[r] = sim_key(key, 2 * r) | 1; /* odd: invertible modulo a power of two */
        p->add[r] = sim_key(key, 2 * r + 1);
    }
}

void hci_lfsr_init(struct hci_lfsr *l, uint64_t n, uint64_t key)
{
    l->n = n;
    l->taps = taps[bits(n - 1)];
    l->first = l->state = n > 1 ? 1 + sim_below(sim_mix(key), n - 1) : 0;
}
