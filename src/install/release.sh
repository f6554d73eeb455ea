#!/bin/sh
# Make a release of what is committed: source, static program, manual as HTML, Spack recipe, checksums.
#
#   sh src/install/release.sh [FOLDER]
#
# All of it goes into FOLDER [release], which must not exist. The version is that of CMakeLists.txt, and of nothing else.
# The program is built from the source archive, as whoever gets it would; where static libraries are missing it is left out,
# and that is said (static.cmake names the packages). It needs git, cmake, mandoc or groff; JOBS processors [2].
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
tree=$(git -C "$here" rev-parse --show-toplevel)
out=${1:-release}
[ ! -e "$out" ] || {
    echo "release.sh: $out exists" >&2
    exit 1
}
version=$(sed -n 's/^project(prvcut VERSION \([0-9.]*\) .*/\1/p' "$tree/CMakeLists.txt")
[ -n "$version" ] || {
    echo "release.sh: CMakeLists.txt tells no version" >&2
    exit 1
}
[ -z "$(git -C "$tree" status --porcelain --untracked-files=no)" ] ||
    echo "release.sh: what is not committed is no part of the release" >&2
name=prvcut-$version
mkdir -p "$out"
out=$(CDPATH='' cd -- "$out" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/prvcut-release.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

echo "== source: $name.tar.gz"
git -C "$tree" archive --format=tar --prefix="$name/" HEAD | gzip -9n >"$out/$name.tar.gz"
tar -xzf "$out/$name.tar.gz" -C "$work"

echo "== static program"
machine=$(uname -m)
if cmake -S "$work/$name" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DPRVCUT_STATIC=ON -DPRVCUT_TESTS=OFF >"$work/words" 2>&1; then
    cmake --build "$work/build" -j "${JOBS:-2}" --target prvcut >"$work/words" 2>&1 || {
        tail -n 20 "$work/words" >&2
        exit 1
    }
    strip -o "$out/$name-linux-$machine" "$work/build/prvcut"
    told=$("$out/$name-linux-$machine" --version | head -n 1)
    case $told in
    *"$version"*) echo "$told" ;;
    *)
        echo "release.sh: the program says '$told'" >&2
        exit 1
        ;;
    esac
else
    grep -A 4 'PRVCUT_STATIC needs' "$work/words" >&2 || tail -n 20 "$work/words" >&2
    echo "left out: static libraries are missing"
fi

echo "== manual"
manual=$work/$name-manual
mkdir "$manual"
{
    printf '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>prvcut %s: manual</title></head><body>\n' "$version"
    printf '<h1>prvcut %s</h1>\n<ul>\n' "$version"
} >"$manual/index.html"
for page in "$work/$name"/man/*.[1-8]; do
    base=$(basename "$page")
    if command -v mandoc >/dev/null; then
        mandoc -T html -O man=%N.%S.html "$page" >"$manual/$base.html"
    else
        groff -mdoc -T html -Dutf8 "$page" >"$manual/$base.html" 2>/dev/null
    fi
    about=$(sed -n 's/^\.Nd //p' "$page" | head -n 1)
    printf '<li><a href="%s.html">%s</a>: %s</li>\n' "$base" "${base%.*}(${base##*.})" "$about" >>"$manual/index.html"
done
printf '</ul></body></html>\n' >>"$manual/index.html"
# Pages of other programs are not there: they are named, without a link.
grep -oh 'href="[^"#]*\.html' "$manual"/*.html | sed 's/href="//' | sort -u | while IFS= read -r other; do
    [ -e "$manual/$other" ] || sed -i "s|<a class=\"Xr\" href=\"$other\">\([^<]*\)</a>|\1|g" "$manual"/*.html
done
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git -C "$tree" log -1 --format=%ct)" -cf - -C "$work" "$name-manual" |
    gzip -9n >"$out/$name-manual.tar.gz"
echo "$(find "$manual" -name '*.html' | wc -l) pages"

echo "== Spack recipe"
sum=$(sha256sum "$out/$name.tar.gz" | cut -d ' ' -f 1)
mkdir -p "$out/spack/packages/prvcut"
cp "$here/spack/repo.yaml" "$out/spack/repo.yaml"
sed "s|^    # The versions: release.sh.*|    version(\"$version\", sha256=\"$sum\", url=\"file://$out/$name.tar.gz\")|" \
    "$here/spack/packages/prvcut/package.py" >"$out/spack/packages/prvcut/package.py"
grep -q "$sum" "$out/spack/packages/prvcut/package.py" || {
    echo "release.sh: the recipe has no place for a version" >&2
    exit 1
}

echo "== checksums"
(cd "$out" && find . -type f | sed 's|^\./||' | LC_ALL=C sort | xargs sha256sum) >"$work/SHA256SUMS"
mv "$work/SHA256SUMS" "$out/SHA256SUMS"
(cd "$out" && sha256sum -c --quiet SHA256SUMS)
cat "$out/SHA256SUMS"
