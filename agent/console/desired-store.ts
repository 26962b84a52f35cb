import type { DesiredAnswer } from '../../lib/protocol/calls';
import type { DesiredObject } from '../../lib/protocol/specs/desired';
import type { HostSpec } from '../../lib/protocol/specs/host';
import type { JobSpec } from '../../lib/protocol/specs/job';
import type { WorkspaceSpec } from '../../lib/protocol/specs/workspace';

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

  /** Null is a tombstone. */
  workspaces(): Map<string, WorkspaceSpec | null> {
    const found = new Map<string, WorkspaceSpec | null>();
    for (const object of this.objects.values()) if (object.kind === 'workspace') found.set(object.id, object.spec);
    return found;
  }

  jobs(): Map<string, JobSpec | null> {
    const found = new Map<string, JobSpec | null>();
    for (const object of this.objects.values()) if (object.kind === 'job') found.set(object.id, object.spec);
    return found;
  }

  host(): HostSpec | null {
    for (const object of this.objects.values()) if (object.kind === 'host') return object.spec;
    return null;
  }
}
