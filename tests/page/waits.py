"""Wait states are on the page as waits tells them: python3 waits.py PRVCUT TRACE.prv PAGE.html

Tells where they are not, and leaves with 1.
"""
import collections
import json
import re
import subprocess
import sys

prvcut, trace, page = sys.argv[1:4]
text = open(page, encoding="utf-8").read()
block = re.search(r"<script[^>]*application/json[^>]*>(.*?)</script>", text, re.S).group(1)
seen = json.loads(block)["drawn"]["waits"]
wrong = []
count = 0


def ask(*options):
    return subprocess.run([prvcut, "waits", *options, trace], capture_output=True, text=True, check=True).stdout


def same(what, is_ns, want_s):
    global count
    count += 1
    # Nine digits of each number are printed.
    if (is_ns is None) != (want_s is None) or (want_s is not None and abs(is_ns - want_s * 1e9) > 0.51 + 5 * want_s):
        print(f"{what}: {is_ns}, waits tells {want_s}")
        wrong.append(what)


def grouped(ranks):
    each = seen["ranks_each"]
    return [sum(ranks[i:i + each]) for i in range(0, len(ranks), each)]


def names(path):
    return [seen["names"][i] for i in path]


told = json.loads(ask("--causes", "--critical-path", "--json"))
by_iteration = json.loads(ask("--by", "iteration", "--json"))
metrics = {m["name"]: m for m in told["metrics"] if m["severity_s"]}
if list(metrics) != [m["name"] for m in seen["metrics"]]:
    print(f"{[m['name'] for m in seen['metrics']]}, waits tells {list(metrics)}")
    wrong.append("metrics")
for m in seen["metrics"]:
    want = metrics[m["name"]]
    same(m["name"], m["severity_ns"], want["severity_s"])
    for of in "mean", "median", "most":
        same(f"{m['name']} {of}", m[f"{of}_ns"], want[f"{of}_s"])
    same(f"{m['name']} instances", m["instances"], want["instances"] / 1e9)
    same(f"{m['name']} share", m["share"] * 1e9, want["share"])
    same(f"{m['name']} call paths", m["paths_all"], len(want["paths"]) / 1e9)
    for i, ns in enumerate(grouped(want["ranks_s"])):
        same(f"{m['name']} rank {i}", m["ranks_ns"][i], ns)
    for p, q in zip(m["paths"], want["paths"]):
        same(f"{m['name']} {names(p['path'])}", p["severity_ns"], q["severity_s"])
        same(f"{m['name']} {names(p['path'])} instances", p["instances"], q["instances"] / 1e9)
        if names(p["path"]) != q["path"][-24:]:
            print(f"{m['name']}: {names(p['path'])}, waits tells {q['path']}")
            wrong.append(m["name"])
        for i, ns in enumerate(grouped(q["ranks_s"])):
            same(f"{m['name']} {names(p['path'])} rank {i}", p["ranks_ns"][i], ns)
if len(seen["longest"]) != len(told["instances"]):
    wrong.append("longest")
for w, i in zip(seen["longest"], told["instances"]):
    same("longest", w["severity_ns"], i["severity_s"])
    for key in "metric", "rank", "begin_ns", "end_ns", "cause_rank":
        if w[key] != i[key]:
            print(f"longest: {key} {w[key]}, waits tells {i[key]}")
            wrong.append(key)
column = {}
number = seen["iterations"]["number"]
for k in range(len(number) // 3):
    column.update({i: k for i in range(number[3 * k], number[3 * k + 1] + 1)})
for p in by_iteration["parts"]:
    if number[3 * column[p["iteration"]] + 2] != p["disturbed"]:
        print(f"iteration {p['iteration']}: waits tells that it is {'' if p['disturbed'] else 'not '}disturbed")
        wrong.append("disturbed")
for name, ns in seen["iterations"]["ns"].items():
    sums = collections.Counter()
    for p in by_iteration["parts"]:
        sums[column[p["iteration"]]] += round(p["severities_s"][name] * 1e9)
    for k, value in enumerate(ns):
        same(f"{name}, column {k}", value, sums[k] / 1e9)
said = " ".join(ask().split())
for line in seen["said"].splitlines():
    if line not in said:
        print(f"waits does not say: {line}")
        wrong.append(line)
for d in seen["delays"]:
    kind = {"late_sender": "late_sender", "late_receiver": "late_receiver", "wait_barrier": "barrier", "wait_nxn": "n2n",
            "late_bcast": "12n", "early_reduce": "n21"}[d["metric"]]
    same(f"costs of {kind}", d["short_ns"] + d["long_ns"], told["delay"][kind]["short_s"] + told["delay"][kind]["long_s"])
for i, (c, q) in enumerate(zip(seen["costs"], told["costs"])):
    same(f"cause {i}", c["short_ns"] + c["long_ns"], q["short_s"] + q["long_s"])
    if (c["rank"], names(c["path"])) != (q["rank"], q["path"][-24:]):
        print(f"cause {i}: {names(c['path'])}, waits tells {q['path']}")
        wrong.append("causes")
if len(seen["costs"]) != min(10, len(told["costs"])):
    wrong.append("number of causes")
same("critical path", seen["critical"]["ns"], told["critical_path"]["length_s"])
over = {tuple(m["path"]): m["imbalance_s"] for m in told["critical_path"]["imbalance"]}
for i, (p, q) in enumerate(zip(seen["critical"]["parts"], told["critical_path"]["paths"])):
    same(f"critical path {i}", p["ns"], q["length_s"])
    same(f"imbalance {i}", p["over_ns"], over.get(tuple(q["path"])))

print(f"{count} numbers of wait states compared")
sys.exit(len(wrong) > 0 or count == 0)
