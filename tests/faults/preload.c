/*
 * A library for LD_PRELOAD that makes the N-th call of a kind fail in the program it is loaded
 * into.
 *
 *   FAULT=CALL:N:HOW[:on]  the N-th call of kind CALL from main on fails; with ":on" all later
 * ones, too FAULT_COUNT=FILE       at the end, write how many calls of each kind there were
 *   FAULT_STACK=FILE       on a deadly signal, write the stack
 *   FAULT_WHERE=FILE       when the call fails, write the stack
 *
 * HOW is the name of an error (ENOSPC, EIO, ...), SHORT (half of what was asked for), or a signal
 * (KILL, TERM, INT) that arrives right before the call. Only calls from main on count, so that the
 * dynamic linker's own do not; standard error never fails, so that the words can be read.
 *
 * Time of day and host are the same in every run: what is written then depends on the input alone.
 */
#define _GNU_SOURCE
/* The functions are defined here, not their fortified forms. */
#undef _FORTIFY_SOURCE

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define SHOW __attribute__((visibility("default")))

enum call {
    WRITE,
    PWRITE,
    FSYNC,
    RENAME,
    OPEN,
    READ,
    PREAD,
    MMAP,
    CLOSE,
    MALLOC,
    STDIO,
    FOLDER,
    UNLINK,
    STAT,
    CALLS
};

static const char *const call_names[CALLS] = { "write", "pwrite", "fsync",  "rename", "open",
                                               "read",  "pread",  "mmap",   "close",  "malloc",
                                               "stdio", "folder", "unlink", "stat" };

/* What FAULT says; how < 0: short. */
static enum call fault_call = CALLS;
static long fault_at;
static int fault_errno, fault_signal;
static bool fault_short, fault_on;

static atomic_long counts[CALLS];
static atomic_bool counting;

static const struct {
    const char *name;
    int number;
} errors[] = { { "ENOSPC", ENOSPC }, { "EIO", EIO },       { "EINTR", EINTR },
               { "EMFILE", EMFILE }, { "EACCES", EACCES }, { "ENOMEM", ENOMEM },
               { "EDQUOT", EDQUOT }, { "EROFS", EROFS } },
  signals[] = { { "KILL", SIGKILL }, { "TERM", SIGTERM }, { "INT", SIGINT } };

/* --- What is asked for ------------------------------------------------------------------- */

static void fault_how(const char *how)
{
    fault_short = strncmp(how, "SHORT", 5) == 0;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (strncmp(how, errors[i].name, strlen(errors[i].name)) == 0)
            fault_errno = errors[i].number;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (strncmp(how, signals[i].name, strlen(signals[i].name)) == 0)
            fault_signal = signals[i].number;
}

static void fault_read(void)
{
    const char *text = getenv("FAULT"), *at = text ? strchr(text, ':') : NULL;
    char *how;

    if (!at)
        return;
    fault_at = strtol(at + 1, &how, 10);
    if (*how != ':')
        return;
    fault_how(how + 1);
    fault_on = strstr(how + 1, ":on") != NULL;
    for (int i = 0; i < CALLS; i++)
        if (strlen(call_names[i]) == (size_t)(at - text) &&
            strncmp(call_names[i], text, (size_t)(at - text)) == 0)
            fault_call = (enum call)i;
}

/* --- Deaths ------------------------------------------------------------------------------ */

/* NOLINTBEGIN(bugprone-signal-handler): it dies anyhow, and where is worth the risk. */
static void stack_tell(const char *path)
{
    void *frame[64];
    const int fd =
        path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;

    atomic_store(&counting, false);
    if (fd >= 0)
        backtrace_symbols_fd(frame, backtrace(frame, 64), fd);
    atomic_store(&counting, true);
}

static void death(int number)
{
    stack_tell(getenv("FAULT_STACK"));
    signal(number, SIG_DFL);
    raise(number);
}
/* NOLINTEND(bugprone-signal-handler) */

static void death_watch(void)
{
    static const int deadly[] = { SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL };
    void *frame[4];

    /* The first call loads what later ones need. */
    backtrace(frame, 4);
    for (size_t i = 0; getenv("FAULT_STACK") && i < sizeof deadly / sizeof *deadly; i++)
        signal(deadly[i], death);
}

/* --- Counting ---------------------------------------------------------------------------- */

