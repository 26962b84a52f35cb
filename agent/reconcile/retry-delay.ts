const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 5 * 60_000;

/** Grows from a second to five minutes, by up to half shortened so that many don't retry together. */
export function retryDelayMs(retries: number, random: () => number): number {
  const full = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(retries, 20));
  return full * (1 - random() / 2);
}
