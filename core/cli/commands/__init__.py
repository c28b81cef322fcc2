"""The commands, one module each; a module's `command` is what the program runs."""
