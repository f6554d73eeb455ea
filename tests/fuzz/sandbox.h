#ifndef TESTS_FUZZ_SANDBOX_H
#define TESTS_FUZZ_SANDBOX_H

#include <stddef.h>
#include <stdint.h>

/** An assert also in a build without asserts. */
void require(int holds, const char *what);

/** A folder in memory if possible, for the life of the process. */
const char *sandbox(void);

#define SANDBOX_PATH 256

/** Path of a name in it; returns out. */
const char *sandbox_path(char out[SANDBOX_PATH], const char *name);

void sandbox_write(const char *name, const void *bytes, size_t count);

/** owns: the result, from malloc */
uint8_t *sandbox_read(const char *name, size_t *count);

/** Bytes of an input, taken one after the other; 0 behind its end. */
struct input {
    const uint8_t *at;
    size_t left;
};

uint64_t input_number(struct input *in, unsigned bytes);

/** 3 us of two tasks that repeat an iteration of 100 ns, with states, MPI, messages, labels. */
void sandbox_write_loop(const char *prv, const char *pcf);

#endif
