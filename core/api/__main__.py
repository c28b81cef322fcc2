"""`python -m jurydesk`: the program."""

from jurydesk.app.__main__ import main

if __name__ == "__main__":
    raise SystemExit(main())
