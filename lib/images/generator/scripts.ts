/**
 * Scripts that generated Dockerfiles run. They are fixed texts: what people type comes in as arguments that were checked by
 * grammar, or as lines of files. Any POSIX shell runs them.
 */

/** Has on the base what environments need: `python` with venv, `certificates`. What is there is left as it is. */
export const SYSTEM_SCRIPT = `set -eu
missing=
for part in "$@"; do
  case $part in
    # A Python that uv gets by itself would lie where no other stage finds it.
    python) { command -v uv && command -v python3; } >/dev/null 2>&1 || python3 -c 'import ensurepip, venv' 2>/dev/null || missing="$missing python" ;;
    certificates) [ -e /etc/ssl/certs/ca-certificates.crt ] || [ -e /etc/pki/tls/certs/ca-bundle.crt ] || missing="$missing certificates" ;;
  esac
done
[ -n "$missing" ] || exit 0
echo "berth: the base image lacks$missing"
has() { command -v "$1" >/dev/null 2>&1; }
if has apt-get; then
  apt-get update
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends python3 python3-venv ca-certificates
  rm -rf /var/lib/apt/lists/*
elif has apk; then apk add --no-cache python3 py3-pip ca-certificates
elif has dnf; then dnf install -y python3 python3-pip ca-certificates && dnf clean all
elif has microdnf; then microdnf install -y python3 python3-pip ca-certificates && microdnf clean all
elif has zypper; then zypper --non-interactive install python3 python3-pip ca-certificates && zypper clean --all
else
  echo 'berth: it has no package manager that is known here. Choose a base image with python3 and venv.' >&2
  exit 1
fi
`;

/**
 * uid, name, gid, group. Whoever has the uid is renamed, a group that has the gid is taken as it is. It reads and writes the
 * files themselves, as the tools for it differ from one base to the next.
 */
export const USER_SCRIPT = `set -eu
uid=$1 name=$2 gid=$3 group=$4
fail() { echo "berth: $1 Choose another name, or that id." >&2; exit 1; }
by_id() { while IFS=: read -r first _ third _; do [ "$third" != "$2" ] || { echo "$first"; return; }; done <"$1"; }
by_name() { while IFS=: read -r first _ third _; do [ "$first" != "$2" ] || { echo "$third"; return; }; done <"$1"; }
replace() { cat "$1.berth" >"$1"; rm -f "$1.berth"; }

mkdir -p /etc /home
touch /etc/passwd /etc/group
held=$(by_id /etc/passwd "$uid")
name=\${name:-\${held:-user}}
group=\${group:-$name}

other=$(by_name /etc/passwd "$name")
if [ "$uid" != 0 ] && [ -n "$other" ] && [ "$other" != "$uid" ]; then
  fail "the base image has a user $name of its own, with the id $other."
fi
if [ -z "$(by_id /etc/group "$gid")" ]; then
  other=$(by_name /etc/group "$group")
  [ -z "$other" ] || fail "the base image has a group $group of its own, with the id $other."
  echo "$group:x:$gid:" >>/etc/group
  [ ! -f /etc/gshadow ] || echo "$group:!::" >>/etc/gshadow
fi

if [ "$uid" != 0 ]; then
  shell=/bin/sh home=/home/$name
  [ ! -x /bin/bash ] || shell=/bin/bash
  if [ -z "$held" ]; then
    echo "$name:x:$uid:$gid::$home:$shell" >>/etc/passwd
    [ ! -f /etc/shadow ] || echo "$name:!:19000:0:99999:7:::" >>/etc/shadow
  else
    former=$(while IFS=: read -r first _ _ _ _ sixth _; do [ "$first" != "$held" ] || echo "$sixth"; done </etc/passwd)
    while IFS= read -r line || [ -n "$line" ]; do
      case $line in
        "$held":*) line=$name:x:$uid:$gid::$home:\${line##*:} ;;
      esac
      printf '%s\\n' "$line"
    done </etc/passwd >/etc/passwd.berth
    replace /etc/passwd
    for file in /etc/shadow /etc/group /etc/gshadow; do
      [ -f "$file" ] || continue
      while IFS= read -r line || [ -n "$line" ]; do
        members=,\${line##*:},
        case $file:$line in
          /etc/shadow:"$held":*) line=$name:\${line#*:} ;;
          /etc/shadow:*) ;;
          *) case $members in
            *,"$held",*)
              members=\${members%%,"$held",*},$name,\${members#*,"$held",}
              members=\${members#,}
              line=\${line%:*}:\${members%,}
            ;;
          esac ;;
        esac
        printf '%s\\n' "$line"
      done <"$file" >"$file.berth"
      replace "$file"
    done
    case $former in /home/?*) [ ! -d "$former" ] || [ -e "$home" ] || mv "$former" "$home" ;; esac
  fi
  if [ ! -d "$home" ]; then
    mkdir -p "$home"
    [ ! -d /etc/skel ] || cp -R /etc/skel/. "$home"
  fi
  chown -R "$uid:$gid" "$home"
fi
mkdir -p /opt/berth/environments
chown "$uid:$gid" /opt/berth/environments
`;

