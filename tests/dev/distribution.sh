#!/bin/sh
# Builds the binary for clusters: for this machine's own target, for musl, and for aarch64, as far as this machine can; looks at each; and writes their checksums.
#
#     tests/dev/distribution.sh OUT [TARGET...]
#
# The own target needs nothing but cargo. The others are cross-compiled by cargo-zigbuild, which brings a C compiler for all of them (mimalloc is C):
#
#     rustup target add x86_64-unknown-linux-musl aarch64-unknown-linux-musl
#     pip install cargo-zigbuild           (from PyPI; with it comes ziglang)
#
# A binary of another processor is run by qemu-user where that is installed (Debian: qemu-user-static), and else only looked at.
# PROFILE=quick builds faster, for a look at whether it can be built at all.
set -eu
out=${1:?"the folder for the binaries"}
shift
[ $# -gt 0 ] || set -- x86_64-unknown-linux-gnu x86_64-unknown-linux-musl aarch64-unknown-linux-musl
profile=${PROFILE:-dist}
mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$(dirname "$0")/../.."
target_dir=${CARGO_TARGET_DIR:-target}
own=$(rustc -vV | sed -n 's/^host: //p')
# Most bytes of a stripped binary.
limit=12000000
# Fewer calls are replaced by the functions that they call: over one and a half megabytes less, for 1.11 to 1.26 times the time of a release build (medians of s3_srvr_8, an eca problem and a token ring of 12).
smaller='["-C", "llvm-args=-inline-threshold=5 -inlinehint-threshold=65"]'

# A violation that is found, by a binary that is alone in its root.
looks_right() {
    root=$(mktemp -d)
    cp "$1" "$root/provident"
    printf 'int main(void) { ERROR: return 0; }\n' >"$root/a.i"
    printf 'CHECK( init(main()), LTL(G ! label(ERROR)) )\n' >"$root/p.prp"
    case $2 in
    native) said=$(chroot "$root" /provident verify /a.i --property /p.prp | tail -n 1) || true ;;
    *) said=$("$2" "$root/provident" verify "$root/a.i" --property "$root/p.prp" | tail -n 1) || true ;;
    esac
    rm -r "$root"
    [ "$said" = "VERDICT: FALSE" ] || { echo "$1 says: $said"; return 1; }
}

built=""
for target; do
    if [ "$target" = "$own" ]; then
        cargo build --profile "$profile" --target "$target" --config "target.$target.rustflags=$smaller" -p provident --bin provident
    elif command -v cargo-zigbuild >/dev/null && rustup target list --installed | grep -qx "$target"; then
        cargo zigbuild --profile "$profile" --target "$target" --config "target.$target.rustflags=$smaller" -p provident --bin provident
    else
        echo "$target: not built; it needs cargo-zigbuild and \`rustup target add $target\`"
        continue
    fi
    binary=$out/provident-$target
    cp "$target_dir/$target/$profile/provident" "$binary"
    # An interpreter is the loader of shared libraries.
    if readelf --program-headers "$binary" | grep -q INTERP; then
        echo "$target: the binary is not static"
        exit 1
    fi
    size=$(stat -c %s "$binary")
    if [ "$profile" = dist ] && [ "$size" -ge $limit ]; then
        echo "$target: $size bytes are too many"
        exit 1
    fi
    runner=native
    [ "${target%%-*}" = "$(uname -m)" ] || runner=$(command -v "qemu-${target%%-*}-static" || command -v "qemu-${target%%-*}" || true)
    if [ -n "$runner" ]; then
        looks_right "$binary" "$runner"
        ran="it runs"
    else
        ran="not run: there is no qemu-${target%%-*}"
    fi
    echo "$target: static, $size bytes, $ran"
    built="$built provident-$target"
done
[ -n "$built" ] || exit 1
cd "$out"
# shellcheck disable=SC2086
sha256sum $built >SHA256SUMS
sha256sum --check --quiet SHA256SUMS
echo "checksums: $out/SHA256SUMS"
