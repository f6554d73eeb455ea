prvcut filter -h
