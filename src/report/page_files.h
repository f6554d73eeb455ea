#ifndef PRVCUT_REPORT_PAGE_FILES_H
#define PRVCUT_REPORT_PAGE_FILES_H

/** Files of this folder as texts; made by embed.cmake. The scripts share one scope, in this order.
 */
extern const char report_page_css[], report_page_base_js[], report_page_plot_js[],
    report_page_lengths_js[], report_page_time_js[], report_page_timeline_js[],
    report_page_first_js[], report_page_tabs_js[], report_page_run_js[], report_page_why_js[],
    report_page_efficiency_js[], report_page_comm_js[], report_page_waits_js[], report_page_js[];

#endif
