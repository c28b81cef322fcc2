"""Python, the program and unprivileged users in separate processes."""
