prvcut help filter
