#include "model/lost.h"

/* In words, in the order of enum prvcut_carry. */
static const char *const lost_words[PRVCUT_CARRIES][2] = {
    { "state", "states" },
    { "colour of a state", "colours of states" },
    { "begin or end of a call", "begins and ends of calls" },
    { "single event", "single events" },
    { "counter value", "counter values" },
    { "message", "messages" },
    { "size or tag of a message", "sizes or tags of messages" },
    { "physical time of a message", "physical times of messages" },
    { "data of a collective", "data of collectives" },
    { "communicator", "communicators" },
    { "node", "nodes" },
    { "application", "applications" },
};

/* Ends of messages, named where all are of one kind. */
static struct prvcut_lost lst_ends(const struct made_convert_summary *s)
{
    if (s->is.read.receives == 0)
        return (struct prvcut_lost){ s->is.unmatched, "send without a receive",
                                     "sends without a receive" };
    if (s->is.read.sends == 0)
        return (struct prvcut_lost){ s->is.unmatched, "receive without a send",
                                     "receives without a send" };
    return (struct prvcut_lost){ s->is.unmatched, "send or receive without its other end",
                                 "sends or receives without their other end" };
}

void prvcut_lost_counts(struct prvcut_lost out[PRVCUT_LOSSES], const struct made_convert_summary *s)
{
    for (unsigned i = 0; i < PRVCUT_CARRIES; i++)
        out[i] = (struct prvcut_lost){ s->lost[i], lost_words[i][0], lost_words[i][1] };
    out[PRVCUT_CARRIES] = lst_ends(s);
    out[PRVCUT_CARRIES + 1] =
        (struct prvcut_lost){ s->is.unpaired_left_out, "end of a call that did not begin",
                              "ends of calls that did not begin" };
}
