# prvcut for Spack. 'spack repo add FOLDER', FOLDER being the one with repo.yaml, then 'spack install prvcut'.
# release.sh puts a version with its checksum in here, and where its source archive lies.

try:
    from spack_repo.builtin.build_systems.cmake import CMakePackage
except ImportError:  # before Spack 1.0
    from spack.package import CMakePackage

from spack.package import *


class Prvcut(CMakePackage):
    """Finds the loop that a parallel program repeats in its trace (Paraver, OTF2, OTF), and cuts two typical
    iterations out of it, as a small trace in the same format."""

    homepage = "https://prvcut.invalid"

    # The versions: release.sh puts them here.

    # FFTW is under the GPL: so is a program that is linked with it.
    license("BSD-3-Clause")

    variant("otf2", default=True, description="Read and write OTF2 archives")
    variant("mpi", default=False, description="Build prvcut-mpi, which shares one reading between machines")

    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("fftw-api@3")
    depends_on("zlib-api")
    depends_on("zstd")
    depends_on("jansson")
    depends_on("libarchive")
    depends_on("nettle")
    depends_on("libxml2")
    depends_on("sqlite@3:")
    depends_on("otf2", when="+otf2")
    depends_on("mpi", when="+mpi")

    def cmake_args(self):
        return [
            self.define("PRVCUT_TESTS", False),
            self.define_from_variant("PRVCUT_OTF2", "otf2"),
            self.define_from_variant("PRVCUT_MPI", "mpi"),
        ]

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_version(self):
        Executable(self.prefix.bin.prvcut)("--version")
