prvcut --help diff
