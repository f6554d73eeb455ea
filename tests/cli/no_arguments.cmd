prvcut
