prvcut info --help
