import type { Readable } from 'node:stream';
import type { TerminalSize } from '../../lib/protocol/streams';

/** What runs on a terminal, in a container or on the host itself. */
export interface Terminal {
  /** As a terminal shows it; ends with the process. */
  readonly output: Readable;
  /** What runs, as `bash`; empty when nobody knows. */
  readonly program: string;
  readonly takesInput: boolean;
  /** Set where the size stays as it was at the beginning. */
  readonly hasFixedSize?: boolean;
  /** Finds its processes again after the agent was killed; empty when there is nothing to end. */
  readonly mark: string;
  /** Resolves when more may come. */
  write(bytes: Buffer): Promise<void>;
  resize(size: TerminalSize): Promise<void>;
  /** Asked once the output has ended; null when nobody knows. */
  exitCode(): Promise<number | null>;
  /** Ends the processes of an exec, and lets go of what was attached to. Returns what could not be done, in words. */
  close(): Promise<string>;
}
