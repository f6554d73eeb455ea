#include "scan/scan_inner.h"

#include "base/ordered.h"

#include <stdlib.h>

void prvcut_scan_init(struct prvcut_scan *s, unsigned most)
{
    s->workers = prvcut_workers(s->run ? s->run->threads : 0);
    if (s->workers > most)
        s->workers = most;
    s->counts.first_ns = UINT64_MAX;
    prvcut_pool_init(&s->idle);
    pthread_mutex_init(&s->caller, NULL);
}

enum prvcut_status prvcut_scan_run(struct prvcut_scan *s, struct prvcut_error *err)
{
    const struct prvcut_ordered work = {
        .ctx = s, .take = scan_take, .work = scan_work, .join = scan_join, .drop = scan_drop
    };

    const enum prvcut_status st =
        scan_is_shared(s) ? scan_shared(s, err) : prvcut_ordered_run(&work, s->workers, err);

    if (st == PRVCUT_OK && !s->windowed)
        s->trace->scanned = true;
    return st;
}

static void scan_release(void *ctx, void *part)
{
    const struct prvcut_scan *s = ctx;

    if (s->parts->fini)
        s->parts->fini(part);
    free(part);
}

void prvcut_scan_fini(struct prvcut_scan *s)
{
    prvcut_pool_fini(&s->idle, scan_release, s);
    pthread_mutex_destroy(&s->caller);
}

void prvcut_scan_counts(const struct prvcut_scan *s, struct prvcut_counts *counts)
{
    if (s->counts.skipped > s->trace->skipped)
        s->trace->skipped = s->counts.skipped;
    if (s->counts.unsorted > s->trace->late) {
        s->trace->late = s->counts.unsorted;
        s->trace->first_late = s->counts.first_unsorted;
        s->trace->late_ns = s->counts.unsorted_ns;
    }
    if (!counts)
        return;
    *counts = s->counts;
    if (counts->first_ns == UINT64_MAX)
        counts->first_ns = 0;
}
