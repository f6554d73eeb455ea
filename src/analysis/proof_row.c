#include "prvcut/proof.h"

#include <stdlib.h>
#include <string.h>

void prvcut_proof_fini(struct prvcut_proof *p)
{
    for (size_t i = 0; i < p->rows; i++)
        free(p->row[i].name);
    free(p->row);
    free(p->unlike_thread);
    memset(p, 0, sizeof *p);
}
