#include "report/page_json.h"

#include "base/memory.h"
#include "prvcut/json.h"
#include "report/json.h"
#include "report/page_data.h"

#include <stdlib.h>
#include <string.h>

#define REPORT_MOST 700000 /* bytes of the report within the page */
#define ITEMS_FIRST 4096

/* Drop what is beyond the first `most` items of every list, however deep. */
static void pgj_shorten(json_t *value, size_t most)
{
    const char *key;
    json_t *item;
    size_t i;

    if (json_is_array(value)) {
        while (json_array_size(value) > most)
            json_array_remove(value, json_array_size(value) - 1);
        json_array_foreach(value, i, item) pgj_shorten(item, most);
    } else if (json_is_object(value)) {
        json_object_foreach(value, key, item) pgj_shorten(item, most);
    }
}

static char *pgj_print(const json_t *value)
{
    return report_json_print(value, JSON_COMPACT | JSON_ENSURE_ASCII |
                                        JSON_REAL_PRECISION(REPORT_JSON_DIGITS));
}

/* False: out of memory. */
static bool pgj_abridge(json_t *value)
{
    char *text = pgj_print(value);
    int bad = 0;

    for (size_t items = ITEMS_FIRST; text && strlen(text) > REPORT_MOST && items > 0; items /= 2) {
        pgj_shorten(value, items);
        bad |= json_object_set_new(value, "abridged", json_integer((json_int_t)items));
        free(text);
        text = pgj_print(value);
    }
    bad |= !text;
    free(text);
    return bad == 0;
}

/* The report as it is printed; the same trace and command give the same page. */
static json_t *pgj_report(const struct prvcut_page *page, enum prvcut_status *st,
                          struct prvcut_error *err)
{
    char *text = NULL;
    json_t *value = NULL;

    *st = prvcut_reduction_json(&page->reduction->is, &text, err);
    if (*st == PRVCUT_OK && page->command)
        *st = prvcut_json_command(&text, page->command, err);
    if (*st == PRVCUT_OK)
        value = json_loads(text, 0, NULL);
    free(text);
    if (value)
        json_object_del(value, "elapsed_s");
    return value;
}

enum prvcut_status page_json(const struct prvcut_page *page, char **json, struct prvcut_error *err)
{
    enum prvcut_status st;
    json_t *value = pgj_report(page, &st, err), *data;

    *json = NULL;
    if (value && pgj_abridge(value)) {
        data = page_data(page, &st, err);
        if (data && json_object_set_new(value, "drawn", data) == 0)
            *json = pgj_print(value);
    }
    json_decref(value);
    if (st == PRVCUT_OK && !*json)
        st = prvcut_no_memory(err, "the data of a page");
    return st;
}
