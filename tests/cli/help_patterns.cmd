prvcut --help patterns
