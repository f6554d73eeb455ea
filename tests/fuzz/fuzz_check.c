/* Records: whatever stands behind a header, a check ends and its findings hold together. */
#include "sandbox.h"
#include "target.h"

#include "paraver/check_records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void require_findings(const struct prv_check_result *r)
{
    for (int k = 0; k < PRV_FINDINGS; k++) {
        const struct prvcut_finding *f = &r->finding[k];

        require((f->count > 0) == (f->example[0] != '\0'), "a finding has an example");
        require(memchr(f->example, '\0', sizeof f->example) != NULL, "an example ends");
        require(f->lines <= PRVCUT_FINDING_LINES && f->lines <= f->count, "lines are limited");
        require(f->count == 0 || !prv_finding_infos[k].damage || r->damaged, "damage is told");
    }
}

static void try_records(const struct prv_header *header, const struct prv_labels *labels,
                        const char *at, const char *end)
{
    static struct prv_check_result result;
    struct prvcut_error err = { 0 };
    struct prv_checker checker;

    memset(&result, 0, sizeof result);
    require(prv_checker_init(&checker, &result, header, labels, &err) == PRVCUT_OK, "memory");
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));

        stop = stop ? stop : end;
        checker.line++;
        require(prv_checker_line(&checker, at, stop) == PRVCUT_OK, "damage is no failure");
        at = stop < end ? stop + 1 : end;
    }
    require(prv_checker_end(&checker) == PRVCUT_OK, "damage is no failure");
    require_findings(&result);
    prv_checker_fini(&checker);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct prvcut_error err = { 0 };
    struct prv_header header = { 0 };
    struct prv_labels labels = { 0 };
    uint64_t damaged;
    size_t used = 0;
    char *text = malloc(size + (size == 0));

    if (!text)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    if (prv_labels_parse(&labels, NULL, 0, NULL, &damaged, &err) == PRVCUT_OK &&
        prv_header_parse(&header, "input", text, size, &used, &err) == PRVCUT_OK) {
        /* As if there were a .pcf, so that missing labels are looked for. */
        labels.pcf_path = strdup("input.pcf");
        /* A promise of millions of threads is slow under a sanitizer and finds nothing more. */
        if (header.objects.threads < 100000)
            try_records(&header, &labels, text + used, text + size);
    }
    prv_header_fini(&header);
    prv_labels_fini(&labels);
    free(text);
    return 0;
}
