#ifndef PRVCUT_CLI_PROPOSE_LINE_H
#define PRVCUT_CLI_PROPOSE_LINE_H

#include "options.h"

/* A longer command line is not mended: then the least that works is proposed. */
#define ITEMS 32
/* Words that are known to work, and those of one change. */
#define WORDS 16
/* Texts that nobody typed, in bytes. */
#define OWN_ROOM 8192

enum pro_choice { PRO_TYPED, PRO_WORKS, PRO_EXAMPLE, PRO_GONE };

/** An option with its value, or an operand. */
struct pro_item {
    const struct cli_option *option; /* NULL: an operand */
    char name[64];                   /* as it was typed: "-o", "--output" */
    const char *value;               /* or the operand; NULL: it takes none */
    const char *works;               /* the value that is known to work; NULL: none is */
    enum pro_choice choice;
};

struct pro_line {
    struct pro_item at[ITEMS];
    size_t count;
};

struct proposal {
    const struct cli *c;
    const char *unit; /* that of the times which were typed without theirs; NULL: no one was */
    const char *trace;
    struct pro_line typed; /* what was typed, as far as each word makes sense by itself */
    struct pro_line works; /* what is known to work */
    const char *took;      /* the value of the last option, unless that is a file */
    bool mended;           /* typed is not what was typed */
    bool needs;            /* somebody chose works for what was typed */
    bool adds;             /* options of works that were not typed are added */
    bool operands;         /* its operands are taken */
    bool opens;            /* the trace opens, and says what it thinks of a command line */
    bool refused;          /* it refused one that passes without it */
    unsigned openings;     /* how often it was asked */
    char own[OWN_ROOM];
    size_t used;
};

/** A text that lives as long as the proposal; NULL: there is no room for it. */
char *cli_proposal_keep(struct proposal *p, const char *text, size_t length);

/**
 * Read what was typed, with what was meant in place of each slip, and what is known to work, into
 * typed and works of the proposal. False: there are too many words.
 */
bool cli_proposal_read(struct proposal *p, const char *works);

/** The same of the fewest arguments that the command takes, whatever was typed. */
bool cli_proposal_read_least(struct proposal *p);

#endif
