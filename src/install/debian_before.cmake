# Run by cpack on what it installed, CPACK_TEMPORARY_DIRECTORY/COMPONENT/usr, before it packs that:
# manual pages are compressed, the search path is left to the system, copyright and changes are added.
cmake_minimum_required(VERSION 3.25)
if(NOT CPACK_GENERATOR STREQUAL DEB)
    return()
endif()
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(version ${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})

# compress FILE: as Debian does, without name and time
function(compress file)
    execute_process(COMMAND gzip -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

foreach(component ${CPACK_COMPONENTS_ALL})
    set(usr ${CPACK_TEMPORARY_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX})
    set(doc ${usr}/share/doc/${component})
    configure_file(${CPACK_PRVCUT_SOURCE}/LICENSE ${doc}/copyright COPYONLY)
    configure_file(${CPACK_PRVCUT_SOURCE}/CHANGES.md ${doc}/changelog COPYONLY)
    file(WRITE ${doc}/changelog.Debian "prvcut (${version}) unstable; urgency=medium\n\n"
        "  * Packages made from the sources by cpack; for what is new see changelog.gz.\n\n"
        " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
    compress(${doc}/changelog)
    compress(${doc}/changelog.Debian)

    file(GLOB pages ${usr}/share/man/man*/*)
    foreach(page ${pages})
        if(IS_SYMLINK ${page})
            file(READ_SYMLINK ${page} target)
            file(REMOVE ${page})
            file(CREATE_LINK ${target}.gz ${page}.gz SYMBOLIC)
        else()
            compress(${page})
        endif()
    endforeach()
    file(GLOB programs ${usr}/bin/*)
    foreach(program ${programs})
        if(NOT IS_SYMLINK ${program})
            file(RPATH_REMOVE FILE ${program})
        endif()
    endforeach()
endforeach()
