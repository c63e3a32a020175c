"""Tests of the explorer's page in a real browser; a package, so that they share one."""
