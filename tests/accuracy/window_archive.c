#include "window_trace.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE 65536

/* The text in quotes that follows a word, in small letters. */
static bool name_after(const char *line, const char *word, char *out, size_t room)
{
    const char *at = strstr(line, word);
    size_t n = 0;

    if (!at || !(at = strchr(at, '"')))
        return false;
    for (at++; *at && *at != '"' && n + 1 < room; at++)
        out[n++] = (char)tolower((unsigned char)*at);
    out[n] = '\0';
    return true;
}

/* `LOCATION  1073741823  Name: "P#1T#0" <4>, ... Group: "P#1" <1>`; groups are the ranks. */
static void read_location(struct window_trace *t, const char *line)
{
    const char *group = strstr(line, ", Group: \"");
    struct window_lane *l;
    uint64_t id, rank;
    char name[64];

    if (sscanf(line, "LOCATION %" SCNu64, &id) != 1 || !group ||
        !name_after(line, "Name: ", name, sizeof name) || !(group = strchr(group, '<')) ||
        sscanf(group, "<%" SCNu64, &rank) != 1)
        return;
    l = window_lane_add(t, name, (uint32_t)rank);
    if (l)
        l->id = id;
}

static struct window_lane *lane_of(struct window_trace *t, uint64_t id)
{
    for (size_t i = 0; i < t->lanes; i++)
        if (t->lane[i].id == id)
            return &t->lane[i];
    return NULL;
}

static double number_after(const char *line, const char *word)
{
    const char *at = strstr(line, word);

    return at ? strtod(at + strlen(word), NULL) : 0;
}

static void read_event(struct window_trace *t, const char *line)
{
    char kind[64], name[48];
    struct window_lane *l;
    uint64_t id, time;

    if (sscanf(line, "%63[A-Z0-9_] %" SCNu64 " %" SCNu64, kind, &id, &time) < 3)
        return;
    l = lane_of(t, id);
    if (!l)
        return;
    if (strcmp(kind, "MPI_SEND") == 0 || strcmp(kind, "MPI_ISEND") == 0) {
        window_amounts_add(t, &l->sent, (double)time, (double)time, number_after(line, "Length: "),
                           (uint32_t)number_after(line, "Receiver: "));
        return;
    }
    if ((strcmp(kind, "ENTER") != 0 && strcmp(kind, "LEAVE") != 0) ||
        !name_after(line, "Region: ", name, sizeof name) || strncmp(name, "mpi_", 4) != 0)
        return;
    if (strcmp(kind, "ENTER") == 0)
        window_enter(t, l, window_kind(t, name), (double)time);
    else
        window_leave(t, l, (double)time);
}

static bool read_lines(struct window_trace *t, const char *options, const char *path,
                       void (*read)(struct window_trace *t, const char *line))
{
    char command[4096], *line = malloc(LINE);
    FILE *pipe;

    snprintf(command, sizeof command, "otf2-print %s '%.3500s' 2>/dev/null", options, path);
    pipe = popen(command, "r");
    while (pipe && line && fgets(line, LINE, pipe))
        read(t, line);
    free(line);
    return pipe && pclose(pipe) == 0;
}

bool window_read_archive(struct window_trace *t, const char *path)
{
    bool good;

    *t = (struct window_trace){ .lanes = 0 };
    good = read_lines(t, "-G", path, read_location) && t->lanes > 0 &&
           read_lines(t, "", path, read_event);
    window_trace_settle(t);
    return good && !t->failed;
}
