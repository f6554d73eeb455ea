#include "database/database.h"

#include <stdio.h>

static enum prvcut_status obj_threads(struct dbs *d, const struct prvcut_objects *o,
                                      const struct prvcut_dictionary *names,
                                      const struct prvcut_window *told, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t t = 0; t < o->threads && st == PRVCUT_OK; t++) {
        const uint32_t task = o->thread_task[t];
        const struct prvcut_span own = prvcut_window_own(told, t);
        const uint32_t node = o->nodes > 0 ? o->task_node[task] : UINT32_MAX;
        const bool tells = dbs_tells(d, task);
        struct dbs_row r = dbs_begin(d, DBS_THREADS);
        char number[48], plain[32];

        snprintf(plain, sizeof plain, "node %u", node < UINT32_MAX ? node + 1 : 0);
        dbs_i64(&r, (int64_t)t + 1);
        dbs_text(&r, names->thread && names->thread[t] ? names->thread[t]
                                                       : prvcut_objects_number_text(o, t, number));
        dbs_i64(&r, task);
        dbs_i64(&r, (int64_t)prvcut_objects_application(o, task) + 1);
        dbs_i64(&r, (int64_t)(t - o->task_first_thread[task]) + 1);
        dbs_text(&r, node == UINT32_MAX                 ? NULL
                     : names->node && names->node[node] ? names->node[node]
                                                        : plain);
        dbs_u64(&r, tells ? own.start : UINT64_MAX);
        dbs_u64(&r, tells ? own.end : UINT64_MAX);
        st = dbs_end(&r, err);
    }
    return st;
}

static enum prvcut_status obj_communicators(struct dbs *d, const struct prvcut_objects *o,
                                            struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t i = 0; i < o->communicators && dbs_wants(d, DBS_COMMUNICATORS); i++) {
        const struct prvcut_communicator *c = &o->communicator[i];

        for (uint32_t k = 0; k < c->count && st == PRVCUT_OK; k++) {
            struct dbs_row r = dbs_begin(d, DBS_COMMUNICATORS);

            dbs_i64(&r, (int64_t)c->application + 1);
            dbs_i64(&r, c->id);
            dbs_i64(&r, k);
            dbs_i64(&r, o->member[c->first + k]);
            st = dbs_end(&r, err);
        }
    }
    return st;
}

static enum prvcut_status obj_values(struct dbs *d, const struct prvcut_type_name *t,
                                     struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < t->values && st == PRVCUT_OK; i++) {
        const struct prvcut_value_name *v = &t->value[i];
        struct dbs_row r = dbs_begin(d, DBS_TYPE_VALUES);

        dbs_i64(&r, t->number);
        dbs_i64(&r, v->value);
        dbs_text(&r, v->text);
        dbs_text(&r, v->detail && v->detail[0] ? v->detail : NULL);
        dbs_number(&r, v->line);
        st = dbs_end(&r, err);
    }
    return st;
}

static enum prvcut_status obj_types(struct dbs *d, const struct prvcut_dictionary *names,
                                    struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < names->types && st == PRVCUT_OK; i++) {
        const struct prvcut_type_name *t = &names->type[i];
        struct dbs_row r = dbs_begin(d, DBS_TYPES);

        dbs_i64(&r, t->number);
        dbs_text(&r, t->text);
        dbs_text(&r, prvcut_role_text(t->role));
        dbs_text(&r, t->group && t->group[0] ? t->group : NULL);
        dbs_text(&r, t->unit && t->unit[0] ? t->unit : NULL);
        st = dbs_end(&r, err);
        if (st == PRVCUT_OK && dbs_wants(d, DBS_TYPE_VALUES))
            st = obj_values(d, t, err);
    }
    return st;
}

enum prvcut_status dbs_put_objects(struct dbs *d, const struct prvcut_objects *o,
                                   const struct prvcut_dictionary *names,
                                   const struct prvcut_window *told, struct prvcut_error *err)
{
    enum prvcut_status st = obj_threads(d, o, names, told, err);

    if (st == PRVCUT_OK)
        st = obj_communicators(d, o, err);
    return st == PRVCUT_OK ? obj_types(d, names, err) : st;
}
