import type { Engine } from '../engines/engine';

const KEPT = { lines: 10, charsOfEach: 500, timeoutMs: 2000 };
const QUOTED = { lines: 3, chars: 300 };

/** What a container printed last; nothing when the engine doesn't tell. */
export async function readLastLines(engine: Engine, containerId: string): Promise<string[]> {
  const signal = AbortSignal.timeout(KEPT.timeoutMs);
  const lines: string[] = [];
  try {
    for await (const { m } of engine.logs(containerId, { tail: KEPT.lines, since: '', follow: false }, signal)) {
      lines.push(m.slice(0, KEPT.charsOfEach));
    }
  } catch {
    // The lines are an extra: the end is told without them.
  }
  return lines;
}

/** The last of these, to be put behind a sentence; empty without any. */
export function quoteLastLines(lines: readonly string[]): string {
  const words = lines.map((line) => line.trim()).filter(Boolean);
  const quoted = words.slice(-QUOTED.lines).join(' / ').slice(-QUOTED.chars);
  return quoted === '' ? '' : ` It said last: ${quoted}`;
}
