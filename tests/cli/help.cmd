prvcut --help
