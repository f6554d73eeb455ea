prvcut help csv-analysis
