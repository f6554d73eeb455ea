#include "report/page_json.h"

#include "report/json.h"

#include <stdlib.h>
#include <string.h>

#define ITEMS_FIRST 4096

/* Drop what is beyond the first `most` items of every list, however deep. */
static void abr_shorten(json_t *value, size_t most)
{
    const char *key;
    json_t *item;
    size_t i;

    if (json_is_array(value)) {
        while (json_array_size(value) > most)
            json_array_remove(value, json_array_size(value) - 1);
        json_array_foreach(value, i, item) abr_shorten(item, most);
    } else if (json_is_object(value)) {
        json_object_foreach(value, key, item) abr_shorten(item, most);
    }
}

static char *abr_print(const json_t *value)
{
    return report_json_print(value, JSON_COMPACT | JSON_ENSURE_ASCII);
}

enum prvcut_status page_json_abridge(char **json, size_t most, struct prvcut_error *err)
{
    json_t *value;
    char *text;

    if (strlen(*json) <= most)
        return PRVCUT_OK;
    value = json_loads(*json, 0, NULL);
    text = value ? abr_print(value) : NULL;
    for (size_t items = ITEMS_FIRST; text && strlen(text) > most && items > 0; items /= 2) {
        abr_shorten(value, items);
        json_object_set_new(value, "abridged", json_integer((json_int_t)items));
        free(text);
        text = abr_print(value);
    }
    json_decref(value);
    if (!text)
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for the report within the page");
    free(*json);
    *json = text;
    return PRVCUT_OK;
}
