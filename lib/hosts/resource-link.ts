import 'server-only';
import type { networksTable } from '@/db/schema/networks';
import type { volumesTable } from '@/db/schema/volumes';
import { wireNow } from '@/lib/clock';
import type { ObservedResource } from '@/lib/protocol/calls';
import type { DesiredSpecs, UnsupportedObject } from '@/lib/protocol/specs/desired';
import type { Actor } from '@/lib/policies/actor';
import { refuseUsed } from '@/lib/records/refuse-used';
import { registerAfterWrite } from '@/lib/records/hooks';
import type { RowOf } from '@/lib/records/collection';
import type { Stored, WriteTransaction } from '@/lib/records/transaction';
import { getDesired, putDesired } from './link/desired';
import { listSpeakingOf, removeObject } from './link/desired-objects';
import { putPrunedRevision } from './link/host-identities';
import type { AnyKind, Kind, ReportSource } from './link/kinds';
import { tooOldMessage } from './too-old';

type ResourceName = 'volume' | 'network';
type ResourceRow = RowOf<typeof networksTable>;
type WorkspaceUse = Pick<DesiredSpecs['workspace'], 'name' | 'mounts' | 'networks'>;

export interface HostResource<K extends ResourceName, Row extends ResourceRow> {
  kind: Kind<K, DesiredSpecs[K]>;
  /** Any of the two tables; both have a host and a status. */
  collection: Stored<typeof volumesTable> | Stored<typeof networksTable>;
  specOf(row: Row): DesiredSpecs[K];
  /** Whether what a host runs, or is to run, uses the record. */
  isUsedBy(spec: Partial<WorkspaceUse>, id: string): boolean;
}

interface Linked {
  kind: AnyKind;
  collection: HostResource<ResourceName, ResourceRow>['collection'];
}

/** The record's host is asked for it once it is made, and told when it goes. */
export function registerResource<K extends ResourceName, Row extends ResourceRow>(
  resource: HostResource<K, Row>,
): void {
  registerAfterWrite(resource.collection.name, ({ action, tx, row, actor }) => {
    const record = row as unknown as Row;
    if (action === 'create') askForResource(tx, resource, record);
    if (action === 'delete') letResourceGo({ tx, actor }, resource, record);
  });
}

/** Does nothing when the host was asked already. */
export function askForResource<K extends ResourceName, Row extends ResourceRow>(
  tx: WriteTransaction,
  { kind, specOf }: HostResource<K, Row>,
  row: Row,
): void {
  if (getDesired(kind, row.host, row.id)?.spec) return;
  putDesired(tx, kind, { hostId: row.host, objectId: row.id, spec: specOf(row) });
}

/** Refuses to delete what a workspace of the host still has, whatever its record says by now. */
export function refuseWhileHeld<K extends ResourceName, Row extends ResourceRow>(
  asked: { tx: WriteTransaction; actor: Actor },
  { isUsedBy }: HostResource<K, Row>,
  { host, id }: Row,
): void {
  const users = listSpeakingOf<WorkspaceUse>(host, 'workspace', id).filter(({ spec }) => isUsedBy(spec, id));
  refuseUsed(
    asked,
    'workspaces',
    users.map(({ objectId, spec }) => ({ id: objectId, name: spec.name })),
  );
}

/** What was asked to go with all its data stays so. Throws while a workspace of the host still has it. */
function letResourceGo<K extends ResourceName, Row extends ResourceRow>(
  asked: { tx: WriteTransaction; actor: Actor },
  resource: HostResource<K, Row>,
  row: Row,
): void {
  const { tx } = asked;
  const { kind } = resource;
  const { host, id } = row;
  refuseWhileHeld(asked, resource, row);
  const held = getDesired(kind, host, id)?.spec;
  const isRemovedWithData = held && 'state' in held && held.state === 'removed';
  if (held && !isRemovedWithData) putDesired(tx, kind, { hostId: host, objectId: id, spec: null });
}

/** Brings a record up to what its host observed, or forgets what the host has let go. */
export function takeObservedResource(
  tx: WriteTransaction,
  { kind, collection }: Linked,
  { observed, from }: { observed: ObservedResource; from: ReportSource },
): void {
  const { hostId } = from;
  const desired = getDesired(kind, hostId, observed.id);
  const row = tx.get(collection as Stored<typeof networksTable>, observed.id);
  if (!row && desired && observed.status === 'absent') {
    removeObject(tx, hostId, kind.name, observed.id);
    putPrunedRevision(tx, hostId, desired.revision);
  }
  if (!row || row.host !== hostId || !desired?.spec || observed.status === 'absent') return;
  const { status, retries } = observed;
  const message =
    retries > 0 && observed.message !== '' ? `${observed.message} (tried ${retries} times)` : observed.message;
  setStatus(tx, collection, { row, status, message });
}

export function takeUnsupportedResource(
  tx: WriteTransaction,
  { kind, collection }: Linked,
  { object, from: { hostId } }: { object: UnsupportedObject; from: ReportSource },
): void {
  const row = tx.get(collection as Stored<typeof networksTable>, object.id);
  if (!row || row.host !== hostId) return;
  const message = tooOldMessage(tx, { hostId, what: kind.name, object });
  setStatus(tx, collection, { row, status: 'error', message });
}

function setStatus(
  tx: WriteTransaction,
  collection: Linked['collection'],
  { row, status, message }: { row: ResourceRow; status: string; message: string },
): void {
  if (row.status === status && row.statusMessage === message && row.observedAt !== '') return;
  const seen = { status, statusMessage: message, observedAt: wireNow() };
  tx.observe(collection as Stored<typeof networksTable>, row.id, seen);
}
