#ifndef BASE_INNER_H
#define BASE_INNER_H

#include <stddef.h>

/*
 * Inner loops over numbers are most of what the search does, and sanitizers, which look at each
 * access, make them ten times as slow. Such a loop is a function of its own with PRVCUT_INNER; it
 * says with prvcut_inner_reads() what it is about to read, and AddressSanitizer looks at that once.
 */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define INNER_WATCHED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define INNER_WATCHED
#endif

#ifdef INNER_WATCHED
#include <sanitizer/asan_interface.h>

#define PRVCUT_INNER __attribute__((noinline, no_sanitize("address"), no_sanitize("undefined")))

/** Are these bytes all in use? If not, the sanitizer's report names the first that is not. */
static inline void prvcut_inner_reads(const void *at, size_t bytes)
{
    const char *wrong = (const char *)__asan_region_is_poisoned((void *)(size_t)at, bytes);

    if (wrong)
        (void)*(const volatile char *)wrong;
}
#else
#define PRVCUT_INNER

static inline void prvcut_inner_reads(const void *at, size_t bytes)
{
    (void)at;
    (void)bytes;
}
#endif

#endif
