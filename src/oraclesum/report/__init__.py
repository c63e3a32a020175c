"""Stage: results to something a person reads."""
