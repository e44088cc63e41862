"""The report: one HTML file that works offline, with its data and its charts inside."""
