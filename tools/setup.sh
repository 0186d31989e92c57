# What ./run and ./test share: install what is missing, build a preset. Sourced, not run.

project=$(pwd)

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }

# logged COMMAND…: run it quietly; if it fails, show the end of what it said and stop with status 3.
logged() {
  local log
  log=$(mktemp)
  if ! "$@" >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    printf 'faultline: error: failed: %s\n' "$*" >&2
    rm -f "$log"
    exit 3
  fi
  rm -f "$log"
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# Debian packages, each with the file that shows it is there.
run_packages="
g++:/usr/bin/g++ clang-14:/usr/bin/clang-14 lld:/usr/bin/ld.lld cmake:/usr/bin/cmake ninja-build:/usr/bin/ninja ccache:/usr/bin/ccache
pkg-config:/usr/bin/pkg-config bubblewrap:/usr/bin/bwrap
libfmt-dev:/usr/include/fmt/format.h nlohmann-json3-dev:/usr/include/nlohmann/json.hpp
libtomlplusplus-dev:/usr/include/toml++/toml.h libsqlite3-dev:/usr/include/sqlite3.h
libssl-dev:/usr/include/openssl/evp.h libboost-dev:/usr/include/boost/math/distributions/normal.hpp
libcli11-dev:/usr/include/CLI/CLI.hpp libgit2-dev:/usr/include/git2.h
libtree-sitter-dev:/usr/include/tree_sitter/api.h
libpcre2-dev:/usr/include/pcre2.h libzstd-dev:/usr/include/zstd.h
libgtest-dev:/usr/include/gtest/gtest.h libgmock-dev:/usr/include/gmock/gmock.h
libbenchmark-dev:/usr/include/benchmark/benchmark.h
python3:/usr/bin/python3 python3-torch:/usr/lib/python3/dist-packages/torch
python3-numpy:/usr/lib/python3/dist-packages/numpy python3-coverage:/usr/lib/python3/dist-packages/coverage
python3-sklearn:/usr/lib/python3/dist-packages/sklearn
libarchive-dev:/usr/include/archive.h libcpp-httplib-dev:/usr/include/httplib.h zlib1g-dev:/usr/include/zlib.h
libtorch-dev:/usr/include/torch/csrc/api/include/torch/torch.h
python3-venv:/usr/lib/python3.11/ensurepip mmdebstrap:/usr/bin/mmdebstrap"
test_packages="
libclang-rt-14-dev:/usr/lib/llvm-14/lib/clang/14.0.6/lib/linux/libclang_rt.fuzzer-x86_64.a
clang-format-14:/usr/bin/clang-format-14 clang-tidy-14:/usr/bin/clang-tidy-14
python3-scipy:/usr/lib/python3/dist-packages/scipy
git:/usr/bin/git util-linux:/usr/bin/setpriv
slurmctld:/usr/sbin/slurmctld slurmd:/usr/sbin/slurmd slurm-client:/usr/bin/squeue munge:/usr/sbin/munged
procps:/usr/bin/pgrep pylint:/usr/bin/pylint pyflakes3:/usr/bin/pyflakes3
wrk:/usr/bin/wrk chromium:/usr/bin/chromium"

# install_missing run|test: Debian packages by name, and npm packages by package-lock.json, side by side.
install_missing() {
  local wanted="$run_packages" missing=() entry
  [ "$1" = test ] && wanted="$wanted $test_packages"
  command -v node >/dev/null || wanted="$wanted nodejs:/usr/bin/node"
  command -v npm >/dev/null || wanted="$wanted npm:/usr/bin/npm"
  for entry in $wanted; do
    [ -e "${entry#*:}" ] || missing+=("${entry%%:*}")
  done
  if [ ${#missing[@]} -gt 0 ]; then
    say "Installing ${#missing[@]} Debian packages, about two minutes: ${missing[*]}"
    logged as_root apt-get update
    # npm packages come with the Debian packages if npm is there already, else after them.
    command -v npm >/dev/null && install_npm_packages &
    logged as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y \
      --no-install-recommends -o Dpkg::Options::=--force-unsafe-io "${missing[@]}"
    wait $!
  fi
  install_npm_packages
}

install_npm_packages() {
  if ! cmp -s package-lock.json node_modules/.installed-lock; then
    say "Installing npm packages"
    logged npm ci --no-progress
    cp package-lock.json node_modules/.installed-lock
  fi
}

# build PRESET [TARGET…]: configure once, then let ninja find what changed.
build() {
  local preset=$1
  shift
  if [ ! -e "build/$preset/build.ninja" ]; then
    say "Configuring $preset"
    logged cmake --preset "$preset"
  fi
  local command=(cmake --build --preset "$preset" ${1:+--target "$@"} --)
  if [ -t 2 ]; then
    "${command[@]}" >&2
  else
    NINJA_STATUS='[%f/%t] ' "${command[@]}" | sparse_progress >&2
  fi
}

# What ninja says, without a terminal: how far it is every quarter of a minute, and all that is no progress.
sparse_progress() {
  local line said=$SECONDS
  while IFS= read -r line; do
    case $line in
    '['*/*'] '*)
      if ((SECONDS - said >= 15)); then
        line=${line%%] *}
        echo "Building: ${line#[}"
        said=$SECONDS
      fi
      ;;
    'ninja: no work to do.' | '-- '*) ;;
    *) printf '%s\n' "$line" ;;
    esac
  done
}

# build_web: the front end, build/web, if its sources or libraries are not those it was built from.
build_web() {
  local digest
  digest=$(find web docs/glossary.md package-lock.json -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum)
  if [ "$digest" != "$(cat build/web.built-from 2>/dev/null)" ]; then
    say "Building the front end"
    logged npm run --silent build:web
    echo "$digest" >build/web.built-from
  fi
}
