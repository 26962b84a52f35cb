/** The host port that an engine's words say is taken; 0 where they don't say which, undefined where it is something else. */
export function takenPortOf(words: string): number | undefined {
  if (!/port is already allocated|address already in use|ports are not available/i.test(words)) return undefined;
  return Number(/(?:[\d.]+|\]|localhost):(\d{1,5})\b/.exec(words)?.[1] ?? 0);
}
