import path from 'node:path';
import { StateFile } from '../../state-file';
import { emptyMemory, memoryFileSchema, type WorkspaceMemory } from './memory';

/** What the agent remembers of each workspace, kept on the disk. */
export class MemoryStore {
  private memories = new Map<string, WorkspaceMemory>();
  private readonly file: StateFile<Record<string, WorkspaceMemory>>;

  constructor(
    stateDir: string,
    private readonly onError: (error: unknown) => void,
  ) {
    this.file = new StateFile(path.join(stateDir, 'workspaces.json'), (value) => memoryFileSchema.parse(value));
  }

  /** A damaged file costs what was remembered: a container that ended by itself may be started once more. */
  async load(onDamaged: (words: string) => void): Promise<void> {
    this.memories = new Map(Object.entries((await this.file.loadOrSetAside(onDamaged)) ?? {}));
  }

  get(workspaceId: string): WorkspaceMemory {
    return this.memories.get(workspaceId) ?? emptyMemory;
  }

  set(workspaceId: string, memory: WorkspaceMemory): void {
    if (JSON.stringify(this.get(workspaceId)) === JSON.stringify(memory)) return;
    this.memories.set(workspaceId, memory);
    this.write();
  }

  forget(workspaceId: string): void {
    if (this.memories.delete(workspaceId)) this.write();
  }

  ids(): string[] {
    return [...this.memories.keys()];
  }

  private write(): void {
    this.file.save(Object.fromEntries(this.memories)).catch(this.onError);
  }
}
