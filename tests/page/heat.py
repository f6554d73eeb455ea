"""What the page says that ranks compute in iterations is what profile says:
python3 heat.py PRVCUT TRACE.prv PAGE.html

Tells where it is not, within a thousandth of the greatest, and leaves with 1.
"""
import csv
import io
import json
import re
import subprocess
import sys

prvcut, trace, page = sys.argv[1:4]
text = open(page, encoding="utf-8").read()
block = re.search(r"<script[^>]*application/json[^>]*>(.*?)</script>", text, re.S).group(1)
heat = json.loads(block)["drawn"]["heat"]
out = subprocess.run([prvcut, "profile", "-q", "--csv", "--by", "iteration,rank", trace], capture_output=True,
                     text=True, check=True).stdout
rows = list(csv.DictReader(io.StringIO(out)))
computing = {(int(r["rank"]), int(r["iteration"])): int(r["computing_ns"]) for r in rows}
clear = {int(r["iteration"]) for r in rows if r["disturbed"] == "0"}
columns = len(heat["number"]) // 2
wrong = seen = 0
for i, value in enumerate(heat["values"]):
    row, column = divmod(i, columns)
    ranks = range(row * heat["threads_each"], min(heat["threads"], (row + 1) * heat["threads_each"]))
    first, last = heat["number"][2 * column:2 * column + 2]
    cells = [computing[r, k] for r in ranks for k in range(first, last + 1)]
    if not clear.issuperset(range(first, last + 1)):
        continue
    want = 1000 * sum(cells) / len(cells) / heat["most_ns"]
    seen += 1
    if abs(want - value) > 1:
        print(f"rank {row}, iterations {first} to {last}: {value}, profile tells {want:.1f}")
        wrong += 1
print(f"{seen} of {len(heat['values'])} cells compared")
sys.exit(wrong > 0 or seen == 0)
