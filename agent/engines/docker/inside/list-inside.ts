import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type Docker from 'dockerode';
import type { FileEntry, FileKind } from '../../../../lib/protocol/file-streams';
import { type FolderEntries, LIST_LIMITS, type Place } from '../../engine-inside';
import { MARK, runInside } from './run-inside';

/** `$1` the folder, `$2` what every entry begins with: names may hold line breaks. */
const LIST_SCRIPT = [
  `command -v find >/dev/null 2>&1 && command -v stat >/dev/null 2>&1 || exit 127`,
  `cd "$1" || exit 126`,
  MARK,
  `exec find . -mindepth 1 -maxdepth 1 -exec stat -c "$2 %f %s %Y %n" {} + 2>/dev/null`,
].join('\n');

const OUTPUT_MAX_BYTES = 4 * 1024 * 1024;
const ENTRY = /^([0-9a-f]+) (\d+) (-?\d+) \.\/$/;

/** What lies in a folder, asked of the container's own programs; undefined where it has none that tell. */
export async function listInside(
  docker: Docker,
  place: Place,
  signal: AbortSignal,
): Promise<FolderEntries | undefined> {
  const mark = `/${randomBytes(6).toString('hex')}/`;
  const { containerId, path } = place;
  const output = await runInside(docker, { containerId, script: LIST_SCRIPT, args: [path, mark], signal });
  if (!output) return undefined;
  const { bytes, isWhole } = await collect(output);
  const entries = parseEntries(bytes, `${mark} `, isWhole);
  return {
    entries: entries.slice(0, LIST_LIMITS.entries),
    isWhole: isWhole && entries.length <= LIST_LIMITS.entries,
  };
}

async function collect(output: Readable): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of output as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > OUTPUT_MAX_BYTES) return { bytes: Buffer.concat(chunks), isWhole: false };
  }
  return { bytes: Buffer.concat(chunks), isWhole: true };
}

/** Entries of the script's output. The last of an output that was cut is left out. */
export function parseEntries(bytes: Buffer, mark: string, isWhole: boolean): FileEntry[] {
  const entries: FileEntry[] = [];
  let at = bytes.indexOf(mark);
  while (at >= 0) {
    const next = bytes.indexOf(mark, at + mark.length);
    if (next < 0 && !isWhole) return entries;
    // A line break ends each.
    const entry = parseEntry(bytes.subarray(at + mark.length, (next < 0 ? bytes.length : next) - 1));
    if (entry) entries.push(entry);
    at = next;
  }
  return entries;
}

function parseEntry(bytes: Buffer): FileEntry | undefined {
  const nameAt = bytes.indexOf('./') + 2;
  const match = ENTRY.exec(bytes.toString('latin1', 0, nameAt));
  if (!match) return undefined;
  const [, mode = '', size = '', changed = ''] = match;
  return { ...readName(bytes.subarray(nameAt)), ...kindAndSize(mode, size), changed: Number(changed) };
}

function kindAndSize(mode: string, size: string): { kind: FileKind; size: number } {
  const kind = KINDS[Number.parseInt(mode, 16) & 0o170000] ?? 'other';
  return { kind, size: kind === 'file' ? Number(size) : 0 };
}

const KINDS: Readonly<Record<number, FileKind>> = {
  0o100000: 'file',
  0o040000: 'folder',
  0o120000: 'link',
  0o060000: 'device',
  0o020000: 'device',
};

/** A name as text, and whether the text is the name. */
export function readName(bytes: Buffer): { name: string; isNameWhole: boolean } {
  const name = bytes.toString('utf8');
  return { name, isNameWhole: Buffer.from(name, 'utf8').equals(bytes) };
}
