prvcut --help predict