static void count_tell(void)
{
    const char *path = getenv("FAULT_COUNT");
    char text[512];
    size_t length = 0;
    long fd;

    atomic_store(&counting, false);
    if (!path)
        return;
    for (int i = 0; i < CALLS; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s %ld\n", call_names[i],
                                   atomic_load(&counts[i]));
    fd = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || syscall(SYS_write, fd, text, length) != (long)length)
        _exit(99);
    syscall(SYS_close, fd);
}

/* Does this call fail? Then errno is set, or *half (where there can be a half) is true. */
static bool fails(enum call c, bool *half)
{
    long n;

    if (half)
        *half = false;
    if (!atomic_load_explicit(&counting, memory_order_relaxed))
        return false;
    n = atomic_fetch_add(&counts[c], 1) + 1;
    if (c != fault_call || n < fault_at || (n > fault_at && !fault_on))
        return false;
    if (n == fault_at && getenv("FAULT_WHERE"))
        stack_tell(getenv("FAULT_WHERE"));
    if (fault_signal) {
        kill((pid_t)syscall(SYS_getpid), fault_signal);
        return false;
    }
    if (fault_short) {
        if (half)
            *half = true;
        return false;
    }
    errno = fault_errno;
    return true;
}

static int (*real_main)(int, char **, char **);

static int counted_main(int argc, char **argv, char **envp)
{
    int status;

    fault_read();
    death_watch();
    atomic_store(&counting, true);
    status = real_main(argc, argv, envp);
    count_tell();
    return status;
}

static void *real(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

/* The real function of that name, sought once. */
#define REAL(name)                                                                                 \
    static __typeof__(&name) next;                                                                 \
    if (!next)                                                                                     \
    *(void **)&next = real(#name)

SHOW int __libc_start_main(int (*program)(int, char **, char **), int argc, char **argv,
                           void (*init)(void), void (*fini)(void), void (*end)(void), void *stack)
{
    __typeof__(&__libc_start_main) next;

    *(void **)&next = real("__libc_start_main");
    real_main = program;
    return next(counted_main, argc, argv, init, fini, end, stack);
}

/* --- Files by their descriptors ---------------------------------------------------------- */

static size_t half_of(size_t count)
{
    return count > 1 ? count / 2 : count;
}

SHOW ssize_t write(int fd, const void *bytes, size_t count)
{
    bool half = false;

    if (fd != STDERR_FILENO && fails(WRITE, &half))
        return -1;
    return syscall(SYS_write, fd, bytes, half ? half_of(count) : count);
}

SHOW ssize_t writev(int fd, const struct iovec *part, int parts)
{
    if (fd != STDERR_FILENO && fails(WRITE, NULL))
        return -1;
    return syscall(SYS_writev, fd, part, parts);
}

SHOW ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset)
{
    bool half;

    if (fails(PWRITE, &half))
        return -1;
    return syscall(SYS_pwrite64, fd, bytes, half ? half_of(count) : count, offset);
}

SHOW ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t offset)
{
    return pwrite(fd, bytes, count, offset);
}

SHOW ssize_t read(int fd, void *bytes, size_t count)
{
    bool half;

    if (fails(READ, &half))
        return -1;
    return syscall(SYS_read, fd, bytes, half ? half_of(count) : count);
}

SHOW ssize_t __read_chk(int fd, void *bytes, size_t count, size_t room)
{
    return count > room ? (abort(), -1) : read(fd, bytes, count);
}

SHOW ssize_t pread(int fd, void *bytes, size_t count, off_t offset)
{
    bool half;

    if (fails(PREAD, &half))
        return -1;
    return syscall(SYS_pread64, fd, bytes, half ? half_of(count) : count, offset);
}

SHOW ssize_t pread64(int fd, void *bytes, size_t count, off_t offset)
{
    return pread(fd, bytes, count, offset);
}

static int sync_fd(long number, int fd)
{
    return fails(FSYNC, NULL) ? -1 : (int)syscall(number, fd);
}

SHOW int fsync(int fd)
{
    return sync_fd(SYS_fsync, fd);
}

SHOW int fdatasync(int fd)
{
    return sync_fd(SYS_fdatasync, fd);
}

SHOW int syncfs(int fd)
{
    return sync_fd(SYS_syncfs, fd);
}

/* As the kernel does it: the descriptor is gone all the same. */
SHOW int close(int fd)
{
    const bool failed = fails(CLOSE, NULL);
    const int number = errno;
    const int result = (int)syscall(SYS_close, fd);

    if (!failed)
        return result;
    errno = number;
    return -1;
}

