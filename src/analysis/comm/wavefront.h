#ifndef PRVCUT_ANALYSIS_COMM_WAVEFRONT_H
#define PRVCUT_ANALYSIS_COMM_WAVEFRONT_H

#include "base/error.h"
#include "prvcut/comm.h"

/**
 * Does the work run across a mesh from one of its corners? Then, in some orthant of directions:
 * what a rank sends ahead waits for what came from behind (of the messages ahead, at least 75 % are
 * the k-th and sent after k from behind are complete, for every two axes), and half of all messages
 * between neighbours lie in runs of three or more in the same direction.
 *
 * Ends are told by time. Memory is ranks times axes squared.
 */
struct prvcut_wavefront;

/** owns: *out is the caller's, released with prvcut_wavefront_free. shape: a mesh without diagonals
 * errors  PRVCUT_ENOMEM */
enum prvcut_status prvcut_wavefront_new(struct prvcut_wavefront **out,
                                        const struct prvcut_comm_shape *shape,
                                        struct prvcut_error *err);
void prvcut_wavefront_free(struct prvcut_wavefront *w);

/** A message is sent; is complete. shape: ranks; time: ns, of one rank ascending */
void prvcut_wavefront_send(struct prvcut_wavefront *w, uint32_t from, uint32_t to, uint64_t time);
void prvcut_wavefront_receive(struct prvcut_wavefront *w, uint32_t from, uint32_t to,
                              uint64_t time);

/** All ends are told. */
bool prvcut_wavefront_is(struct prvcut_wavefront *w);

#endif
