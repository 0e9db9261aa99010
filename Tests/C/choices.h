/* Where a random program takes its choices: from bytes, which a test makes by chance, and a fuzzer (Tests/fuzz) as it
 * likes. */
#ifndef CHOICES_H
#define CHOICES_H

#include <stddef.h>
#include <stdint.h>

typedef struct choices {
    const uint8_t *next, *end;
} choices;

/* 0 when there is nothing left to choose of. */
static inline uint32_t choose(choices *choices, uint32_t below) {
    uint32_t number = 0;
    for (uint32_t most = below - 1; most > 0 && choices->next < choices->end; most >>= 8)
        number = number << 8 | *choices->next++;
    return number % below;
}

static inline choices by_chance(uint64_t seed, uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        bytes[i] = (uint8_t)(seed >> 56);
    }
    return (choices){bytes, bytes + count};
}

#endif
