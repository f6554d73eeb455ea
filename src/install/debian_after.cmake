# Run by cpack on the packages that it made. It gives a library scripts that call ldconfig; Debian wants
# a trigger instead, which runs once for all packages of an installation.
cmake_minimum_required(VERSION 3.25)
foreach(package ${CPACK_PACKAGE_FILES})
    if(NOT package MATCHES "/libprvcut[0-9]+_[^/]*[.]deb$")
        continue()
    endif()
    set(unpacked ${package}.unpacked)
    file(REMOVE_RECURSE ${unpacked})
    execute_process(COMMAND dpkg-deb -R ${package} ${unpacked} COMMAND_ERROR_IS_FATAL ANY)
    file(REMOVE ${unpacked}/DEBIAN/postinst ${unpacked}/DEBIAN/postrm)
    file(WRITE ${unpacked}/DEBIAN/triggers "activate-noawait ldconfig\n")
    file(CHMOD ${unpacked}/DEBIAN/triggers PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
    execute_process(COMMAND dpkg-deb --root-owner-group -Zxz -b ${unpacked} ${package}
        OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
    file(REMOVE_RECURSE ${unpacked})
endforeach()
