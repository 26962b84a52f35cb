import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type Docker from 'dockerode';
import { pack, type Pack } from 'tar-stream';
import { labels } from '../../../../lib/protocol/specs/desired';
import { EngineError } from '../../engine-error';
import { openStream } from '../docker-client';
import { findImage, listTags, removeImage } from '../docker-images';
import { readProgress } from '../json-lines';

const REPOSITORY = 'berth/volume-helper';
export const HELPER_KIND = 'volume-helper';
const SCRIPT = new URL('./volume-helper.mjs', import.meta.url);
const LIBRARY = /^lib[^/]*\.so(\.|$)/;
const LOADER = /^ld-[^/]*\.so(\.|$)/;
const ARCHITECTURES: Readonly<Record<string, string>> = {
  x64: 'amd64',
  arm64: 'arm64',
  arm: 'arm',
  ppc64: 'ppc64le',
  s390x: 's390x',
};

/** What a helper's container runs. */
export interface HelperImage {
  image: string;
  command: string[];
}

interface Program {
  loader: string;
  libraries: string[];
}

/**
 * An image of the agent's own Node, made where there is none yet: no registry is asked, and nothing of the volume's users is
 * needed. Throws an EngineError where the engine's machine can't run what the agent's runs.
 */
export async function ensureHelperImage(docker: Docker): Promise<HelperImage> {
  const program = readProgram();
  const script = await readFile(SCRIPT);
  const { size, mtimeMs } = await stat(process.execPath);
  const key = createHash('sha256')
    .update(JSON.stringify([process.version, process.arch, size, mtimeMs]))
    .update(script);
  const tag = key.digest('hex').slice(0, 20);
  const image = `${REPOSITORY}:${tag}`;
  if (!(await findImage(docker, image))) {
    await requireSameMachine(docker);
    await makeImage(docker, { tag, program, script });
    for (const other of await listTags(docker, REPOSITORY)) {
      if (other !== image) await removeImage(docker, other).catch(() => undefined);
    }
  }
  const start = program.loader === '' ? [] : [`/lib/${path.basename(program.loader)}`, '--library-path', '/lib'];
  return { image, command: [...start, '/node', '--max-old-space-size=128', '/volume-helper.mjs'] };
}

/** The libraries that this process runs with. */
function readProgram(): Program {
  const { sharedObjects } = process.report.getReport() as { sharedObjects?: string[] };
  const loaded = (sharedObjects ?? []).filter((each) => path.isAbsolute(each));
  return {
    loader: loaded.find((each) => LOADER.test(path.basename(each))) ?? '',
    libraries: loaded.filter((each) => LIBRARY.test(path.basename(each)) && !each.endsWith('.node')),
  };
}

async function requireSameMachine(docker: Docker): Promise<void> {
  const { Os, Arch } = (await docker.version()) as { Os?: string; Arch?: string };
  const own = ARCHITECTURES[process.arch] ?? process.arch;
  if (process.platform === 'linux' && Os === 'linux' && Arch === own) return;
  const words = `The engine runs on ${Os}/${Arch} and its agent on ${process.platform}/${own}`;
  throw new EngineError('invalid', `${words}: what is in its volumes can only be shown where both are the same Linux.`);
}

interface Made {
  tag: string;
  program: Program;
  script: Buffer;
}

async function makeImage(docker: Docker, { tag, program, script }: Made): Promise<void> {
  const archive = pack();
  const filled = fill(archive, program, script).catch((error: unknown) => archive.destroy(error as Error));
  const answer: Readable = await openStream(docker, {
    method: 'POST',
    path: '/images/create?',
    query: { fromSrc: '-', repo: REPOSITORY, tag, changes: `LABEL ${labels.kind}=${HELPER_KIND}` },
    body: archive as unknown as NodeJS.ReadableStream,
    headers: { 'content-type': 'application/x-tar' },
  });
  for await (const { error } of readProgress(answer)) if (error) throw new EngineError('failed', error);
  await filled;
}

async function fill(archive: Pack, { loader, libraries }: Program, script: Buffer): Promise<void> {
  for (const name of ['lib', 'proc', 'sys', 'dev', 'tmp', 'volume']) archive.entry({ name, type: 'directory' });
  await add(archive, { name: 'node', file: process.execPath });
  for (const file of [...libraries, ...(loader === '' ? [] : [loader])]) {
    await add(archive, { name: `lib/${path.basename(file)}`, file });
  }
  archive.entry({ name: 'volume-helper.mjs', mode: 0o644 }, script);
  archive.finalize();
}

async function add(archive: Pack, { name, file }: { name: string; file: string }): Promise<void> {
  const place = await realpath(file);
  const { size } = await stat(place);
  await pipeline(createReadStream(place), archive.entry({ name, size, mode: 0o755 }));
}
