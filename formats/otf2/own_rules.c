#include "otf2/own_rules.h"
#include "otf2/own.h"

enum prvcut_status o2_own_rules_suit(const struct o2_trace *t,
                                     const struct prvcut_cut_options *options,
                                     struct prvcut_notes *notes, struct prvcut_error *err)
{
    struct prvcut_dictionary dictionary = { 0 };
    struct prvcut_rules rules = { 0 };
    struct prvcut_rule_labels labels;
    enum prvcut_status st = o2_own_describe(t, &dictionary, err);

    labels = prvcut_rule_labels_of(&dictionary);
    if (st == PRVCUT_OK)
        st = prvcut_rules_init(&rules, options->filter, options->filters, &labels, &t->base.objects,
                               notes, err);
    prvcut_rules_fini(&rules);
    prvcut_dictionary_fini(&dictionary);
    return st;
}
