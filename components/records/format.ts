const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

interface Amount<Unit extends string> {
  count: number;
  unit: Unit;
}

/** Bytes in the units of engines: binary steps, two digits at most. */
export function bytesIn(bytes: number): Amount<string> {
  let count = bytes;
  let step = 0;
  while (count >= 1024 && step < UNITS.length - 1) {
    count /= 1024;
    step += 1;
  }
  return { count: count >= 10 ? Math.round(count) : Math.round(count * 10) / 10, unit: UNITS[step]! };
}

/** A span of time by the two units that matter: 41 s, 1 min 24 s, 2 h 5 min. */
export function spanIn(ms: number): Amount<'seconds' | 'minutes' | 'hours'>[] {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (ms >= 50 && ms < 950) return [{ count: Math.round(ms / 100) / 10, unit: 'seconds' }];
  const minutes = Math.floor(seconds / 60);
  const parts: Amount<'seconds' | 'minutes' | 'hours'>[] =
    minutes < 60
      ? [
          { count: minutes, unit: 'minutes' },
          { count: seconds % 60, unit: 'seconds' },
        ]
      : [
          { count: Math.floor(minutes / 60), unit: 'hours' },
          { count: minutes % 60, unit: 'minutes' },
        ];
  const told = parts.filter(({ count }) => count > 0);
  return told.length > 0 ? told : [{ count: 0, unit: 'seconds' }];
}

/** First letters of the first two words, or N/A. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  return (
    words
      .slice(0, 2)
      .map((word) => [...word][0]!.toUpperCase())
      .join('') || 'N/A'
  );
}
