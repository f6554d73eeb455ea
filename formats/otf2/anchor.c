#include "otf2/anchor.h"

#include "base/memory.h"
#include "base/source.h"
#include "otf2/whole.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/*
 * The anchor: a mark of 6 bytes, 3 of the library's own, 3 of the version, then numbers of 8 bytes
 * (sizes of chunks of events and of definitions), 2 bytes (the second one tells how files are
 * compressed, 1: not at all), two more numbers (locations, global definitions), three texts that
 * end in a 0, and a number of 4 bytes of properties, each two texts.
 */
#define CHUNK_SIZES 12u
#define COMPRESSION 29u
#define COUNTS      30u
#define TEXTS       46u
#define ANCHOR_MOST ((size_t)16 << 20)
#define CHUNK_LEAST 64u
#define CHUNK_MOST  ((uint64_t)1 << 30)

struct anchor {
    const unsigned char *at;
    size_t count;
};

/* The second byte tells the order of bytes: 'B' for the lowest first, '#' for the highest. */
static uint64_t anchor_number(const struct anchor *a, size_t at, unsigned bytes)
{
    const bool falling = a->at[1] == '#';
    uint64_t n = 0;

    for (unsigned i = 0; i < bytes; i++)
        n |= (uint64_t)a->at[at + i] << 8 * (falling ? bytes - 1 - i : i);
    return n;
}

/* Beyond the next so many texts; 0: they do not end. */
static size_t anchor_pass_texts(const struct anchor *a, size_t at, uint64_t texts)
{
    for (uint64_t i = 0; i < texts; i++) {
        const unsigned char *end = at < a->count ? memchr(a->at + at, '\0', a->count - at) : NULL;

        if (!end)
            return 0;
        at = (size_t)(end - a->at) + 1;
    }
    return at;
}

/* What is known of the file of definitions beside the anchor. */
struct definitions {
    uint64_t size; /* UINT64_MAX: there is none, which the library tells */
    bool well;     /* it ends as it should */
};

/* The library would look for ever for the end of definitions that are cut short. */
static enum prvcut_status anchor_look(struct definitions *d, const struct anchor *a,
                                      const char *stem, struct prvcut_error *err)
{
    char path[1024];
    struct stat s;

    *d = (struct definitions){ .size = UINT64_MAX, .well = true };
    snprintf(path, sizeof path, "%.1000s.def", stem);
    if (stat(path, &s) != 0)
        return errno == ENOENT ? PRVCUT_OK
                               : prvcut_fail_errno(err, PRVCUT_EIO, "%.500s: cannot be read", path);
    if (s.st_size > 0)
        d->size = (uint64_t)s.st_size;
    return d->size == UINT64_MAX || a->at[COMPRESSION] != 1 ? PRVCUT_OK
                                                            : o2_ends_well(path, &d->well, err);
}

static enum prvcut_status anchor_check(const struct anchor *a, const char *path, const char *stem,
                                       struct prvcut_error *err)
{
    uint64_t properties, definitions;
    struct definitions d;
    enum prvcut_status st;
    size_t at;

    if (a->count < TEXTS)
        return prvcut_fail(err, PRVCUT_EFORMAT, "%.500s: the anchor is cut short at byte %zu", path,
                           a->count);
    for (unsigned i = 0; i < 2; i++) {
        const uint64_t chunk = anchor_number(a, CHUNK_SIZES + (size_t)8 * i, 8);

        if (chunk < CHUNK_LEAST || chunk > CHUNK_MOST)
            return prvcut_fail(err, PRVCUT_EFORMAT,
                               "%.500s: the anchor is damaged: chunks of %" PRIu64 " bytes", path,
                               chunk);
    }
    st = anchor_look(&d, a, stem, err);
    if (st < 0)
        return st;
    definitions = anchor_number(a, COUNTS + 8, 8);
    if (definitions > d.size)
        return prvcut_fail(err, PRVCUT_EFORMAT,
                           "%.500s: the anchor is damaged, or %.300s.def cut short: %" PRIu64
                           " definitions do not fit into that file",
                           path, stem, definitions);
    if (!d.well)
        return prvcut_fail(err, PRVCUT_EFORMAT, "%.500s.def: the file is cut short", stem);
    at = anchor_pass_texts(a, TEXTS, 3);
    if (at == 0 || a->count - at < 4)
        return prvcut_fail(err, PRVCUT_EFORMAT, "%.500s: the anchor is cut short at byte %zu", path,
                           a->count);
    properties = anchor_number(a, at, 4);
    if (anchor_pass_texts(a, at + 4, 2 * properties) == 0)
        return prvcut_fail(err, PRVCUT_EFORMAT,
                           "%.500s: the anchor is damaged or cut short: %" PRIu64
                           " properties do not fit into it",
                           path, properties);
    return PRVCUT_OK;
}

