prvcut -h
