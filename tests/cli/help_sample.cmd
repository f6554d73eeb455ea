prvcut --help sample
