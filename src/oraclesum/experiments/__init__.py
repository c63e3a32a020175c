"""Shell: the paper's experiments on a corpus, as tables beside the published figures."""
