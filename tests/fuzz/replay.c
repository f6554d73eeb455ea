/* Runs a fuzz target once over each file that is named: no libFuzzer needed. */
#include "target.h"

#include <stdio.h>
#include <stdlib.h>

static int replay(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = NULL;
    size_t count = 0, room = 0;

    if (!file) {
        perror(path);
        return EXIT_FAILURE;
    }
    for (;;) {
        size_t got;

        if (count == room) {
            uint8_t *more = realloc(bytes, room = room * 2 + 65536);

            if (!more)
                break;
            bytes = more;
        }
        got = fread(bytes + count, 1, room - count, file);
        if (got == 0)
            break;
        count += got;
    }
    fclose(file);
    LLVMFuzzerTestOneInput(bytes, count);
    free(bytes);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    int status = argc > 1 ? EXIT_SUCCESS : EXIT_FAILURE;

    for (int i = 1; i < argc; i++) {
        if (replay(argv[i]) != EXIT_SUCCESS)
            status = EXIT_FAILURE;
    }
    printf("%d inputs\n", argc - 1);
    return status;
}
