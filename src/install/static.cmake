# The program as one file. At link time the C library warns of getpwnam, getaddrinfo and the like, which
# libarchive and libxml2 could call: never here, as archives hold no owners and XML is not fetched.
set(modules zlib libzstd fftw3 jansson libarchive nettle libxml-2.0 sqlite3)
if(otf2_FOUND)
    list(APPEND modules otf2)
endif()
pkg_check_modules(static REQUIRED QUIET ${modules})

# What pkg-config names must be there as an archive; a missing one is told now, not by the linker.
execute_process(COMMAND ${CMAKE_C_COMPILER} -print-search-dirs OUTPUT_VARIABLE searched)
string(REGEX MATCH "libraries: =([^\n]*)" searched "${searched}")
string(REPLACE ":" ";" searched "${CMAKE_MATCH_1}")
set(missing)
foreach(name ${static_STATIC_LIBRARIES})
    find_library(archive NAMES lib${name}.a PATHS ${searched} ${static_STATIC_LIBRARY_DIRS} NO_CACHE)
    if(NOT archive)
        list(APPEND missing lib${name}.a)
    endif()
    unset(archive)
endforeach()
if(missing)
    message(FATAL_ERROR "PRVCUT_STATIC needs ${missing} (Debian: libacl1-dev libbz2-dev liblz4-dev "
        "liblzma-dev libicu-dev; without the OTF2 library: -DPRVCUT_OTF2=OFF)")
endif()

add_dependencies(prvcut libprvcut_static)
set_property(TARGET prvcut APPEND PROPERTY LINK_DEPENDS $<TARGET_FILE:libprvcut_static>)
target_link_options(prvcut PRIVATE -static)
# ICU, which libxml2 may use, is written in C++.
target_link_libraries(prvcut PRIVATE $<TARGET_FILE:libprvcut_static> ${static_STATIC_LDFLAGS} stdc++ m)
