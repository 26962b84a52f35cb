import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Pack, pack } from 'tar-stream';
import type { BuildFile, BuildRequest } from '../engine';
import { EngineError } from '../engine-error';

export const DOCKERFILE = 'Dockerfile';

/**
 * The build's files and its Dockerfile as one tar, read as the engine takes it. Times are fixed, so that equal input gives an
 * equal cache key. Throws for a file that would lie elsewhere, or in the place of another.
 */
export function packContext({ spec, files = [] }: Pick<BuildRequest, 'spec' | 'files'>): Readable {
  const dockerfile = { path: DOCKERFILE, mode: 0o644, ...ofBytes(Buffer.from(spec.dockerfile)) };
  const held = (spec.files ?? []).map(({ content, ...file }) => ({
    ...file,
    ...ofBytes(Buffer.from(content, 'base64')),
  }));
  const all: BuildFile[] = [dockerfile, ...held, ...files];
  requirePlaces(all);
  const archive = pack();
  writeAll(archive, all).then(
    () => archive.finalize(),
    (error: unknown) => archive.destroy(error as Error),
  );
  return archive as unknown as Readable;
}

function ofBytes(bytes: Buffer): Pick<BuildFile, 'sizeBytes' | 'bytes'> {
  return { sizeBytes: bytes.length, bytes };
}

function requirePlaces(files: readonly BuildFile[]): void {
  const taken = new Set<string>();
  for (const { path } of files) {
    const steps = path.split('/');
    if (steps.some((step) => step === '' || step === '.' || step === '..')) {
      throw new EngineError('invalid', `The build file ${path} lies outside the build's folder`);
    }
    if (taken.has(path)) throw new EngineError('invalid', `Two files of the build are called ${path}`);
    taken.add(path);
  }
}

async function writeAll(archive: Pack, files: readonly BuildFile[]): Promise<void> {
  const mtime = new Date(0);
  for (const { path: name, mode, sizeBytes: size, bytes, open } of files) {
    const entry = archive.entry({ name, mode, mtime, size });
    if (bytes) entry.end(bytes);
    await (bytes ? ended(entry) : pipeline(open!(), entry));
  }
}

function ended(entry: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve, reject) => {
    entry.once('finish', resolve);
    entry.once('close', resolve);
    entry.once('error', reject);
  });
}
