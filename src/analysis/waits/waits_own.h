#ifndef PRVCUT_ANALYSIS_WAITS_WAITS_OWN_H
#define PRVCUT_ANALYSIS_WAITS_WAITS_OWN_H

#include "prvcut/waits_patterns.h"

/** A program's own metrics and patterns. */
struct wow_metric {
    char *name, *title;
    int of; /**< index of the metric that it is a part of; -1: none */
};

struct wow_listener {
    int event;
    prvcut_waits_listener listen;
    void *ctx;
};

struct prvcut_waits_patterns {
    struct wow_metric *metric; /**< [metrics] */
    size_t metrics, metric_room;
    struct wow_listener *listener; /**< [listeners] */
    size_t listeners, listener_room;
};

/** The number of a metric by its place among all, and back; SIZE_MAX: there is none. */
enum prvcut_wait prvcut_waits_number(size_t index);
size_t prvcut_waits_index(const struct prvcut_waits_patterns *p, int number);

#endif
