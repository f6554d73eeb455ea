prvcut --help profile
