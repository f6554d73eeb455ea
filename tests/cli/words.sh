#!/bin/sh
# Messages of the program and of the library's front, the README and the pages have one word a thing: sh words.sh
# What is looked at are texts with a blank in them, so no keys of JSON and no options.
set -eu
root=$(cd -- "$(dirname -- "$0")/../.." && pwd)
old='sub-trace|witness|faithful|doubtful|\bmasked\b|\btouched\b|\bodd\b|\bchops?\b|similarity|periodic structure'
# "chop1" is a name of files and stays.
if grep -nE "\"[^\"]*\b($old)[^\"]*\"" "$root"/src/cli/*.c "$root"/src/api/*.c |
    grep -E '"[^"]* [^"]*"' | grep -vE '#include|chop1'; then
    echo "an old word stands in a message"
    exit 1
fi
# The pages of the library and of the JSON need the names that these have.
if grep -niE "\b($old|spoilt|perturbed|likeness)\b" "$root"/man/*.1 "$root"/README.md | grep -vE 'chop1| Ta |-column|:\.Va '; then
    echo "an old word stands in a page; WORDS in prvcut(1) has those to use"
    exit 1
fi
# How sure is a number's word in JSON, and in what explains that.
if grep -nE '\bconfidence\b' "$root"/man/*.1 "$root"/README.md | grep -v ':\.Va '; then
    echo "prose says 'sure', not 'confidence'"
    exit 1
fi
