import {
  BLOCK,
  cut,
  type Entry,
  type Meta,
  readEntry,
  readNumber,
  readPax,
  readRoot,
  requireChecksum,
  TarError,
  type TarRoot,
} from './tar-heads';

const META_MAX_BYTES = 1024 * 1024;
/** Of the names of links, which are remembered. */
const LINKS_MAX_CHARS = 32 * 1024 * 1024;
const END = Buffer.alloc(2 * BLOCK);
const NOTHING = Buffer.alloc(0);
const FILES = new Set(['0', '\0', '7']);
const HARD_LINK = '1';
const LINK = '2';
const DEVICES = new Set(['3', '4']);
const FOLDER = '5';
const PIPE = '6';
const META = new Set(['x', 'L', 'K']);
const GLOBAL = 'g';

export interface TarOptions {
  /** Leaves devices out, which nothing makes again, where they are refused otherwise. */
  leaveOutDevices?: boolean;
  /** Keeps links that climb out by `..` aside, in `climbing`: engines unpack none that do, though nobody follows them there. */
  keepClimbing?: boolean;
}

/** A link, its name and target with one character a byte. */
export interface TarLink {
  name: string;
  target: string;
  uid: number;
  gid: number;
  /** Seconds since the Unix epoch. */
  mtime: number;
}

/**
 * Reads a tar as it passes, and lets nothing on that means another place than the folder it is unpacked in: no absolute names, no
 * `..`, nothing below or through a link, no devices, no sparse files, no sizes that aren't true. What passes is byte for byte what
 * came, entry by entry, so that names in any encoding stay what they are. Holds no content.
 */
export class TarCheck {
  /** Files, folders and links that were let on. */
  entries = 0;
  leftOut = 0;
  /** Bytes that were let on. */
  bytes = 0;
  /** Of the folder that the tar was made of, where it is in it. */
  root: TarRoot | undefined;
  readonly climbing: TarLink[] = [];
  private head: Buffer = NOTHING;
  /** Meta entries that wait for what they are about. */
  private held: Buffer[] = [];
  private heldBytes = 0;
  private meta: Meta = {};
  private metaType = '';
  private metaParts: Buffer[] = [];
  private left = 0;
  private padding = 0;
  private mode: 'head' | 'pass' | 'skip' | 'meta' | 'over' = 'head';
  private readonly links = new Set<string>();
  private linkChars = 0;

  constructor(private readonly options: TarOptions = {}) {}

  /** What of the chunk goes on. Throws a TarError. */
  push(chunk: Buffer): Buffer[] {
    const out: Buffer[] = [];
    let rest = chunk;
    while (rest.length > 0 && this.mode !== 'over')
      rest = this.mode === 'head' ? this.readHead(rest, out) : this.readContent(rest, out);
    for (const part of out) this.bytes += part.length;
    return out;
  }

  /** The end of the tar, which goes on too. Throws a TarError where it came before its time. */
  end(): Buffer {
    if (this.mode !== 'over') throw new TarError('The tar broke off: it has no end.');
    this.bytes += END.length;
    return END;
  }

  private readHead(chunk: Buffer, out: Buffer[]): Buffer {
    const missing = BLOCK - this.head.length;
    const head =
      this.head.length === 0 ? chunk.subarray(0, BLOCK) : Buffer.concat([this.head, chunk.subarray(0, missing)]);
    const rest = chunk.subarray(missing);
    if (head.length < BLOCK) {
      this.head = Buffer.from(head);
      return NOTHING;
    }
    this.head = NOTHING;
    if (head.every((byte) => byte === 0)) {
      if (this.held.length > 0) throw new TarError('The tar broke off: it has no end.');
      this.mode = 'over';
      return NOTHING;
    }
    requireChecksum(head);
    this.begin(Buffer.from(head), out);
    return rest;
  }

  private begin(head: Buffer, out: Buffer[]): void {
    const type = String.fromCharCode(head[156]!);
    if (META.has(type) || type === GLOBAL) {
      const size = readNumber(head, 124, 12);
      if (size > META_MAX_BYTES || this.heldBytes > META_MAX_BYTES)
        throw new TarError('A head in the tar is too large.');
      this.metaType = type;
      this.metaParts = [];
      if (type !== GLOBAL) this.hold(head);
      return this.expect(size, 'meta');
    }
    const entry = readEntry(head, type, this.meta);
    const passes = this.check(entry, head);
    if (passes) out.push(...this.held, head);
    this.held = [];
    this.heldBytes = 0;
    this.meta = {};
    // As the engine reads it: what has no content has none, whatever its size says.
    this.expect(FILES.has(type) ? entry.size : 0, passes ? 'pass' : 'skip');
  }

