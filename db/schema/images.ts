import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { sql } from 'drizzle-orm';
import type { BuildArgument, BuildSecret } from '@/lib/vocabulary/build-parameters';
import type { ExposedPort, ImageEnvironment, StartupCommand, UserConfiguration } from '@/lib/vocabulary/image';
import { boolColumn, holderColumns, jsonColumn, listColumn, numberColumn, recordColumns, textColumn } from './columns';

export const imagesTable = sqliteTable(
  'images',
  {
    ...recordColumns(),
    name: textColumn('name'),
    description: textColumn('description'),
    template: boolColumn('template'),
    enabled: boolColumn('enabled'),
    created_by: textColumn('created_by'),
    tags: listColumn('tags'),
    build_on: textColumn('build_on'),
    creationType: textColumn('creation_type'),
    dockerfile: textColumn('dockerfile'),
    dockerImageName: textColumn('docker_image_name'),
    baseImage: textColumn('base_image'),
    repository: textColumn('repository'),
    tag: textColumn('tag'),
    channels: jsonColumn<string[]>('channels'),
    environments: jsonColumn<ImageEnvironment[]>('environments'),
    startupCommands: jsonColumn<StartupCommand[]>('startup_commands'),
    userConfiguration: jsonColumn<UserConfiguration>('user_configuration'),
    files: listColumn('files'),
    filePaths: jsonColumn<Record<string, string>>('file_paths'),
    applied_recommendations: listColumn('applied_recommendations'),
    ignored_recommendations: listColumn('ignored_recommendations'),
    buildArguments: jsonColumn<BuildArgument[]>('build_arguments'),
    /** Sealed. */
    buildSecrets: jsonColumn<BuildSecret[]>('build_secrets'),
    force_pull_base: boolColumn('force_pull_base'),
    push_after_build: boolColumn('push_after_build'),
    external: boolColumn('external'),
    status: textColumn('status'),
    statusMessage: textColumn('status_message'),
    /** Engine id of the newest good build, `sha256:…`; empty before one. */
    imageId: textColumn('image_id'),
    sizeBytes: numberColumn('size_bytes'),
    /** What that build says that it listens on. */
    exposedPorts: jsonColumn<ExposedPort[]>('exposed_ports'),
    /** Number of the newest build. */
    buildNumber: numberColumn('build_number'),
    /** What its registry was last seen to have in place of the newest pull; empty where that is the same. */
    newerDigest: textColumn('newer_digest'),
    /** When its registry was last asked. */
    newerChecked: textColumn('newer_checked'),
  },
  (table) => [
    uniqueIndex('images_repository_tag_host_unique')
      .on(table.repository, table.tag, table.build_on)
      .where(sql`${table.template} = 0`),
    index('images_created_by').on(table.created_by),
    index('images_build_on').on(table.build_on),
    index('images_name').on(table.name),
    index('images_created').on(table.created),
  ],
);

export const imagePermissionsTable = sqliteTable(
  'image_permissions',
  {
    ...recordColumns(),
    ...holderColumns(),
    image: textColumn('image'),
    view: boolColumn('view'),
    deploy: boolColumn('deploy'),
    build: boolColumn('build'),
    modify: boolColumn('modify'),
    delete: boolColumn('delete'),
  },
  (table) => [
    uniqueIndex('image_permissions_holder_image_unique').on(table.user, table.group, table.image),
    // What groups hold is read out of the index alone.
    index('image_permissions_group').on(
      table.group,
      table.image,
      table.view,
      table.deploy,
      table.build,
      table.modify,
      table.delete,
    ),
    index('image_permissions_image').on(table.image),
  ],
);

/** One build or pull of an image: a job of its host. Kept for ever, so that builds can be compared. */
export const buildsTable = sqliteTable(
  'builds',
  {
    ...recordColumns(),
    image: textColumn('image'),
    host: textColumn('host'),
    created_by: textColumn('created_by'),
    number: numberColumn('number'),
    kind: textColumn('kind'),
    status: textColumn('status'),
    statusMessage: textColumn('status_message'),
    /** Place in the host's queue, 0 once it runs. */
    queuePlace: numberColumn('queue_place'),
    started: textColumn('started'),
    finished: textColumn('finished'),
    imageId: textColumn('image_id'),
    digest: textColumn('digest'),
    /** By what the registry knew it then; empty of one that no registry has. */
    reference: textColumn('reference'),
    sizeBytes: numberColumn('size_bytes'),
    cancelRequested: boolColumn('cancel_requested'),
    /** Number of the build whose lock it was to keep to; 0 for the image's lists. */
    lockOf: numberColumn('lock_of'),
    hasLock: boolColumn('has_lock'),
    /** Its image was taken off its host, as later ones came. */
    isGone: boolColumn('is_gone'),
  },
  (table) => [
    uniqueIndex('builds_image_number_unique').on(table.image, table.number),
    index('builds_host_status').on(table.host, table.status),
    index('builds_created').on(table.created),
  ],
);

/** Whether environments can be had, asked before anything is built: a job of a host, kept for as long as its answer is wanted. */
export const imageChecksTable = sqliteTable('image_checks', {
  id: text('id').primaryKey(),
  host: text('host').notNull(),
  createdBy: text('created_by').notNull(),
  /** As of a build. */
  status: text('status').notNull(),
  message: text('message').notNull().default(''),
  /** Milliseconds since the epoch. */
  askedAt: integer('asked_at').notNull(),
});

/** What a build has resolved. Lists of builds are read without it. */
export const buildLocksTable = sqliteTable('build_locks', {
  build: text('build').primaryKey(),
  /** JSON of the environments. */
  environments: text('environments').notNull(),
});

/** The images that a build stood on, as they were. */
export const buildBasesTable = sqliteTable(
  'build_bases',
  {
    build: text('build').notNull(),
    position: integer('position').notNull(),
    host: text('host').notNull(),
    /** As people write it. */
    name: text('name').notNull(),
    imageId: text('image_id').notNull(),
    /** By which a registry gives it; empty where nobody knows. */
    digest: text('digest').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.build, table.position] }),
    index('build_bases_host_image_id').on(table.host, table.imageId),
  ],
);

/** A build's log, in the chunks that the agent numbered. */
export const buildLogChunksTable = sqliteTable(
  'build_log_chunks',
  {
    build: text('build').notNull(),
    sequence: integer('sequence').notNull(),
    text: text('text').notNull(),
  },
  (table) => [primaryKey({ columns: [table.build, table.sequence] })],
);

/** How much of a build's log is held. */
export const buildLogsTable = sqliteTable('build_logs', {
  build: text('build').primaryKey(),
  /** The console holds every chunk up to this sequence. */
  acknowledged: integer('acknowledged').notNull().default(0),
  bytes: integer('bytes').notNull().default(0),
  /** Set once the limit was met; later chunks are acknowledged and dropped. */
  truncated: boolColumn('truncated'),
});
