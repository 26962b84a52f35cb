import type { DesiredRead } from '../../lib/protocol/calls';
import {
  type DesiredKind,
  type DesiredObject,
  type DesiredSpecs,
  readDesiredObject,
  type UnsupportedObject,
} from '../../lib/protocol/specs/desired';
import type { HostSpec } from '../../lib/protocol/specs/host';

/** What the console wants of this host, at one revision. */
export class DesiredStore {
  private readonly objects = new Map<string, DesiredObject>();
  private readonly unreadable = new Map<string, UnsupportedObject>();
  private currentRevision = 0;

  /** 0 before the first answer. */
  get revision(): number {
    return this.currentRevision;
  }

  /** What is wanted and can't be read here. Of such an object, what was read last stays wanted. */
  get unsupported(): UnsupportedObject[] {
    return [...this.unreadable.values()];
  }

  /** False when the answer is older than what is held, or no newer: it is dropped. */
  apply(answer: DesiredRead): boolean {
    if (answer.revision <= this.currentRevision && this.currentRevision !== 0) return false;
    const read = answer.objects.map(readDesiredObject).filter((each) => each !== undefined);
    if (answer.full) this.retain(new Set(read.map((each) => keyOf('object' in each ? each.object : each.unsupported))));
    for (const each of read) {
      if ('object' in each) this.take(each.object, answer.full);
      else this.unreadable.set(keyOf(each.unsupported), each.unsupported);
    }
    this.currentRevision = answer.revision;
    return true;
  }

  /** The objects of a kind; null is a tombstone. */
  of<K extends DesiredKind>(kind: K): Map<string, DesiredSpecs[K] | null> {
    const found = new Map<string, DesiredSpecs[K] | null>();
    for (const object of this.objects.values()) {
      if (object.kind === kind) found.set(object.id, object.spec as DesiredSpecs[K] | null);
    }
    return found;
  }

  /** One object; null for a tombstone, undefined where nothing was ever said of it. */
  one<K extends DesiredKind>(kind: K, id: string): DesiredSpecs[K] | null | undefined {
    return this.objects.get(keyOf({ kind, id }))?.spec as DesiredSpecs[K] | null | undefined;
  }

  /** Every object that is wanted, or is to go, as `kind id`. */
  keys(): Set<string> {
    return new Set(this.objects.keys());
  }

  host(): HostSpec | null {
    return [...this.of('host').values()][0] ?? null;
  }

  private retain(keys: ReadonlySet<string>): void {
    for (const key of this.objects.keys()) if (!keys.has(key)) this.objects.delete(key);
    this.unreadable.clear();
  }

  private take(object: DesiredObject, isFull: boolean): void {
    const key = keyOf(object);
    const held = this.objects.get(key);
    if (held && !isFull && object.revision < held.revision) return;
    this.objects.set(key, object);
    this.unreadable.delete(key);
  }
}

function keyOf({ kind, id }: { kind: string; id: string }): string {
  return `${kind} ${id}`;
}
