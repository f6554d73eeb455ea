#ifndef TESTS_FORMATS_ITEM_H
#define TESTS_FORMATS_ITEM_H

#include "model/formats.h"
#include "tests/base/scratch.h"

/* Items worked out by hand, and writers that take them. */

#define ITEM_STATE(t, thread_, end_, number_)                                                      \
    {                                                                                              \
        .time = (t), .thread = (thread_), .kind = PRVCUT_ITEM_STATE, .state = {                    \
            .end = (end_),                                                                         \
            .number = (number_),                                                                   \
            .running = (number_) == 1                                                              \
        }                                                                                          \
    }
#define ITEM_EVENT(t, thread_, role_, head_, type_, value_)                                        \
    {                                                                                              \
        .time = (t), .thread = (thread_), .kind = PRVCUT_ITEM_EVENT, .role = (role_),              \
        .head = (head_), .event = {                                                                \
            .value = (value_),                                                                     \
            .type = (type_)                                                                        \
        }                                                                                          \
    }
#define ITEM_MESSAGE(t, sender_, receiver_, received_, size_, tag_, communicator_)                 \
    {                                                                                              \
        .time = (t), .thread = (sender_), .kind = PRVCUT_ITEM_MESSAGE, .message = {                \
            .physical_send = (t),                                                                  \
            .logical_receive = (received_),                                                        \
            .physical_receive = (received_),                                                       \
            .size = (size_),                                                                       \
            .tag = (tag_),                                                                         \
            .receiver = (receiver_),                                                               \
            .communicator = (communicator_)                                                        \
        }                                                                                          \
    }
#define ITEM_HALF(kind_, t, thread_, peer_, other_, size_, tag_)                                   \
    {                                                                                              \
        .time = (t), .thread = (thread_), .kind = PRVCUT_ITEM_##kind_, .half = {                   \
            .other = (other_),                                                                     \
            .size = (size_),                                                                       \
            .tag = (tag_),                                                                         \
            .number = UINT64_MAX,                                                                  \
            .peer = (peer_),                                                                       \
            .communicator = PRVCUT_NOBODY                                                          \
        }                                                                                          \
    }

/* Write items, `piece` at a time; the status of whatever fails first. */
static inline enum prvcut_status item_write(const struct prvcut_writer *writer, const char *path,
                                            const struct prvcut_outline *outline,
                                            const struct prvcut_item *item, size_t count,
                                            size_t piece, struct made_convert_summary *sum,
                                            struct prvcut_error *err)
{
    const struct prvcut_convert_options options = { .path = path };
    struct prvcut_writing *w = NULL;
    enum prvcut_status st;

    memset(sum, 0, sizeof *sum);
    memset(err, 0, sizeof *err);
    st = writer->open(&w, path, outline, &options, err);
    if (st < 0)
        return st;
    for (size_t i = 0; i < count && st == PRVCUT_OK; i += piece)
        st = writer->put(w, item + i, count - i < piece ? count - i : piece, sum, err);
    if (st < 0) {
        writer->abandon(w);
        return st;
    }
    return writer->commit(w, sum, err);
}

#endif
