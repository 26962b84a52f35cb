/** One entry of a list or an object that lies right under the root. */
export interface JsonMember {
  /** Name of the list. */
  list: string;
  /** In an object; empty in a list. */
  key: string;
  /** The entry's own JSON, or undefined where it is longer than wanted. */
  json: string | undefined;
}

const KEY_BYTES_MAX = 4096;
const BYTE = { quote: 34, comma: 44, colon: 58, openList: 91, backslash: 92, closeList: 93, open: 123, close: 125 };

export class JsonError extends Error {}

/**
 * Takes a JSON object apart as its bytes come: hands out the entries of some of its lists and objects one by one, so that of an
 * answer of any length no more than one entry is held. Throws JsonError where the text is no such object.
 */
export class JsonMembers {
  private depth = 0;
  private isInText = false;
  private isEscaped = false;
  private isOver = false;
  /** Of what is right under the root: a name was read, and what it names is next. */
  private isValueNext = false;
  private list = '';
  private key = '';
  private isWanted = false;
  private isList = false;
  /** What is being kept of the bytes, and where in this chunk it began. */
  private keeps: 'nothing' | 'key' | 'text' | 'container' | 'plain' = 'nothing';
  private from = 0;
  private parts: Buffer[] = [];
  private size = 0;
  private found: JsonMember[] = [];

  constructor(
    private readonly lists: ReadonlySet<string>,
    private readonly maxBytes: number,
  ) {}

  /** The entries that end in this chunk. */
  push(chunk: Buffer): JsonMember[] {
    this.found = [];
    this.from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at]!;
      if (this.isInText) {
        if (this.isEscaped) this.isEscaped = false;
        else if (byte === BYTE.backslash) this.isEscaped = true;
        else if (byte === BYTE.quote) this.endText(chunk, at);
      } else if (byte > 32) this.step(chunk, byte, at);
    }
    if (this.keeps !== 'nothing') this.keep(chunk, chunk.length);
    return this.found;
  }

  /** Throws JsonError unless the object has ended. */
  end(): void {
    if (!this.isOver) throw new JsonError('The text ends too early.');
  }

  private step(chunk: Buffer, byte: number, at: number): void {
    if (this.isOver) throw new JsonError('Something follows the object.');
    if (byte === BYTE.quote) this.beginText(at);
    else if (byte === BYTE.open || byte === BYTE.openList) this.open(byte, at);
    else if (byte === BYTE.close || byte === BYTE.closeList) this.close(chunk, at);
    else if (byte === BYTE.comma) this.next(chunk, at);
    else if (byte === BYTE.colon) {
      if (this.depth <= 2) this.isValueNext = true;
    } else if (this.depth === 0) throw new JsonError('The text is no object.');
    else if (this.isEntryNext()) this.begin('plain', at);
  }

  private isEntryNext(): boolean {
    return this.depth === 2 && this.isWanted && this.keeps === 'nothing' && (this.isList || this.isValueNext);
  }

  private begin(keeps: typeof this.keeps, at: number): void {
    this.keeps = keeps;
    this.from = at;
    this.parts = [];
    this.size = 0;
  }

  private beginText(at: number): void {
    if (this.depth === 0) throw new JsonError('The text is no object.');
    this.isInText = true;
    if (this.isEntryNext()) this.begin('text', at);
    else if (this.keeps === 'nothing' && !this.isValueNext && (this.depth === 1 || (this.depth === 2 && this.isWanted)))
      this.begin('key', at);
  }

  private endText(chunk: Buffer, at: number): void {
    this.isInText = false;
    if (this.keeps === 'text') return this.finish(chunk, at + 1);
    if (this.keeps !== 'key') return;
    const json = this.take(chunk, at + 1, KEY_BYTES_MAX);
    if (json === undefined) throw new JsonError('A name is too long.');
    const name = parse(json) as string;
    if (this.depth === 1) this.list = name;
    else this.key = name;
  }

  private open(byte: number, at: number): void {
    if (this.depth === 0 && byte === BYTE.openList) throw new JsonError('The text is no object.');
    if (this.isEntryNext()) this.begin('container', at);
    this.depth += 1;
    if (this.depth !== 2) return;
    this.isList = byte === BYTE.openList;
    this.isWanted = this.lists.has(this.list);
    this.isValueNext = false;
  }

  private close(chunk: Buffer, at: number): void {
    this.depth -= 1;
    if (this.depth < 0) throw new JsonError('The text is no object.');
    if (this.keeps === 'plain') this.finish(chunk, at);
    else if (this.keeps === 'container' && this.depth === 2) this.finish(chunk, at + 1);
    if (this.depth <= 1) this.isValueNext = false;
    if (this.depth === 0) this.isOver = true;
  }

  private next(chunk: Buffer, at: number): void {
    if (this.keeps === 'plain') this.finish(chunk, at);
    if (this.depth <= 2) this.isValueNext = false;
  }

  private finish(chunk: Buffer, to: number): void {
    const json = this.take(chunk, to, this.maxBytes);
    this.found.push({ list: this.list, key: this.isList ? '' : this.key, json });
    this.isValueNext = false;
  }

  private take(chunk: Buffer, to: number, maxBytes: number): string | undefined {
    const isWhole = this.size === 0;
    const length = this.size + to - this.from;
    if (!isWhole) this.keep(chunk, to);
    const from = isWhole ? this.from : 0;
    const read = () => (isWhole ? chunk.toString('utf8', from, to) : Buffer.concat(this.parts).toString('utf8'));
    const text = length > maxBytes ? undefined : read();
    this.begin('nothing', 0);
    return text;
  }

  /** What is too long is counted and no longer kept. */
  private keep(chunk: Buffer, to: number): void {
    this.size += to - this.from;
    if (this.size > Math.max(this.maxBytes, KEY_BYTES_MAX)) this.parts = [];
    else this.parts.push(Buffer.from(chunk.subarray(this.from, to)));
    this.from = 0;
  }
}

/** Throws JsonError in place of the engine's own error, which quotes the text. */
export function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new JsonError('The text is no JSON.');
  }
}

/** All entries of some lists of a JSON object, a chunk's worth at a time. Throws JsonError. */
export async function* readMembers(
  chunks: AsyncIterable<Buffer>,
  { lists, maxBytes }: { lists: readonly string[]; maxBytes: number },
): AsyncGenerator<JsonMember[]> {
  const members = new JsonMembers(new Set(lists), maxBytes);
  for await (const chunk of chunks) yield members.push(chunk);
  members.end();
}
