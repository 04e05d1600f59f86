"""How long a program waits for what has to come: it tells a hang from a busy machine, and is no bound of how fast anything is."""

PATIENCE_S = 90
