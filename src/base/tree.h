#ifndef PRVCUT_BASE_TREE_H
#define PRVCUT_BASE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What a walk through a folder and all in it came to. */
struct prvcut_tree {
    size_t files;
    uint64_t bytes;
};

/**
 * Remove a file, a link (not what it leads to), or a folder with all that is in it, as far as that
 * can be done; allocates nothing, so that it can be done when there is no memory left.
 *
 * shape   parent: a folder that is open, or AT_FDCWD
 */
int prvcut_tree_remove(int parent, const char *name);

/** Look at each file in a folder; sync: write it and each folder to disk. -1: errno. */
int prvcut_tree_walk(const char *path, bool sync, struct prvcut_tree *out);

/** "." and "..". */
bool prvcut_tree_is_dots(const char *name);

#endif
