prvcut help verify
