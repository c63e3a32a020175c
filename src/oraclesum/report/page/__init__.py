"""The report: results as one HTML file with charts, tables and a section per topic."""
