# An iteration that takes half as long again stands out, and is cut, too.
. "$data/loop.sh"
awk -F: 'BEGIN { OFS = ":" } /^[23]:/ && $6 >= 12000000 { $6 += 500000 }
    /^1:/ && $6 >= 12000000 { $6 += 500000 } /^1:/ && $7 >= 12000000 { $7 += 500000 }
    /^3:/ { for (i = 7; i <= 14; i++) if (i != 9 && i != 10 && i != 11 && i != 12 && $i >= 12000000) $i += 500000 }
    { print }' loop.prv | sed 's/25000000_ns/25500000_ns/' >odd.prv
prvcut --regions all --outliers 1 --json odd.prv |
    grep -E '^      "(name|kind|level|number|first_iteration)": "?(level|outlier|typical|[0-9])'
ls odd.*
prvcut --regions all --outliers 1 --quiet odd.prv; echo $?
prvcut --regions all --outliers 1 --quiet --force -o other.prv odd.prv; echo $?
ls other.*
