import path from 'node:path';
import { z } from 'zod';
import { type JobEvent, jobEventSchema } from '../../lib/protocol/calls';
import { StateFile } from '../state-file';

const entrySchema = z.object({
  job: z.enum(['build', 'check', 'pull', 'remove-image']),
  /** Null while it runs. */
  outcome: jobEventSchema.nullable(),
});
export type JournalEntry = z.infer<typeof entrySchema>;

/** What was begun and how it ended, on the disk: a job that is delivered again is not done again. */
export class JobJournal {
  private entries = new Map<string, JournalEntry>();
  private readonly file: StateFile<Record<string, JournalEntry>>;

  constructor(stateDir: string) {
    const parse = (value: unknown) => z.record(z.string(), entrySchema).parse(value);
    this.file = new StateFile(path.join(stateDir, 'jobs.json'), parse);
  }

  /** A damaged file costs what was journalled: a job that the console still wants is done again. */
  async load(onDamaged: (words: string) => void): Promise<void> {
    this.entries = new Map(Object.entries((await this.file.loadOrSetAside(onDamaged)) ?? {}));
  }

  get(jobId: string): JournalEntry | undefined {
    return this.entries.get(jobId);
  }

  /** Resolves once it is on the disk: only then may the work begin. */
  begin(jobId: string, job: JournalEntry['job']): Promise<void> {
    this.entries.set(jobId, { job, outcome: null });
    return this.write();
  }

  finish(jobId: string, job: JournalEntry['job'], outcome: JobEvent): Promise<void> {
    this.entries.set(jobId, { job, outcome });
    return this.write();
  }

  /** Keeps only the jobs that the console still knows. */
  retain(jobIds: ReadonlySet<string>): Promise<void> {
    const gone = [...this.entries.keys()].filter((id) => !jobIds.has(id));
    for (const id of gone) this.entries.delete(id);
    return gone.length > 0 ? this.write() : Promise.resolve();
  }

  private write(): Promise<void> {
    return this.file.save(Object.fromEntries(this.entries));
  }
}
