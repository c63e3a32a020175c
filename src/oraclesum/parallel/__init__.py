"""Shell: whole corpora, in shards that survive a crash, on this machine or a Ray cluster."""
