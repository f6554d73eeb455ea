#include "model/formats.h"

#include "runner.h"

#include <stdlib.h>
#include <string.h>

/* First bytes of files, and which format's they are; NULL: no reader's. */
#define HEAD(text) text, sizeof text - 1

static const struct head {
    const char *owner, *what, *bytes;
    size_t count;
} heads[] = {
    { "paraver", "today's header",
      HEAD("#Paraver (01/01/2026 at 12:00):25000000_ns:1(2):1:2(1:1,1:1),1\nc:1:1:2:1:2\n") },
    { "paraver", "a header in microseconds",
      HEAD("#Paraver (12/06/01 at 16:05):1000:1(1):1:1(1:1)\r\n1:1:1:1:1:0:10:1\r\n") },
    { "otf2", "the anchor of a Score-P archive",
      HEAD("\3BOTF2\0\3\2\2\3\0\0\0\20\0\0\0\0\0\0\0\4\0\0\0\0\0\1\1\2\0\0\0\0\0\0\0\25\2\0"
           "\0\0\0\0\0\0Score-P 7.1\0\0\5\0\0\0OTF2::MPI_COMMUNICATION_COMPLETE") },
    { "otf2", "the anchor of an EZTrace archive",
      HEAD("\3BOTF2\0\2\3\2\0\0\0\0\0\1\0\0\0\0\0\0\100\0\0\0\0\0\1\1\4\0\0\0\0\0\0\0\133\0\0"
           "\0\0\0\0\0\0\0\0\0\0\0\0\0") },
    { "otf", "a master with a process a stream", HEAD("1:1\n2:2\n3:3\n4:4\n") },
    { "otf", "a master with several processes a stream", HEAD("1:1,2,a,1f\n2:2b,2c\n") },
    { "otf", "a master with CRLF", HEAD("1:1\r\n2:2\r\n") },
    { "litl", "a log of EZTrace 1",
      HEAD("0.1.9\0\0\0Linux host 6.1.0-13-amd64 #1 SMP Debian 6.1.55-1 (2023-09-29) x86_64\0\0\0"
           "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
           "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0rank_0\0\0\0\0") },
    { "pallas", "Pallas", HEAD("\22\0\0\0\4\0\0\0\0\0\0\0main.pallas\0\0\0\0\0\0\0\0\1\0\0\0") },
    { NULL, "nothing", HEAD("") },
    { NULL, "zeros", HEAD("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0") },
    { NULL, "words", HEAD("Iteration 1: residual 0.1\nIteration 2: residual 0.01\n") },
    { NULL, "numbers", HEAD("1\n2\n3\n") },
    { NULL, "times of day", HEAD("12:30:59 started\n12:31:07 ended\n") },
    { NULL, "Paje", HEAD("%EventDef PajeDefineContainerType 1\n% Alias string\n%EndEventDef\n") },
    { NULL, "Chrome's JSON",
      HEAD("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n{\"ph\":\"M\"}") },
    { NULL, "definitions of an OTF2 archive", HEAD("\3B\1\0\0\0\0\0\0\100\0\0\12\5\0\0\0\0") },
    { NULL, "definitions of an OTF trace", HEAD("DV1.c.5\"salmon\"\nDCR\"x\"\nDTR3b9aca00\n") },
    { NULL, "events of an OTF trace", HEAD("8df9\n*1\nPB\n901a\n*1\nE2\n") },
    { NULL, "a Paraver configuration", HEAD("#ParaverCFG\nConfigFile.Version: 3.4\n") },
    { NULL, "labels of a Paraver trace", HEAD("DEFAULT_OPTIONS\n\nLEVEL               THREAD\n") },
    { NULL, "an Extrae intermediate list", HEAD("/home/x/set-0/TRACE@host.0001.mpit named\n") },
    { NULL, "gzip", HEAD("\37\213\10\0\0\0\0\0\0\3") },
    { NULL, "a program", HEAD("\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0>\0") },
    { NULL, "a tape archive", HEAD("traces/\0\0\0\0\0\0\0\0\0\0000000755\0001750\0001750\0") },
};

#define HEADS ((int)(sizeof heads / sizeof *heads))

static bool is_built(const char *name)
{
    for (size_t i = 0; prvcut_readers[i]; i++)
        if (strcmp(prvcut_readers[i]->format->name, name) == 0)
            return true;
    return false;
}

/* A copy without a byte behind it, so that a look beyond the end is found. */
static int probe(const struct prvcut_reader *reader, const struct head *head, size_t count)
{
    char *bytes = malloc(count > 0 ? count : 1);
    int evidence;

    ck_assert_ptr_nonnull(bytes);
    memcpy(bytes, head->bytes, count);
    evidence = reader->probe(bytes, count);
    free(bytes);
    return evidence;
}

START_TEST(test_probe_head_is_its_formats_alone)
{
    const struct head *head = &heads[_i];

    for (size_t i = 0; prvcut_readers[i]; i++) {
        const struct prvcut_reader *reader = prvcut_readers[i];
        const int evidence = probe(reader, head, head->count);

        if (head->owner && strcmp(head->owner, reader->format->name) == 0)
            ck_assert_msg(evidence > 0, "%s does not know %s", reader->format->name, head->what);
        else
            ck_assert_msg(evidence == 0, "%s takes %s for its own (%d)", reader->format->name,
                          head->what, evidence);
    }
}
END_TEST

/* However short a format's head is, nobody else takes it. */
START_TEST(test_probe_cut_head_is_nobody_elses)
{
    const struct head *head = &heads[_i];

    for (size_t i = 0; prvcut_readers[i]; i++) {
        const struct prvcut_reader *reader = prvcut_readers[i];

        if (!head->owner || strcmp(head->owner, reader->format->name) == 0)
            continue;
        for (size_t n = 0; n < head->count; n++)
            ck_assert_msg(probe(reader, head, n) == 0, "%s takes %zu bytes of %s for its own",
                          reader->format->name, n, head->what);
    }
}
END_TEST

START_TEST(test_probe_every_built_in_format_has_a_head_here)
{
    for (size_t i = 0; prvcut_readers[i]; i++) {
        bool found = false;

        for (int k = 0; k < HEADS && !found; k++)
            found = heads[k].owner && strcmp(heads[k].owner, prvcut_readers[i]->format->name) == 0;
        ck_assert_msg(found, "no head of %s", prvcut_readers[i]->format->name);
    }
    ck_assert(is_built("paraver"));
}
END_TEST

static Suite *probe_suite(void)
{
    Suite *s = suite_create("probe");
    TCase *tc = tcase_create("heads");

    tcase_add_loop_test(tc, test_probe_head_is_its_formats_alone, 0, HEADS);
    tcase_add_loop_test(tc, test_probe_cut_head_is_nobody_elses, 0, HEADS);
    tcase_add_test(tc, test_probe_every_built_in_format_has_a_head_here);
    suite_add_tcase(s, tc);
    return s;
}

int main(void)
{
    return run_suite(probe_suite());
}
