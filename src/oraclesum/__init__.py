"""Exact extractive oracle summaries under ROUGE-n: proven, enumerated, counted."""
