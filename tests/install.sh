#!/bin/sh
# Install the packages that building and testing need, unless they are there.
#
#   sh tests/install.sh         all of them
#   sh tests/install.sh build   what building needs, alone
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
case ${1:-all} in
all) wanted=$(sed 's/#.*//' "$here/packages") ;;
build) wanted=$(sed '/^# To test/,$d; s/#.*//' "$here/packages") ;;
*)
    echo "usage: sh tests/install.sh [build]" >&2
    exit 2
    ;;
esac

if ! command -v dpkg-query >/dev/null; then
    echo "install.sh: not a Debian system; these are needed:" $wanted >&2
    exit 0
fi
missing=
for package in $wanted; do
    # shellcheck disable=SC2016 # the format is dpkg's, not the shell's
    status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
        echo "install.sh: neither root nor sudo; install these:$missing" >&2
        exit 1
    }
    as_root=sudo
fi
echo "install.sh: installing$missing"
$as_root apt-get update -qq
$as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends $missing
