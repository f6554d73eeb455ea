#include "base/lasting.h"

#include "base/buffer.h"
#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* All of them; found by whoever looks for leaks, since they stay reachable. */
static char **lasting;
static size_t lasting_count, lasting_room;
static pthread_mutex_t lasting_lock = PTHREAD_MUTEX_INITIALIZER;

static const char *lasting_find(const char *text)
{
    for (size_t i = 0; i < lasting_count; i++)
        if (strcmp(lasting[i], text) == 0)
            return lasting[i];
    return NULL;
}

static const char *lasting_add(const char *text, struct prvcut_error *err)
{
    char *copy;

    if (lasting_count == lasting_room &&
        prvcut_grow((void **)&lasting, &lasting_room, lasting_count + 1, sizeof *lasting, err) < 0)
        return NULL;
    copy = prvcut_copied_text(text, "a name", err);
    if (copy)
        lasting[lasting_count++] = copy;
    return copy;
}

const char *prvcut_lasting_text(const char *text, struct prvcut_error *err)
{
    const char *found;

    pthread_mutex_lock(&lasting_lock);
    found = lasting_find(text);
    if (!found)
        found = lasting_add(text, err);
    pthread_mutex_unlock(&lasting_lock);
    return found;
}
