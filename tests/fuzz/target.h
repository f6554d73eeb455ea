#ifndef TESTS_FUZZ_TARGET_H
#define TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

/** What every target defines: one input, judged by sanitizers and asserts. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
