#ifndef TESTS_FUZZ_TARGET_H
#define TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

/** What every target defines: one input, judged by sanitizers and asserts. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Of libFuzzer: change data at random, its size up to `most`; returns the new size. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/** May be defined: the same with knowledge of the input. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

#endif
