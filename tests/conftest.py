"""Settings for all tests: property tests are never judged by the clock."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

from oraclesum.oracles.methods import ENUMERATORS

settings.register_profile(
    "untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("untimed")

# Until the default method is in, the tests that run the command with its defaults have to wait.
if "search" not in ENUMERATORS:
    collect_ignore_glob = ["cli/*", "test_readme.py", "test_imports.py"]
