#include "paraver/held.h"

#include <string.h>

struct prv_text *prv_held_find(struct prv_held *h, uint64_t number)
{
    for (unsigned i = 0; i < PRV_HELD; i++)
        if (h->block[i].at && h->block[i].number == number)
            return &h->block[i];
    return NULL;
}

void prv_held_keep(struct prv_held *h, const struct prv_text *t)
{
    struct prv_text *oldest = &h->block[h->turn++ % PRV_HELD];

    if (prv_text_copy(oldest, t, NULL) < 0)
        prv_text_fini(oldest);
}

void prv_held_fini(struct prv_held *h)
{
    for (unsigned i = 0; i < PRV_HELD; i++)
        prv_text_fini(&h->block[i]);
    h->turn = 0;
}
