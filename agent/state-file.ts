import { mkdir, open, readFile, rename } from 'node:fs/promises';
import path from 'node:path';

/** A state file that can be read and makes no sense. */
export class DamagedStateError extends Error {
  override name = 'DamagedStateError';

  constructor(file: string, { advice, cause }: { advice: string; cause: unknown }) {
    super([`The agent's file ${file} is damaged.`, advice].filter(Boolean).join(' '), { cause });
  }
}

/**
 * One JSON file that survives a crash: written beside, synced, then renamed. Writes are gathered; each `save` takes
 * whatever the newest value is.
 */
export class StateFile<T> {
  private writing: Promise<void> | undefined;
  private pending: T | undefined;

  constructor(
    private readonly file: string,
    private readonly parse: (value: unknown) => T,
    /** What a person can do when it is damaged. */
    private readonly advice = '',
  ) {}

  /** Undefined when there is no file. Throws a DamagedStateError when it has another shape. */
  async load(): Promise<T | undefined> {
    let text: string;
    try {
      text = await readFile(this.file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    try {
      return this.parse(JSON.parse(text));
    } catch (error) {
      throw new DamagedStateError(this.file, { advice: this.advice, cause: error });
    }
  }

  /** The same for what can be done without: a damaged file is kept under another name, and `onDamaged` hears of it. */
  async loadOrSetAside(onDamaged: (words: string) => void): Promise<T | undefined> {
    try {
      return await this.load();
    } catch (error) {
      if (!(error instanceof DamagedStateError)) throw error;
      const kept = `${this.file}.damaged`;
      await rename(this.file, kept);
      onDamaged(`${error.message} It is kept as ${kept}, and the agent goes on without it.`);
      return undefined;
    }
  }

  /** Resolves when this value, or a newer one, is on the disk. */
  save(value: T): Promise<void> {
    this.pending = value;
    this.writing ??= this.writeAll().finally(() => {
      this.writing = undefined;
    });
    return this.writing;
  }

  private async writeAll(): Promise<void> {
    while (this.pending !== undefined) {
      const value = this.pending;
      this.pending = undefined;
      await this.write(JSON.stringify(value));
    }
  }

  private async write(text: string): Promise<void> {
    await mkdir(path.dirname(this.file), { recursive: true, mode: 0o700 });
    const temporary = `${this.file}.new`;
    const handle = await open(temporary, 'w', 0o600);
    try {
      await handle.writeFile(text);
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await rename(temporary, this.file);
  }
}
