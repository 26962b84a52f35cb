/** The one source of time. Tests replace it with `setClock`. */
let readNow: () => number = Date.now;

/** Milliseconds since the Unix epoch. */
export function nowMs(): number {
  return readNow();
}

/** Replaces the clock; returns a function that puts the real one back. */
export function setClock(read: () => number): () => void {
  readNow = read;
  return () => {
    readNow = Date.now;
  };
}

/** A moment in the record API's form: `YYYY-MM-DD HH:MM:SS.mmmZ`, UTC. */
export function toWireDate(ms: number): string {
  return new Date(ms).toISOString().replace('T', ' ');
}

/** Now, in the record API's form. */
export function wireNow(): string {
  return toWireDate(nowMs());
}