  private expect(size: number, mode: 'pass' | 'skip' | 'meta'): void {
    this.left = size;
    this.padding = (BLOCK - (size % BLOCK)) % BLOCK;
    this.mode = mode;
    if (size === 0) this.finish();
  }

  private readContent(chunk: Buffer, out: Buffer[]): Buffer {
    const all = this.left + this.padding;
    const part = chunk.subarray(0, all);
    const content = part.subarray(0, Math.min(this.left, part.length));
    this.left -= content.length;
    this.padding -= part.length - content.length;
    if (this.mode === 'pass') out.push(part);
    if (this.mode === 'meta') {
      this.metaParts.push(Buffer.from(content));
      if (this.metaType !== GLOBAL) this.hold(Buffer.from(part));
    }
    if (this.left + this.padding === 0) this.finish();
    return chunk.subarray(part.length);
  }

  private finish(): void {
    if (this.mode === 'meta' && this.metaType !== GLOBAL) this.takeMeta(Buffer.concat(this.metaParts));
    this.mode = 'head';
  }

  private hold(part: Buffer): void {
    this.held.push(part);
    this.heldBytes += part.length;
  }

  private takeMeta(content: Buffer): void {
    const text = content.toString('latin1');
    if (this.metaType === 'x') Object.assign(this.meta, readPax(text));
    else if (this.metaType === 'L') this.meta.path = cut(text);
    else this.meta.link = cut(text);
  }

  /** Whether the entry goes on. Throws a TarError for what may not be there. */
  private check({ type, name, linkName }: Entry, head: Buffer): boolean {
    const shown = Buffer.from(name, 'latin1').toString('utf8');
    const plain = plainName(name, shown);
    const isKnown = FILES.has(type) || [HARD_LINK, LINK, FOLDER, PIPE].includes(type);
    if (DEVICES.has(type)) {
      if (!this.options.leaveOutDevices) throw new TarError(`${shown} is a device, which can’t be restored.`);
      this.leftOut += 1;
      return false;
    }
    if (!isKnown) throw new TarError(`${shown} is of a kind that can’t be restored (${JSON.stringify(type)}).`);
    this.refuseBelowLink(plain, shown);
    if (plain === '') {
      if (type !== FOLDER) throw new TarError('The tar’s own folder is no folder.');
      this.root = readRoot(head, this.meta);
    }
    if (type === HARD_LINK) this.refuseBelowLink(plainName(linkName, `the link ${shown}`), shown);
    this.entries += 1;
    if (type !== LINK) {
      this.links.delete(plain);
      return true;
    }
    this.rememberLink(plain, linkName);
    if (!this.options.keepClimbing || !climbs(plain, linkName)) return true;
    const { uid, gid, mtime } = readRoot(head, this.meta);
    this.climbing.push({ name: plain, target: linkName, uid, gid, mtime });
    return false;
  }

  private refuseBelowLink(plain: string, shown: string): void {
    if (this.links.size === 0) return;
    for (let at = plain.indexOf('/'); at >= 0; at = plain.indexOf('/', at + 1)) {
      if (this.links.has(plain.slice(0, at))) throw new TarError(`${shown} goes through a link.`);
    }
  }

  private rememberLink(plain: string, target: string): void {
    this.links.add(plain);
    this.linkChars += plain.length + target.length;
    if (this.linkChars > LINKS_MAX_CHARS) throw new TarError('The tar has too many links.');
  }
}

/** Without `./` and slashes at the end; empty for the folder itself. */
function plainName(name: string, shown: string): string {
  if (name === '' || name.includes('\0')) throw new TarError('A file in the tar has no name.');
  if (name.startsWith('/')) throw new TarError(`${shown} is an absolute name.`);
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw new TarError(`${shown} leads out of the tar.`);
  return parts.join('/');
}

/** Whether a link's target leads above the folder that the tar is unpacked in. */
function climbs(plain: string, target: string): boolean {
  if (target.startsWith('/')) return false;
  let depth = plain.split('/').length - 1;
  for (const part of target.split('/')) {
    if (part === '..') depth -= 1;
    else if (part !== '' && part !== '.') depth += 1;
    if (depth < 0) return true;
  }
  return false;
}
