/* Archives in OTF 1, as VampirTrace wrote them: one stream a process. */
#include "archive_program.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct stream {
    FILE *file;
    uint32_t process; /* 1-based */
    uint64_t time, collectives;
    bool begun;
};

static FILE *create(const struct archive_options *o, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static FILE *create(const struct archive_options *o, const char *format, ...)
{
    char path[4096], suffix[64];
    va_list arguments;
    FILE *file;

    va_start(arguments, format);
    vsnprintf(suffix, sizeof suffix, format, arguments);
    va_end(arguments);
    if (snprintf(path, sizeof path, "%s/%s%s", o->folder, o->name, suffix) >= (int)sizeof path)
        return NULL;
    file = fopen(path, "wx");
    if (!file)
        fprintf(stderr, "prvarchive: %s: %s\n", path, strerror(errno));
    return file;
}

static bool finish(FILE *file)
{
    const bool bad = ferror(file) != 0;

    return fclose(file) == 0 && !bad;
}

/* Ids of functions: 1-based regions. Collectives: 1 broadcast, 2 allreduce. */
static bool write_definitions(const struct archive_options *o)
{
    FILE *f = create(o, ".0.def");

    if (!f)
        return false;
    fprintf(f, "DV1.c.5\"salmon\"\nDCR\"prvarchive\"\nDTR3b9aca00\n");
    for (uint32_t i = 1; i <= o->processes; i++)
        fprintf(f, "DP%" PRIx32 "NM\"Process %" PRIu32 "\"\n", i, i - 1);
    fprintf(f, "DPG1M");
    for (uint32_t i = 1; i <= o->processes; i++)
        fprintf(f, "%" PRIx32 ",", i);
    fprintf(f, "NM\"MPI_COMM_WORLD\"\nDFG1NM\"Application\"\nDFG2NM\"MPI\"\n");
    for (unsigned i = 0; i < ARCHIVE_REGIONS; i++)
        fprintf(f, "DF%xG%dNM\"%s\"\n", i + 1, archive_region_is_mpi(i) ? 2 : 1,
                archive_region_name[i]);
    fprintf(f, "DCO1NM\"MPI_Bcast\"Y2\nDCO2NM\"MPI_Allreduce\"Y4\n");
    return finish(f);
}

static bool write_master(const struct archive_options *o)
{
    FILE *f = create(o, ".otf");

    if (!f)
        return false;
    for (uint32_t i = 1; i <= o->processes; i++)
        fprintf(f, "%" PRIx32 ":%" PRIx32 "\n", i, i);
    return finish(f);
}

static bool write_event(void *ctx, const struct archive_event *e)
{
    struct stream *s = ctx;
    const unsigned function = (unsigned)e->region + 1;

    /* Nothing is written of requests: the form does not know them. */
    if (e->kind == ARCHIVE_SEND_COMPLETE || e->kind == ARCHIVE_RECEIVE_REQUEST)
        return true;
    if (e->time != s->time || !s->begun)
        fprintf(s->file, "%" PRIx64 "\n*%" PRIx32 "\n%s", e->time, s->process,
                s->begun ? "" : "PB\n");
    s->time = e->time;
    s->begun = true;
    switch (e->kind) {
    case ARCHIVE_ENTER:
        fprintf(s->file, "E%x\n", function);
        break;
    case ARCHIVE_LEAVE:
        fprintf(s->file, "L%x\n", function);
        break;
    case ARCHIVE_SEND:
        fprintf(s->file, "S%" PRIx32 "L%" PRIx64 "T%" PRIx32 "C1\n", e->peer + 1, e->size, e->tag);
        break;
    case ARCHIVE_RECEIVE:
        fprintf(s->file, "R%" PRIx32 "L%" PRIx64 "T%" PRIx32 "C1\n", e->peer + 1, e->size, e->tag);
        break;
    case ARCHIVE_COLLECTIVE_BEGIN:
        fprintf(s->file, "COPB%dH%" PRIx64 "C1RT%dS%" PRIx64 "R%" PRIx64 "\n",
                e->region == ARCHIVE_BCAST ? 1 : 2, ++s->collectives,
                e->region == ARCHIVE_BCAST ? 1 : 0, e->size, e->size);
        break;
    case ARCHIVE_COLLECTIVE_END:
        fprintf(s->file, "COPE%" PRIx64 "\n", s->collectives);
        break;
    case ARCHIVE_SEND_COMPLETE:
    case ARCHIVE_RECEIVE_REQUEST:
    default:
        break;
    }
    return true;
}

bool archive_write_otf(const struct archive_options *o)
{
    bool good = write_definitions(o) && write_master(o);

    for (uint32_t rank = 0; good && rank < o->processes; rank++) {
        struct stream s = { .process = rank + 1 };

        s.file = create(o, ".%" PRIx32 ".events", rank + 1);
        good = s.file && archive_run(o, rank, write_event, &s);
        if (s.file) {
            fprintf(s.file, "PE\n");
            good = finish(s.file) && good;
        }
    }
    return good;
}
