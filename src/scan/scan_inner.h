#ifndef PRVCUT_SCAN_SCAN_INNER_H
#define PRVCUT_SCAN_SCAN_INNER_H

#include "scan/scan.h"

/* What one process does with parts (scan_parts.c), and several together (shared.c). */

enum prvcut_status scan_take(void *ctx, unsigned worker, void **out, struct prvcut_error *err);
enum prvcut_status scan_work(void *ctx, unsigned worker, void *item, struct prvcut_error *err);
enum prvcut_status scan_join(void *ctx, void *item, enum prvcut_status failed,
                             struct prvcut_error *err);
void scan_drop(void *ctx, void *item);

/** Do several processes share the reading? */
bool scan_is_shared(const struct prvcut_scan *s);

/** As prvcut_scan_run. */
enum prvcut_status scan_shared(struct prvcut_scan *s, struct prvcut_error *err);

#endif
