/** What a command line does where a signal ends it: what it was half-way with must not stay. */
const cleanings = new Set<() => void>();

/** Has this done where a signal ends the process, at once and without waiting. Returns what takes it back. */
export function onCutOff(clean: () => void): () => void {
  cleanings.add(clean);
  return () => void cleanings.delete(clean);
}

/** For the process that a signal ends: each is done, also where another fails. */
export function cleanAfterCutOff(): void {
  for (const clean of cleanings) {
    try {
      clean();
    } catch {
      // The process ends; there is nobody to tell.
    }
  }
}
