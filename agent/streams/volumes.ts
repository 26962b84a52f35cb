import { Readable } from 'node:stream';
import type { MuxStream } from '../../lib/protocol/mux-stream';
import { TarError } from '../../lib/protocol/tar-heads';
import type {
  OpenVolume,
  OpenVolumeChange,
  OpenVolumeRestore,
  OpenVolumeSizes,
} from '../../lib/protocol/volume-streams';
import type { Engine } from '../engines/engine';
import { answer, RefusedQuestion } from './answers';
import { type FindVolume, openVolumeTree, requireVolumeFiles } from './file-trees';
import { serveList, serveRead } from './files';
import { Incoming } from './incoming';
import { passTar } from './tar-passage';
import type { Uploads } from './uploads';

export interface VolumeSource {
  engine: Engine;
  findVolume: FindVolume;
  uploads: Uploads;
}

/** What a restore has to leave free on the disk of the volume. */
const SPARE_BYTES = 64 * 1024 * 1024;

/** Answers an `open` about what is in volumes. */
export function serveVolumes(stream: MuxStream, open: OpenVolume, source: VolumeSource): void {
  try {
    serve(stream, open, source);
  } catch (error) {
    void answer(stream, () => Promise.reject(error as Error));
  }
}

function serve(stream: MuxStream, open: OpenVolume, source: VolumeSource): void {
  if (open.kind === 'volumeSizes') return void answer(stream, () => measure(open, source));
  if (open.kind === 'volumeChange') return void answer(stream, () => change(open, source));
  if (open.kind === 'volumeRestore') return serveRestore(stream, open, source);
  const tree = openVolumeTree(source.engine, source.findVolume, open.volumeId);
  if (open.kind === 'volumeWrite') source.uploads.serve(stream, open, tree);
  else if (open.kind === 'volumeList') serveList(stream, tree, open.path);
  else serveRead(stream, tree, open.path);
}

async function change({ volumeId, change: wish }: OpenVolumeChange, { engine, findVolume }: VolumeSource) {
  const files = requireVolumeFiles(engine);
  if (wish.act === 'makeFolder') requireName(wish.name);
  if (wish.act === 'move') requireName(wish.to.slice(wish.to.lastIndexOf('/') + 1));
  await files.change(await findVolume(volumeId), wish);
  return { done: true };
}

function requireName(name: string): void {
  if (name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name)) return;
  throw new RefusedQuestion('invalid', 'This is no name of a file.');
}

/** Those that are not there, or not yet, are left out. */
async function measure({ volumeIds }: OpenVolumeSizes, { engine, findVolume }: VolumeSource) {
  const files = requireVolumeFiles(engine);
  const found = await Promise.all(volumeIds.map((id) => findVolume(id).catch(() => null)));
  const sizes = await files.measure(found.filter((volume) => volume !== null));
  return { volumes: [...sizes].map(([volumeId, size]) => ({ volumeId, ...size })) };
}

function serveRestore(stream: MuxStream, open: OpenVolumeRestore, source: VolumeSource): void {
  const incoming = new Incoming(stream, open.size);
  void answer(stream, () => restore(open, incoming, source)).finally(() => incoming.stop());
}

async function restore({ volumeId, size }: OpenVolumeRestore, incoming: Incoming, source: VolumeSource) {
  const files = requireVolumeFiles(source.engine);
  const volume = await source.findVolume(volumeId);
  const users = await files.listRunningUsers(volume);
  if (users.length > 0) {
    throw new RefusedQuestion('busy', `Stop what runs with the volume first: ${users.join(', ')}.`);
  }
  if ((await files.freeBytes(volume)) < size + SPARE_BYTES) {
    throw new RefusedQuestion(
      'full',
      'The host has too little free disk space: until it is whole, what is restored lies beside what is there.',
    );
  }
  const { passed, check } = passTar(Readable.from(incoming.chunks(), { objectMode: false }), { keepClimbing: true });
  let broken: unknown;
  passed.once('error', (error) => (broken = error));
  try {
    const rest = () => ({ root: check.root, links: check.climbing });
    await files.restore(volume, { bytes: passed, rest }, incoming.signal);
  } catch (error) {
    if (broken instanceof TarError) throw new RefusedQuestion('invalid', broken.message);
    throw broken instanceof RefusedQuestion ? broken : error;
  }
  return { entries: check.entries };
}
