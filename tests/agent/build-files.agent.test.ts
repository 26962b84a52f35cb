import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { extract } from 'tar-stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packContext } from '@/agent/engines/docker/build-context';
import type { BuildFile } from '@/agent/engines/engine';
import { BuildFiles } from '@/agent/jobs/build-files';
import type { ContextFileSpec } from '@/lib/protocol/specs/job';
import { makeBuildSpec } from './specs';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-build-files-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex');
const uploadOf = (text: string, path_ = 'a/b'): ContextFileSpec => {
  return {
    from: 'console',
    path: path_,
    mode: 0o644,
    file: 'f1',
    name: 'n',
    sizeBytes: text.length,
    sha256: sha256Of(text),
  };
};
const webOf = (maxBytes: number): ContextFileSpec => ({
  from: 'web',
  path: 'far',
  mode: 0o644,
  url: 'https://example.org/x',
  maxBytes,
});

/** Gets the files and reads them as an engine would. */
async function take(context: ContextFileSpec[], sent: () => Readable, signal = new AbortController().signal) {
  const files = new BuildFiles({ folder, openUpload: async () => sent(), openWeb: async () => sent() });
  return files.use({ jobId: 'job1', context }, { log: () => undefined, signal }, async (got) => {
    const read: Record<string, string> = {};
    for (const each of got) read[each.path] = String(each.bytes ?? (await buffer(each.open!())));
    return read;
  });
}

describe('files of a build', () => {
  it('are on the disk for as long as it takes', async () => {
    const text: ContextFileSpec = { from: 'text', path: 't', mode: 0o755, text: 'é' };
    expect(await take([text, uploadOf('upload')], () => Readable.from([Buffer.from('upload')]))).toEqual({
      t: 'é',
      'a/b': 'upload',
    });
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it('are not taken when they are not what was asked for', async () => {
    await expect(take([uploadOf('upload')], () => Readable.from([Buffer.from('uploaD')]))).rejects.toThrow(
      'The file /a/b could not be had: it is not what the build was asked for with',
    );
    await expect(take([uploadOf('upload')], () => Readable.from([Buffer.from('uploads')]))).rejects.toThrow(
      'larger than 6 bytes',
    );
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it('that never end are given up at their limit', async () => {
    let sent = 0;
    const endless = () =>
      new Readable({
        read() {
          sent += 65_536;
          this.push(Buffer.alloc(65_536));
        },
      });
    await expect(take([webOf(1_000_000)], endless)).rejects.toThrow('larger than 1000000 bytes');
    expect(sent).toBeLessThan(3_000_000);
  });

  it('are given up with the build', async () => {
    const abort = new AbortController();
    const stuck = () => {
      setTimeout(() => abort.abort(), 20);
      return new Readable({ read: () => undefined });
    };
    await expect(take([webOf(10)], stuck, abort.signal)).rejects.toThrow(/abort/i);
    expect(fs.readdirSync(folder)).toEqual([]);
  });
});

describe('a build context', () => {
  const spec = makeBuildSpec({ dockerfile: 'FROM scratch\n' }) as Parameters<typeof packContext>[0]['spec'];
  const file = (at: string, text = 'x'): BuildFile => {
    return { path: at, mode: 0o644, sizeBytes: text.length, open: () => Readable.from([Buffer.from(text)]) as never };
  };
  async function pack(files: BuildFile[]): Promise<Record<string, string>> {
    const read: Record<string, string> = {};
    const reader = extract();
    packContext({ spec, files }).pipe(reader);
    for await (const entry of reader) read[entry.header.name] = String(await buffer(entry));
    return read;
  }

  it('holds the Dockerfile and the files', async () => {
    expect(await pack([file('a/b', 'one'), file('c', 'two')])).toEqual({
      Dockerfile: 'FROM scratch\n',
      'a/b': 'one',
      c: 'two',
    });
  });

  it.each(['/etc/x', '../x', 'a/../../x', './x', 'a//b', 'Dockerfile'])('has no place for %s', (at) => {
    expect(() => packContext({ spec, files: [file(at)] })).toThrow(
      /lies outside the build's folder|Two files of the build/,
    );
  });

  it('fails with a file that is shorter than it was', async () => {
    await expect(
      new Promise((resolve, reject) => {
        const stream = packContext({ spec, files: [{ ...file('a', 'one'), sizeBytes: 9 }] });
        stream.once('error', reject).once('end', resolve).resume();
      }),
    ).rejects.toThrow();
  });
});
