# The same with every command, and nothing else is done.
prvcut --version >all
for command in $(prvcut --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    prvcut $command --version no.prv | cmp - all || echo "$command differs"
done
# Kinds of lines, and what must be among them; numbers have other homes.
cut -d ' ' -f 1 all | grep -v without | sort -u
sed -nE 's/^library  ([^ ]+) .*/\1/p' all | grep -v OTF2 | tr '\n' ' '
sed -nE 's/^format   ([^ ]+) .*/\1/p' all | grep -v otf2 | tr '\n' ' '
grep -cE '^(library  OTF2|without  otf2) ' all
