import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type {
  DeploymentStep,
  EnvironmentVariable,
  ExternalUrl,
  GpuRequest,
  HealthCheck,
  ObservedContainer,
  ObservedPort,
  PortMapping,
  PortShare,
  VolumePaths,
} from '@/lib/vocabulary/workspace';
import type { WorkspaceSchedule } from '@/lib/vocabulary/workspace-times';
import { boolColumn, holderColumns, jsonColumn, listColumn, numberColumn, recordColumns, textColumn } from './columns';

export const workspacesTable = sqliteTable(
  'workspaces',
  {
    ...recordColumns(),
    name: textColumn('name'),
    description: textColumn('description'),
    template: boolColumn('template'),
    enabled: boolColumn('enabled'),
    icon: textColumn('icon'),
    created_by: textColumn('created_by'),
    tags: listColumn('tags'),
    image: textColumn('image'),
    /** Number of the build that it was rolled back to; 0 for the newest good one. */
    imageBuild: numberColumn('image_build'),
    host: textColumn('host'),
    runtime: textColumn('runtime'),
    gpus: jsonColumn<GpuRequest>('gpus'),
    command: textColumn('command'),
    arguments: jsonColumn<string[]>('arguments'),
    autoStart: boolColumn('auto_start'),
    /** Bytes; 0 leaves it to the engine. */
    shmSize: numberColumn('shm_size'),
    /** Cores; 0 is no limit. */
    cpuLimit: numberColumn('cpu_limit'),
    /** Bytes; 0 is no limit. */
    memoryLimit: numberColumn('memory_limit'),
    healthCheck: jsonColumn<HealthCheck>('health_check'),
    environmentVariables: jsonColumn<EnvironmentVariable[]>('environment_variables'),
    portMappings: jsonColumn<PortMapping[]>('port_mappings'),
    networks: listColumn('networks'),
    volumes: listColumn('volumes'),
    volumePaths: jsonColumn<VolumePaths>('volume_paths'),
    externalUrls: jsonColumn<ExternalUrl[]>('external_urls'),
    portShares: jsonColumn<PortShare[]>('port_shares'),
    applied_recommendations: listColumn('applied_recommendations'),
    ignored_recommendations: listColumn('ignored_recommendations'),
    desired: textColumn('desired'),
    status: textColumn('status'),
    statusMessage: textColumn('status_message'),
    generation: numberColumn('generation'),
    observedGeneration: numberColumn('observed_generation'),
    observedAt: textColumn('observed_at'),
    /** When the present status was entered. */
    statusSince: textColumn('status_since'),
    observedPorts: jsonColumn<ObservedPort[]>('observed_ports'),
    containerId: textColumn('container_id'),
    observedContainer: jsonColumn<ObservedContainer>('observed_container'),
    /** After so many minutes without use it is stopped; 0 is never. */
    idleMinutes: numberColumn('idle_minutes'),
    schedule: jsonColumn<WorkspaceSchedule>('schedule'),
    /** So many days after it was stopped it is deleted; 0 is never. */
    deleteAfterDays: numberColumn('delete_after_days'),
    /** Nothing stops or deletes it by the clock before. */
    keptUntil: textColumn('kept_until'),
    /** When it will be stopped if nobody uses it until then; empty while that is not known. */
    stopsAt: textColumn('stops_at'),
    /** Since when its owner knows that; empty where there is nothing to know. */
    warnedAt: textColumn('warned_at'),
    nextStartAt: textColumn('next_start_at'),
    nextStopAt: textColumn('next_stop_at'),
    deletesAt: textColumn('deletes_at'),
    /** Since when it is known not to be in use, and when that was looked at last. */
    quietSince: textColumn('quiet_since'),
    quietSeenAt: textColumn('quiet_seen_at'),
    /** When its use is looked at again. */
    lookAt: textColumn('look_at'),
    /** From when the days until its deletion count. */
    deleteFrom: textColumn('delete_from'),
    /** How long before the deletion it was last announced, in milliseconds; 0 where it was not. */
    deleteAnnounced: numberColumn('delete_announced'),
    /** When the clock has something to do with it; empty for never. */
    nextTimeAt: textColumn('next_time_at'),
    /** What its host's maintenance has still to do with it, or has done: see `WorkspaceDrain`; empty for nothing. */
    drain: textColumn('drain'),
  },
  (table) => [
    uniqueIndex('workspaces_name_host_unique').on(table.name, table.host),
    index('workspaces_host').on(table.host),
    index('workspaces_image').on(table.image),
    index('workspaces_created_by').on(table.created_by),
    index('workspaces_status').on(table.status),
    index('workspaces_created').on(table.created),
    index('workspaces_name').on(table.name),
    index('workspaces_next_time').on(table.nextTimeAt),
    index('workspaces_drain').on(table.drain),
  ],
);