SHOW int ftruncate(int fd, off_t size)
{
    return fails(WRITE, NULL) ? -1 : (int)syscall(SYS_ftruncate, fd, size);
}

/* --- Opening ----------------------------------------------------------------------------- */

static int open_at(int folder, const char *path, int flags, mode_t mode)
{
    return fails(OPEN, NULL) ? -1 : (int)syscall(SYS_openat, folder, path, flags, mode);
}

static mode_t open_mode(int flags, va_list more)
{
    return flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, mode_t) : 0;
}

#define OPEN_LIKE(name)                                                                            \
    SHOW int name(const char *path, int flags, ...)                                                \
    {                                                                                              \
        va_list more;                                                                              \
        mode_t mode;                                                                               \
                                                                                                   \
        va_start(more, flags);                                                                     \
        mode = open_mode(flags, more);                                                             \
        va_end(more);                                                                              \
        return open_at(AT_FDCWD, path, flags, mode);                                               \
    }
#define OPENAT_LIKE(name)                                                                          \
    SHOW int name(int folder, const char *path, int flags, ...)                                    \
    {                                                                                              \
        va_list more;                                                                              \
        mode_t mode;                                                                               \
                                                                                                   \
        va_start(more, flags);                                                                     \
        mode = open_mode(flags, more);                                                             \
        va_end(more);                                                                              \
        return open_at(folder, path, flags, mode);                                                 \
    }

OPEN_LIKE(open)
OPEN_LIKE(open64)
OPENAT_LIKE(openat)
OPENAT_LIKE(openat64)

SHOW int __open_2(const char *path, int flags)
{
    return open_at(AT_FDCWD, path, flags, 0);
}

SHOW int __open64_2(const char *path, int flags)
{
    return open_at(AT_FDCWD, path, flags, 0);
}

SHOW int __openat_2(int folder, const char *path, int flags)
{
    return open_at(folder, path, flags, 0);
}

SHOW int mkstemp(char *path)
{
    REAL(mkstemp);
    return fails(OPEN, NULL) ? -1 : next(path);
}

SHOW FILE *fopen(const char *path, const char *mode)
{
    REAL(fopen);
    return fails(STDIO, NULL) ? NULL : next(path, mode);
}

SHOW FILE *fopen64(const char *path, const char *mode)
{
    REAL(fopen64);
    return fails(STDIO, NULL) ? NULL : next(path, mode);
}

SHOW void *mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset)
{
    return fails(MMAP, NULL) ? MAP_FAILED
                             : (void *)syscall(SYS_mmap, at, length, protection, flags, fd, offset);
}

SHOW void *mmap64(void *at, size_t length, int protection, int flags, int fd, off_t offset)
{
    return mmap(at, length, protection, flags, fd, offset);
}

/* --- Streams ----------------------------------------------------------------------------- */

static bool stream_fails(FILE *file)
{
    if (file == stderr || !fails(STDIO, NULL))
        return false;
    file->_flags |= 0x20; /* what ferror looks at in glibc */
    return true;
}

SHOW size_t fread(void *to, size_t size, size_t count, FILE *file)
{
    REAL(fread);
    return stream_fails(file) ? 0 : next(to, size, count, file);
}

SHOW size_t fwrite(const void *from, size_t size, size_t count, FILE *file)
{
    REAL(fwrite);
    return stream_fails(file) ? 0 : next(from, size, count, file);
}

SHOW int fflush(FILE *file)
{
    REAL(fflush);
    return file && stream_fails(file) ? EOF : next(file);
}

SHOW int fclose(FILE *file)
{
    const bool failed = file != stderr && fails(STDIO, NULL);
    const int number = errno;
    int result;

    REAL(fclose);
    result = next(file);
    if (!failed)
        return result;
    errno = number;
    return EOF;
}

/* --- Names ------------------------------------------------------------------------------- */

