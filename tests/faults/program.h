#ifndef TESTS_FAULTS_PROGRAM_H
#define TESTS_FAULTS_PROGRAM_H

#include <stdbool.h>

/** Where the campaign works; every worker has its own. */
struct place {
    const char *program; /**< prvcut */
    const char *library; /**< preload.c */
    char folder[512];    /**< the commands' */
    char temporary[512]; /**< their TMPDIR */
    char out[512], words[512], counts[512], stack[512];
};

void place_init(struct place *p, const char *program, const char *library, const char *scratch,
                unsigned worker);
void place_remove(struct place *p, const char *scratch, unsigned worker);

/** What a command did. */
struct outcome {
    int status; /**< of its exit; -1: a signal ended it */
    int signal; /**< that signal */
    bool hung;  /**< it was ended, for it did not end */
    double seconds;
};

/** What happens to the command. */
struct fault {
    const char *call, *how; /**< NULL: nothing */
    long at;                /**< which call; "time": after so many microseconds */
};

struct outcome program_run(const struct place *p, const char *arguments, const struct fault *f);

/** How many calls the last command made. */
long program_count(const struct place *p, const char *call);

/** What a file holds, at most its beginning; to be freed. */
char *program_text(const char *path);

#endif
