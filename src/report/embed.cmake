# Files as texts of C: cmake -D OUT=FILE.c -D IN="A;B" -P embed.cmake
# A.css becomes the array report_A_css, its last byte is 0.
set(text "#include \"report/page_files.h\"\n")
foreach(file ${IN})
    get_filename_component(name ${file} NAME)
    string(REPLACE "." "_" name ${name})
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " bytes "${bytes}")
    string(APPEND text "\nconst char report_${name}[] = {\n${bytes}0\n};\n")
endforeach()
file(WRITE ${OUT} "${text}")
