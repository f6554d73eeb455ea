#!/bin/sh
# Messages of the program, the library and the formats, the texts of the page, the README and the manual have one word a
# thing: sh words.sh
# What is looked at are texts with a blank in them, so no keys of JSON and no options.
set -eu
root=$(cd -- "$(dirname -- "$0")/../.." && pwd)
old='sub-traces?|witness(es)?|faithful|doubtful|masked|touched|odd|chops?|similarity|periodic structure|likeness|spoilt|perturb[a-z]*|departures?|stands? out|robust'
# "chop1" is a name of files and stays.
texts='examined threads|not asked|votes?|stands? in for|told by|passed over|half messages?|clear region|each thread from|confidence'

# strings: each text in quotes that holds a blank, with its file and line
strings() {
    find "$root/src" "$root/formats" -name '*.c' -o -name 'page*.js' | xargs grep -noE '"([^"\\]|\\.)*"' |
        grep -E ':"[^"]* ' | sed "s:^$root/::"
}

# The class of a figure, and the names that the library has for verdicts, are no words to read.
if strings | grep -E ":\".*\\b($old|$texts)\\b" | grep -vE 'chop1|"window odd"|" odd"'; then
    echo "an old word stands in a message; WORDS in prvcut(1) has those to use"
    exit 1
fi
# Numbers in reports have three significant digits and no exponent.
if find "$root/src/report" "$root/src/api" "$root/src/cli" -name '*.c' | xargs grep -nE '%[-+.0-9*]*[geE]\b' |
    grep -vE 'report/(units|signals)\.c:|api/timeline\.c:'; then
    echo "a number could be printed with an exponent; report_number() prints none"
    exit 1
fi
# The pages of the library and of the JSON need the names that these have.
if grep -niwE "$old" "$root"/man/*.1 "$root"/README.md | grep -vE 'chop1| Ta |-column|:\.Va '; then
    echo "an old word stands in a page; WORDS in prvcut(1) has those to use"
    exit 1
fi
# In the pages of the library and of JSON, prose has the words of today: names are marked up, or in a table beside today's.
if grep -nwE "$old|confidence" "$root"/man/*.3 "$root"/man/*.5 | grep -vE ':\.(It )?(Va|Cm|Pq Cm|Dl|Bl) | Ta |:  +("|printf)'; then
    echo "an old word stands in the prose of a page"
    exit 1
fi
# What the program prints, as the tests of exact outputs have it: no old word, no enumerated word of JSON.
if grep -nwE "$old|confidence|votes|aperiodic|initialisation|flushing|clogged|focusing" "$root"/tests/cli/*.out "$root"/tests/cli/*.err |
    grep -vE '"|chop1|:odd\.|help_metrics|no metric |start_ns,|--confidence'; then
    echo "an old word is printed"
    exit 1
fi
# How sure is a number's word in JSON, and in what explains that.
if grep -nE '\bconfidence\b' "$root"/man/*.1 "$root"/README.md | grep -vE ':\.Va |-confidence '; then
    echo "prose says 'sure', not 'confidence'"
    exit 1
fi
