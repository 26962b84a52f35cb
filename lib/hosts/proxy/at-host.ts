import 'server-only';
import { toWireDate, wireNow } from '@/lib/clock';
import { observedProxySchema, type ObservedProxy } from '@/lib/protocol/observed-proxy';
import type { UnsupportedObject } from '@/lib/protocol/specs/desired';
import type { ProxySpec } from '@/lib/protocol/specs/proxy';
import type { WriteTransaction } from '@/lib/records/transaction';
import type { TraefikState } from '@/lib/vocabulary/proxy-state';
import { hosts } from '../collection';
import { getDesired } from '../link/desired';
import { removeObject } from '../link/desired-objects';
import { putPrunedRevision } from '../link/host-identities';
import { defineKind, news, type ReportSource } from '../link/kinds';
import { openAccount } from '../registry-accounts';
import { tooOldMessage } from '../too-old';

/** A host's own Traefik on the host link. The password of the account that its image is pulled with is sealed. */
export const proxyKind = defineKind('proxy', {
  open: ({ image, ...spec }: ProxySpec): ProxySpec => {
    return { ...spec, image: { ...image, account: image.account && openAccount(image.account) } };
  },
  observed: news(observedProxySchema, takeObserved),
  unsupported(tx: WriteTransaction, object: UnsupportedObject, { hostId }: ReportSource) {
    if (object.id !== hostId) return;
    const message = tooOldMessage(tx, { hostId, what: 'Traefik', object });
    setTraefikState(tx, hostId, { status: 'unsupported', message });
  },
  unreadable(tx, { hostId, message }) {
    setTraefikState(tx, hostId, { status: 'error', message });
  },
});

/** Brings the record up to what the host tells of its Traefik, or forgets what it has let go. */
function takeObserved(tx: WriteTransaction, observed: ObservedProxy, { hostId }: ReportSource): void {
  const desired = getDesired(proxyKind, hostId, hostId);
  if (observed.id !== hostId || !desired) return;
  const { status, message, image, containerId, startedAt, retries } = observed;
  if (status === 'absent') {
    if (desired.spec !== null) return;
    removeObject(tx, hostId, proxyKind.name, hostId);
    putPrunedRevision(tx, hostId, desired.revision);
    tx.observe(hosts, hostId, { traefikState: null });
    return;
  }
  const words = retries > 0 && message !== '' ? `${message} (tried ${retries} times)` : message;
  const isGoing = desired.spec === null && status !== 'error';
  setTraefikState(tx, hostId, {
    status: isGoing ? 'removing' : status,
    message: words,
    image,
    containerId,
    ...(status === 'running' && startedAt > 0 && { since: toWireDate(startedAt) }),
  });
}

/** `since` is when the status became what it is, unless it is given. Does nothing where nothing is new. */
export function setTraefikState(
  tx: WriteTransaction,
  hostId: string,
  told: Pick<TraefikState, 'status' | 'message'> & Partial<TraefikState>,
): void {
  const host = tx.get(hosts, hostId);
  if (!host) return;
  const before = host.traefikState;
  const isSame = before?.status === told.status;
  const since = told.since ?? (isSame ? before.since : wireNow());
  const state: TraefikState = { image: '', containerId: '', ...told, since };
  if (JSON.stringify(sorted(state)) === JSON.stringify(sorted(before))) return;
  tx.observe(hosts, hostId, { traefikState: state });
}

function sorted(state: TraefikState | null): unknown {
  return Object.entries(state ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
