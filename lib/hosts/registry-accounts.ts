import type { RegistryAuthSpec } from '@/lib/protocol/specs/host';
import { normalizeName, normalizeRegistry, normalizedText } from '@/lib/protocol/image-names';
import { actorUserId, type Actor } from '@/lib/policies/actor';
import { mayAct } from '@/lib/records/can';
import { tryOpen, UnsealError } from '@/lib/secrets';
import type { RegistryAuth } from '@/lib/vocabulary/host';
import { type HostRow, hosts } from './collection';

/** Everyone may pull from it without an account. */
const PUBLIC_REGISTRY = 'docker.io';

export interface AccountUse {
  actor: Actor;
  /** Name of the image. */
  reference: string;
  use: 'pull' | 'push';
}

/** The account to use, if any is needed; or why the actor may not do it, in words. */
export type AccountAnswer = { account: RegistryAuth | undefined } | { refusal: string };

/**
 * Which of a host's registry accounts an image is pulled or pushed with. Who may change the host may use them all; others the
 * ones whose repositories are open to them.
 */
export function findAccount(host: HostRow, { actor, reference, use }: AccountUse): AccountAnswer {
  const { registry, repository } = normalizeName(reference);
  const accounts = (host.registry_auths ?? []).filter((auth) => normalizeRegistry(auth.serveraddress) === registry);
  const covering = accounts.filter((auth) => coversRepository(auth, { registry, repository, use }));
  if (mayAct(hosts, { actor, act: 'modify', row: host })) return { account: covering[0] ?? accounts[0] };
  const open = covering.find((auth) => isOpenTo(auth, { host, actor, use }));
  if (open) return { account: open };
  const needsNone = accounts.length === 0 || (registry === PUBLIC_REGISTRY && covering.length === 0);
  if (use === 'pull' && needsNone) return { account: undefined };
  const what = use === 'pull' ? `pull ${repository} with an account` : `push to ${repository} with an account`;
  return { refusal: `You may not ${what} of host ${host.name}. Ask who manages the host to open it to you.` };
}

function listsOf(auth: RegistryAuth, use: AccountUse['use']): { prefixes: string[]; users: string[] } {
  const [prefixes, users] =
    use === 'pull' ? [auth.pullRepositories, auth.pullUsers] : [auth.pushRepositories, auth.pushUsers];
  return { prefixes: prefixes ?? [], users: users ?? [] };
}

function coversRepository(
  auth: RegistryAuth,
  { registry, repository, use }: { registry: string; repository: string; use: AccountUse['use'] },
): boolean {
  return listsOf(auth, use).prefixes.some((prefix) => {
    if (prefix === '*') return true;
    const plain = prefix.replace(/\/+$/, '');
    const within = plain.slice(plain.indexOf('/') + 1);
    const hasRegistry = normalizeRegistry(plain) === registry;
    const start = hasRegistry ? (plain.includes('/') ? `${registry}/${within}` : registry) : `${registry}/${plain}`;
    return repository === start || repository.startsWith(`${start}/`);
  });
}

function isOpenTo(
  auth: RegistryAuth,
  { host, actor, use }: { host: HostRow } & Omit<AccountUse, 'reference'>,
): boolean {
  const { users } = listsOf(auth, use);
  if (users.length > 0) return users.includes(actorUserId(actor));
  return mayAct(hosts, { actor, act: 'canCreateImages', row: host });
}

/** The account as a job carries it; its password stays sealed until it leaves for the agent. */
export function toJobAccount(auth: RegistryAuth | undefined): RegistryAuthSpec | undefined {
  return auth && { serveraddress: auth.serveraddress, username: auth.username, password: auth.password };
}

/** Opens the password for the agent. Throws UnsealError, with what to do. */
export function openAccount(account: RegistryAuthSpec): RegistryAuthSpec {
  const password = tryOpen(account.password);
  if (password !== undefined) return { ...account, password };
  const whose = `${account.username} at ${account.serveraddress}`;
  throw new UnsealError(`The password of ${whose} can't be read: it was sealed with another secret, or damaged.`);
}

/** Tells two uses of one image name apart, where another account or platform may bring another image. */
export function accountKey(reference: string, account: RegistryAuth | undefined): string {
  return [normalizedText(reference), account?.serveraddress ?? '', account?.username ?? ''].join('\n');
}
