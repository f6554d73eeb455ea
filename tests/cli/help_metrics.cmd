prvcut help metrics
