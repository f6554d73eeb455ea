#include "otf2/cut.h"

bool o2_map_put(struct o2_map *m, uint64_t key, uint8_t value)
{
    static const struct prvcut_table none = PRVCUT_TABLE(struct o2_mapped, value, "numbers");
    struct o2_mapped *at;

    if (m->put.key == 0)
        m->put = none;
    at = prvcut_table_make(&m->put, &key, NULL);
    if (at)
        at->value = value;
    return at != NULL;
}

void o2_map_drop(struct o2_map *m, uint64_t key)
{
    prvcut_table_drop(&m->put, &key);
}

void o2_map_fini(struct o2_map *m)
{
    prvcut_table_fini(&m->put);
}

uint64_t o2_value_node(OTF2_Type type, OTF2_AttributeValue value)
{
    static const struct {
        OTF2_Type type;
        enum o2_node node;
    } nodes[] = {
        { OTF2_TYPE_STRING, O2_STRING },
        { OTF2_TYPE_ATTRIBUTE, O2_ATTRIBUTE },
        { OTF2_TYPE_REGION, O2_REGION },
        { OTF2_TYPE_GROUP, O2_GROUP },
        { OTF2_TYPE_METRIC, O2_METRIC },
        { OTF2_TYPE_COMM, O2_COMM },
        { OTF2_TYPE_PARAMETER, O2_PARAMETER },
        { OTF2_TYPE_RMA_WIN, O2_WINDOW },
        { OTF2_TYPE_SOURCE_CODE_LOCATION, O2_SOURCE },
        { OTF2_TYPE_CALLING_CONTEXT, O2_CONTEXT },
        { OTF2_TYPE_INTERRUPT_GENERATOR, O2_GENERATOR },
        { OTF2_TYPE_IO_FILE, O2_FILE },
        { OTF2_TYPE_IO_HANDLE, O2_HANDLE },
    };

    /* All references of 32 bits share the union's first bytes. */
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
        if (nodes[i].type == type)
            return o2_node_key(nodes[i].node, value.stringRef);
    return O2_ROOT;
}
