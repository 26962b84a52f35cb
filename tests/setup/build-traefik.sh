#!/usr/bin/env bash
# Builds the Traefik that tests run, from its published Go module: no image registry can be reached where tests run.
# Prints the path of the program. What was built once is kept in ~/.cache/berth-tests.
#
# The module's own go.mod and go.sum say which dependencies it gets, so a copy of its folder is built as the main module:
# `go install module@version` refuses modules that replace others. The providers of DNS challenges are left out, which are
# most of the modules and of the time, and which no test can use.
set -euo pipefail

version=v3.6.12
target=${BERTH_TEST_CACHE:-$HOME/.cache/berth-tests}/traefik-$version
if [ -x "$target/traefik" ]; then
  echo "$target/traefik"
  exit 0
fi
command -v go >/dev/null || { echo 'build-traefik: Go is missing' >&2; exit 1; }
export CGO_ENABLED=0 GOWORK=off

folder_of() {
  go mod download -json "$1" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p'
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# A Go from 1.21 on fetches by itself the one that a module asks for; Debian's is older.
if ! go version | grep -Eq ' go1\.(2[1-9]|[3-9][0-9])'; then
  cp -r "$(folder_of "golang.org/toolchain@v0.0.1-go1.26.8.linux-$(go env GOARCH)")" go
  chmod -R u+w go
  # The archives of modules keep no modes.
  chmod +x go/bin/* go/pkg/tool/*/*
  PATH=$work/go/bin:$PATH
fi
# What it compiles is gigabytes, and nobody needs it again.
export GOFLAGS=-buildvcs=false GOCACHE=$work/cache
source=$(folder_of "github.com/traefik/traefik/v3@$version")
cp -r "$source" traefik
chmod -R u+w traefik
cd traefik
# The pages of its dashboard are embedded; the module has none, and any file will do.
mkdir -p webui/static
echo 'no pages' >webui/static/none.txt

lego=$(folder_of github.com/go-acme/lego/v4)
cp -r "$lego" "$work/lego"
chmod -R u+w "$work/lego"
cat >"$work/lego/providers/dns/zz_gen_dns_providers.go" <<'GO'
package dns

import (
	"errors"

	"github.com/go-acme/lego/v4/challenge"
)

func NewDNSChallengeProviderByName(name string) (challenge.Provider, error) {
	return nil, errors.New("no DNS challenge in this build: " + name)
}
GO
go mod edit -replace "github.com/go-acme/lego/v4=$work/lego"

flags="-s -w -X github.com/traefik/traefik/v3/pkg/version.Version=${version#v}"
nice -n 10 go build -trimpath -ldflags "$flags" -o "$work/program" ./cmd/traefik >&2
mkdir -p "$target"
# Another run may have put its own there meanwhile: the last one stays, whole.
mv "$work/program" "$target/.traefik-$$"
mv "$target/.traefik-$$" "$target/traefik"
echo "$target/traefik"
