#include "base/buffer.h"
#include "base/search.h"
#include "paraver/roles.h"

#include <stdlib.h>

static int label_by_value(const void *key, const void *value)
{
    const int64_t a = *(const int64_t *)key, b = ((const struct prv_value *)value)->number;

    return (a > b) - (a < b);
}

const struct prv_value *prv_type_value(const struct prv_type *t, int64_t number)
{
    return prvcut_find_by(&number, t->value, t->values, sizeof *t->value, label_by_value);
}

/* Of equal numbers, that with values comes first, then that which was read first. */
static int label_compare_types(const void *a, const void *b)
{
    const struct prv_type *x = a, *y = b;

    if (x->label.number != y->label.number)
        return x->label.number < y->label.number ? -1 : 1;
    if ((x->values > 0) != (y->values > 0))
        return x->values > 0 ? -1 : 1;
    return (x->label.text > y->label.text) - (x->label.text < y->label.text);
}

/* Sort by number, drop repeated ones. */
void prv_labels_sort(struct prv_labels *l)
{
    size_t kept = 0;

    if (l->types > 0)
        qsort(l->type, l->types, sizeof *l->type, label_compare_types);
    for (size_t i = 0; i < l->types; i++) {
        if (kept == 0 || l->type[kept - 1].label.number != l->type[i].label.number)
            l->type[kept++] = l->type[i];
    }
    l->types = kept;
}

enum prvcut_status prv_labels_add(struct prv_labels *l, size_t *room, const struct prv_type *type,
                                  struct prvcut_error *err)
{
    enum prvcut_status st =
        prvcut_grow((void **)&l->type, room, l->types + 1, sizeof *l->type, err);

    if (st == PRVCUT_OK)
        l->type[l->types++] = *type;
    return st;
}
