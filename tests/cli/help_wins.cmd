# However many kinds of help are asked for, the fullest is given.
prvcut --version -h --help | head -n 1
