prvcut help mark
