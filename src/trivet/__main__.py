"""`python -m trivet` is `trivet`."""

from trivet.cli.main import main

if __name__ == "__main__":
    main()
