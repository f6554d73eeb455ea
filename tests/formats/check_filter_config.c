#include "prvcut/filter.h"
#include "runner.h"
#include "tests/base/scratch.h"

static struct prvcut_config *config;
static struct prvcut_error error;

static enum prvcut_status read_bytes(const char *xml, size_t count)
{
    enum prvcut_status st;

    scratch_write("c.xml", xml, count);
    memset(&error, 0, sizeof error);
    st = prvcut_config_read(&config, "c.xml", &error);
    ck_assert_int_eq(st, error.status);
    return st;
}

static enum prvcut_status read_text(const char *xml)
{
    return read_bytes(xml, strlen(xml));
}

static const char spacious[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<!-- by a dialog -->\n"
                               "<config>\n"
                               "  <cutter>\n"
                               "    <tasks>1-256</tasks>\n"
                               "    <max_trace_size>100</max_trace_size>\n"
                               "    <by_time>1</by_time>\n"
                               "    <minimum_time>5000000000</minimum_time>\n"
                               "    <maximum_time>6000000000.000000</maximum_time>\n"
                               "    <minimum_time_percentage>2.5</minimum_time_percentage>\n"
                               "    <maximum_time_percentage>97</maximum_time_percentage>\n"
                               "    <original_time>1</original_time>\n"
                               "    <break_states>0</break_states>\n"
                               "    <keep_events>1</keep_events>\n"
                               "    <remove_first_states>1</remove_first_states>\n"
                               "    <remove_last_states>1</remove_last_states>\n"
                               "  </cutter>\n"
                               "  <filter>\n"
                               "    <states>Running, Group Communication\n"
                               "      <min_state_time>10000</min_state_time>\n"
                               "    </states>\n"
                               "    <discard_states>0</discard_states>\n"
                               "    <discard_events>1</discard_events>\n"
                               "    <discard_communications>1</discard_communications>\n"
                               "    <types>\n"
                               "      <type>50000001\n"
                               "        <value>34</value>\n"
                               "        <value>-1</value>\n"
                               "      </type>\n"
                               "      <type>50000002-50000003</type>\n"
                               "    </types>\n"
                               "    <comms>100</comms>\n"
                               "  </filter>\n"
                               "</config>\n";

static const char compact[] =
    "<config><cutter><tasks>1-256</tasks><max_trace_size>100</max_trace_size><by_time>1</by_time>"
    "<minimum_time>5000000000</minimum_time><maximum_time>6000000000</maximum_time>"
    "<minimum_time_percentage>2.5</minimum_time_percentage><maximum_time_percentage>97"
    "</maximum_time_percentage><original_time>1</original_time><break_states>0</break_states>"
    "<keep_events>1</keep_events><remove_first_states>1</remove_first_states><remove_last_states>1"
    "</remove_last_states></cutter><filter><states>Running,Group Communication<min_state_time>10000"
    "</min_state_time></states><discard_states>0</discard_states><discard_events>1</discard_events>"
    "<discard_communications>1</discard_communications><types><type>50000001<value>34</value>"
    "<value>-1</value></type><type>50000002-50000003</type></types><comms>100</comms></filter>"
    "</config>";

START_TEST(test_read_config_every_option)
{
    const struct prvcut_cutter *c;
    const struct prvcut_filter *f;

    ck_assert_int_eq(read_text(_i == 0 ? spacious : compact), PRVCUT_OK);
    ck_assert_uint_eq(config->notes, 0);
    c = config->cutter;
    f = config->filter;
    ck_assert(c && f);
    ck_assert_str_eq(c->tasks, "1-256");
    ck_assert_uint_eq(config->cutter_max_bytes, 100000000);
    ck_assert(c->by_time && c->original_time && c->keep_events && !c->break_states);
    ck_assert(c->remove_first_states && c->remove_last_states);
    ck_assert_uint_eq(c->minimum_ns, 5000000000);
    ck_assert_uint_eq(c->maximum_ns, 6000000000);
    ck_assert(c->minimum_percent > 2.49 && c->minimum_percent < 2.51);
    ck_assert(c->maximum_percent > 96.9 && c->maximum_percent < 97.1);
    ck_assert(!f->drop_states && f->drop_events && f->drop_messages && f->lenient_names);
    ck_assert_str_eq(f->states[0], "Running");
    ck_assert_str_eq(f->states[1], "Group Communication");
    ck_assert_ptr_null(f->states[2]);
    ck_assert_uint_eq(f->min_state_ns, 10000);
    ck_assert_str_eq(f->events[0], "50000001=34/-1");
    ck_assert_str_eq(f->events[1], "50000002-50000003");
    ck_assert_ptr_null(f->events[2]);
    ck_assert_ptr_null(f->events_dropped);
    ck_assert_uint_eq(f->min_message_bytes, 100);
    prvcut_config_free(config);
}
END_TEST

START_TEST(test_read_config_defaults)
{
    ck_assert_int_eq(read_text("<config><filter/></config>"), PRVCUT_OK);
    ck_assert(config->filter && !config->cutter);
    ck_assert(!config->filter->drop_states && !config->filter->drop_events);
    ck_assert_ptr_null(config->filter->states);
    ck_assert_ptr_null(config->filter->events);
    prvcut_config_free(config);
    ck_assert_int_eq(read_text("<config><cutter></cutter></config>"), PRVCUT_OK);
    ck_assert(config->cutter->break_states && !config->cutter->by_time);
    ck_assert(config->cutter->maximum_percent > 99.9);
    ck_assert_ptr_null(config->cutter->tasks);
    prvcut_config_free(config);
}
END_TEST

START_TEST(test_read_config_states_all_and_none)
{
    ck_assert_int_eq(read_text("<config><filter><states>Running,All</states></filter></config>"),
                     PRVCUT_OK);
    ck_assert_ptr_null(config->filter->states);
    prvcut_config_free(config);
    ck_assert_int_eq(read_text("<config><filter><states> <min_state_time>7</min_state_time>"
                               "</states></filter></config>"),
                     PRVCUT_OK);
    ck_assert_str_eq(config->filter->states[0], "Running");
    ck_assert_uint_eq(config->filter->min_state_ns, 7);
    prvcut_config_free(config);
}
END_TEST

START_TEST(test_read_config_types_to_drop)
{
    ck_assert_int_eq(read_text("<config><filter><types use='discard'><type>5</type></types>"
                               "</filter></config>"),
                     PRVCUT_OK);
    ck_assert_ptr_null(config->filter->events);
    ck_assert_str_eq(config->filter->events_dropped[0], "5");
    prvcut_config_free(config);
}
END_TEST

/* What is not known is named with its line, and has no effect. */
START_TEST(test_read_config_notes_what_is_unknown)
{
    ck_assert_int_eq(read_text("<config>\n<software_counters/>\n<filter>\n<colour>3</colour>"
                               "<types><type min_time='5'>5<name/></type></types></filter>\n"
                               "<cutter><speed>1</speed></cutter></config>"),
                     PRVCUT_OK);
    ck_assert_uint_eq(config->notes, 5);
    ck_assert_str_eq(
        config->note[0],
        "c.xml:2: <software_counters> is ignored: only <cutter> and <filter> are read");
    ck_assert_str_eq(config->note[1], "c.xml:4: <colour> in <filter> is unknown and ignored");
    ck_assert_str_eq(config->note[2], "c.xml:4: min_time of a <type> is ignored, as in Paraver");
    ck_assert_str_eq(config->note[3], "c.xml:4: <name> in <type> is unknown and ignored");
    ck_assert_str_eq(config->note[4], "c.xml:5: <speed> in <cutter> is unknown and ignored");
    prvcut_config_free(config);
}
END_TEST

/* --- Damage and malice ---------------------------------------------------------------------- */

static const struct {
    const char *xml, *text;
} wrong[] = {
    { "", "c.xml:1: not valid XML" },
    { "hello", "c.xml:1: not valid XML" },
    { "<config>\n<cutter>\n</config>", "c.xml:3: not valid XML" },
    { "<settings/>", "it begins with <settings>, not with <config>" },
    { "<config/>", "it has no <cutter> and no <filter>" },
    { "<config><cutter/>\n<cutter/></config>", "c.xml:2: a second <cutter>" },
    { "<config><cutter>\n<minimum_time>12x</minimum_time></cutter></config>",
      "c.xml:2: <minimum_time>: '12x'" },
    { "<config><cutter>\n<minimum_time>-1</minimum_time></cutter></config>", "'-1' is not" },
    { "<config><cutter><maximum_time>99999999999999999999</maximum_time></cutter></config>",
      "not a whole number" },
    { "<config><cutter><maximum_time>1.5</maximum_time></cutter></config>", "'1.5' is not" },
    { "<config><cutter><maximum_time></maximum_time></cutter></config>", "'' is not" },
    { "<config><cutter><break_states>2</break_states></cutter></config>", "from 0 to 1" },
    { "<config><cutter><minimum_time_percentage>101</minimum_time_percentage></cutter></config>",
      "not a number from 0 to 100" },
    { "<config><cutter><minimum_time_percentage>nan</minimum_time_percentage></cutter></config>",
      "not a number from 0 to 100" },
    { "<config><cutter><tasks>1;2</tasks></cutter></config>", "is not a list such as 1-4,7" },
    { "<config><cutter><max_trace_size>99999999999999999</max_trace_size></cutter></config>",
      "<max_trace_size>" },
    { "<config><filter><comms>many</comms></filter></config>", "<comms>: 'many'" },
    { "<config><filter><types><type>MPI</type></types></filter></config>", "<type>: 'MPI'" },
    { "<config><filter><types><type>9-3</type></types></filter></config>", "<type>: '9-3'" },
    { "<config><filter><types><type>4294967296</type></types></filter></config>",
      "<type>: '4294967296' is not" },
    { "<config><filter><types><type>5<value>1/2</value></type></types></filter></config>",
      "<value>: '1/2'" },
    { "<config><filter><states>x<min_state_time>1e9</min_state_time></states></filter></config>",
      "<min_state_time>: '1e9'" },
    /* Anything outside the file, and anything that grows. */
    { "<!DOCTYPE config SYSTEM \"http://localhost:1/x.dtd\"><config><filter/></config>",
      "document type" },
    { "<!DOCTYPE c [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><config><filter><states>&x;</states>"
      "</filter></config>",
      "document type" },
    { "<!DOCTYPE c [<!ENTITY % x SYSTEM \"file:///etc/passwd\"> %x;]><config><filter/></config>",
      "document type" },
    { "<!DOCTYPE c [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\">"
      "<!ENTITY d \"&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;\"><!ENTITY e \"&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;\">"
      "<!ENTITY f \"&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;\"><!ENTITY g \"&f;&f;&f;&f;&f;&f;&f;&f;&f;&f;\">"
      "<!ENTITY h \"&g;&g;&g;&g;&g;&g;&g;&g;&g;&g;\"><!ENTITY i \"&h;&h;&h;&h;&h;&h;&h;&h;&h;&h;\">"
      "]><config><filter><comms>&i;</comms></filter></config>",
      "c.xml:1: not valid XML" },
    { "<config><filter><comms>&unknown;</comms></filter></config>", "c.xml:1: not valid XML" },
};

START_TEST(test_read_config_refuses_what_is_wrong)
{
    ck_assert_int_eq(read_text(wrong[_i].xml), PRVCUT_EFORMAT);
    ck_assert_msg(strstr(error.text, wrong[_i].text), "%s", error.text);
    ck_assert_msg(strstr(error.text, "c.xml:"), "%s", error.text);
    prvcut_config_free(config);
}
END_TEST

/* Cut anywhere: an error with its line, never a crash and never half a configuration. */
START_TEST(test_read_config_truncated)
{
    const size_t whole = strlen(spacious);

    for (size_t i = 0; i < whole; i++) {
        const enum prvcut_status st = read_bytes(spacious, i);

        ck_assert_msg(st == PRVCUT_EFORMAT || i >= whole - 1, "%zu bytes", i);
        ck_assert(st == PRVCUT_OK || (error.line > 0 && error.text[0] != '\0'));
        prvcut_config_free(config);
    }
}
END_TEST

/* Any byte may be any other. */
START_TEST(test_read_config_with_a_wrong_byte)
{
    static const char bytes[] = { '<', '&', '\0', '\xff', '-', '9', '>' };
    char text[sizeof spacious];

    for (size_t i = 0; i < strlen(spacious); i++) {
        const char was = spacious[i];

        memcpy(text, spacious, sizeof text);
        text[i] = bytes[_i];
        if (bytes[_i] == was)
            continue;
        ck_assert(read_bytes(text, strlen(spacious)) == PRVCUT_OK || error.text[0] != '\0');
        prvcut_config_free(config);
    }
}
END_TEST

START_TEST(test_read_config_limits_size_and_depth)
{
    char *text = malloc(3000000);

    ck_assert_ptr_nonnull(text);
    memset(text, ' ', 3000000);
    memcpy(text, "<config>", 8);
    ck_assert_int_eq(read_bytes(text, 3000000), PRVCUT_ELIMIT);
    prvcut_config_free(config);
    for (size_t i = 0; i < 250000; i++)
        memcpy(text + 4 * i, "<a>\n", 4);
    ck_assert_int_eq(read_bytes(text, 1000000), PRVCUT_EFORMAT);
    prvcut_config_free(config);
    free(text);
}
END_TEST

/* <filter a0="" a1="" ...> */
static enum prvcut_status read_attributes(unsigned count)
{
    char text[2000];
    size_t at = (size_t)snprintf(text, sizeof text, "<config><filter");

    for (unsigned i = 0; i < count; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, " a%u=\"\"", i);
    snprintf(text + at, sizeof text - at, "/></config>");
    return read_text(text);
}

START_TEST(test_read_config_limits_attributes)
{
    ck_assert_int_eq(read_attributes(64), PRVCUT_OK);
    prvcut_config_free(config);
    ck_assert_int_eq(read_attributes(65), PRVCUT_ELIMIT);
    ck_assert_ptr_nonnull(strstr(error.text, "64 attributes"));
    prvcut_config_free(config);
}
END_TEST

START_TEST(test_read_config_that_is_not_there)
{
    memset(&error, 0, sizeof error);
    ck_assert_int_eq(prvcut_config_read(&config, "none.xml", &error), PRVCUT_EIO);
    ck_assert_ptr_nonnull(strstr(error.text, "none.xml"));
    prvcut_config_free(config);
}
END_TEST

static Suite *config_suite(void)
{
    Suite *s = suite_create("filter_config");
    TCase *t = tcase_create("config");

    scratch_fixtures(t);
    tcase_add_loop_test(t, test_read_config_every_option, 0, 2);
    tcase_add_test(t, test_read_config_defaults);
    tcase_add_test(t, test_read_config_states_all_and_none);
    tcase_add_test(t, test_read_config_types_to_drop);
    tcase_add_test(t, test_read_config_notes_what_is_unknown);
    tcase_add_loop_test(t, test_read_config_refuses_what_is_wrong, 0,
                        (int)(sizeof wrong / sizeof *wrong));
    tcase_add_test(t, test_read_config_truncated);
    tcase_add_loop_test(t, test_read_config_with_a_wrong_byte, 0, 7);
    tcase_add_test(t, test_read_config_limits_size_and_depth);
    tcase_add_test(t, test_read_config_limits_attributes);
    tcase_add_test(t, test_read_config_that_is_not_there);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(config_suite());
}
