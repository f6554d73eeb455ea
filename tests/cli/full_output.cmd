prvcut --help >/dev/full
