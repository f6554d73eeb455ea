#include "otf2/write_out.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

void o2w_out_done(struct o2w_out *o, OTF2_ErrorCode code, const char *what)
{
    if (o->status == PRVCUT_OK)
        o->status = o2w_done(o->w, code, what, o->err);
}

void o2w_out_string_as(struct o2w_out *o, OTF2_StringRef id, const char *text)
{
    if (o->status == PRVCUT_OK)
        o2w_out_done(o, OTF2_GlobalDefWriter_WriteString(o->to, id, text), "a name");
}

OTF2_StringRef o2w_out_string(struct o2w_out *o, const char *text)
{
    if (text[0] == '\0')
        return o->empty;
    o2w_out_string_as(o, o->next, text);
    return o->next++;
}

OTF2_StringRef o2w_out_format(struct o2w_out *o, const char *form, ...)
{
    char text[256];
    va_list args;

    va_start(args, form);
    vsnprintf(text, sizeof text, form, args);
    va_end(args);
    return o2w_out_string(o, text);
}

void o2w_out_flush(struct o2w_out *o)
{
    if (o->status == PRVCUT_OK)
        o->status = prvcut_buffer_append(&o->text, "", 1, o->err);
    if (o->status == PRVCUT_OK)
        o2w_out_string(o, o->text.at);
    o->text.count = 0;
}

const char *o2w_type_text(const struct o2w_type *t, char room[32])
{
    if (t->name && t->name->text[0] != '\0')
        return t->name->text;
    snprintf(room, 32, "Type %" PRIu32, t->number);
    return room;
}
