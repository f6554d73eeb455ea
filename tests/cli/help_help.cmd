prvcut help help
