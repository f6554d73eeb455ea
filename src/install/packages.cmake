# Debian packages: 'cpack -G DEB' in the folder of a finished build makes one of each component. What
# Debian wants of a package beyond the installed files is done by debian_before.cmake and
# debian_after.cmake.
if(PRVCUT_STATIC)
    return()
endif()
set(PRVCUT_MAINTAINER "The prvcut authors <authors@prvcut.invalid>" CACHE STRING
    "Name and address that the packages give for questions: those of whoever makes them")
set(scripts ${CMAKE_CURRENT_SOURCE_DIR}/src/install)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME prvcut)
set(CPACK_PACKAGE_VENDOR "The prvcut authors")
set(CPACK_PACKAGE_CONTACT "${PRVCUT_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ
    GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
# As Debian has it, the library's package is called by its soname.
set(CPACK_COMPONENTS_ALL prvcut libprvcut${soname} libprvcut-dev python3-prvcut)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# Older than any revision of Debian's own.
set(CPACK_DEBIAN_PACKAGE_RELEASE 0cpack1)
set(CPACK_DEBIAN_PACKAGE_SOURCE prvcut)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_CURRENT_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(library "libprvcut${soname} (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
set(about "libprvcut reads traces of parallel programs (Paraver, OTF2, OTF), computes
metrics over time, finds the periodic structure of the run, and writes
representative iterations as traces of their own.")

set(CPACK_DEBIAN_PRVCUT_PACKAGE_NAME prvcut)
set(CPACK_DEBIAN_PRVCUT_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PRVCUT_PACKAGE_DEPENDS "${library}")
set(CPACK_DEBIAN_PRVCUT_DESCRIPTION "cut traces of parallel programs down to representative iterations
Traces of parallel programs outgrow the viewers that should show them. Most
of such a run is one loop: prvcut finds the iteration that the program
repeats, chooses representative ones, writes them as a small trace of their
own, and measures how well it stands for the rest.

It reads and cuts Paraver, OTF2 and OTF traces, each in its own format,
converts between them and to Paje and Perfetto, and exports metrics over
time.")

set(CPACK_DEBIAN_LIBPRVCUT${soname}_PACKAGE_NAME libprvcut${soname})
set(CPACK_DEBIAN_LIBPRVCUT${soname}_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBPRVCUT${soname}_DESCRIPTION "find and cut iterations in traces of parallel programs - library
${about}

This package contains the shared library.")

# libprvcut.a wants what its libraries want in turn: libarchive-dev does not name it all itself.
set(CPACK_DEBIAN_LIBPRVCUT-DEV_PACKAGE_NAME libprvcut-dev)
set(CPACK_DEBIAN_LIBPRVCUT-DEV_PACKAGE_SECTION libdevel)
set(needed "${library}" libfftw3-dev libzstd-dev zlib1g-dev libxml2-dev libjansson-dev libarchive-dev libsqlite3-dev
    nettle-dev libacl1-dev libbz2-dev liblz4-dev liblzma-dev)
if(otf2_FOUND)
    list(APPEND needed libopen-trace-format2-dev)
endif()
list(JOIN needed ", " CPACK_DEBIAN_LIBPRVCUT-DEV_PACKAGE_DEPENDS)
set(CPACK_DEBIAN_LIBPRVCUT-DEV_DESCRIPTION "find and cut iterations in traces of parallel programs - development
${about}

This package contains the headers, the static library, what pkg-config and
CMake need, the manual page and sample programs.")

set(CPACK_DEBIAN_PYTHON3-PRVCUT_PACKAGE_NAME python3-prvcut)
set(CPACK_DEBIAN_PYTHON3-PRVCUT_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON3-PRVCUT_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON3-PRVCUT_PACKAGE_DEPENDS "python3 (>= 3.9), ${library}")
set(CPACK_DEBIAN_PYTHON3-PRVCUT_DESCRIPTION "find and cut iterations in traces of parallel programs - Python
${about}

This package contains the Python package, whose answers are dictionaries,
tables for pandas, and arrays for numpy.")

set(CPACK_PRVCUT_SOURCE ${CMAKE_CURRENT_SOURCE_DIR})
set(CPACK_PRVCUT_STRIP ${CMAKE_STRIP})
set(CPACK_PRE_BUILD_SCRIPTS ${scripts}/debian_before.cmake)
set(CPACK_POST_BUILD_SCRIPTS ${scripts}/debian_after.cmake)
include(CPack)
