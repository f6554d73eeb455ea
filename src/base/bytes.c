#include "base/bytes.h"

#include "base/checked.h"
#include "base/memory.h"

#include <string.h>

void prvcut_put_bytes(struct prvcut_put *p, const void *bytes, size_t count)
{
    if (p->st == PRVCUT_OK && count > 0)
        p->st = prvcut_buffer_append(&p->b, bytes, count, p->err);
}

void prvcut_put_string(struct prvcut_put *p, const char *text)
{
    prvcut_put_bytes(p, text, strlen(text));
}

void prvcut_put_between(struct prvcut_put *p, const char *at, const char *end)
{
    prvcut_put_bytes(p, at, (size_t)(end - at));
}

void prvcut_put_printf(struct prvcut_put *p, const char *format, ...)
{
    va_list args;

    if (p->st != PRVCUT_OK)
        return;
    va_start(args, format);
    p->st = prvcut_buffer_vprintf(&p->b, p->err, format, args);
    va_end(args);
}

enum prvcut_status prvcut_put_take(struct prvcut_put *p, char **out)
{
    prvcut_put_bytes(p, "", 1);
    if (p->st < 0)
        prvcut_buffer_fini(&p->b);
    *out = p->b.at;
    p->b = (struct prvcut_buffer){ .at = NULL };
    return p->st;
}

static void bytes_lay(unsigned char *out, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        out[i] = (unsigned char)(value >> 8 * i);
}

void prvcut_put_u32(struct prvcut_put *p, uint32_t value)
{
    unsigned char out[4];

    bytes_lay(out, value, 4);
    prvcut_put_bytes(p, out, sizeof out);
}

void prvcut_put_u64(struct prvcut_put *p, uint64_t value)
{
    unsigned char out[8];

    bytes_lay(out, value, 8);
    prvcut_put_bytes(p, out, sizeof out);
}

