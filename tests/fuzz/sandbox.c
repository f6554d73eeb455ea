#include "sandbox.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[SANDBOX_PATH - 56];

#ifdef PRVCUT_FUZZ
/* Fast: reproduce with ASAN_OPTIONS=malloc_context_size=30 to see where memory came from. */
__attribute__((weak)) const char *__asan_default_options(void);
__attribute__((weak)) const char *__asan_default_options(void)
{
    return "malloc_context_size=2:quarantine_size_mb=1";
}
#endif

/* In place of the C library's: what is written here is gone with the process. */
int fsync(int fd)
{
    (void)fd;
    return 0;
}

void require(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "does not hold: %s\n", what);
        abort();
    }
}

static void remove_files(void)
{
    char path[SANDBOX_PATH];
    struct dirent *d;
    DIR *dir = opendir(folder);

    while (dir && (d = readdir(dir)))
        if (strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0)
            remove(sandbox_path(path, d->d_name));
    if (dir)
        closedir(dir);
    rmdir(folder);
}

const char *sandbox(void)
{
    const char *tmp = getenv("TMPDIR");

    if (folder[0] != '\0')
        return folder;
    if (access("/dev/shm", W_OK) == 0)
        tmp = "/dev/shm";
    snprintf(folder, sizeof folder, "%.150s/fuzz.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    require(mkdtemp(folder) != NULL, "a folder can be made");
    atexit(remove_files);
    return folder;
}

const char *sandbox_path(char out[SANDBOX_PATH], const char *name)
{
    snprintf(out, SANDBOX_PATH, "%s/%.50s", sandbox(), name);
    return out;
}

void sandbox_write(const char *name, const void *bytes, size_t count)
{
    char path[SANDBOX_PATH];
    FILE *file = fopen(sandbox_path(path, name), "wb");

    require(file != NULL, "a file can be written");
    if (count > 0)
        require(fwrite(bytes, 1, count, file) == count, "a file can be written");
    require(fclose(file) == 0, "a file can be written");
}

uint8_t *sandbox_read(const char *name, size_t *count)
{
    char path[SANDBOX_PATH];
    FILE *file = fopen(sandbox_path(path, name), "rb");
    uint8_t *bytes;
    long end = -1;

    if (file && fseek(file, 0, SEEK_END) == 0)
        end = ftell(file);
    require(end >= 0, "a file is there");
    rewind(file);
    *count = (size_t)end;
    bytes = malloc(*count + 1);
    require(bytes && fread(bytes, 1, *count, file) == *count, "a file can be read");
    fclose(file);
    return bytes;
}

uint64_t input_number(struct input *in, unsigned bytes)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < bytes && in->left > 0; i++, in->at++, in->left--)
        value |= (uint64_t)*in->at << 8 * i;
    return value;
}

/* One iteration: computing, a message, computing, a collective. */
static void write_iteration(FILE *file, unsigned i)
{
    const unsigned t = i * 100;

    for (unsigned task = 1; task <= 2; task++) {
        fprintf(file, "1:%u:1:%u:1:%u:%u:1\n", task, task, t, t + 40);
        fprintf(file, "2:%u:1:%u:1:%u:50000001:%u:42000050:%u\n", task, task, t + 40, task,
                5000 + i);
        fprintf(file, "1:%u:1:%u:1:%u:%u:%u\n", task, task, t + 40, t + 60, 2 + task);
    }
    fprintf(file, "3:1:1:1:1:%u:%u:2:1:2:1:%u:%u:1024:7\n", t + 41, t + 42, t + 40, t + 58);
    for (unsigned task = 1; task <= 2; task++) {
        fprintf(file, "2:%u:1:%u:1:%u:50000001:0\n", task, task, t + 60);
        fprintf(file, "1:%u:1:%u:1:%u:%u:1\n", task, task, t + 60, t + 80);
        fprintf(file, "2:%u:1:%u:1:%u:50000002:10\n", task, task, t + 80);
        fprintf(file, "1:%u:1:%u:1:%u:%u:9\n", task, task, t + 80, t + 99);
        fprintf(file, "2:%u:1:%u:1:%u:50000002:0\n", task, task, t + 99);
    }
}

#define ITERATIONS 30

void sandbox_write_loop(const char *prv, const char *pcf)
{
    static const char labels[] = "STATES\n0 Idle\n1 Running\n3 Waiting a message\n4 Blocking Send\n"
                                 "9 Group Communication\n\n\nEVENT_TYPE\n9 50000001 MPI "
                                 "Point-to-point\nVALUES\n2 MPI_Recv\n1 MPI_Send\n0 End\n\n\n"
                                 "EVENT_TYPE\n9 50000002 MPI Collective Comm\nVALUES\n"
                                 "10 MPI_Allreduce\n0 End\n\n\nEVENT_TYPE\n7 42000050 "
                                 "PAPI_TOT_INS [Instr completed]\n";
    char path[SANDBOX_PATH];
    FILE *file = fopen(sandbox_path(path, prv), "wb");

    require(file != NULL, "a file can be written");
    fprintf(file, "#Paraver (01/01/2026 at 12:00):%u_ns:1(2):1:2(1:1,1:1)\n", ITERATIONS * 100);
    for (unsigned i = 0; i < ITERATIONS; i++)
        write_iteration(file, i);
    require(fclose(file) == 0, "a file can be written");
    sandbox_write(pcf, labels, sizeof labels - 1);
}
