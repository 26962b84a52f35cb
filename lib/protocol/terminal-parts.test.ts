import { describe, expect, it } from 'vitest';
import { FrameError } from './frames';
import { encodeNews, encodeOutput, TERMINAL_PART_MAX, type TerminalPart, TerminalPartReader } from './terminal-parts';

describe('parts of a terminal’s stream', () => {
  it('come whole, however the bytes are cut', () => {
    const bytes = Buffer.concat([
      encodeNews({ k: 'size', cols: 80, rows: 24 }),
      encodeOutput(Buffer.from('grüße')),
      encodeOutput(Buffer.alloc(0)),
      encodeNews({ k: 'skipped', bytes: 7 }),
    ]);
    for (let cut = 1; cut <= bytes.length; cut += 1) {
      const reader = new TerminalPartReader();
      const parts: TerminalPart[] = [];
      for (let at = 0; at < bytes.length; at += cut) parts.push(...reader.push(bytes.subarray(at, at + cut)));
      expect(parts).toEqual([
        { news: { k: 'size', cols: 80, rows: 24 } },
        { output: Buffer.from('grüße') },
        { output: Buffer.alloc(0) },
        { news: { k: 'skipped', bytes: 7 } },
      ]);
    }
  });

  it('are refused when they are too long, and passed over when only a newer agent knows them', () => {
    const long = Buffer.from([0, 0xff, 0, 0, 0]);
    expect(() => [...new TerminalPartReader().push(long)]).toThrow(FrameError);
    expect(() => encodeOutput(Buffer.alloc(TERMINAL_PART_MAX + 1))).toThrow(FrameError);
    const newer = Buffer.concat([Buffer.from([9, 0, 0, 0, 1, 65]), encodeOutput(Buffer.from('x'))]);
    expect([...new TerminalPartReader().push(newer)]).toEqual([{ output: Buffer.from('x') }]);
  });
});
