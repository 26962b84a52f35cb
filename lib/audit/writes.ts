import 'server-only';
import type { AuditAction } from '@/lib/vocabulary/audit';
import { memberships } from '@/lib/policies/rules';
import { nameOfGroup, nameOfUser, recordAudit } from '@/lib/records/audit';
import type { AnyRow } from '@/lib/records/collection';
import { type AfterWrite, registerAfterAnyWrite } from '@/lib/records/hooks';
import { collectionNamed } from '@/lib/records/registry';
import type { WriteTransaction } from '@/lib/records/transaction';

/** What a write to a collection's records is called. */
const nouns: Readonly<Record<string, string>> = {
  groups: 'group',
  hosts: 'host',
  images: 'image',
  workspaces: 'workspace',
  volumes: 'volume',
  networks: 'network',
  domains: 'domain',
  files: 'file',
  recommendations: 'recommendation',
};

/** Change with every write, or are told as an act of their own. */
const UNTOLD = new Set(['id', 'created', 'updated', 'tokenKey', 'passwordHash']);

/** What the record API does goes into the audit log. */
export function registerAuditWrites(): void {
  registerAfterAnyWrite(auditWrite);
}

/** Puts what the record API did into the audit log, in the same transaction. */
export function auditWrite(collection: string, event: AfterWrite): void {
  if (collection === 'users') return auditAccount(event);
  if (collection.endsWith('_permissions')) return auditPermission(collection, event);
  if (collection === memberships.collection) return auditMembership(event);
  if (collection === 'settings') return auditSetting(event);
  if (collection === 'quotas') return auditQuota(event);
  const noun = nouns[collection];
  // Their deletes are told of by who was asked for them, sometimes earlier.
  const isAsked = event.action === 'delete' && ['workspaces', 'images', 'volumes'].includes(collection);
  if (!noun || (isAsked && event.actor.kind === 'system')) return;
  const fields = event.action === 'update' ? changedFields(event) : undefined;
  if (fields?.length === 0) return;
  recordAudit(event.tx, {
    action: `${noun}.${event.action}` as AuditAction,
    actor: event.actor,
    on: { collection, record: String(event.row.id), name: recordName(event.row) },
    ...(fields && { details: { fields } }),
  });
}

/** How a record is called: accounts have a username, domains an address, settings a key. */
export function recordName(row: AnyRow): string {
  return String(row.name || row.username || row.url || row.key || '');
}

function changedFields({ row, before }: AfterWrite): string[] {
  const isSame = (name: string) => JSON.stringify(row[name]) === JSON.stringify(before?.[name]);
  return Object.keys(row).filter((name) => !UNTOLD.has(name) && !isSame(name));
}

function auditAccount(event: AfterWrite): void {
  const { tx, actor, row, before, action } = event;
  const on = { collection: 'users', record: String(row.id), name: recordName(row) };
  if (action !== 'update' || !before) {
    const details = { username: row.username, isAdmin: row.isAdmin, ...(row.enabled === false && { enabled: false }) };
    recordAudit(tx, { action: `account.${action}`, actor, on, details });
    return;
  }
  const changed = new Set(changedFields(event));
  const acts: [field: string, act: AuditAction][] = [
    ['isAdmin', row.isAdmin ? 'account.promote' : 'account.demote'],
    ['enabled', row.enabled ? 'account.enable' : 'account.disable'],
    ['email', 'email.change'],
  ];
  if (row.verified) acts.push(['verified', 'account.verify']);
  for (const [field, act] of acts) if (changed.delete(field)) recordAudit(tx, { action: act, actor, on });
  if (row.passwordHash !== before.passwordHash) recordAudit(tx, { action: 'password.change', actor, on });
  if (changed.size > 0) recordAudit(tx, { action: 'account.update', actor, on, details: { fields: [...changed] } });
}

/** A permission is told as what it is about: who got what on which resource. */
function auditPermission(collection: string, event: AfterWrite): void {
  const { tx, actor, row, action } = event;
  if (action === 'update' && changedFields(event).length === 0) return;
  const resource = resourceOf(tx, collection, row);
  recordAudit(tx, {
    action: `permission.${action}`,
    actor,
    on: { collection, record: String(row.id), name: resource.name },
    details: {
      ...(row.group
        ? { group: row.group, groupName: nameOfGroup(String(row.group)) }
        : { user: row.user, userName: nameOfUser(String(row.user)) }),
      resource: { collection: resource.collection, id: resource.id },
      ...(row.url ? { url: row.url } : { flags: flagsOf(row) }),
      ...(action === 'update' && event.before && !row.url && { flagsBefore: flagsOf(event.before) }),
    },
  });
}

function flagsOf(row: AnyRow): string[] {
  return Object.keys(row).filter((name) => row[name] === true);
}

/** A quota is told as whose it is; of nobody in particular it is everybody's. */
function auditQuota(event: AfterWrite): void {
  const { tx, actor, row, action } = event;
  const fields = action === 'update' ? changedFields(event).filter((name) => name !== 'set_by') : undefined;
  if (fields?.length === 0) return;
  const userName = nameOfUser(String(row.user));
  const groupName = nameOfGroup(String(row.group));
  recordAudit(tx, {
    action: `quota.${action}`,
    actor,
    on: { collection: 'quotas', record: String(row.id), name: userName || groupName },
    details: {
      ...(row.user !== '' && { user: row.user, userName }),
      ...(row.group !== '' && { group: row.group, groupName }),
      ...(fields && { fields }),
    },
  });
}

/** What holds permissions, and is no resource of them. */
const HOLDERS = new Set(['users', 'groups']);

function resourceOf(tx: WriteTransaction, collection: string, row: AnyRow) {
  for (const [field, { relation }] of collectionNamed(collection)?.fields ?? []) {
    const target = relation && !HOLDERS.has(relation.collection) ? collectionNamed(relation.collection) : undefined;
    if (!target) continue;
    const id = String(row[field]);
    const found = tx.get(target, id) as AnyRow | undefined;
    return { collection: target.name, id, name: found ? recordName(found) : '' };
  }
  return { collection: '', id: '', name: '' };
}

/** Somebody was put into a group or taken out of it. */
export function auditMembership({ tx, actor, row, action }: Pick<AfterWrite, 'tx' | 'actor' | 'row' | 'action'>): void {
  const group = String(row.group);
  recordAudit(tx, {
    action: action === 'create' ? 'group.addMember' : 'group.removeMember',
    actor,
    on: { collection: memberships.collection, record: String(row.id), name: nameOfGroup(group) },
    details: { group, user: row.user, userName: nameOfUser(String(row.user)), source: row.source },
  });
}

function auditSetting({ tx, actor, row, action }: AfterWrite): void {
  recordAudit(tx, {
    action: 'settings.update',
    actor,
    on: { collection: 'settings', record: String(row.id), name: String(row.key) },
    details: { keys: [row.key], change: action },
  });
}
