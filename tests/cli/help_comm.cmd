prvcut --help comm
