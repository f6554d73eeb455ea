"""What a Spack recipe says, without Spack: python3 spack_stub.py FOLDER [+VARIANT | ~VARIANT]...

FOLDER holds packages/prvcut/package.py. Prints the arguments of cmake, one a line, then '--', then what it depends on.
"""

import importlib.util
import os
import sys
import types

told = {"variant": {}, "depends_on": [], "version": []}


class CMakePackage:
    def __init__(self, chosen):
        self.chosen = chosen

    def define(self, name, value):
        return f"-D{name}={('ON' if value else 'OFF') if isinstance(value, bool) else value}"

    def define_from_variant(self, name, variant):
        if variant not in told["variant"]:
            raise KeyError(variant)
        return self.define(name, self.chosen.get(variant, told["variant"][variant]))


def decorator(*args, **kwargs):
    return lambda function: function


stub = types.ModuleType("spack.package")
stub.CMakePackage = CMakePackage
stub.Executable = None
stub.version = lambda number, **rest: told["version"].append((number, rest))
stub.license = lambda *args, **kwargs: None
stub.variant = lambda name, default=False, description="": told["variant"].__setitem__(name, default)
stub.depends_on = lambda spec, type=None, when=None: told["depends_on"].append((spec, when))
stub.run_after = stub.on_package_attributes = decorator
sys.modules["spack"] = types.ModuleType("spack")
sys.modules["spack.package"] = stub

path = os.path.join(sys.argv[1], "packages", "prvcut", "package.py")
spec = importlib.util.spec_from_file_location("recipe", path)
recipe = importlib.util.module_from_spec(spec)
sys.dont_write_bytecode = True
spec.loader.exec_module(recipe)

chosen = {word[1:]: word[0] == "+" for word in sys.argv[2:]}
for argument in recipe.Prvcut(chosen).cmake_args():
    print(argument)
print("--")
for number, rest in told["version"]:
    print("version", number, rest.get("sha256", ""), rest.get("url", ""))
for name, when in told["depends_on"]:
    if when is None or chosen.get(when[1:], told["variant"].get(when[1:])) == (when[0] == "+"):
        print("needs", name)
