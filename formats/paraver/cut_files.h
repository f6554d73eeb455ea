#ifndef PRVCUT_PARAVER_CUT_FILES_H
#define PRVCUT_PARAVER_CUT_FILES_H

#include "base/output.h"
#include "paraver/labels.h"

/** The files of a cut: the labels and names, copied as they are, and the trace itself. */
struct prv_files {
    struct prvcut_output *labels; /**< that of the .pcf among out; NULL where there is none */
    struct prvcut_commit *set;    /**< they appear together */
    bool borrowed;                /**< others appear with them: the set is not f's */
    struct prvcut_output *out[4];
    char *path[4]; /**< .pcf, .row where there are any, .cfg where it is wanted, and .prv last */
    unsigned count;
};

/**
 * Open all files and fill the companions.
 *
 * owns    f is zeroed before and released with prv_files_fini, also after a failure; *main, the
 *         trace's output, is f's
 */
enum prvcut_status prv_files_open(struct prv_files *f, const struct prv_labels *labels,
                                  const struct prvcut_cut_options *o, struct prvcut_output **main,
                                  struct prvcut_error *err);

/** Write on behind the copied labels, where the trace has any. */
enum prvcut_status prv_files_label(struct prv_files *f, const char *text, struct prvcut_error *err);

/**
 * Open all files empty: .pcf, .row and .prv last; the .prv alone where it is a pipe or a device.
 *
 * owns    as prv_files_open
 */
enum prvcut_status prv_files_create(struct prv_files *f, const char *path, bool force,
                                    struct prvcut_error *err);

/** All companions are complete: their files need not be open any longer. */
enum prvcut_status prv_files_close_companions(struct prv_files *f, struct prvcut_cut_summary *sum,
                                              struct prvcut_error *err);

/** All are complete, and appear with their set; sum takes their names and size. */
enum prvcut_status prv_files_finish(struct prv_files *f, struct prvcut_cut_summary *sum,
                                    struct prvcut_error *err);

/** prv_files_finish, and put all of them in place, or none; of a set that is f's. */
enum prvcut_status prv_files_commit(struct prv_files *f, struct prvcut_cut_summary *sum,
                                    struct prvcut_error *err);

/** Throw away what was not committed. */
void prv_files_fini(struct prv_files *f);

#endif