/** The folder that files are in, and whose they become (\`uid:gid\`, or nothing). Their paths are lines of the input. */
export const PLACE_SCRIPT = `set -eu
from=$1 owner=\${2-}
own() { [ -z "$owner" ] || chown "$owner" "$1"; }
folder() { [ -z "$1" ] || [ -d "$1" ] || { folder "\${1%/*}"; mkdir "$1"; own "$1"; }; }
while IFS= read -r path; do
  if [ -d "$path" ]; then
    printf 'berth: %s is a folder of the base image. Give the file another path.\\n' "$path" >&2
    exit 1
  fi
  folder "\${path%/*}"
  cp "$from$path" "$path"
  chmod 644 "$path"
  own "$path"
done
`;

/** Runs the startup commands side by side, each in its environment. The first that fails ends all, and is named. */
export const START_SCRIPT = `#!/bin/sh
here=/opt/berth/startup
environments=/opt/berth/environments

# What is asked for by hand runs in place of the startup commands.
[ "$#" -eq 0 ] || exec "$@"

enter() {
  case $PATH in "$environments"/*) PATH=\${PATH#*:} ;; esac
  export PATH
  [ -n "$1" ] || return 0
  PATH=$environments/$1/bin:$PATH
  if [ -d "$environments/$1/conda-meta" ]; then
    CONDA_PREFIX=$environments/$1
    CONDA_DEFAULT_ENV=$1
    export CONDA_PREFIX CONDA_DEFAULT_ENV
    for script in "$CONDA_PREFIX"/etc/conda/activate.d/*.sh; do
      [ ! -r "$script" ] || . "$script"
    done
  else
    VIRTUAL_ENV=$environments/$1
    export VIRTUAL_ENV
  fi
}

group= sign=
if command -v setsid >/dev/null 2>&1; then group=setsid sign=-; fi

# A command with what it starts, as one. Tells how it ended.
run() {
  enter "$2"
  $group sh "$here/commands/$1" 9>&- &
  child=$!
  over=
  trap 'over=1; kill -TERM "$sign$child" 2>/dev/null' TERM
  wait "$child"
  code=$?
  while kill -0 "$child" 2>/dev/null; do
    wait "$child"
    code=$?
  done
  echo "$1 $code" >&9
  while [ -n "$over" ] && kill -0 "$sign$child" 2>/dev/null; do
    sleep 0.1 2>/dev/null || sleep 1
  done
}

judge() {
  left=$count
  while [ "$left" -gt 0 ] && read -r number code <&9; do
    left=$((left - 1))
    [ "$code" -ne 0 ] || continue
    read -r words <"$here/commands/$number"
    printf 'berth: startup command %s ended with exit code %s: %s\\n' "$number" "$code" "$words" >&2
    exit "$code"
  done
  exit 0
}

stop() { for pid in $pids; do kill -TERM "$pid" 2>/dev/null; done; }
is_left() { for pid in $pids; do ! kill -0 "$pid" 2>/dev/null || return 0; done; return 1; }

for folder in "\${TMPDIR:-/tmp}" /dev/shm; do
  news=$folder/.berth-start.$$
  mkfifo "$news" 2>/dev/null && break
done
[ -p "$news" ] || { echo 'berth: there is no folder to write to, neither /tmp nor /dev/shm' >&2; exit 1; }
exec 9<>"$news"
rm -f "$news"
count=0 pids= asked=
trap 'asked=143; stop' TERM
trap 'asked=130; stop' INT
while IFS= read -r environment; do
  count=$((count + 1))
  run "$count" "$environment" &
  pids="$pids $!"
done <"$here/environments"
judge &
wait "$!"
code=$?
if [ -n "$asked" ]; then
  for pid in $pids; do wait "$pid"; done
  exit "$asked"
fi
stop
for _ in 1 2 3 4 5 6 7 8 9 10; do
  is_left || break
  sleep 1
done
exit "$code"
`;

