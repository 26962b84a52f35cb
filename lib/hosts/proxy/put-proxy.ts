import 'server-only';
import { createHash } from 'node:crypto';
import type { Actor } from '@/lib/policies/actor';
import { baseTag } from '@/lib/protocol/image-names';
import type { ProxySpec } from '@/lib/protocol/specs/proxy';
import type { WriteTransaction } from '@/lib/records/transaction';
import type { TraefikDeployment } from '@/lib/vocabulary/host';
import { type HostRow, hosts } from '../collection';
import { getDesired, putDesired } from '../link/desired';
import { accountKey, findAccount, toJobAccount } from '../registry-accounts';
import { waitMessage } from '../wait-message';
import { proxyKind, setTraefikState } from './at-host';
import { readTraefikConfig } from './traefik-config';

const TAG_CHARS = 40;

/** Whether the host is to run a Traefik of Berth's. */
export function isDeployed(traefik: TraefikDeployment | null): traefik is TraefikDeployment {
  return Boolean(traefik?.isAdded && traefik.deploy);
}

/** Asks the host for the Traefik that its record wants, or to let it go; does nothing when it was asked already. */
export function writeProxyObject(tx: WriteTransaction, host: HostRow, actor: Actor): void {
  const held = getDesired(proxyKind, host.id, host.id);
  const object = { hostId: host.id, objectId: host.id };
  if (!isDeployed(host.traefik)) {
    if (!held?.spec) return;
    putDesired(tx, proxyKind, { ...object, spec: null });
    // An agent that never had it does not say when it is gone.
    if (host.traefikState?.status === 'unsupported') tx.observe(hosts, host.id, { traefikState: null });
    else setTraefikState(tx, host.id, { status: 'removing', message: waitMessage(host) });
    return;
  }
  const spec = proxySpecOf(host, host.traefik, actor);
  if (held?.spec && JSON.stringify(held.spec) === JSON.stringify(spec)) return;
  putDesired(tx, proxyKind, { ...object, spec });
  setTraefikState(tx, host.id, { status: 'pending', message: waitMessage(host) });
}

/** Who may change the host may use all its accounts, so that it does not matter who did. */
function proxySpecOf(host: HostRow, traefik: TraefikDeployment, actor: Actor): ProxySpec {
  const { image: reference, containerName, networkName, ports, config, configFileLocation: folder } = traefik;
  const answer = findAccount(host, { actor, reference, use: 'pull' });
  const account = 'account' in answer ? answer.account : undefined;
  const key = createHash('sha256').update(accountKey(reference, account)).digest('hex').slice(0, TAG_CHARS);
  const sealed = toJobAccount(account);
  return {
    image: {
      reference,
      tag: baseTag(key),
      ...(sealed && { account: sealed }),
      pullTimeoutMs: host.pull_timeout * 1000,
    },
    containerName,
    networkName,
    ports: ports.map(({ containerPort, hostPort, protocol }) => ({ containerPort, hostPort, protocol })),
    config,
    folder,
    socketPath: readTraefikConfig(config).socketPath,
  };
}
