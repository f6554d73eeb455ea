/* Which calls wait for messages that are sent too late, and how long? Of a trace of any format. */
#include <prvcut/stream.h>

#include <inttypes.h>
#include <stdio.h>

#define ROWS 64

struct late { /* what waits, summed over all threads */
    size_t rows;
    uint32_t type[ROWS];
    int64_t value[ROWS];
    uint64_t ns[ROWS], messages[ROWS];
};

static enum prvcut_status message(void *ctx, const struct prvcut_stream_message *m, bool begins)
{
    struct late *l = ctx;
    const struct prvcut_stream_call *send = m->send, *wait = m->complete;
    size_t i = 0;

    if (begins || !send || !wait || send->span.start <= wait->span.start)
        return PRVCUT_OK;
    while (i < l->rows && (l->type[i] != wait->type || l->value[i] != wait->value))
        i++;
    if (i == ROWS)
        return PRVCUT_ELIMIT;
    l->rows += i == l->rows;
    l->type[i] = wait->type;
    l->value[i] = wait->value;
    l->messages[i]++;
    l->ns[i] += send->span.start < wait->span.end ? send->span.start : wait->span.end;
    l->ns[i] -= wait->span.start;
    return PRVCUT_OK;
}

int main(int argc, char **argv)
{
    struct late l = { .rows = 0 };
    const struct prvcut_stream_taker taker = { sizeof taker, .ctx = &l, .message = message };
    struct prvcut_error err = { .text = "usage: late_senders TRACE" };
    struct prvcut_trace *trace = NULL;
    struct prvcut_names *names = NULL;
    int st = argc == 2 ? prvcut_trace_open(&trace, argv[1], NULL, &err) : PRVCUT_EUSAGE;

    if (st == PRVCUT_OK)
        st = prvcut_names_new(&names, trace, &err);
    if (st == PRVCUT_OK)
        st = prvcut_stream_run(trace, NULL, NULL, &taker, &err);
    for (size_t i = 0; st == PRVCUT_OK && i < l.rows; i++) {
        const char *name = prvcut_names_value(names, l.type[i], l.value[i]);
        printf("%s waits %" PRIu64 " ns for %" PRIu64 " messages\n",
               name ? name : "a call without a name", l.ns[i], l.messages[i]);
    }
    if (st < 0)
        fprintf(stderr, "%s\n", err.text);
    prvcut_names_free(names);
    prvcut_trace_close(trace);
    return st < 0;
}
