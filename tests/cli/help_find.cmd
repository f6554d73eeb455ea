prvcut --help find
