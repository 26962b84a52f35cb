import { pack } from 'tar-stream';
import type { BuildRequest } from '../engine';
import { EngineError } from '../engine-error';

export const DOCKERFILE = 'Dockerfile';

/** The build's files and its Dockerfile as one tar. Times are fixed, so that equal input gives an equal cache key. */
export async function packContext(spec: BuildRequest['spec']): Promise<Buffer> {
  const archive = pack();
  const mtime = new Date(0);
  archive.entry({ name: DOCKERFILE, mode: 0o644, mtime }, spec.dockerfile);
  for (const file of spec.files) {
    if (file.path.startsWith('/') || file.path.split('/').includes('..')) {
      throw new EngineError('invalid', `The build file ${file.path} lies outside the build's folder`);
    }
    archive.entry({ name: file.path, mode: file.mode, mtime }, Buffer.from(file.content, 'base64'));
  }
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
