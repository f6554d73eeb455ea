#include "model/words.h"

#include <string.h>

#define COUNT(words) (sizeof(words) / sizeof *(words))

static const char *wrd_of(const char *const *words, size_t count, unsigned number)
{
    return number < count ? words[number] : NULL;
}

static bool wrd_find(const char *const *words, size_t count, const char *word, unsigned *number)
{
    for (unsigned i = 0; i < count; i++)
        if (strcmp(words[i], word) == 0) {
            *number = i;
            return true;
        }
    return false;
}

/* The words of an enum whose numbers have no gap: its text, and the way back. */
#define TEXTS(name, ...)                                                                           \
    static const char *const wrd_##name[] = { __VA_ARGS__ };                                       \
    const char *prvcut_##name##_text(enum prvcut_##name number)                                    \
    {                                                                                              \
        return wrd_of(wrd_##name, COUNT(wrd_##name), (unsigned)number);                            \
    }

#define FINDS(name)                                                                                \
    bool prvcut_##name##_find(enum prvcut_##name *out, const char *word)                           \
    {                                                                                              \
        unsigned number = 0;                                                                       \
        const bool found = wrd_find(wrd_##name, COUNT(wrd_##name), word, &number);                 \
                                                                                                   \
        *out = (enum prvcut_##name)number;                                                         \
        return found;                                                                              \
    }

/* clang-format off */
TEXTS(stand,
      [PRVCUT_STAND_NONE] = "none",
      [PRVCUT_STAND_CHOSEN] = "chosen",
      [PRVCUT_STAND_AGREES] = "agrees",
      [PRVCUT_STAND_INNER] = "inner",
      [PRVCUT_STAND_MULTIPLE] = "multiple",
      [PRVCUT_STAND_DIFFERS] = "differs",
      [PRVCUT_STAND_ABSENT] = "absent")
TEXTS(cause,
      [PRVCUT_CAUSE_NONE] = "",
      [PRVCUT_CAUSE_FLUSHING] = "flushing",
      [PRVCUT_CAUSE_PREEMPTION] = "preemption",
      [PRVCUT_CAUSE_CLOGGED] = "clogged")
TEXTS(region_kind,
      [PRVCUT_REGION_INITIALISATION] = "initialisation",
      [PRVCUT_REGION_PERIODIC] = "periodic",
      [PRVCUT_REGION_APERIODIC] = "aperiodic",
      [PRVCUT_REGION_MASKED] = "masked",
      [PRVCUT_REGION_END] = "end")
TEXTS(outlier_why,
      [PRVCUT_OUTLIER_LONG] = "long",
      [PRVCUT_OUTLIER_SHORT] = "short")
TEXTS(align,
      [PRVCUT_ALIGN_AUTO] = "auto",
      [PRVCUT_ALIGN_CALLS] = "calls",
      [PRVCUT_ALIGN_STRAIGHT] = "straight")
TEXTS(chop_kind,
      [PRVCUT_CHOP_TYPICAL] = "typical",
      [PRVCUT_CHOP_OUTLIER] = "outlier",
      [PRVCUT_CHOP_GIVEN] = "given")
TEXTS(proof_group,
      [PRVCUT_PROOF_OF_EFFICIENCY] = "efficiency",
      [PRVCUT_PROOF_OF_CALL] = "call",
      [PRVCUT_PROOF_OF_STATE] = "state",
      [PRVCUT_PROOF_OF_TRAFFIC] = "traffic",
      [PRVCUT_PROOF_OF_COUNTER] = "counter")
TEXTS(faith,
      [PRVCUT_FAITH_UNASKED] = "",
      [PRVCUT_FAITH_FAITHFUL] = "faithful",
      [PRVCUT_FAITH_FAIR] = "fair",
      [PRVCUT_FAITH_DOUBTFUL] = "doubtful",
      [PRVCUT_FAITH_UNKNOWN] = "unknown")
/* clang-format on */

FINDS(stand)
FINDS(cause)
FINDS(region_kind)
FINDS(outlier_why)
FINDS(align)
