"""Python, the program and ordinary users in processes of their own."""
