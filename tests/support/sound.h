#ifndef TESTS_SOUND_H
#define TESTS_SOUND_H

#include "prvcut/inspect.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * What prvcut writes passes check --strict, but for what the original's own findings cause: a
 * faithful output keeps what is odd about the run. Findings have the same name on both sides, or
 * stand here: how one name in the original becomes another in the output.
 */
static const struct {
    const char *original, *output;
} sound_inherited[] = {
    { "state-backward", "state-empty" },   /* it is taken to end where it begins, */
    { "state-backward", "state-overlap" }, /* and the one before it ends later */
    { "order", "region-not-open" },        /* its begin stands elsewhere */
    /* An end of a message without the other one: of a few, or of all on its channel. */
    { "send-unmatched", "message-half" },
    { "send-unmatched", "message-one-sided" },
    { "receive-unmatched", "message-half" },
    { "receive-unmatched", "message-one-sided" },
    { "message-half", "send-unmatched" },
    { "message-half", "receive-unmatched" },
    { "message-one-sided", "send-unmatched" },
    { "message-one-sided", "receive-unmatched" },
    /* Clocks that contradict each other, and what remains of that when they are together. */
    { "clock-skew", "clocks" },
    { "clocks", "clock-skew" },
    { "clock-skew", "message-backward" },
    { "clocks", "message-backward" },
};

/* What check --strict says of a trace, as JSON, to be freed; NULL where it cannot be read. */
static inline enum prvcut_status sound_findings(const char *path, char **text)
{
    const struct prvcut_run run = { .threads = 1 };
    const struct prvcut_open_options strict = { .strict = true };
    struct prvcut_error err = { 0 };
    enum prvcut_status st;

    *text = NULL;
    st = prvcut_check(path, &run, &strict, PRVCUT_JSON, text, &err);
    if (!*text)
        printf("%s: %s\n", path, err.text);
    return st;
}

static inline bool sound_has(const char *findings, const char *name, size_t length)
{
    char line[128];

    snprintf(line, sizeof line, "\"name\": \"%.*s\",\n      \"severity\"", (int)length, name);
    return strstr(findings, line) != NULL;
}

static inline bool sound_is_inherited(const char *original, const char *name, size_t length)
{
    bool found = sound_has(original, name, length);

    for (size_t i = 0; i < sizeof sound_inherited / sizeof *sound_inherited && !found; i++)
        found =
            strlen(sound_inherited[i].output) == length &&
            strncmp(sound_inherited[i].output, name, length) == 0 &&
            sound_has(original, sound_inherited[i].original, strlen(sound_inherited[i].original));
    return found;
}

/* Are all findings such as the original causes? */
static inline bool sound_all_inherited(const char *findings, const char *original)
{
    static const char head[] = "      \"name\": \"";
    bool all = true;

    for (const char *at = strstr(findings, head); at; at = strstr(at, head)) {
        at += strlen(head);
        const size_t length = strcspn(at, "\"");

        if (!sound_is_inherited(original, at, length)) {
            printf("%.*s is not in the original\n", (int)length, at);
            all = false;
        }
    }
    return all;
}

/* Does what was written pass check --strict, but for what the original causes? */
static inline bool sound_as(const char *output, const char *original)
{
    char *findings, *before = NULL;
    const enum prvcut_status st = sound_findings(output, &findings);
    bool good = findings && st == PRVCUT_OK;

    if (findings && st == PRVCUT_UNSOUND) {
        sound_findings(original, &before);
        good = before && sound_all_inherited(findings, before);
    }
    free(findings);
    free(before);
    return good;
}

#endif
