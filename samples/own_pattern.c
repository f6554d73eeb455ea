/* A pattern of one's own: late senders whose message another one overtook that was sent before. */
#include <prvcut/waits_patterns.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct overtaken { /* the latest hundred late senders */
    struct late {
        struct prvcut_waits_message message;
        uint64_t ns;
    } late[100];
    size_t count;
};

static enum prvcut_status overtaken(void *ctx, struct prvcut_waits_teller *teller,
                                    const struct prvcut_waits_told *t, struct prvcut_error *err)
{
    struct overtaken *o = ctx;
    enum prvcut_status st = PRVCUT_OK;

    if (t->ns > 0 && o->count == 100)
        memmove(o->late, o->late + 1, --o->count * sizeof *o->late);
    if (t->ns > 0)
        o->late[o->count++] = (struct late){ *t->message, t->ns };
    for (size_t i = o->count; t->ns == 0 && i-- > 0 && st == PRVCUT_OK;) {
        const struct prvcut_waits_message *l = &o->late[i].message;

        if (l->to != t->message->to || l->sent_ns <= t->message->sent_ns)
            continue;
        st = prvcut_waits_book(teller, PRVCUT_WAIT_OWN, &l->receive, o->late[i].ns, &l->send, err);
        memmove(&o->late[i], &o->late[i + 1], (--o->count - i) * sizeof *o->late);
    }
    return st;
}

int main(int argc, char **argv)
{
    struct overtaken o = { .count = 0 };
    struct prvcut_waits_options options = { .size = sizeof options };
    struct prvcut_waits_patterns *own = NULL;
    struct prvcut_wait_states *w = NULL;
    struct prvcut_trace *trace = NULL;
    struct prvcut_error err = { .text = "usage: own_pattern TRACE" };
    bool ok = argc == 2 && prvcut_waits_patterns_new(&own, &err) == 0 &&
              prvcut_waits_patterns_metric(own, "overtaken", NULL, 0, NULL, &err) == 0 &&
              prvcut_waits_listen(own, PRVCUT_WAITS_ON_LATE_SENDER, overtaken, &o, &err) == 0 &&
              prvcut_waits_listen(own, PRVCUT_WAITS_ON_RECEIVED, overtaken, &o, &err) == 0 &&
              prvcut_trace_open(&trace, argv[1], NULL, &err) == 0;

    options.patterns = own;
    if (ok && prvcut_waits_make(trace, NULL, &options, &w, &err) == 0)
        printf("%" PRIu64 " ns\n", prvcut_waits_metric(w, PRVCUT_WAITS)->severity_ns);
    else
        fprintf(stderr, "%s\n", err.text);
    prvcut_wait_states_free(w);
    prvcut_trace_close(trace);
    prvcut_waits_patterns_free(own);
    return !w;
}
