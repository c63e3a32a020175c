"""One module per verb, each with its click `command`; loaded when called."""
