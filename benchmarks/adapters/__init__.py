"""What to compare with what: one file for each module of the package."""
