"""What the sources print fails on a small example, and the correction holds on the same one.

A chapter that is written shows its errata itself; here are those of the chapters to come, each
file with a table `FOUND` of (what is printed, the correction) by the name of the erratum.
"""
