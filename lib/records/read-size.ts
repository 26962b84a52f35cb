import { AppError } from '@/lib/errors';
import { limits } from '@/lib/vocabulary/limits';

/** What one answer may still be made of: the rows are held, written as JSON and sent while nothing else runs. */
export class ReadSize {
  private chars = 0;

  /** Throws AppError `invalid` once it is too much. */
  add(chars: number): void {
    this.chars += chars;
    if (this.chars > limits.answerChars) throw answerTooLarge();
  }

  /** The rows of a statement as they come; throws as `add` does. */
  take(rows: Iterable<unknown>): unknown[][] {
    const taken: unknown[][] = [];
    for (const row of rows as Iterable<unknown[]>) {
      this.add(sizeOfRaw(row));
      taken.push(row);
    }
    return taken;
  }
}

export function answerTooLarge(): AppError {
  const message = `The answer would be larger than ${limits.answerChars / 1_000_000} MB. Ask for fewer records at once, or expand less.`;
  return new AppError('invalid', message);
}

/** About as many characters as a stored row takes as JSON. */
export function sizeOfRaw(raw: readonly unknown[]): number {
  let size = 0;
  for (const value of raw) size += typeof value === 'string' ? value.length + 20 : 20;
  return size;
}