enum prvcut_status o2_anchor_check(const char *path, const char *stem, struct prvcut_error *err)
{
    struct anchor a = { 0 };
    char *bytes;
    enum prvcut_status st = prvcut_source_slurp(path, ANCHOR_MOST, &bytes, &a.count, err);

    if (st < 0)
        return st;
    a.at = (const unsigned char *)bytes;
    st = anchor_check(&a, path, stem, err);
    free(bytes);
    return st;
}

enum prvcut_status o2_anchor_identifier(const char *path, char **bytes, size_t *count, size_t *at,
                                        struct prvcut_error *err)
{
    struct anchor a = { 0 };
    enum prvcut_status st = prvcut_source_slurp(path, ANCHOR_MOST, bytes, count, err);

    if (st < 0)
        return st;
    a = (struct anchor){ (const unsigned char *)*bytes, *count };
    *at = a.count > TEXTS ? anchor_pass_texts(&a, TEXTS, 3) : 0;
    if (*at > 0 && a.count - *at >= 4)
        *at = anchor_pass_texts(&a, *at + 4, 2 * anchor_number(&a, *at, 4));
    else
        *at = 0;
    if (*at > 0 && a.count - *at >= sizeof(uint64_t))
        return PRVCUT_OK;
    free(*bytes);
    *bytes = NULL;
    return prvcut_fail(err, PRVCUT_EFORMAT, "%.500s: the anchor is cut short at byte %zu", path,
                       a.count);
}

enum prvcut_status o2_anchor_words(struct o2_anchor_words *out, OTF2_Archive *archive,
                                   struct prvcut_error *err)
{
    static OTF2_ErrorCode (*const get[])(OTF2_Archive *, char **) = { OTF2_Archive_GetMachineName,
                                                                      OTF2_Archive_GetCreator,
                                                                      OTF2_Archive_GetDescription };
    char **names = NULL;

    *out = (struct o2_anchor_words){ 0 };
    for (size_t i = 0; i < sizeof get / sizeof *get; i++) {
        /* What was never set is an error of its own. */
        if (get[i](archive, &out->text[i]) != OTF2_SUCCESS)
            out->text[i] = NULL;
        if (!out->text[i])
            out->text[i] = prvcut_copied_text("", "an archive's words", err);
        if (!out->text[i])
            return PRVCUT_ENOMEM;
    }
    if (OTF2_Archive_GetPropertyNames(archive, &out->properties, &names) != OTF2_SUCCESS)
        return prvcut_no_memory(err, "an archive's properties");
    free(names);
    return PRVCUT_OK;
}

void o2_anchor_words_fini(struct o2_anchor_words *words)
{
    for (size_t i = 0; i < sizeof words->text / sizeof *words->text; i++)
        free(words->text[i]);
    *words = (struct o2_anchor_words){ 0 };
}

enum prvcut_status o2_anchor_says(const char *bytes, size_t count,
                                  const struct o2_anchor_words *words, struct prvcut_error *err)
{
    const struct anchor a = { (const unsigned char *)bytes, count };
    size_t at = count > TEXTS ? TEXTS : 0;
    bool all = at > 0;

    for (size_t i = 0; i < sizeof words->text / sizeof *words->text && all; i++) {
        all = anchor_pass_texts(&a, at, 1) > 0 && strcmp(bytes + at, words->text[i]) == 0;
        at = anchor_pass_texts(&a, at, 1);
    }
    if (all && count - at >= 4 && anchor_number(&a, at, 4) == words->properties)
        return PRVCUT_OK;
    return prvcut_no_memory(err, "the texts of an anchor");
}
