#include "analysis/profile/profile_sites.h"

#include "analysis/profile/profile.h"

#include <stdio.h>
#include <string.h>

struct site_text {
    char text[PRVCUT_PROFILE_SITE_TEXT]; /* zeros behind its end */
    int64_t least;
};

struct site_number {
    int64_t number;
    size_t text;
};

const char *prvcut_profile_site_text(char *out, size_t room, const struct prvcut_proof_key *line,
                                     const struct prvcut_dictionary *names)
{
    char whole[PRVCUT_PROFILE_SITE_TEXT];
    const char *text = prvcut_proof_key_text(whole, sizeof whole, line, names);
    const char *bracket = strstr(text, " [");

    snprintf(out, room, "%.*s", bracket ? (int)(bracket - text) : (int)strlen(text), text);
    return out;
}

void prvcut_profile_sites_init(struct prvcut_profile_sites *s)
{
    s->text = (struct prvcut_table)PRVCUT_TABLE(struct site_text, least, "source lines");
    s->number = (struct prvcut_table)PRVCUT_TABLE(struct site_number, text, "source lines");
}

/* Files of the same name in several folders are told apart by the text in brackets. */
static enum prvcut_status pst_add_text(struct prvcut_profile_sites *s, size_t *place,
                                       const struct prvcut_proof_key *line,
                                       const struct prvcut_dictionary *names,
                                       struct prvcut_error *err)
{
    struct site_text key = { .least = line->value };
    char room[PRVCUT_PROFILE_SITE_TEXT];
    const size_t before = s->text.count;
    struct site_text *is;

    snprintf(key.text, sizeof key.text, "%s",
             prvcut_proof_key_text(room, sizeof room, line, names));
    is = prvcut_table_make(&s->text, &key, err);
    if (!is)
        return PRVCUT_ENOMEM;
    if (s->text.count > before || line->value < is->least)
        is->least = line->value;
    *place = (size_t)(is - (struct site_text *)s->text.at);
    return PRVCUT_OK;
}

enum prvcut_status prvcut_profile_sites_add(struct prvcut_profile_sites *s,
                                            const struct prvcut_proof_key *line,
                                            const struct prvcut_dictionary *names,
                                            struct prvcut_error *err)
{
    const size_t before = s->number.count;
    struct site_number *is;

    if (line->value == PRVCUT_PROFILE_NAMELESS)
        return PRVCUT_OK;
    is = prvcut_table_make(&s->number, &line->value, err);
    if (!is)
        return PRVCUT_ENOMEM;
    return s->number.count > before ? pst_add_text(s, &is->text, line, names, err) : PRVCUT_OK;
}

int64_t prvcut_profile_sites_number(const struct prvcut_profile_sites *s, int64_t number)
{
    const struct site_number *is = prvcut_table_find(&s->number, &number);

    return is ? ((const struct site_text *)s->text.at)[is->text].least : number;
}

void prvcut_profile_sites_fini(struct prvcut_profile_sites *s)
{
    prvcut_table_fini(&s->text);
    prvcut_table_fini(&s->number);
}
