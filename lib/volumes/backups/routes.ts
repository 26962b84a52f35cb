import 'server-only';
import { requireLoggedIn } from '@/lib/auth/require-logged-in';
import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import { z } from 'zod';
import { requestActor, streamActor } from '@/lib/auth/actor';
import { takeStreamPlace } from '@/lib/auth/stream-places';
import { AppError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import { requireLength, whileAllowed } from '@/lib/hosts/host-files';
import type { RequestContext, Route } from '@/lib/http/context';
import { attachmentHeaders } from '@/lib/http/file-headers';
import { defineRoute } from '@/lib/http/route';
import { createScope, scopedBody } from '@/lib/http/sse';
import type { Actor } from '@/lib/policies/actor';
import { recordAuditAlone } from '@/lib/records/audit';
import { StoreReader } from '@/lib/records/transaction';
import { limits } from '@/lib/vocabulary/limits';
import { volumes } from '../collection';
import { requireVolume, volumeFor, type VolumeQuestion } from '../files/request';
import { volumeBackups } from './collection';
import { beginBackup, type BackupRow, keepUpload, nameOf } from './create-backup';
import { fileOf } from './folder';
import { deleteBackup } from './forget-backups';
import { beginRestore } from './restore-backup';
import { unpacked } from './write-tar';

const ALL = '/api/volume/:id/backups';
const ONE = '/api/volume-backup/:id';

const startedSchema = z.strictObject({
  id: z.string().describe('Of the record in volume_backups'),
  status: z.string(),
});

interface BackupQuestion extends VolumeQuestion {
  backup: BackupRow;
}

/** The backup and its volume, for who may do the act to that. Throws `unauthenticated`, `not_found` and `forbidden`. */
function backupFor(actor: Actor, id: string, act: 'attach' | 'modify'): BackupQuestion {
  const backup = new StoreReader().get(volumeBackups, id);
  if (!backup) throw new AppError('not_found', NOT_FOUND_MESSAGE);
  return { ...volumeFor(actor, backup.volume, act), backup };
}

function requireBackup(context: RequestContext, act: 'attach' | 'modify'): BackupQuestion {
  requireLoggedIn(context);
  return backupFor(requestActor(context), context.params.id ?? '', act);
}

/** Backups of a volume: read by who may attach it, made, restored and deleted by who may modify it. */
export const volumeBackupRoutes: Route[] = [
  defineRoute({
    method: 'POST',
    path: ALL,
    summary: 'Begins a backup of a volume; how it goes on is in its record',
    guard: (context) => requireVolume(context, 'modify'),
    answer: startedSchema,
    status: 202,
    async handle({ caller }) {
      const { backup } = await beginBackup({ ...caller, origin: 'asked' });
      return { id: backup.id, status: backup.status };
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${ALL}/upload`,
    summary: 'Keeps a tar, packed by gzip or not, as a backup of a volume; the body is the tar',
    guard: (context) => requireVolume(context, 'modify'),
    bodyShape: z.file(),
    bodyTypes: ['application/octet-stream'],
    read: (context) => ({ size: requireLength(context) }),
    answer: startedSchema,
    async handle({ context, caller }) {
      const { actor, volume } = caller;
      const scope = createScope(context.signal);
      takeStreamPlace(actor, scope);
      try {
        const signal = whileAllowed(actor, { collection: volumes, id: volume.id, act: 'modify' }, scope);
        const sent = context.bodyStream().iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
        const { id, status } = await keepUpload({ volume, actor, body: bounded(unpacked(sent)) }, signal);
        return { id, status };
      } finally {
        scope.end();
      }
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${ONE}/download`,
    summary: 'Downloads a backup of a volume',
    mediaType: 'application/gzip',
    async handle({ context }) {
      const actor = await streamActor(context);
      if (actor.kind === 'guest') throw new AppError('unauthenticated', 'The request requires a logged-in user.');
      const { volume, backup } = backupFor(actor, context.params.id ?? '', 'attach');
      const stats = await fs.stat(fileOf(backup.id)).catch(() => undefined);
      if (backup.status !== 'done' || !stats) throw new AppError('not_found', 'There is no file of this backup.');
      const scope = createScope(context.signal);
      takeStreamPlace(actor, scope);
      whileAllowed(actor, { collection: volumes, id: volume.id, act: 'attach' }, scope).addEventListener('abort', () =>
        scope.end(),
      );
      await recordAuditAlone({
        action: 'volume.downloadBackup',
        actor,
        on: nameOf(volume),
        details: { backup: backup.id },
      });
      const name = `${volume.name}-${backup.created.slice(0, 16).replace(/[ :]/g, '-')}.tar.gz`;
      const headers = {
        ...attachmentHeaders(name),
        'content-type': 'application/gzip',
        'content-length': String(stats.size),
      };
      return {
        status: 200,
        headers,
        body: scopedBody(scope, createReadStream(fileOf(backup.id)) as AsyncIterable<Buffer>),
      };
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${ONE}/restore`,
    summary:
      'Puts what a backup holds in the place of what is in its volume, whose name is given; how it goes on is in its record',
    guard: (context) => requireBackup(context, 'modify'),
    body: z.strictObject({ name: z.string().max(limits.nameLength).describe('The volume’s name, typed') }),
    status: 202,
    example: { name: 'models' },
    async handle({ body, caller }) {
      await beginRestore({ ...caller, ...body });
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: ONE,
    summary: 'Deletes a backup of a volume',
    guard: (context) => requireBackup(context, 'modify'),
    handle: ({ caller: { backup, actor } }) => deleteBackup(backup.id, actor),
  }),
];

/** What was packed may be far larger than what was sent. */
async function* bounded(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left = limits.volumeTarBytes;
  for await (const chunk of source) {
    left -= chunk.length;
    if (left < 0) throw new AppError('too_large', 'What the tar holds is larger than can be uploaded.');
    yield chunk;
  }
}
