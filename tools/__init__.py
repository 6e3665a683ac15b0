"""The machinery behind the Makefile: set-up, execution of the chapters, build and server."""