/** What an environment says that it has begins with this. */
export const LOCK_HEAD = 'berth-lock 1';

/**
 * The folder of an environment, and the lock that it has to come to, if any. Writes what is in the environment to \`berth-lock\` in its
 * folder: its Python, what conda put in by addresses, what pip did by name and version. Not to know it is no reason to fail, but
 * where a lock is to be kept to.
 */
export const LOCK_SCRIPT = `set -eu
prefix=$1 wanted=\${2-} lock=$1/berth-lock
python=$prefix/bin/python

list() {
  echo '${LOCK_HEAD}'
  if [ -d "$prefix/conda-meta" ]; then
    /opt/berth/bin/micromamba env export --explicit --prefix "$prefix" >"$lock.conda" || return 1
    while IFS= read -r line; do
      case $line in *://*) echo "conda $line" ;; esac
    done <"$lock.conda"
    rm -f "$lock.conda"
  fi
  [ -x "$python" ] || return 0
  "$python" -I - "$prefix/conda-meta" <<'END'
import os, platform, re, sys
try:
    from importlib.metadata import distributions
except ImportError:
    sys.exit('berth: this Python is too old to say what it has')
by_conda = set()
if os.path.isdir(sys.argv[1]):
    by_conda = {each.rsplit('-', 2)[0].lower() for each in os.listdir(sys.argv[1]) if each.endswith('.json')}
plain = lambda name: re.sub('[-_.]+', '-', name).lower()
by_conda = {plain(name) for name in by_conda}
found = {}
for each in distributions():
    name, by = each.metadata['Name'], (each.read_text('INSTALLER') or '').strip()
    if not name or by == 'conda' or (by not in ('pip', 'uv') and plain(name) in by_conda):
        continue
    found.setdefault(plain(name), 'pypi %s %s' % (name, each.version))
print('python ' + platform.python_version())
for name in sorted(found):
    print(found[name])
END
}

all_of() { echo; cat "$1"; echo; }
# The lines of a file that another lacks, each after the word for it.
tell_missing() {
  held=$(all_of "$2"; echo .)
  while IFS= read -r line; do
    case $held in
      *"
$line
"*) ;;
      *) echo "berth: $3 $line" >&2; differs=1 ;;
    esac
  done <"$1"
}

if ! list >"$lock"; then
  rm -f "$lock" "$lock.conda"
  echo 'berth: what this environment has could not be told' >&2
  [ -z "$wanted" ] || exit 1
  exit 0
fi
[ -n "$wanted" ] || exit 0
differs=
tell_missing "$wanted" "$lock" 'the lock has, and this build has not:'
tell_missing "$lock" "$wanted" 'this build has, and the lock has not:'
[ -z "$differs" ] || { echo 'berth: the build did not come to the versions of its lock.' >&2; exit 1; }
`;
