#define _XOPEN_SOURCE 700

#include "tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void give_up(const char *what)
{
    perror(what);
    exit(99);
}

void *room(size_t bytes)
{
    void *at = calloc(1, bytes + 1);

    if (!at)
        give_up("memory");
    return at;
}

static char *join(const char *folder, const char *name)
{
    const size_t length = strlen(folder) + strlen(name) + 2;
    char *path = room(length);

    snprintf(path, length, "%s%s%s", folder, *folder ? "/" : "", name);
    return path;
}

static int visible(const struct dirent *d)
{
    return strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0;
}

static struct leaf *tree_more(struct tree *t)
{
    t->leaf = realloc(t->leaf, (t->count + 1) * sizeof *t->leaf);
    if (!t->leaf)
        give_up("memory");
    t->leaf[t->count] = (struct leaf){ 0 };
    return &t->leaf[t->count++];
}

static void leaf_read(struct leaf *l, const char *path)
{
    FILE *file = fopen(path, "rb");

    if (!file)
        give_up(path);
    l->bytes = room(l->size);
    l->size = fread(l->bytes, 1, l->size, file);
    fclose(file);
}

/* What disappears meanwhile is not there. */
static void tree_read_in(struct tree *t, const char *root, const char *folder)
{
    char *at = join(root, folder);
    struct dirent **entry = NULL;
    const int count = scandir(at, &entry, visible, alphasort);

    for (int i = 0; i < count; i++) {
        char *path = join(folder, entry[i]->d_name), *full = join(root, path);
        struct stat info;

        if (lstat(full, &info) == 0) {
            struct leaf *l = tree_more(t);

            *l = (struct leaf){ .path = path,
                                .is_folder = S_ISDIR(info.st_mode),
                                .size = S_ISREG(info.st_mode) ? (size_t)info.st_size : 0,
                                .changed = info.st_mtim };
            if (S_ISREG(info.st_mode))
                leaf_read(l, full);
            if (S_ISDIR(info.st_mode))
                tree_read_in(t, root, path);
        } else {
            free(path);
        }
        free(full);
        free(entry[i]);
    }
    free(entry);
    free(at);
}

void tree_read(struct tree *t, const char *folder)
{
    *t = (struct tree){ 0 };
    tree_read_in(t, folder, "");
}

void tree_copy(struct tree *to, const struct tree *from)
{
    *to = (struct tree){ 0 };
    for (size_t i = 0; i < from->count; i++) {
        const struct leaf *old = &from->leaf[i];
        struct leaf *l = tree_more(to);

        *l = *old;
        l->path = join("", old->path);
        l->bytes = room(old->size);
        if (old->size > 0)
            memcpy(l->bytes, old->bytes, old->size);
    }
}

void tree_fini(struct tree *t)
{
    for (size_t i = 0; i < t->count; i++) {
        free(t->leaf[i].path);
        free(t->leaf[i].bytes);
    }
    free(t->leaf);
    *t = (struct tree){ 0 };
}

void tree_remove(const char *folder)
{
    struct dirent **entry = NULL;
    const int count = scandir(folder, &entry, visible, alphasort);

    for (int i = 0; i < count; i++) {
        char *path = join(folder, entry[i]->d_name);

        if (unlink(path) != 0)
            tree_remove(path);
        free(path);
        free(entry[i]);
    }
    free(entry);
    rmdir(folder);
}

static void leaf_write(const struct leaf *l, const char *path)
{
    const struct timespec times[2] = { l->changed, l->changed };
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);

    if (fd < 0 || write(fd, l->bytes, l->size) != (ssize_t)l->size || futimens(fd, times) != 0)
        give_up(path);
    close(fd);
}

void tree_write(const struct tree *t, const char *folder)
{
    tree_remove(folder);
    if (mkdir(folder, 0777) != 0)
        give_up(folder);
    for (size_t i = 0; i < t->count; i++) {
        const struct leaf *l = &t->leaf[i];
        char *path = join(folder, l->path);

        if (!l->is_folder)
            leaf_write(l, path);
        else if (mkdir(path, 0777) != 0)
            give_up(path);
        free(path);
    }
}

const struct leaf *tree_find(const struct tree *t, const char *path)
{
    for (size_t i = 0; i < t->count; i++)
        if (strcmp(t->leaf[i].path, path) == 0)
            return &t->leaf[i];
    return NULL;
}

void tree_add(struct tree *t, const char *path, const char *text)
{
    struct leaf *l = tree_more(t);

    *l = (struct leaf){ .path = join("", path), .size = strlen(text) };
    l->bytes = room(l->size);
    memcpy(l->bytes, text, l->size);
}

static bool leaf_same(const struct leaf *a, const struct leaf *b)
{
    if (a->is_folder != b->is_folder)
        return false;
    if (b->varies)
        return a->size > b->size / 2;
    return a->size == b->size && (a->size == 0 || memcmp(a->bytes, b->bytes, a->size) == 0);
}

const char *tree_lacks(const struct tree *t, const struct tree *wanted)
{
    for (size_t i = 0; i < wanted->count; i++) {
        const struct leaf *l = tree_find(t, wanted->leaf[i].path);

        if (!l || !leaf_same(l, &wanted->leaf[i]))
            return wanted->leaf[i].path;
    }
    return NULL;
}

const char *tree_exceeds(const struct tree *t, const struct tree *wanted)
{
    for (size_t i = 0; i < t->count; i++)
        if (!tree_find(wanted, t->leaf[i].path))
            return t->leaf[i].path;
    return NULL;
}

bool tree_same(const struct tree *t, const struct tree *wanted)
{
    return !tree_lacks(t, wanted) && !tree_exceeds(t, wanted);
}
