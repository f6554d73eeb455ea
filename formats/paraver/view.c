#include "paraver/view.h"

#include <inttypes.h>

/* What all windows share, in the order in which Paraver saves it: its loader takes the level before
   the objects, and both before the functions. */
static const char head[] =
    "window_type single\nwindow_id 1\nwindow_position_x 100\nwindow_position_y 100\n"
    "window_width 1000\nwindow_height 300\nwindow_comm_lines_enabled %s\n"
    "window_flags_enabled false\nwindow_noncolor_mode true\n"
    "window_logical_filtered true\nwindow_physical_filtered false\nwindow_comm_fromto true\n"
    "window_comm_tagsize true\nwindow_comm_typeval true\nwindow_units Microseconds\n"
    "window_maximum_y 20.000000000000\nwindow_minimum_y 0.000000000000\n"
    "window_compute_y_max true\nwindow_level thread\nwindow_scale_relative 1.000000000000\n"
    "window_end_time_relative 1.000000000000\nwindow_object appl { 1, { All } }\n"
    "window_begin_time_relative 0.000000000000\nwindow_open true\nwindow_drawmode draw_maximum\n"
    "window_drawmode_rows draw_maximum\nwindow_pixel_size 1\nwindow_labels_to_draw 1\n";

static const char functions[] =
    "window_selected_functions { 14, { {cpu, Active Thd}, {appl, Adding}, {task, Adding}, "
    "{thread, %s}, {node, Adding}, {system, Adding}, {workload, Adding}, {from_obj, All}, "
    "{to_obj, All}, {tag_msg, All}, {size_msg, All}, {bw_msg, All}, {evt_type, %s}, "
    "{evt_value, All} } }\n"
    "window_compose_functions { 9, { {compose_cpu, As Is}, {compose_appl, As Is}, "
    "{compose_task, As Is}, {compose_thread, As Is}, {compose_node, As Is}, "
    "{compose_system, As Is}, {compose_workload, As Is}, {topcompose1, As Is}, "
    "{topcompose2, As Is} } }\n";

/* An event type that the labels list, whose values are MPI calls. */
static bool view_is_call(const struct prv_type *t)
{
    return t->listed &&
           (t->label.role == PRVCUT_ROLE_P2P || t->label.role == PRVCUT_ROLE_COLLECTIVE ||
            t->label.role == PRVCUT_ROLE_MPI_OTHER);
}

static void view_filter(struct prvcut_put *out, const struct prv_labels *labels, size_t calls)
{
    prvcut_put_printf(out, "window_filter_module evt_type %zu", calls);
    for (size_t i = 0; i < labels->types; i++)
        if (view_is_call(&labels->type[i]))
            prvcut_put_printf(out, " %" PRIu32, labels->type[i].label.number);
    prvcut_put_string(out, "\n");
}

void prv_view_text(struct prvcut_put *out, const struct prv_labels *labels)
{
    static const char line[] = "#######################################"
                               "#########################################\n";
    size_t calls = 0;
    const char *name;

    for (size_t i = 0; i < labels->types; i++)
        calls += view_is_call(&labels->type[i]);
    name = calls > 0 ? "MPI call" : "State as is";
    prvcut_put_printf(out,
                      "#ParaverCFG\nConfigFile.Version: 3.4\nConfigFile.NumWindows: 1\n"
                      "\n\n%s< NEW DISPLAYING WINDOW %s >\n%swindow_name %s\n",
                      line, name, line, name);
    prvcut_put_printf(out, head, calls > 0 ? "true" : "false");
    prvcut_put_printf(out, functions, calls > 0 ? "Last Evt Val" : "State As Is",
                      calls > 0 ? "=" : "All");
    if (calls > 0)
        view_filter(out, labels, calls);
}
