#include "structure/parameters.h"

#include "base/lasting.h"
#include "base/memory.h"
#include "base/print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Behind the point, of a value that is told. */
#define DIGITS 10

const struct prvcut_parameter prvcut_parameter_table[PRVCUT_SETS] = {
    [PRVCUT_SET_LAMBDA] = { "lambda", "",
                            "selection takes coefficients of the wavelet that are at least this "
                            "share of the largest one",
                            0.3, 0, 1, false },
    [PRVCUT_SET_DELTA] = { "delta", "coefficients", "so many beside each are selected, too", 10, 1,
                           1e6, true },
    [PRVCUT_SET_SIGNIFICANT] = { "significant", "",
                                 "the wavelet is shown at the finest level whose largest "
                                 "coefficient is this share of the largest of all",
                                 0.1, 0, 1, false },
    [PRVCUT_SET_WIDTH] = { "width", "",
                           "structuring width of closing, opening, dilation and erosion, as a "
                           "share of the bins",
                           0.01, 0.000001, 1, false },
    [PRVCUT_SET_SINES] = { "sines", "periods", "cross-correlation is with so many sine waves", 2, 1,
                           1000, true },
    [PRVCUT_SET_RIVAL] = { "rival", "",
                           "a period is clear where no other peak of the autocorrelation is this "
                           "share of its own (the 90 % rule); else the signal is smoothed",
                           0.9, 0.1, 1, false },
    [PRVCUT_SET_BINS] = { "bins", "",
                          "bins over the run in which loops are looked for; unless set, fewer in "
                          "small traces",
                          524288, 1024, 16777216, true },
    [PRVCUT_SET_STRENGTH] = { "strength", "", "a signal that repeats more faintly shows no loop",
                              0.15, 0, 1, false },
    [PRVCUT_SET_SAME] = { "same", "",
                          "periods of two metrics that differ by a smaller share are the same",
                          0.07, 0.001, 0.5, false },
    [PRVCUT_SET_HARMONIC] = { "harmonic", "",
                              "a period that is this near to a multiple of another one is its "
                              "harmonic",
                              0.07, 0.001, 0.5, false },
    [PRVCUT_SET_AROUND] = { "around", "",
                            "a period that is longer than the best one by this factor may be the "
                            "loop around it",
                            3, 1, 1000, false },
    [PRVCUT_SET_AROUND_SHARE] = { "around-share", "",
                                  "the loop around the best one has at least this share of its "
                                  "support",
                                  0.4, 0, 1, false },
    [PRVCUT_SET_CONFIDENCE] = { "sure", "", "a loop that is less sure is none", 0.3, 0, 1, false },
    [PRVCUT_SET_LEVEL_BINS] = { "level-bins", "",
                                "bins over one iteration in which inner loops are looked for",
                                16384, 256, 1048576, true },
    [PRVCUT_SET_LEVEL_SHARE] = { "level-share", "",
                                 "an inner loop takes at least this share of the iteration", 0.1, 0,
                                 1, false },
    [PRVCUT_SET_USEFUL] = { "useful", "iterations", "fewer between two flushes are disturbed, too",
                            2, 1, 1000, true },
    [PRVCUT_SET_USUAL] = { "usual", "",
                           "slow processors or networks over this share of the run are its own "
                           "nature, not a disturbance",
                           0.5, 0, 1, false },
    [PRVCUT_SET_FLUSH_WIDTH] = { "flush-width", "flushes",
                                 "structuring width of the closing that joins flushes before the "
                                 "period is known",
                                 2, 1, 1000, false },
    [PRVCUT_SET_SLOW] = { "slow", "", "below this share of the usual clock threads are preempted",
                          0.8, 0.01, 1, false },
    [PRVCUT_SET_SLOW_WIDTH] = { "slow-width", "iterations",
                                "structuring width of the closing of the clock, and the shortest "
                                "preemption",
                                0.125, 0, 10, false },
    [PRVCUT_SET_CLOGGED_RATIO] = { "network-ratio", "",
                                   "the network is slow only above this multiple of the usual "
                                   "flight a byte",
                                   4, 1, 1e6, false },
    [PRVCUT_SET_CLOGGED_SPREAD] = { "network-spread", "spreads",
                                    "the network is slow only so many times its spread above "
                                    "the usual flight a byte",
                                    8, 0, 1e6, false },
    [PRVCUT_SET_CLOGGED_WIDTH] = { "network-width", "iterations",
                                   "structuring width of the opening of the network's signal: one "
                                   "late message is no slow network",
                                   1.25, 0, 100, false },
    [PRVCUT_SET_JAM_RATIO] = { "jam-ratio", "",
                               "messages that take this multiple of the usual time a byte are "
                               "stuck in a slow network",
                               4, 1, 1e6, false },
    [PRVCUT_SET_UNUSUAL] = { "unusual", "spreads",
                             "an iteration whose length is off by more times the spread is "
                             "unusual; in runs of more than 22 by more; unless this is set, only "
                             "if it stands clear of others",
                             3, 1, 1000, false },
    [PRVCUT_SET_TYPICAL] = { "typical", "spreads",
                             "a cut's length is off by no more times the spread", 3, 0, 1000,
                             false },
    [PRVCUT_SET_NEAR_EQUAL] = { "near-equal", "",
                                "of windows that fit sine waves this nearly as well as the best "
                                "one the length decides",
                                0.1, 0, 2, false },
};

