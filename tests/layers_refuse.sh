#!/bin/sh
# Does layers.sh refuse a second one of what there is one of? Each case is a file of its own in the
# folders of the sources, without these; each must be named by what is refused.
#
#   sh tests/layers_refuse.sh
set -eu
tests=$(cd -- "$(dirname -- "$0")" && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/prvcut-layers.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
(cd "$tests/.." && find src formats include -type d) | (cd "$scratch" && xargs mkdir -p)
status=0

sh "$tests/layers.sh" "$scratch" || {
    echo "empty folders are refused" >&2
    exit 1
}
cases=0
while IFS='|' read -r file line; do
    cases=$((cases + 1))
    file=${file%.*}$cases.${file##*.}
    printf '%s\n' "$line" >"$scratch/$file"
    printf '%s|%s\n' "$file" "$line" >>"$scratch/cases"
done <<'END'
src/dsp/new.c|#include "model/trace.h"
src/base/new.h|static int f(const char *p) { return open(p, 0); }
src/model/new.c|size_t f(uint64_t key, size_t n) { return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) % n); }
src/model/new.h|static size_t f(uint64_t key, unsigned shift) { return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> shift); }
formats/otf2/new.c|size_t f(uint64_t id, size_t mask) { return id * UINT64_C(0x9e3779b97f4a7c15) & mask; }
formats/otf2/new.h|    for (; *text; text++) h = h * 31 + *text;
src/report/new.c|    i = (i + 1) & (t->slots - 1);
src/report/new.c|    at = t->at[hash % n];
src/report/new.c|    at = number % t->buckets;
src/report/new.c|    struct row *r = &t->at[id % BINS];
src/report/new.c|    i = id % t->size;
src/report/new.c|    for (; *s; s++) h = (h << 5) + h + *s;
src/report/new.c|    r = t->heads[h & 1023];
src/report/new.c|    i = h & (t->count - 1);
src/model/new.c|    h ^= h >> 13, h *= 0xc2b2ae35;
src/model/new.c|    if (!hsearch_r(e, ENTER, &found, &t->table))
src/signal/new.c|    middle = (lo + hi) / 2;
src/signal/new.c|    const uint64_t m = (r->from + r->to) / 2;
src/signal/new.c|    m = (lo1 + hi1) >> 1;
src/signal/new.c|    middle = lo+(hi-lo)/2;
src/signal/new.c|    size_t middle = low + ((high - low) >> 1);
src/signal/new.c|    middle = (lo + hi + 1) / 2;
src/signal/new.c|    m = (1 + low + high) >> 1;
src/signal/new.c|    m = (r->from + r->to - 1) / 2u;
src/model/new.c|    middle = lo + (hi - lo + 1) / 2;
src/model/new.c|    m = r->from + (r->to - r->from) / 2;
src/model/new.c|    m = lo1 + (hi1 - lo1) / 2;
src/model/new.c|    for (size_t step = n / 2; step > 0; step /= 2)
src/model/new.h|    for (step = 1u << 20; step > 0; step >>= 1)
src/base/new.c|        step = step / 2;
src/base/new.c|        s->step = (s->step + 1) >> 1;
src/report/new.c|        n -= half;
formats/otf2/new.c|    OTF2_EvtReaderCallbacks_SetEnterCallback(c, on_enter);
formats/otf/new.c|        p = otf_parse_fields(p, &r);
formats/otf/new.c|            p = otf_parse(p, &r);
formats/otf/new.c|        st = otf_text_next(&x, &p, &end, err);
src/structure/new.c|    return (x->tag > y->tag) - (x->tag < y->tag);
src/structure/new.c|    for (long i = 0; i <= 2 * SHIFT_MOST; i++) {
src/model/new.c|#include "match/pair.h"
src/signal/new.c|    if (role >= PRVCUT_ROLE_INSTRUCTIONS && role <= PRVCUT_ROLE_FLOPS)
src/convert/new.c|    return role == PRVCUT_ROLE_SIZE || role == PRVCUT_ROLE_ROOT;
src/stream/new.c|    roles = PRVCUT_ROLE_BIT(PRVCUT_ROLE_SIZE) | PRVCUT_ROLE_BIT(PRVCUT_ROLE_ROOT);
src/report/new.c|    char *text = malloc(count + 1);
formats/otf/new.c|    return strndup(from, count);
src/cli/new.c|    struct room *r = calloc(1, sizeof *r);
src/report/new.c|        count -= step + 1;
formats/litl/new.c|        n -= n / 2;
formats/otf/new.c|        base += at[base + half] < key ? half : 0;
formats/otf/new.h|    const size_t m = begin + (end - begin) / 2;
formats/otf2/new.c|    c->sum->split_collectives += any - (high - low);
formats/otf/new.c|    split = prvcut_all_inside(taking, count, &whole);
formats/otf/new.c|    k->whole = prvcut_partners_inside(&other);
formats/otf2/new.c|        own->high = other->before + other->inside;
formats/otf/new.c|    return ordinal < other->before + other->inside;
src/analysis/new.c|            wrong += c->receive[k + skip].time < c->send[k].time;
src/structure/new.c|        while (k < sends && send[k].time <= receive[k + d].time + tolerance)
src/api/new.c|    const struct side key = { .thread = send->peer, .peer = send->thread };
src/api/new.c|        first = end->at[k >> end->shift] < first ? end->at[k >> end->shift] : first;
src/analysis/new.c|    for (int more = -SHIFTS; more <= SHIFTS; more++) {
src/analysis/new.h|    for (long i = 0; i <= 2 * SHIFT_MOST; i++) {
src/analysis/new.c|    st = prvcut_stack_enter(&t->open, &frame, err);
src/analysis/new.h|    if (open[i].type == type)
src/analysis/new.h|    t->open[t->depth++] = *e;
src/analysis/new.h|    while (n > 0 && t->stack[n - 1] != e->type)
src/analysis/new.h|    return w->thread_from[thread];
src/stream/new.c|    node->next = t->top;
src/stream/new.c|    node->next = top;
src/stream/new.h|    frame->below = *stack;
src/convert/new.c|    n[0] = (struct node){ .call = call, .next = t->inside };
src/structure/new.c|    e->link = list->innermost;
src/structure/new.c|    e->next = list->calls;
src/api/new.c|    s->top = node->next;
formats/otf2/new.c|    t->open = t->open->outer;
formats/paraver/new.c|    x->open[row] = top->next;
formats/otf2/new.c|    c->open[c->depth++] = id;
formats/otf/new.c|    const uint32_t id = t->inside[t->count - 1];
formats/otf/new.h|    for (; i-- > 0 && s->open[i].kind != kind;)
formats/litl/new.c|    while (at > 0 && s->call[at - 1].id != id)
formats/perfetto/new.c|    f = &t->frame[--t->open];
formats/paje/new.h|    struct item *top = &t->stack[t->depth - 1];
formats/paraver/new.c|    t->open[t->opens++] = type;
formats/otf/new.c|    h = (h ^ (unsigned char)*text) * 0x100000001b3ULL;
formats/otf2/new.c|    h *= 1099511628211u;
src/report/new.c|    uint64_t h = UINT64_C(14695981039346656037);
src/report/new.c|    uint32_t h = 2166136261;
src/report/new.h|#define FNV_PRIME 0x193
src/report/new.h|enum { HASH_FACTOR = 1009 };
src/model/new.c|    h = h * 131 + *text++;
src/model/new.c|    h = 33 * h ^ *text;
src/model/new.c|    x = x * 6364136223846793005ULL + 1;
src/model/new.c|    h += h << 10;
src/model/new.c|    h ^= h >> 6;
src/model/new.c|    sum = (sum << 7 | sum >> 25) ^ *text;
src/model/new.c|    x *= 0x85ebca6b;
src/base/new.c|    i = hash & 0xfff;
src/base/new.c|    i = (size_t)(h >> (64 - t->bits));
src/base/new.c|    i = key & (ROWS - 1);
src/base/new.c|    i = id & ROOM_MASK;
src/base/new.c|    at = id % SLOTS;
src/report/new.c|    return prvcut_fail(err, PRVCUT_ENOMEM, "Out of memory");
src/report/new.c|    return prvcut_fail(err, PRVCUT_ENOMEM, "not enough memory for lines");
src/report/new.c|    return prvcut_fail(err, PRVCUT_ENOMEM, "%s", strerror(ENOMEM));
src/report/new.c|    m->spare = part->next;
src/analysis/new.c|    st = (*t->reader->scan)(t, run, &c, NULL, err);
src/analysis/new.h|    from = w->thread_from ? w->thread_from[thread] : w->from;
src/structure/new.c|    pthread_create(&thread, NULL, work, ctx);
src/structure/new.c|    pthread_mutex_init(&p->lock, NULL);
src/structure/new.h|static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
src/signal/new.c|    if (w->now[e->thread].stamp != w->stamp)
src/signal/new.c|    w->now[e->thread].at = part->count;
src/stream/new.c|    part[i].k = k++;
src/report/new.c|    c->before = s->last;
src/scan/new.c|    p->idle = part->next;
src/analysis/new.c|    st = t->reader->scan(t, run, &c, NULL, err);
src/analysis/new.c|    st = t->reader->scan_window(t, run, from, to, &c, err);
src/convert/new.h|    prvcut_ordered_run(&work, 2, err);
src/api/new.c|    prvcut_instead(err, "prvcut convert TRACE out.prv");
src/api/new.c|    { "NAME.chop1.pcf, .row", "labels beside it" },
src/report/new.js|var paraver = report.input.format === "paraver";
src/report/new.js|    var m = /^((?:wxparaver|prvcut) .*)$/.exec(text);
src/report/new.c|    return ends_in(path, ".otf2");
src/structure/new.c|    if (strcmp(name, "eztrace_log") == 0)
src/api/new.c|    if (t->reader == &prvcut_otf2_reader)
src/cli/new.c|    if (strcmp(prvcut_trace_format(s->trace), "paraver") == 0)
src/cli/new.c|    return length > 4 && strcmp(path + length - 4, ".prv") == 0;
src/convert/new.h|    at = bsearch(key, all, n, sizeof *all, compare);
END
# A file that is too long.
awk 'BEGIN { for (i = 0; i < 601; i++) print "int a" i ";" }' >"$scratch/src/model/long.c"
echo 'src/model/long.c|601 lines' >>"$scratch/cases"
if sh "$tests/layers.sh" "$scratch" 2>"$scratch/refused"; then
    echo "nothing is refused" >&2
    status=1
fi
while IFS='|' read -r file line; do
    grep -qF "$file" "$scratch/refused" || {
        echo "$file is not refused: $line" >&2
        status=1
    }
done <"$scratch/cases"
exit "$status"
