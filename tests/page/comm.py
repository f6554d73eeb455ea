"""Who sends to whom is on the page as comm tells it:
python3 comm.py PRVCUT TRACE.prv PAGE.html

Tells where it is not, and leaves with 1.
"""
import collections
import csv
import io
import json
import re
import subprocess
import sys

prvcut, trace, page = sys.argv[1:4]
text = open(page, encoding="utf-8").read()
block = re.search(r"<script[^>]*application/json[^>]*>(.*?)</script>", text, re.S).group(1)
matrices = json.loads(block)["drawn"]["comm"]


def ask(*options):
    return subprocess.run([prvcut, "comm", *options, trace], capture_output=True, text=True, check=True).stdout


told = json.loads(ask("--json"))
m = matrices[0]
each = m["ranks_each"]
want = collections.Counter()
for row in csv.DictReader(io.StringIO(ask("--csv"))):
    field = int(row["from"]) // each, int(row["to"]) // each
    want[field + ("messages",)] += int(row["messages"])
    want[field + ("bytes",)] += int(row["bytes"])
seen = collections.Counter()
for i in range(0, len(m["fields"]), 4):
    row, column, messages, size = m["fields"][i:i + 4]
    seen[row, column, "messages"] = messages
    seen[row, column, "bytes"] = size
wrong = [key for key in want.keys() | seen.keys() if want[key] != seen[key]]
for key in sorted(wrong)[:10]:
    print(f"field {key}: {seen[key]}, comm tells {want[key]}")
for name in "ranks", "messages", "bytes":
    if m[name] != told[name]:
        print(f"{name}: {m[name]}, comm tells {told[name]}")
        wrong.append(name)
if m["topology"] != told["topology"]["name"] or len(matrices) != told["applications"]:
    print(f"{len(matrices)} matrices, {m['topology']}, comm tells {told['topology']['name']}")
    wrong.append("topology")
lines = ask().splitlines()
for line in m["said"].splitlines():
    if line not in lines:
        print(f"comm does not say: {line}")
        wrong.append(line)
print(f"{len(m['fields']) // 4} fields of who sends to whom compared")
sys.exit(len(wrong) > 0 or (told["messages"] > 0 and not m["fields"]))