char *prvcut_parameter_number(char out[32], double x)
{
    for (int places = 0; places <= DIGITS; places++) {
        snprintf(out, 32, "%.*f", places, x);
        if (strtod(out, NULL) == x)
            break;
    }
    return out;
}

/* "0.3" or "30%". */
static bool param_sets_number(const char *text, size_t length, double *out)
{
    char copy[40], *end;

    if (length == 0 || length >= sizeof copy || strspn(text, "0123456789.eE+-%") < length)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    *out = strtod(copy, &end);
    if (*end == '%' && end > copy) {
        *out /= 100;
        end++;
    }
    return *end == '\0' && end > copy && isfinite(*out);
}

static enum prvcut_status param_sets_refuse(const struct prvcut_parameter *p,
                                            struct prvcut_error *err)
{
    char least[32], most[32];

    prvcut_instead(err, "prvcut help parameters");
    return prvcut_fail(err, PRVCUT_EUSAGE, "%s is %s from %s to %s%s%s", p->name,
                       p->whole ? "a whole number" : "a number",
                       prvcut_parameter_number(least, p->least),
                       prvcut_parameter_number(most, p->most), *p->unit ? " " : "", p->unit);
}

/* One "NAME=VALUE" of that length. */
static enum prvcut_status param_sets_take(struct prvcut_parameters *p, const char *text,
                                          size_t length, struct prvcut_error *err)
{
    const char *const is = memchr(text, '=', length);
    const size_t name = is ? (size_t)(is - text) : length;

    for (size_t i = 0; i < PRVCUT_SETS; i++) {
        const struct prvcut_parameter *row = &prvcut_parameter_table[i];
        double value = 0;

        if (strlen(row->name) != name || strncmp(row->name, text, name) != 0)
            continue;
        if (!is || !param_sets_number(is + 1, length - name - 1, &value) ||
            !(value >= row->least && value <= row->most) || (row->whole && floor(value) != value))
            return param_sets_refuse(row, err);
        p->value[i] = value;
        p->given[i] = true;
        return PRVCUT_OK;
    }
    prvcut_instead(err, "prvcut help parameters");
    return prvcut_fail(err, PRVCUT_EUSAGE,
                       "no parameter '%.*s'; 'prvcut help parameters' lists them",
                       name < 40 ? (int)name : 40, text);
}

static enum prvcut_status param_sets_tell(struct prvcut_parameters *p, struct prvcut_error *err)
{
    size_t size = 0;
    FILE *to = open_memstream(&p->text, &size);
    const char *before = "";
    char value[32];

    for (size_t i = 0; to && i < PRVCUT_SETS; i++)
        if (p->given[i]) {
            fprintf(to, "%s%s=%s", before, prvcut_parameter_table[i].name,
                    prvcut_parameter_number(value, p->value[i]));
            before = ",";
        }
    if (to && fclose(to) == 0 && p->text)
        return PRVCUT_OK;
    return prvcut_no_memory(err, "parameters");
}

enum prvcut_status prvcut_parameters_init(struct prvcut_parameters *out, const char *set,
                                          struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    *out = (struct prvcut_parameters){ .text = NULL };
    for (size_t i = 0; i < PRVCUT_SETS; i++)
        out->value[i] = prvcut_parameter_table[i].value;
    for (const char *at = set; st == PRVCUT_OK && at;) {
        const size_t length = strcspn(at, ",");

        st = param_sets_take(out, at, length, err);
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    return st == PRVCUT_OK ? param_sets_tell(out, err) : st;
}

void prvcut_parameters_fini(struct prvcut_parameters *p)
{
    if (p)
        free(p->text);
}

enum prvcut_status prvcut_parameters_told(const char **out, const struct prvcut_parameters *p,
                                          struct prvcut_error *err)
{
    *out = p && *p->text ? prvcut_lasting_text(p->text, err) : NULL;
    return *out || !p || !*p->text ? PRVCUT_OK : PRVCUT_ENOMEM;
}
