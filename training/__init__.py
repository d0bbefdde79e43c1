"""Training of the learned evaluation: positions, labels, the fit, checks, export. README.md has the steps."""
