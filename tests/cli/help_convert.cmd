prvcut convert --help
