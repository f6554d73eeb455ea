prvcut --help efficiency
