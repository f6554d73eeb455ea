prvcut --help waits
