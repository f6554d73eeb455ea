prvcut help formats
