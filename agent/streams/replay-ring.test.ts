import { describe, expect, it } from 'vitest';
import { ReplayRing } from './replay-ring';

describe('a replay', () => {
  it('keeps the last bytes by their place, however they came', () => {
    for (const step of [1, 3, 7, 10, 64, 100]) {
      const ring = new ReplayRing(64, 4);
      const all = Buffer.from(Array.from({ length: 500 }, (_, index) => index % 251));
      for (let at = 0; at < all.length; at += step) {
        ring.append(all.subarray(at, at + step));
        expect(ring.end).toBe(Math.min(at + step, all.length));
        expect(ring.start).toBeGreaterThanOrEqual(ring.end - 64);
        expect(ring.read(ring.start, 1000)).toEqual(all.subarray(ring.start, ring.end));
      }
      expect(ring.end - ring.start).toBe(64);
      expect(ring.read(ring.end, 10)).toHaveLength(0);
      expect(ring.read(ring.end - 5, 2)).toEqual(all.subarray(495, 497));
    }
  });
});
