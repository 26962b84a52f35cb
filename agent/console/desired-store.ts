import type { DesiredAnswer } from '../../lib/protocol/calls';
import type { DesiredKind, DesiredObject, DesiredSpecs } from '../../lib/protocol/specs/desired';
import type { HostSpec } from '../../lib/protocol/specs/host';

/** What the console wants of this host, at one revision. */
export class DesiredStore {
  private objects = new Map<string, DesiredObject>();
  private currentRevision = 0;

  /** 0 before the first answer. */
  get revision(): number {
    return this.currentRevision;
  }

  /** False when the answer is older than what is held, or no newer: it is dropped. */
  apply(answer: DesiredAnswer): boolean {
    if (answer.revision <= this.currentRevision && this.currentRevision !== 0) return false;
    if (answer.full) this.objects.clear();
    for (const object of answer.objects) {
      const key = `${object.kind} ${object.id}`;
      const held = this.objects.get(key);
      if (!held || object.revision >= held.revision) this.objects.set(key, object);
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

  host(): HostSpec | null {
    return [...this.of('host').values()][0] ?? null;
  }
}
