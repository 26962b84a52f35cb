import 'server-only';
import { askHost } from '@/lib/hosts/link/ask-host';
import { type HostDownload, openHostDownload, sendToHost, whileAllowed } from '@/lib/hosts/host-files';
import type { StreamScope } from '@/lib/http/sse';
import type { Actor } from '@/lib/policies/actor';
import { type FileListing, fileListingSchema, fileWrittenSchema } from '@/lib/protocol/file-streams';
import { workspaces, type WorkspaceRow } from '../collection';

export interface FileQuestion {
  actor: Actor;
  workspace: WorkspaceRow;
  path: string;
}

/** What lies in a folder of a workspace's container. Throws `not_found`, and the host's own refusals. */
export function listFiles({ workspace, path }: FileQuestion, signal: AbortSignal): Promise<FileListing> {
  const open = { kind: 'fileList' as const, workspaceId: workspace.id, path };
  return askHost(workspace.host, open, { schema: fileListingSchema, signal });
}

/** Opens a file, or a folder as a tar, until the scope ends or the actor may no longer. Throws as `listFiles` does. */
export async function openDownload(question: FileQuestion, scope: StreamScope): Promise<HostDownload> {
  const { workspace, path } = question;
  try {
    const open = { kind: 'fileRead' as const, workspaceId: workspace.id, path };
    return await openHostDownload(workspace.host, open, allowed(question, scope));
  } catch (error) {
    scope.end();
    throw error;
  }
}

export interface Upload extends FileQuestion {
  name: string;
  size: number;
  replaces: boolean;
  body: AsyncIterable<Buffer>;
}

/**
 * Hands a file on to the container, no faster than the host takes it. The scope has to end in the end. Throws `conflict`
 * where there is one of its name.
 */
export async function sendUpload(upload: Upload, scope: StreamScope): Promise<void> {
  const { workspace, path, name, size, replaces, body } = upload;
  const signal = allowed(upload, scope);
  const open = { kind: 'fileWrite' as const, workspaceId: workspace.id, path, name, size, replaces };
  await sendToHost(workspace.host, open, { size, body, schema: fileWrittenSchema, signal });
}

function allowed({ actor, workspace }: FileQuestion, scope: StreamScope): AbortSignal {
  return whileAllowed(actor, { collection: workspaces, id: workspace.id, act: 'attach' }, scope);
}
