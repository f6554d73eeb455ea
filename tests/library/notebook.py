"""A notebook without jupyter: python3 notebook.py form|run FILE, keep FROM TO."""

import contextlib
import io
import json
import sys

MOST = 200_000  # bytes: it stands in the repository


def code(notebook):
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def data(cell, kind):
    return [o["data"][kind] for o in cell["outputs"] if kind in o.get("data", {})]


def form(path, text, notebook):
    """It is small, ran without a fault and in order, and has two drawings."""
    assert len(text.encode()) <= MOST, f"{path}: more than {MOST} bytes"
    assert notebook["nbformat"] == 4
    cells = code(notebook)
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1)), "not in order"
    for cell in cells:
        compile("".join(cell["source"]), path, "exec")
        for output in cell["outputs"]:
            assert output["output_type"] in ("stream", "display_data", "execute_result"), output
            assert output.get("name") != "stderr", output
    assert sum(len(data(cell, "image/png")) for cell in cells) >= 2, "two drawings"


def told(cell):
    """What stands in it that a cell printed."""
    return "".join("".join(o["text"]) for o in cell["outputs"] if o["output_type"] == "stream")


def run(notebook):
    """Every cell, one after the other: it prints what it printed, the last expression is what it was."""
    names = {}
    for number, cell in enumerate(code(notebook), 1):
        said, source = io.StringIO(), "".join(cell["source"])
        lines = source.splitlines()
        with contextlib.redirect_stdout(said):
            exec(compile(source, f"cell {number}", "exec"), names)
        assert said.getvalue() == told(cell), f"cell {number}: {said.getvalue()!r}, not {told(cell)!r}"
        shown = data(cell, "text/plain")
        if shown and not data(cell, "image/png") and lines[-1][:1] not in (" ", ")"):
            now = repr(eval(lines[-1], names))
            assert now == "".join(shown[0]), f"cell {number}: {now}, not {''.join(shown[0])}"
    assert all(marks.startswith("disturbed") for marks in names["disturbed"].marks), "others are drawn as disturbed"
    import matplotlib.pyplot

    drawings = [matplotlib.pyplot.figure(n) for n in matplotlib.pyplot.get_fignums()]
    assert len(drawings) >= 2 and all(d.axes and d.axes[0].has_data() for d in drawings), "two drawings"


def keep(source, target):
    """As jupyter left it, without what is of this machine."""
    with open(source, encoding="utf-8") as f:
        notebook = json.load(f)
    for cell in notebook["cells"]:
        cell["metadata"] = {}
        cell.pop("id", None)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook["metadata"] = {"kernelspec": kernel, "language_info": {"name": "python"}}
    notebook["nbformat"], notebook["nbformat_minor"] = 4, 4
    text = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
    form(source, text, notebook)
    with open(target, "w", encoding="utf-8") as f:
        f.write(text)


def main(what, path, *more):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    notebook = json.loads(text)
    if what == "form":
        form(path, text, notebook)
    elif what == "run":
        run(notebook)
    else:
        keep(path, *more)


if __name__ == "__main__":
    main(*sys.argv[1:])
