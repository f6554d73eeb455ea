# The number has one home, which is not here.
prvcut --version | sed '1s/[0-9][0-9.]*$/N/; 2,$d'
