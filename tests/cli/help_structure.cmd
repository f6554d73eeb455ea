prvcut help structure
