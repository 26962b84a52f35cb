import { isDeepStrictEqual } from 'node:util';
import type { hostsTable } from '@/db/schema/hosts';
import type { FieldProblems } from '@/lib/errors';
import { hasFullAccess } from '@/lib/policies/actor';
import type { CheckContext, RowOf } from '@/lib/records/collection';
import { storedList } from '@/lib/records/secret-values';
import type { RegistryAuth } from '@/lib/vocabulary/host';
import { INVALID_HOST_ADDRESS, isHostAddress } from '@/lib/vocabulary/host-address';
import { isolationOf, refusedHostPort } from '@/lib/vocabulary/host-isolation';
import { registryAuthsSchema, traefikSchema } from '@/lib/vocabulary/host-schemas';
import { readTraefikConfig } from './proxy/traefik-config';

type HostContext = CheckContext<RowOf<typeof hostsTable>>;

/** Whether two entries are one account: the password of the one is the other's. */
export function isSameAccount(a: RegistryAuth, b: RegistryAuth): boolean {
  return a.serveraddress === b.serveraddress && a.username === b.username;
}

/** What is wrong with a host beyond its fields. */
export function checkHost(context: HostContext): FieldProblems {
  return { ...checkIsolation(context), ...checkAccounts(context), ...checkAddress(context), ...checkTraefik(context) };
}

function checkAddress({ row: { address } }: HostContext): FieldProblems {
  if (address === '' || isHostAddress(address)) return {};
  return { address: { code: 'validation_invalid_format', message: INVALID_HOST_ADDRESS } };
}

function checkIsolation({ actor, row, before }: HostContext): FieldProblems {
  if (!before || hasFullAccess(actor) || isDeepStrictEqual(isolationOf(row), isolationOf(before))) return {};
  const message = 'Only an admin may change what containers are kept from.';
  return { isolation: { code: 'validation_in_invalid', message } };
}

/** An account is there once, and can sign in: an empty password keeps one that is stored. */
function checkAccounts({ row, before, sent }: HostContext): FieldProblems {
  const accounts = registryAuthsSchema.safeParse(row.registry_auths ?? []);
  // What the field itself refuses is told by it.
  if (!sent.has('registry_auths') || !accounts.success) return {};
  const known = storedList<RegistryAuth>(before?.registry_auths);
  const problems: FieldProblems = {};
  accounts.data.forEach((account, index) => {
    const isTwice = accounts.data.findIndex((each) => isSameAccount(each, account)) < index;
    const isKept = known.some((each) => isSameAccount(each, account) && each.password !== '');
    if (isTwice) problems[index] = { username: { code: 'validation_not_unique', message: TWICE } };
    else if (account.password === '' && !isKept)
      problems[index] = { password: { code: 'validation_required', message: 'Cannot be blank.' } };
  });
  return Object.keys(problems).length > 0 ? { registry_auths: problems } : {};
}

const TWICE = 'This account is added already.';

/**
 * The configuration is one that Traefik could read. Who is no admin opens no ports that the host keeps, and gives nothing the
 * engine's socket, which is root on the host.
 */
function checkTraefik({ actor, row, sent }: HostContext): FieldProblems {
  const traefik = traefikSchema.safeParse(row.traefik ?? {});
  // What the field itself refuses is told by it.
  if (!sent.has('traefik') || !traefik.success || !traefik.data.isAdded) return {};
  const problems: FieldProblems = {};
  const { problem, socketPath } = readTraefikConfig(traefik.data.config);
  if (problem !== '') problems.config = { code: 'validation_invalid_format', message: problem };
  else if (traefik.data.deploy && socketPath !== '' && !hasFullAccess(actor))
    problems.config = { code: 'validation_in_invalid', message: ADMINS_SOCKET };
  const ports: FieldProblems = {};
  traefik.data.ports.forEach(({ hostPort }, index) => {
    if (hostPort === 0 || hasFullAccess(actor)) return;
    const refused = refusedHostPort(row, { first: hostPort, last: hostPort });
    const message = `Only an admin may publish port ${hostPort} of this host.`;
    if (refused !== undefined) ports[index] = { hostPort: { code: 'validation_in_invalid', message } };
  });
  if (Object.keys(ports).length > 0) problems.ports = ports;
  return Object.keys(problems).length > 0 ? { traefik: problems } : {};
}

const ADMINS_SOCKET = 'Only an admin may deploy a Traefik that asks Docker: it gets the socket of the engine.';
