import { EventSource } from 'eventsource';
import PocketBase, { type RecordModel } from 'pocketbase';
import { eventually } from './console-process';
import { BASE_IMAGE, docker } from './docker';

// The published client needs the browser's EventSource for realtime.
globalThis.EventSource ??= EventSource as unknown as typeof globalThis.EventSource;

export const PASSWORD = 'Berth!pass1';

export const admin = { email: 'mara@example.org', username: 'mara', name: 'Mara Lindqvist' };

/** The code that a console printed when it started. */
export function setupCodeIn(output: string): string {
  return /^set-up code: (\S+)$/m.exec(output)?.[1] ?? '';
}

/** Creates the first account and returns the published client, signed in as it. A console that is not reached locally asks for its code. */
export async function setUp(url: string, code = ''): Promise<PocketBase> {
  const form = new FormData();
  const fields = { ...admin, code, password: PASSWORD, passwordConfirm: PASSWORD, isAdmin: 'true' };
  for (const [key, value] of Object.entries(fields)) form.append(key, value);
  const response = await fetch(`${url}/api/setup`, { method: 'POST', body: form });
  if (!response.ok) throw new Error(`setup: ${await response.text()}`);
  return signIn(url, admin.username);
}

/** The published client, signed in with the common password. */
export async function signIn(url: string, identity: string): Promise<PocketBase> {
  const pb = new PocketBase(url);
  pb.autoCancellation(false);
  await pb.collection('users').authWithPassword(identity, PASSWORD);
  return pb;
}

/** The embedded agent's host once it is online with a reachable engine. */
export function localHost(pb: PocketBase, limitMs = 30_000): Promise<RecordModel> {
  return eventually(
    'host local is online',
    async () => {
      const host = await pb.collection('hosts').getFirstListItem('name = "local"');
      return host.status === 'online' && host.engine?.reachable ? host : undefined;
    },
    limitMs,
  );
}

/** Asks a workspace's or an image's request call and returns its answer; throws with the body when refused. */
export function request(pb: PocketBase, kind: 'workspace' | 'image', id: string, action: string): Promise<RecordModel> {
  return pb.send(`/api/${kind}/${id}/request`, { method: 'POST', body: { action } });
}

/** Waits until the record has the status; fails at once, with its message, when it ends in error instead. */
export function reaches(
  pb: PocketBase,
  { collection, id, status, limitMs }: { collection: string; id: string; status: string; limitMs?: number },
): Promise<RecordModel> {
  let last = '';
  return eventually(
    `${collection}/${id} is ${status} (last: ${last})`,
    async () => {
      const record = await pb.collection(collection).getOne(id);
      last = `${record.status} ${record.statusMessage}`;
      return record.status === status ? record : undefined;
    },
    limitMs ?? 30_000,
  ).catch((error: Error) => {
    throw new Error(`${error.message}; last seen: ${last}`);
  });
}

/** Builds an image on the host from a Dockerfile on the base image and waits until it is finished. */
export async function buildImage(
  pb: PocketBase,
  hostId: string,
  { name, dockerfile = `FROM ${BASE_IMAGE}\nCMD ["sleep", "3600"]\n` }: { name: string; dockerfile?: string },
): Promise<RecordModel> {
  const image = await pb.collection('images').create({
    name,
    build_on: hostId,
    creationType: 'writeDockerfile',
    dockerfile,
    enabled: true,
  });
  await request(pb, 'image', image.id, 'build');
  return reaches(pb, { collection: 'images', id: image.id, status: 'build_finished', limitMs: 60_000 });
}

/** Container ids on the engine that carry the workspace's label, running or not. */
export async function containersOf(
  workspaceId: string,
  engine: (...args: string[]) => Promise<string> = docker,
): Promise<string[]> {
  const ids = await engine('ps', '-aq', '--no-trunc', '--filter', `label=berth.id=${workspaceId}`);
  return ids.split('\n').filter(Boolean);
}

/** Whether a container runs, by the engine's own word. */
export async function isRunning(
  containerId: string,
  engine: (...args: string[]) => Promise<string> = docker,
): Promise<boolean> {
  return (await engine('inspect', '-f', '{{.State.Running}}', containerId)) === 'true';
}

/** Removes every container, network, volume and image that one console's host made. Its agent must have ended, or it makes them anew. */
export async function cleanHost(
  hostId: string,
  engine: (...args: string[]) => Promise<string> = docker,
): Promise<void> {
  const ids = await engine('ps', '-aq', '--filter', `label=berth.host=${hostId}`);
  if (ids) await engine('rm', '-f', ...ids.split('\n'));
  const networks = await engine('network', 'ls', '-q', '--filter', `label=berth.host=${hostId}`);
  if (networks) await engine('network', 'rm', ...networks.split('\n'));
  const volumes = await engine('volume', 'ls', '-q', '--filter', `label=berth.host=${hostId}`);
  if (volumes) await engine('volume', 'rm', ...volumes.split('\n'));
  const images = await engine('images', '-q', '--filter', `label=berth.host=${hostId}`);
  if (images) await engine('rmi', '-f', ...new Set(images.split('\n'))).catch(() => undefined);
}
