prvcut help check
