# What ctest sets for every test. The OTF2 library asks for the host's address, which libc looks up in the
# network where no file has it: that may not take long, or it is taken for a test that hangs.
set(ENV{RES_OPTIONS} "timeout:1 attempts:1")
# Small jobs, thousands of them: with large pages a process has a quarter of the page faults, which on a
# virtual machine are most of what it takes.
set(ENV{GLIBC_TUNABLES} "glibc.malloc.hugetlb=1")
# What is released is kept back for a while by AddressSanitizer, 256 MiB of it by default: with less of it memory is used
# again, and page faults are fewer for the same reason. Undefined behaviour is an illegal instruction; the report names its line.
if(NOT DEFINED ENV{ASAN_OPTIONS})
    set(ENV{ASAN_OPTIONS} "quarantine_size_mb=8:malloc_context_size=5:handle_sigill=1")
endif()
