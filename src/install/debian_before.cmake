# Run by cpack on what it installed, CPACK_TEMPORARY_DIRECTORY/COMPONENT/usr, before it packs that:
# manual pages are compressed, programs and libraries stripped, the search path for libraries is left to
# the system, copyright and changes are added.
cmake_minimum_required(VERSION 3.25)
if(NOT CPACK_GENERATOR STREQUAL DEB)
    return()
endif()
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # SOURCE_DATE_EPOCH where that is set
set(version ${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})

# compress FILE: as Debian does, without name and time
function(compress file)
    execute_process(COMMAND gzip -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# document COMPONENT FOLDER: what a package says of itself
function(document component doc)
    configure_file(${CPACK_PRVCUT_SOURCE}/LICENSE ${doc}/copyright COPYONLY)
    configure_file(${CPACK_PRVCUT_SOURCE}/CHANGES.md ${doc}/changelog COPYONLY)
    file(WRITE ${doc}/changelog.Debian "prvcut (${version}) unstable; urgency=medium\n\n"
        "  * Packages made from the sources by cpack; for what is new see changelog.gz.\n\n"
        " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
    compress(${doc}/changelog)
    compress(${doc}/changelog.Debian)
endfunction()

# compress_page PAGE: a link goes on to lead to its page
function(compress_page page)
    if(IS_SYMLINK ${page})
        file(READ_SYMLINK ${page} target)
        file(REMOVE ${page})
        file(CREATE_LINK ${target}.gz ${page}.gz SYMBOLIC)
    else()
        compress(${page})
    endif()
endfunction()

foreach(component ${CPACK_COMPONENTS_ALL})
    set(usr ${CPACK_TEMPORARY_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX})
    document(${component} ${usr}/share/doc/${component})
    file(GLOB pages ${usr}/share/man/man*/*)
    foreach(page ${pages})
        compress_page(${page})
    endforeach()

    # Debian's zsh looks for what packages complete in a folder of its own.
    if(EXISTS ${usr}/share/zsh/site-functions)
        file(RENAME ${usr}/share/zsh/site-functions ${usr}/share/zsh/vendor-completions)
    endif()

    file(GLOB programs ${usr}/bin/*)
    file(GLOB_RECURSE libraries ${usr}/lib/*.so.* ${usr}/lib/*.a)
    foreach(binary ${programs} ${libraries})
        if(IS_SYMLINK ${binary})
            continue()
        elseif(binary MATCHES "[.]a$")
            set(what --strip-debug --enable-deterministic-archives)
        else()
            file(RPATH_REMOVE FILE ${binary})
            set(what --strip-unneeded --remove-section=.note)
        endif()
        execute_process(COMMAND ${CPACK_PRVCUT_STRIP} ${what} --remove-section=.comment ${binary}
            COMMAND_ERROR_IS_FATAL ANY)
    endforeach()
endforeach()
