"""Shell: `oraclesum serve`, a local web page and JSON API to explore the oracles of one topic."""
