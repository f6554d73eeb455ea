#ifndef TESTS_FORMATS_LITL_LOG_H
#define TESTS_FORMATS_LITL_LOG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* A LiTL log put together by hand, byte by byte as the library lays it out. */
struct litl_log {
    unsigned char at[1 << 16];
    size_t count;
    size_t table; /* of the process under way */
};

static inline void log_number(struct litl_log *l, uint64_t value, size_t bytes)
{
    for (; bytes > 0; bytes--, value >>= 8)
        l->at[l->count++] = (unsigned char)value;
}

static inline void log_set(struct litl_log *l, size_t at, uint64_t value, size_t bytes)
{
    const size_t count = l->count;

    l->count = at;
    log_number(l, value, bytes);
    l->count = count;
}

static inline void log_text(struct litl_log *l, const char *text, size_t room)
{
    memset(l->at + l->count, 0, room);
    memcpy(l->at + l->count, text, strlen(text));
    l->count += room;
}

static inline void log_head(struct litl_log *l, unsigned processes)
{
    memset(l, 0, sizeof *l);
    log_text(l, "0.1.9", 8);
    log_text(l, "Linux here 6.1 x86_64", 128);
    log_number(l, processes, 2);
    for (unsigned i = 0; i < processes; i++) {
        char name[64];

        snprintf(name, sizeof name, "user_eztrace_log_rank_%u", processes - 1 - i);
        log_text(l, name, 256);
        log_number(l, 1, 2);
        log_number(l, 1, 2);
        log_number(l, 65536, 4);
        log_number(l, 0, 8);
        log_number(l, 0, 8);
    }
}

/* A process's table of threads, to be filled by log_chunk. */
static inline void log_table(struct litl_log *l, unsigned process, unsigned threads)
{
    l->table = l->count;
    log_set(l, 138 + 280 * (size_t)process + 272, l->count, 8);
    memset(l->at + l->count, 0, 16 * ((size_t)threads + 1));
    l->count += 16 * ((size_t)threads + 1);
}

/* The first chunk of a thread begins here. */
static inline void log_chunk(struct litl_log *l, unsigned thread, uint64_t tid)
{
    log_set(l, l->table + 16 * (size_t)thread, tid, 8);
    log_set(l, l->table + 16 * (size_t)thread + 8, l->count - l->table, 8);
}

static inline void log_event(struct litl_log *l, uint64_t time, uint32_t code, unsigned kind)
{
    log_number(l, time, 8);
    log_number(l, code, 4);
    log_number(l, kind, 1);
}

static inline void log_regular(struct litl_log *l, uint64_t time, uint32_t code, unsigned count,
                               const int64_t *value)
{
    log_event(l, time, code, 0);
    log_number(l, count, 1);
    for (unsigned i = 0; i < count; i++)
        log_number(l, (uint64_t)value[i], 8);
}

/* layout: i four bytes, p eight */
static inline void log_packed(struct litl_log *l, uint64_t time, uint32_t code, const char *layout,
                              const int64_t *value)
{
    size_t size = 0;

    for (size_t i = 0; layout[i]; i++)
        size += layout[i] == 'i' ? 4 : 8;
    log_event(l, time, code, 2);
    log_number(l, size, 4);
    for (size_t i = 0; layout[i]; i++)
        log_number(l, (uint64_t)value[i], layout[i] == 'i' ? 4 : 8);
}

#define LOG_VALUES(...) ((const int64_t[]){ __VA_ARGS__ })

/* The thread ends, or goes on at byte `to` of the file. */
static inline void log_link(struct litl_log *l, size_t to)
{
    log_event(l, 0, 13, 0);
    log_number(l, 1, 1);
    log_number(l, to ? to - l->table : 0, 8);
}

#define LOG_WORLD   INT64_C(0x7fff1000)
#define LOG_SELF    INT64_C(0x7fff2000)
#define LOG_REQUEST INT64_C(0x7ffe0010)

static inline void log_init(struct litl_log *l, uint64_t time, int64_t rank, int64_t ranks)
{
    log_packed(l, time, 0x40010, "iiiip", LOG_VALUES(rank, ranks, -1, -1, 0x7fff3000));
    log_packed(l, time + 1, 0x40011, "pp", LOG_VALUES(LOG_WORLD, LOG_SELF));
}

/* Two processes, rank 1 first; messages of all kinds, collectives, and a thread without calls. */
static inline void log_golden(struct litl_log *l)
{
    log_head(l, 2);
    log_table(l, 0, 1);
    log_chunk(l, 0, 77);
    log_init(l, 1000, 1, 2);
    log_packed(l, 1100, 0x41003, "iiip", LOG_VALUES(64, 0, 5, LOG_WORLD));
    log_packed(l, 1300, 0x41004, "iiip", LOG_VALUES(64, 0, 5, LOG_WORLD));
    log_regular(l, 1400, 0x40101, 5, LOG_VALUES(32, 0, 6, LOG_REQUEST, LOG_WORLD));
    log_packed(l, 1410, 0x42001, "p", LOG_VALUES(LOG_REQUEST));
    log_packed(l, 1420, 0x42002, "p", LOG_VALUES(LOG_REQUEST));
    log_packed(l, 1500, 0x43001, "piiii", LOG_VALUES(LOG_WORLD, 2, 1, 8, 0));
    log_packed(l, 1600, 0x43011, "piii", LOG_VALUES(LOG_WORLD, 2, 1, 8));
    log_link(l, 0);
    log_table(l, 1, 2);
    log_chunk(l, 0, 88);
    log_init(l, 1010, 0, 2);
    log_packed(l, 1200, 0x40001, "iiip", LOG_VALUES(64, 1, 5, LOG_WORLD));
    log_packed(l, 1210, 0x40002, "iip", LOG_VALUES(1, 5, LOG_WORLD));
    log_regular(l, 1220, 0x41005, 5, LOG_VALUES(32, 1, 6, LOG_REQUEST + 8, LOG_WORLD));
    log_regular(l, 1230, 0x4200a, 1, LOG_VALUES(1));
    log_regular(l, 1231, 0x49999, 1, LOG_VALUES(LOG_REQUEST + 8));
    log_link(l, l->count + 22 + 9);
    log_text(l, "unused", 9);
    log_regular(l, 1450, 0x4200b, 1, LOG_VALUES(1));
    log_regular(l, 1451, 0x49999, 1, LOG_VALUES(LOG_REQUEST + 8));
    log_packed(l, 1550, 0x43001, "piiii", LOG_VALUES(LOG_WORLD, 2, 0, 8, 0));
    log_packed(l, 1560, 0x43011, "piii", LOG_VALUES(LOG_WORLD, 2, 0, 8));
    log_link(l, 0);
    log_chunk(l, 1, 99);
    log_event(l, 1300, 0x20001, 1);
    log_number(l, 3, 4);
    log_text(l, "raw", 3);
    log_regular(l, 1700, 0x00002, 0, NULL);
    log_link(l, 0);
}

#endif
