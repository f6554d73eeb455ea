prvcut cut -h
