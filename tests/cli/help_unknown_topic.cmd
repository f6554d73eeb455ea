prvcut help bananas
