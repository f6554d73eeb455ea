#ifndef PRVCUT_ANALYSIS_PATTERNS_TREE_H
#define PRVCUT_ANALYSIS_PATTERNS_TREE_H

#include "analysis/patterns/nest.h"
#include "analysis/patterns/sequences.h"

/** A nest as people are told it: calls by name, loops with how often they go round. */

/** A call or a loop. */
struct pat_node {
    uint32_t inner; /**< a loop: place among the bodies; else among the names */
    bool loop;
    uint32_t least, most; /**< how often; of a call by itself 1, 1 */
};

struct pat_tree_body {
    size_t first, length; /**< its nodes */
};

struct pat_tree {
    struct pat_node *node; /**< [nodes] */
    size_t nodes, node_room;
    struct pat_tree_body *body; /**< [bodies]; the last one is the whole nest */
    size_t bodies, body_room;
    size_t exact; /**< place + 1 of the body that loses nothing; 0: the last one does not */
    char **name;  /**< [names] */
    char **told;  /**< [names] where calls of one name are several symbols, as pat_told has them */
    size_t names;
    bool any; /**< of told */
};

void pat_tree_fini(struct pat_tree *t);

/** What calls of one symbol have in common. */
struct pat_argued {
    const struct pat_symbol *first;  /**< borrowed */
    bool partner, tag, bytes, group; /**< all have that of the first; group: root, communicator */
    bool sized;                      /**< the alphabet tells calls apart by bytes */
    bool peer; /**< all have as many messages as the first, and the same partner of the first one */
};

/** Of each symbol of a thread in an alphabet: out[t->different[alphabet]]. */
void pat_argue(const struct pat_thread *t, enum pat_alphabet alphabet, struct pat_argued *out);

/**
 * An empty tree with the names of a thread's symbols.
 *
 * owns    *out is released with pat_tree_fini, also after a failure
 */
enum prvcut_status pat_tree_init(struct pat_tree *out, const struct pat_argued *argued,
                                 size_t symbols, const struct prvcut_dictionary *names,
                                 struct prvcut_error *err);

/** Add an exact nest, as the last body. */
enum prvcut_status pat_tree_add(struct pat_tree *t, const struct pat_nest *n,
                                struct prvcut_error *err);

/** Add a row of nodes, as the last body; node may be part of t->node. */
enum prvcut_status pat_tree_add_row(struct pat_tree *t, const struct pat_node *node, size_t count,
                                    struct prvcut_error *err);

/** Calls and loops that stand in the last body as a tree; loops around the innermost call. */
uint64_t pat_tree_size(const struct pat_tree *t);
unsigned pat_tree_depth(const struct pat_tree *t);

/** "Init 200×(6×Irecv 6×Isend Waitall) Finalize": a row of nodes; told: calls by what tells them
    apart. owns: *out, from malloc; NULL after a failure */
enum prvcut_status pat_tree_text(char **out, const struct pat_tree *t, size_t body, bool told,
                                 struct prvcut_error *err);

/** The same of one row of a nest; arguments: with what calls have in common: "Irecv(from 3, 10240
    B)"; told: where one is not NULL, the name. */
struct pat_row_names {
    const struct prvcut_dictionary *names;
    const struct pat_argued *argued; /**< [symbols] */
    char *const *told;               /**< [symbols]; NULL: none */
    bool arguments;
};

enum prvcut_status pat_row_text(char **out, const struct pat_nest *n, const uint64_t *row,
                                size_t count, const struct pat_row_names *how,
                                struct prvcut_error *err);

/**
 * What the bodies of a nest are known by in all threads: which calls they are of, and how many
 * bodies of the same calls the thread has before; out: [bodies], 0 of those that are not in the
 * nest.
 */
enum prvcut_status pat_body_keys(const struct pat_nest *n, const struct pat_argued *argued,
                                 uint64_t *out, struct prvcut_error *err);

#endif
