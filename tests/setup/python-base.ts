import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { docker } from './docker';
import { debianBaseObstacle, ensureDebianBase } from './debian-base';

/** A base like `ubuntu:24.04` with Python: its user `ubuntu` has the uid 1000. Made of this machine's own files. */
export const PYTHON_BASE_IMAGE = 'berth-test/python-base:1';
/** The same with a stand-in for micromamba at the place where its image has it. */
export const MICROMAMBA_STAND_IN = 'berth-test/micromamba-stand-in:4';

const PACKAGES = [
  ...['base-files', 'bash', 'libc-bin', 'dash', 'coreutils', 'debianutils', 'grep', 'sed', 'util-linux'],
  ...['python3', 'python3-venv', 'ca-certificates'],
];
const BARE = 'berth-test/python-bare:1';

/** Why the base can't be made here; empty when it can. */
export function pythonBaseObstacle(): string {
  return debianBaseObstacle(PACKAGES);
}

const DOCKERFILE = `FROM ${BARE}
RUN printf 'root:x:0:0:root:/root:/bin/bash\\nubuntu:x:1000:1000:Ubuntu:/home/ubuntu:/bin/bash\\n' >/etc/passwd \\
  && printf 'root:x:0:\\nadm:x:4:syslog,ubuntu\\nsudo:x:27:ubuntu\\nubuntu:x:1000:\\n' >/etc/group \\
  && printf 'root:*:1:0:99999:7:::\\nubuntu:!:1:0:99999:7:::\\n' >/etc/shadow \\
  && mkdir -p /home/ubuntu /tmp /root && chmod 1777 /tmp && echo kept >/home/ubuntu/kept && chown -R 1000:1000 /home/ubuntu
STOPSIGNAL SIGTERM
`;

/**
 * Says what it was called with, and makes what micromamba would as far as the rest of the build can tell. It resolves nothing:
 * that the file it is given suits micromamba is read from its documentation.
 */
const STAND_IN = `#!/bin/sh
set -eu
if [ "$1 $2 $3 $4" = 'env export --explicit --prefix' ] && [ $# -eq 5 ]; then
  echo '# platform: linux-64'
  echo '@EXPLICIT'
  cat "$5/conda-meta/addresses"
  exit
fi
if [ "$1 $2 $3 $4 $6" = 'create --yes --dry-run --prefix --file' ] && [ $# -eq 7 ]; then
  ! grep -q clash "$7" || { printf '%s\\n' 'error    libmamba Could not solve for environment specs' '    The following package could not be installed' '    └─ clash =* * does not exist (perhaps a typo or a missing channel).' >&2; exit 1; }
  exit
fi
[ "$1 $2 $3 $5" = 'create --yes --prefix --file' ] && [ $# -eq 6 ] || { echo "unknown arguments: $*" >&2; exit 2; }
mkdir -p "$CONDA_PKGS_DIRS" "$MAMBA_ROOT_PREFIX"
python3 -m venv "$4"
mkdir -p "$4/conda-meta" "$4/etc/conda/activate.d"
case $6 in
  *.yml)
    cp "$6" "$4/environment.yml"
    at=https://conda.test/main/linux-64 hash=00000000000000000000000000000000
    sed -n "/^dependencies/,\$ s|^  - \\"\\([a-z]*::\\)*\\([a-z]*\\)[ \\"].*|$at/\\2-1.4-0.tar.bz2#$hash|p" "$6" \
      >"$4/conda-meta/addresses" ;;
  *) grep :// "$6" >"$4/conda-meta/addresses" ;;
esac
echo 'export FROM_ACTIVATION="$CONDA_DEFAULT_ENV"' >"$4/etc/conda/activate.d/test.sh"
`;

/** Makes the base images unless they are there; takes some 10 s. */
export async function ensurePythonBase(): Promise<void> {
  const files = ['/bin', '/lib', '/lib64', '/sbin', '/etc/ssl/certs/ca-certificates.crt'];
  await ensureDebianBase({ name: BARE, packages: PACKAGES, files });
  await ensureBuilt(PYTHON_BASE_IMAGE, { Dockerfile: DOCKERFILE });
  const standIn = 'FROM scratch\nCOPY micromamba /bin/micromamba\n';
  await ensureBuilt(MICROMAMBA_STAND_IN, { Dockerfile: standIn, micromamba: STAND_IN });
}

async function ensureBuilt(name: string, contents: Record<string, string>): Promise<void> {
  if (await docker('images', '-q', name)) return;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-python-base-'));
  for (const [file, text] of Object.entries(contents)) fs.writeFileSync(path.join(folder, file), text, { mode: 0o755 });
  try {
    await docker('build', '-t', name, folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
