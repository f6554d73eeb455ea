prvcut --help signal
