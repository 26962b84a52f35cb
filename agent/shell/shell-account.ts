import { access, constants } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';

/** Who a shell runs as: whom this process runs as. */
export interface ShellAccount {
  name: string;
  home: string;
  /** A program that takes `-l`. */
  shell: string;
}

/** Shells that become log-in shells by `-l`; what else an account names, as `nologin`, is no shell to work in. */
const SHELLS = ['bash', 'zsh', 'ash', 'dash', 'ksh', 'mksh', 'fish', 'sh'];
const USUAL_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export async function findAccount(): Promise<ShellAccount> {
  const { name, home, shell } = readUser();
  const own = SHELLS.includes(path.basename(shell)) ? [shell] : [];
  for (const each of [...own, '/bin/bash', '/usr/bin/bash']) {
    if (await isProgram(each)) return { name, home, shell: each };
  }
  return { name, home, shell: '/bin/sh' };
}

/** All that a shell is given of an environment: nothing of the agent's own, which holds tokens and keys, but where programs are. */
export function shellEnvironment({ name, home, shell }: ShellAccount): NodeJS.ProcessEnv {
  const given: Record<string, string> = {
    HOME: home,
    USER: name,
    LOGNAME: name,
    SHELL: shell,
    LANG: process.env.LANG || 'C.UTF-8',
    PATH: process.env.PATH || USUAL_PATH,
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
  };
  return given as NodeJS.ProcessEnv;
}

/** An account without an entry, as containers have, has a number for a name. */
function readUser(): ShellAccount {
  try {
    const { username, homedir, shell } = userInfo();
    return { name: username, home: homedir || '/', shell: shell ?? '' };
  } catch {
    return { name: String(process.getuid?.() ?? ''), home: '/', shell: '' };
  }
}

async function isProgram(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