static uint64_t bytes_bits_of(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

void prvcut_put_f64(struct prvcut_put *p, double value)
{
    prvcut_put_u64(p, bytes_bits_of(value));
}

void prvcut_put_text(struct prvcut_put *p, const char *text)
{
    const size_t count = text ? strlen(text) + 1 : 0;

    prvcut_put_u32(p, (uint32_t)count);
    prvcut_put_bytes(p, text, count);
}

void prvcut_put_span(struct prvcut_put *p, uint64_t start, uint64_t end)
{
    prvcut_put_u64(p, start);
    prvcut_put_u64(p, end);
}

/* Room for so many items of 8 or 4 bytes; NULL: it failed. */
static unsigned char *bytes_put_room(struct prvcut_put *p, size_t count, size_t size)
{
    size_t bytes;

    if (p->st != PRVCUT_OK)
        return NULL;
    if (!prvcut_ckd_mul_size(&bytes, count, size))
        p->st = prvcut_no_memory(p->err, "numbers");
    else
        p->st = prvcut_buffer_reserve(&p->b, bytes, p->err);
    if (p->st != PRVCUT_OK)
        return NULL;
    p->b.count += bytes;
    return (unsigned char *)p->b.at + p->b.count - bytes;
}

void prvcut_put_u32s(struct prvcut_put *p, const uint32_t *value, size_t count)
{
    unsigned char *out = bytes_put_room(p, count, 4);

    for (size_t i = 0; out && i < count; i++)
        bytes_lay(out + 4 * i, value[i], 4);
}

void prvcut_put_u64s(struct prvcut_put *p, const uint64_t *value, size_t count)
{
    unsigned char *out = bytes_put_room(p, count, 8);

    for (size_t i = 0; out && i < count; i++)
        bytes_lay(out + 8 * i, value[i], 8);
}

void prvcut_put_f64s(struct prvcut_put *p, const double *value, size_t count)
{
    unsigned char *out = bytes_put_room(p, count, 8);

    for (size_t i = 0; out && i < count; i++)
        bytes_lay(out + 8 * i, bytes_bits_of(value[i]), 8);
}

/* The next bytes; NULL: there are not so many. */
static const unsigned char *bytes_take(struct prvcut_get *g, size_t count)
{
    const char *at = g->at;

    if (g->bad || count > g->left) {
        g->bad = true;
        return NULL;
    }
    g->at += count;
    g->left -= count;
    return (const unsigned char *)at;
}

static uint32_t bytes_read_u32(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint64_t bytes_read_u64(const unsigned char *at)
{
    return bytes_read_u32(at) | (uint64_t)bytes_read_u32(at + 4) << 32;
}

static double bytes_read_f64(const unsigned char *at)
{
    const uint64_t bits = bytes_read_u64(at);
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

uint32_t prvcut_get_u32(struct prvcut_get *g)
{
    const unsigned char *at = bytes_take(g, 4);

    return at ? bytes_read_u32(at) : 0;
}

uint64_t prvcut_get_u64(struct prvcut_get *g)
{
    const unsigned char *at = bytes_take(g, 8);

    return at ? bytes_read_u64(at) : 0;
}

double prvcut_get_f64(struct prvcut_get *g)
{
    const unsigned char *at = bytes_take(g, 8);

    return at ? bytes_read_f64(at) : 0;
}

bool prvcut_get_bool(struct prvcut_get *g)
{
    const uint32_t value = prvcut_get_u32(g);

    prvcut_get_check(g, value <= 1);
    return value == 1;
}

const char *prvcut_get_text(struct prvcut_get *g)
{
    const uint32_t count = prvcut_get_u32(g);
    const char *text;

    if (count == 0)
        return g->bad ? "" : NULL;
    text = (const char *)bytes_take(g, count);
    prvcut_get_check(g, text && memchr(text, '\0', count) == text + count - 1);
    return g->bad ? "" : text;
}

static const unsigned char *bytes_take_items(struct prvcut_get *g, size_t count, size_t size)
{
    size_t bytes;

    if (!prvcut_ckd_mul_size(&bytes, count, size))
        bytes = SIZE_MAX;
    return bytes_take(g, bytes);
}

void prvcut_get_u32s(struct prvcut_get *g, uint32_t *value, size_t count)
{
    const unsigned char *at = bytes_take_items(g, count, 4);

    for (size_t i = 0; at && i < count; i++)
        value[i] = bytes_read_u32(at + 4 * i);
}

void prvcut_get_u64s(struct prvcut_get *g, uint64_t *value, size_t count)
{
    const unsigned char *at = bytes_take_items(g, count, 8);

    for (size_t i = 0; at && i < count; i++)
        value[i] = bytes_read_u64(at + 8 * i);
}

void prvcut_get_f64s(struct prvcut_get *g, double *value, size_t count)
{
    const unsigned char *at = bytes_take_items(g, count, 8);

    for (size_t i = 0; at && i < count; i++)
        value[i] = bytes_read_f64(at + 8 * i);
}

size_t prvcut_get_count(struct prvcut_get *g, size_t bytes)
{
    const uint64_t count = prvcut_get_u64(g);

    prvcut_get_check(g, count <= g->left / bytes);
    return g->bad ? 0 : (size_t)count;
}

void *prvcut_get_room(struct prvcut_get *g, size_t count, size_t size)
{
    void *room =
        g->bad || count == SIZE_MAX ? NULL : prvcut_zeroed(count + 1, size, "what is read", NULL);

    prvcut_get_check(g, room != NULL);
    return room;
}

void prvcut_get_check(struct prvcut_get *g, bool sound)
{
    g->bad = g->bad || !sound;
}

/* --- Answers ---------------------------------------------------------------------------------- */

/* Bytes that may be passed over. */
static void bytes_put_block(struct prvcut_put *p, const struct prvcut_put *block)
{
    p->st = p->st == PRVCUT_OK ? block->st : p->st;
    prvcut_put_u64(p, block->b.count);
    prvcut_put_bytes(p, block->b.at, block->b.count);
}

static struct prvcut_get bytes_get_block(struct prvcut_get *g)
{
    const size_t count = prvcut_get_count(g, 1);
    const struct prvcut_get block = { .at = g->at, .left = count, .bad = g->bad };

    g->at += count;
    g->left -= count;
    return block;
}

void prvcut_put_answer(struct prvcut_put *p, const struct prvcut_put *asked,
                       const struct prvcut_put *found)
{
    bytes_put_block(p, asked);
    bytes_put_block(p, found);
}

bool prvcut_get_answer(struct prvcut_get *g, const struct prvcut_put *asked,
                       struct prvcut_get *found)
{
    while (!g->bad && g->left > 0) {
        const struct prvcut_get kept = bytes_get_block(g);

        *found = bytes_get_block(g);
        if (!g->bad && kept.left == asked->b.count && memcmp(kept.at, asked->b.at, kept.left) == 0)
            return true;
    }
    return false;
}
