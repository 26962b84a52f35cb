import path from 'node:path';
import { z } from 'zod';
import type { Engine } from '../engines/engine';
import { toMessage } from '../engines/engine-error';
import { endSession } from '../shell/end-session';
import { StateFile } from '../state-file';

const marksSchema = z.record(z.string(), z.object({ containerId: z.string(), mark: z.string() }));
type Marks = z.infer<typeof marksSchema>;

/** The processes that terminals have started, on the disk: an agent that was killed leaves them running. */
export class TerminalMarks {
  private marks: Marks = {};
  private readonly file: StateFile<Marks>;

  constructor(
    stateDir: string,
    private readonly onError: (error: unknown) => void,
  ) {
    this.file = new StateFile(path.join(stateDir, 'terminals.json'), (value) => marksSchema.parse(value));
  }

  /** Ends what an agent before this one has left. Never fails: what can't be reached is left to its container. */
  async sweep(engine: Engine, onDamaged: (words: string) => void): Promise<void> {
    const left = Object.values((await this.file.loadOrSetAside(onDamaged)) ?? {});
    if (left.length === 0) return;
    for (const { containerId, mark } of left) {
      // Those of the host itself are in no container.
      const ending = containerId === '' ? endSession(mark) : engine.endExec(containerId, mark);
      await ending.catch((error: unknown) => onDamaged(toMessage(error)));
    }
    this.write();
  }

  add(session: string, containerId: string, mark: string): void {
    if (mark === '') return;
    this.marks[session] = { containerId, mark };
    this.write();
  }

  forget(session: string): void {
    if (!(session in this.marks)) return;
    delete this.marks[session];
    this.write();
  }

  private write(): void {
    this.file.save(this.marks).catch(this.onError);
  }
}
