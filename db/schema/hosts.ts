import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type {
  RegistryAuth,
  ReverseProxy,
  NvidiaDriver,
  TraefikDeployment,
  HostIsolation,
  HostResources,
  HostEngine,
  HostMaintenance,
} from '@/lib/vocabulary/host';
import type { HostAlarms, HostThresholds } from '@/lib/vocabulary/host-thresholds';
import type { TraefikState } from '@/lib/vocabulary/proxy-state';
import { boolColumn, holderColumns, jsonColumn, listColumn, numberColumn, recordColumns, textColumn } from './columns';

export const hostsTable = sqliteTable(
  'hosts',
  {
    ...recordColumns(),
    name: textColumn('name'),
    enabled: boolColumn('enabled'),
    created_by: textColumn('created_by'),
    tags: listColumn('tags'),
    /** Null while the host takes what is asked of it. */
    maintenance: jsonColumn<HostMaintenance>('maintenance'),
    address: textColumn('address'),
    environment: textColumn('environment'),
    default_runtime: textColumn('default_runtime'),
    default_gpu_runtime: textColumn('default_gpu_runtime'),
    registry_auths: jsonColumn<RegistryAuth[]>('registry_auths'),
    reverse_proxy: jsonColumn<ReverseProxy>('reverse_proxy'),
    nvidia_driver: jsonColumn<NvidiaDriver>('nvidia_driver'),
    traefik: jsonColumn<TraefikDeployment>('traefik'),
    traefikState: jsonColumn<TraefikState>('traefik_state'),
    isolation: jsonColumn<HostIsolation>('isolation'),
    heartbeat_interval_seconds: numberColumn('heartbeat_interval_seconds'),
    reconciliation_interval_seconds: numberColumn('reconciliation_interval_seconds'),
    pull_timeout: numberColumn('pull_timeout'),
    push_timeout: numberColumn('push_timeout'),
    build_timeout: numberColumn('build_timeout'),
    local_images: jsonColumn<string[]>('local_images'),
    queued_builds_per_person: numberColumn('queued_builds_per_person'),
    thresholds: jsonColumn<HostThresholds>('thresholds'),
    alarms: jsonColumn<HostAlarms>('alarms'),
    os: textColumn('os'),
    platform: textColumn('platform'),
    resources: jsonColumn<HostResources>('resources'),
    engine: jsonColumn<HostEngine>('engine'),
    agentVersion: textColumn('agent_version'),
    status: textColumn('status'),
    statusMessage: textColumn('status_message'),
    lastHeartbeat: textColumn('last_heartbeat'),
  },
  (table) => [uniqueIndex('hosts_name_unique').on(table.name), index('hosts_created').on(table.created)],
);

export const hostPermissionsTable = sqliteTable(
  'host_permissions',
  {
    ...recordColumns(),
    ...holderColumns(),
    host: textColumn('host'),
    view: boolColumn('view'),
    canCreateImages: boolColumn('can_create_images'),
    canCreateWorkspaces: boolColumn('can_create_workspaces'),
    canCreateBindMounts: boolColumn('can_create_bind_mounts'),
    canCreateNetworks: boolColumn('can_create_networks'),
    canCreateVolumeMounts: boolColumn('can_create_volume_mounts'),
  },
  (table) => [
    uniqueIndex('host_permissions_holder_host_unique').on(table.user, table.group, table.host),
    // What groups hold is read out of the index alone.
    index('host_permissions_group').on(
      table.group,
      table.host,
      table.view,
      table.canCreateImages,
      table.canCreateWorkspaces,
      table.canCreateBindMounts,
      table.canCreateNetworks,
      table.canCreateVolumeMounts,
    ),
    index('host_permissions_host').on(table.host),
  ],
);

/** What only the console and the host's agent know of a host: its key, its process, its revision. */
export const hostIdentitiesTable = sqliteTable(
  'host_identities',
  {
    hostId: text('host_id').primaryKey(),
    /** Raw Ed25519 public key, base64url. */
    publicKey: text('public_key').notNull(),
    instanceId: textColumn('instance_id'),
    /** Milliseconds since the epoch, stamped by the console. */
    lastSeenMs: integer('last_seen_ms').notNull().default(0),
    /** Raised in the transaction that changes anything the host must know. */
    revision: integer('revision').notNull().default(0),
    appliedRevision: integer('applied_revision').notNull().default(0),
    /** Older agents' reports than this sequence were already taken. */
    reportSequence: integer('report_sequence').notNull().default(0),
    /** Tombstones up to this revision are gone: an agent that holds less is answered in full. */
    prunedRevision: integer('pruned_revision').notNull().default(0),
    /** Version of the words that the agent speaks; 0 while it has not said. */
    protocol: integer('protocol').notNull().default(0),
  },
  (table) => [index('host_identities_last_seen').on(table.lastSeenMs)],
);

export const joinTokensTable = sqliteTable(
  'join_tokens',
  {
    id: text('id').primaryKey(),
    /** SHA-256 of the token, hex. The token itself is shown once and not kept. */
    hash: text('hash').notNull(),
    name: textColumn('name'),
    createdBy: textColumn('created_by'),
    created: textColumn('created'),
    expiresAtMs: integer('expires_at_ms').notNull(),
    usesLeft: integer('uses_left').notNull(),
    /** Set when an admin allowed this token to replace the key of the host of this name. */
    mayReplaceKey: boolColumn('may_replace_key'),
  },
  (table) => [uniqueIndex('join_tokens_hash_unique').on(table.hash)],
);

/** Desired state as the host's agent reads it: one row an object, a tombstone once it is to go. */
export const desiredObjectsTable = sqliteTable(
  'desired_objects',
  {
    hostId: text('host_id').notNull(),
    kind: text('kind').notNull(),
    objectId: text('object_id').notNull(),
    revision: integer('revision').notNull(),
    /** Null once the object is to go. */
    spec: jsonColumn<unknown>('spec'),
  },
  (table) => [
    uniqueIndex('desired_objects_key').on(table.hostId, table.kind, table.objectId),
    index('desired_objects_revision').on(table.hostId, table.revision),
    index('desired_objects_object').on(table.objectId),
  ],
);