export const workspacePermissionsTable = sqliteTable(
  'workspace_permissions',
  {
    ...recordColumns(),
    ...holderColumns(),
    workspace: textColumn('workspace'),
    view: boolColumn('view'),
    deploy: boolColumn('deploy'),
    attach: boolColumn('attach'),
    modify: boolColumn('modify'),
    delete: boolColumn('delete'),
  },
  (table) => [
    uniqueIndex('workspace_permissions_holder_workspace_unique').on(table.user, table.group, table.workspace),
    // What groups hold is read out of the index alone.
    index('workspace_permissions_group').on(
      table.group,
      table.workspace,
      table.view,
      table.deploy,
      table.attach,
      table.modify,
      table.delete,
    ),
    index('workspace_permissions_workspace').on(table.workspace),
  ],
);

/** Who may open a workspace's address that asks for a sign-in. */
export const workspaceLoginPermissionsTable = sqliteTable(
  'workspace_login_permissions',
  {
    ...recordColumns(),
    ...holderColumns(),
    workspace: textColumn('workspace'),
    url: textColumn('url'),
  },
  (table) => [
    uniqueIndex('workspace_login_permissions_holder_workspace_url_unique').on(
      table.user,
      table.group,
      table.workspace,
      table.url,
    ),
    index('workspace_login_permissions_group').on(table.group, table.workspace, table.url),
    index('workspace_login_permissions_workspace').on(table.workspace),
  ],
);

/** What a person is told about the time of a workspace, or about a host. It outlives both. */
export const timeNoticesTable = sqliteTable(
  'time_notices',
  {
    ...recordColumns(),
    user: textColumn('user'),
    /** Either it or the host is empty. */
    workspace: textColumn('workspace'),
    host: textColumn('host'),
    /** As it was called then. */
    name: textColumn('name'),
    kind: textColumn('kind'),
    /** What its sentence needs: moments as wire dates, numbers, words of the console. */
    details: jsonColumn<Record<string, string | number>>('details'),
  },
  (table) => [
    index('time_notices_user').on(table.user, table.created),
    index('time_notices_created').on(table.created),
  ],
);

/** One deployment: what was asked of the host, by whom, and its timeline. */
export const deploymentsTable = sqliteTable(
  'deployments',
  {
    ...recordColumns(),
    workspace: textColumn('workspace'),
    host: textColumn('host'),
    created_by: textColumn('created_by'),
    number: numberColumn('number'),
    generation: numberColumn('generation'),
    /** Which try of the generation it is; with the generation it says whose the host's reports are. */
    attempt: numberColumn('attempt'),
    action: textColumn('action'),
    /** Of a redeploy: `start-first` or `stop-first`; empty where only a host port decides. */
    order: textColumn('deploy_order'),
    /** Whether the image was to be pulled anew. */
    pull: boolColumn('pull'),
    /** pending, succeeded, failed, superseded */
    status: textColumn('status'),
    statusMessage: textColumn('status_message'),
    steps: jsonColumn<DeploymentStep[]>('steps'),
    finished: textColumn('finished'),
  },
  (table) => [
    uniqueIndex('deployments_workspace_number_unique').on(table.workspace, table.number),
    index('deployments_created').on(table.created),
  ],
);

/** What the host was asked to run with a deployment. Apart, as it is large and hardly ever read. */
export const deploymentSpecsTable = sqliteTable('deployment_specs', {
  deployment: text('deployment')
    .primaryKey()
    .references(() => deploymentsTable.id, { onDelete: 'cascade' }),
  /** JSON, without what only its host may know. */
  spec: textColumn('spec'),
});