SHOW int rename(const char *from, const char *to)
{
    return fails(RENAME, NULL) ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

SHOW int renameat(int a, const char *from, int b, const char *to)
{
    return fails(RENAME, NULL) ? -1 : (int)syscall(SYS_renameat2, a, from, b, to, 0);
}

SHOW int renameat2(int a, const char *from, int b, const char *to, unsigned flags)
{
    return fails(RENAME, NULL) ? -1 : (int)syscall(SYS_renameat2, a, from, b, to, flags);
}

SHOW int link(const char *from, const char *to)
{
    return fails(RENAME, NULL) ? -1 : (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

SHOW int linkat(int a, const char *from, int b, const char *to, int flags)
{
    return fails(RENAME, NULL) ? -1 : (int)syscall(SYS_linkat, a, from, b, to, flags);
}

/* A name that cannot be removed stays: only signals are sent here. */
static void unlink_counts(void)
{
    const int number = errno;

    (void)fails(UNLINK, NULL);
    errno = number;
}

SHOW int unlink(const char *path)
{
    unlink_counts();
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

SHOW int unlinkat(int folder, const char *path, int flags)
{
    unlink_counts();
    return (int)syscall(SYS_unlinkat, folder, path, flags);
}

SHOW int rmdir(const char *path)
{
    unlink_counts();
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
}

SHOW int mkdir(const char *path, mode_t mode)
{
    return fails(FOLDER, NULL) ? -1 : (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

SHOW int mkdirat(int folder, const char *path, mode_t mode)
{
    return fails(FOLDER, NULL) ? -1 : (int)syscall(SYS_mkdirat, folder, path, mode);
}

SHOW char *mkdtemp(char *path)
{
    REAL(mkdtemp);
    return fails(FOLDER, NULL) ? NULL : next(path);
}

SHOW DIR *opendir(const char *path)
{
    REAL(opendir);
    return fails(FOLDER, NULL) ? NULL : next(path);
}

SHOW DIR *fdopendir(int fd)
{
    REAL(fdopendir);
    return fails(FOLDER, NULL) ? NULL : next(fd);
}

SHOW struct dirent *readdir(DIR *folder)
{
    REAL(readdir);
    return fails(FOLDER, NULL) ? NULL : next(folder);
}

SHOW struct dirent64 *readdir64(DIR *folder)
{
    REAL(readdir64);
    return fails(FOLDER, NULL) ? NULL : next(folder);
}

SHOW int scandir(const char *path, struct dirent ***out, int (*keep)(const struct dirent *),
                 int (*order)(const struct dirent **, const struct dirent **))
{
    REAL(scandir);
    return fails(FOLDER, NULL) ? -1 : next(path, out, keep, order);
}

SHOW int stat(const char *path, struct stat *out)
{
    REAL(stat);
    return fails(STAT, NULL) ? -1 : next(path, out);
}

SHOW int lstat(const char *path, struct stat *out)
{
    REAL(lstat);
    return fails(STAT, NULL) ? -1 : next(path, out);
}

SHOW int fstat(int fd, struct stat *out)
{
    REAL(fstat);
    return fails(STAT, NULL) ? -1 : next(fd, out);
}

SHOW int fstatat(int folder, const char *path, struct stat *out, int flags)
{
    REAL(fstatat);
    return fails(STAT, NULL) ? -1 : next(folder, path, out, flags);
}

/* --- Memory: glibc's own allocator has names that need no search --------------------------- */

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

SHOW void *malloc(size_t size)
{
    return fails(MALLOC, NULL) ? NULL : __libc_malloc(size);
}

SHOW void *calloc(size_t count, size_t size)
{
    return fails(MALLOC, NULL) ? NULL : __libc_calloc(count, size);
}

SHOW void *realloc(void *old, size_t size)
{
    return fails(MALLOC, NULL) ? NULL : __libc_realloc(old, size);
}

SHOW void *memalign(size_t alignment, size_t size)
{
    return fails(MALLOC, NULL) ? NULL : __libc_memalign(alignment, size);
}

SHOW void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

SHOW int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *got = memalign(alignment, size);

    if (!got)
        return ENOMEM;
    *out = got;
    return 0;
}

/* --- The same day on the same host --------------------------------------------------------- */

#define DAY 1700000000

SHOW time_t time(time_t *out)
{
    if (out)
        *out = DAY;
    return DAY;
}

SHOW int gettimeofday(struct timeval *out, void *zone)
{
    (void)zone;
    *out = (struct timeval){ .tv_sec = DAY };
    return 0;
}

SHOW int clock_gettime(clockid_t clock, struct timespec *out)
{
    (void)clock;
    *out = (struct timespec){ .tv_sec = DAY };
    return 0;
}

SHOW long gethostid(void)
{
    return 1;
}
