prvcut help index
