import 'server-only';
import { APP_VERSION } from '@/lib/version';
import { checkAddress, checkAppsDomain, checkForwardAuth, checkProxies, checkTls } from './address-checks';
import { checkBackups } from './backup-checks';
import type { Check, CheckCode } from './check';
import { checkAgents, checkClock, checkHosts } from './host-checks';
import { checkMail, checkSettings } from './setting-checks';
import { checkDatabase, checkDisk, checkSecretKey } from './storage-checks';
import { singleton } from '@/lib/singleton';
import { failed, fine, type Look, runLook, type Verdict } from '@/lib/verdict';

const NODE_MAJOR = 20;
const NODE_MINOR = 19;

/** Whether this Node is one that the console is made for. */
export function checkVersion(): Verdict {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNewEnough = major > NODE_MAJOR || (major === NODE_MAJOR && minor >= NODE_MINOR);
  if (isNewEnough) return fine(`Berth ${APP_VERSION} on Node ${process.versions.node}.`);
  return failed(
    `Berth ${APP_VERSION} needs Node ${NODE_MAJOR}.${NODE_MINOR} or newer, and this is ${process.versions.node}.`,
    'Install a newer Node, or use the container image.',
  );
}

function looks(probe: () => Promise<string>): [CheckCode, Look][] {
  return [
    ['version', checkVersion],
    ['database', () => checkDatabase(probe)],
    ['disk', checkDisk],
    ['secretKey', checkSecretKey],
    ['backups', checkBackups],
    ['hosts', checkHosts],
    ['agents', checkAgents],
    ['clock', checkClock],
    ['address', checkAddress],
    ['tls', checkTls],
    ['proxies', checkProxies],
    ['appsDomain', checkAppsDomain],
    ['forwardAuth', checkForwardAuth],
    ['mail', checkMail],
    ['settings', checkSettings],
  ];
}

const running = singleton('health-checks', () => ({ all: undefined as Promise<Check[]> | undefined }));

/**
 * Looks at everything at once; each look has an end of its own. Whoever asks meanwhile gets the same answer. `probe` says what
 * refuses to write to the database, or nothing.
 */
export function runChecks(probe: () => Promise<string>): Promise<Check[]> {
  running.all ??= Promise.all(looks(probe).map(([code, look]) => runLook(code, look))).finally(() => {
    running.all = undefined;
  });
  return running.all;
}
