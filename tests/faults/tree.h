#ifndef TESTS_FAULTS_TREE_H
#define TESTS_FAULTS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/** A file or folder within a tree. */
struct leaf {
    char *path; /**< from the tree's root */
    bool is_folder;
    bool varies; /**< its content is another in every run */
    char *bytes;
    size_t size;
    struct timespec changed;
};

/** All that is in a folder, in memory, in the order of names; zeroed is empty. */
struct tree {
    struct leaf *leaf;
    size_t count;
};

void tree_read(struct tree *t, const char *folder);
void tree_copy(struct tree *to, const struct tree *from);
void tree_fini(struct tree *t);

/** Make the folder hold exactly this. */
void tree_write(const struct tree *t, const char *folder);

/** Remove a folder with all that is in it. */
void tree_remove(const char *folder);

const struct leaf *tree_find(const struct tree *t, const char *path);
void tree_add(struct tree *t, const char *path, const char *text);

/** The first of `wanted` that is missing in t or another there; NULL: none. */
const char *tree_lacks(const struct tree *t, const struct tree *wanted);
/** The first of t that is not in `wanted`; NULL: none. */
const char *tree_exceeds(const struct tree *t, const struct tree *wanted);
bool tree_same(const struct tree *t, const struct tree *wanted);

/** The end of the campaign: what it stands on does not work. */
_Noreturn void give_up(const char *what);

void *room(size_t bytes);

#endif
