#!/bin/sh
# Build the Debian packages, install them on a clean Debian, use them, remove them, see that nothing is
# left. It takes minutes and downloads a Debian: run it by hand before a release; no test suite does.
#
#   sh tests/packaging/run.sh
#
# It needs root, debootstrap, and what building needs; lintian is used where it is installed. MIRROR is
# the archive of Debian [http://deb.debian.org/debian], SUITE its release [bookworm], ROOT a Debian of
# that release that is copied instead of made, BUILD a folder to build in that is kept. The exit status is
# 77 where it cannot be run.
set -eu
. "$(dirname -- "$0")/../support/skip.sh"
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
tree=$here/../..
mirror=${MIRROR:-http://deb.debian.org/debian}
suite=${SUITE:-bookworm}
LC_ALL=C.UTF-8
export LC_ALL

[ "$(id -u)" -eq 0 ] || skip "needs root"
for tool in debootstrap cpack dpkg-deb dpkg-shlibdeps dpkg-buildflags ninja zstd; do
    command -v "$tool" >/dev/null || skip "needs $tool"
done

work=$(mktemp -d "${TMPDIR:-/tmp}/prvcut-packaging.XXXXXX")
root=$work/root
build=${BUILD:-$work/build}
clean_up() {
    ! mountpoint -q "$root/proc" || umount "$root/proc"
    rm -rf --one-file-system "$work"
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP

step() {
    printf '\n== %s\n' "$*"
}

# told COMMAND...: its words are shown only when it fails
told() {
    "$@" >"$work/words" 2>&1 || {
        tail -n 60 "$work/words" >&2
        echo "failed: $*" >&2
        exit 1
    }
}

# inside COMMAND...: on the clean Debian
inside() {
    chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive "$@"
}

# files OUT: all files of the clean Debian but the package manager's own notes and the material
files() {
    (cd "$root" && find . -xdev \( -path ./material -o -path ./var/lib/dpkg -o -path ./var/lib/apt \
        -o -path ./var/cache -o -path ./var/log -o -path ./tmp -o -path ./proc \) -prune -o -print) |
        sort >"$1"
}

# install_packages PACKAGE...: names, or patterns of files there
install_packages() {
    told inside sh -euc "apt-get install -y -qq --no-install-recommends $*"
}

step "build with Debian's flags for packages"
CFLAGS="$(dpkg-buildflags --get CFLAGS) $(dpkg-buildflags --get CPPFLAGS)"
LDFLAGS="$(dpkg-buildflags --get LDFLAGS) -Wl,-z,now"
export CFLAGS LDFLAGS
told cmake -S "$tree" -B "$build" -G Ninja -DPRVCUT_TESTS=OFF
told cmake --build "$build" -j "${JOBS:-2}"
unset CFLAGS LDFLAGS

step "cpack -G DEB"
rm -f "$build"/*.deb
(cd "$build" && told cpack -G DEB)
mkdir "$work/packages"
cp "$build"/*.deb "$work/packages"
for package in "$work"/packages/*.deb; do
    echo "$(basename "$package"): $(dpkg-deb -f "$package" Section), $(dpkg-deb -f "$package" Installed-Size) kB"
    echo "    Depends: $(dpkg-deb -f "$package" Depends)"
    dpkg-deb -c "$package" | awk '$1 !~ /^d/ { sub(/^\.\//, "/", $6); print "    " $6, $7, $8 }'
done

if command -v lintian >/dev/null; then
    step "lintian"
    TMPDIR=$work lintian --allow-root --display-info --fail-on error "$work"/packages/*.deb
    echo "lintian: no error"
fi

step "a clean Debian ($suite, minbase)"
if [ -n "${ROOT:-}" ]; then
    cp -a --one-file-system "$ROOT" "$root"
else
    told debootstrap --variant=minbase "$suite" "$root" "$mirror"
fi
cp /etc/resolv.conf "$root/etc/resolv.conf"
mount -t proc proc "$root/proc"
mkdir -p "$root/material"
cp "$work"/packages/*.deb "$root/material"
zstd -dq "$tree/samples/lu.S.8.prv.zst" -o "$root/material/lu.S.8.prv"
zstd -dq "$tree/samples/lu.S.8.pcf.zst" -o "$root/material/lu.S.8.pcf"
cp "$tree/samples/lu.S.8.row" "$root/material"
told inside apt-get update -qq
inside cat /etc/debian_version
files "$work/before"

step "install prvcut and libprvcut1"
install_packages '/material/prvcut_*.deb' '/material/libprvcut1_*.deb'
# shellcheck disable=SC2016 # the format is dpkg's, not the shell's
inside dpkg-query -W -f '${Package} ${Version} ${db:Status-Status}\n' prvcut libprvcut1
inside ldd /usr/bin/prvcut | grep libprvcut
inside prvcut --version

step "use prvcut"
inside prvcut --iterations 2 -o /tmp/two.prv /material/lu.S.8.prv
inside prvcut check --strict /tmp/two.prv
inside prvcut --iterations 1 --archive /tmp/one.tar.zst /material/lu.S.8.prv >/dev/null
inside prvcut verify /tmp/one.tar.zst

step "as Paraver runs it, by its link"
inside sh -euc "printf '1\\t0\\t132344825\\t1\\n' >/tmp/saved.csv
    /usr/bin/csv-analysis /tmp/two.prv /tmp/saved.csv 0 || test \$? -eq 4
    cp /material/lu.S.8.prv /tmp/app.prv; /usr/bin/csv-analysis /tmp/app.prv /tmp/saved.csv 2
    test -s /tmp/app.iterations.prv; rm /tmp/app.*"

step "purge: what is left of it and of what it brought"
told inside apt-get purge -y -qq prvcut libprvcut1
told inside apt-get autoremove --purge -y -qq
files "$work/after"
if ! diff "$work/before" "$work/after"; then
    echo "left behind (>) or lost (<)" >&2
    exit 1
fi
echo "nothing"

step "install libprvcut-dev, a compiler, pkg-config and CMake"
install_packages gcc libc6-dev pkg-config cmake make '/material/*.deb'
samples=/usr/share/doc/libprvcut-dev/examples
inside ls "$samples"

step "a sample with pkg-config, the shared library"
inside sh -euc "pkg-config --modversion prvcut; pkg-config --cflags --libs prvcut
    cc -std=c11 $samples/find_period.c \$(pkg-config --cflags --libs prvcut) -o /tmp/shared
    ldd /tmp/shared | grep libprvcut
    /tmp/shared /material/lu.S.8.prv"

step "a sample with pkg-config --static, the library in the program"
inside sh -euc "cc -std=c11 $samples/find_period.c \$(pkg-config --cflags prvcut) \
        -Wl,-Bstatic -lprvcut -Wl,-Bdynamic \$(pkg-config --static --libs prvcut) -o /tmp/inside
    ldd /tmp/inside | grep -c libprvcut || test \$? -eq 1
    /tmp/inside /material/lu.S.8.prv"

step "a sample with CMake"
mkdir "$root/tmp/user"
cat >"$root/tmp/user/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.16)
project(user LANGUAGES C)
find_package(prvcut 1.0 REQUIRED)
add_executable(user $samples/compute_signal.c)
target_link_libraries(user PRIVATE prvcut::prvcut)
END
told inside cmake -S /tmp/user -B /tmp/user/build
told inside cmake --build /tmp/user/build
inside /tmp/user/build/user /material/lu.S.8.prv >"$work/words"
head -n 5 "$work/words"

step "purge: what of it is left"
told inside apt-get purge -y -qq prvcut libprvcut1 libprvcut-dev
rm -rf "$root/material" "$root/tmp/user"
inside find / -xdev -iname '*prvcut*' -not -path '/proc/*' >"$work/left"
inside dpkg -l 'prvcut*' 'libprvcut*' >>"$work/left" 2>/dev/null || true
if [ -s "$work/left" ]; then
    cat "$work/left" >&2
    exit 1
fi
echo "nothing"

printf '\npackaging: all steps done\n'
