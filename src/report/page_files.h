#ifndef PRVCUT_REPORT_PAGE_FILES_H
#define PRVCUT_REPORT_PAGE_FILES_H

/** The files page.css, page.js and plot.css of this folder as texts; made by embed.cmake. */
extern const char report_page_css[], report_page_js[], report_plot_css[];

#endif
