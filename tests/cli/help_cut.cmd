prvcut help cut
