import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCredit, decodeFrame, encodeCredit, encodeFrame, FrameError, frameTypes, type FrameType } from './frames';
import { FRAME_PAYLOAD_MAX } from './streams';

describe('frames', () => {
  it('decodes what it encodes', () => {
    const types = Object.keys(frameTypes) as FrameType[];
    fc.assert(
      fc.property(
        fc.constantFrom(...types),
        fc.integer({ min: 0, max: 0xffff_ffff }),
        fc.integer({ min: 0, max: 255 }),
        fc.uint8Array({ maxLength: 500 }),
        (type, streamId, flags, bytes) => {
          const frame = { type, streamId, flags, payload: Buffer.from(bytes) };
          expect(decodeFrame(encodeFrame(frame))).toEqual(frame);
        },
      ),
    );
  });

  it('refuses a payload over 64 KiB and short bytes', () => {
    const payload = Buffer.alloc(FRAME_PAYLOAD_MAX + 1);
    expect(() => encodeFrame({ type: 'data', streamId: 1, flags: 0, payload })).toThrow(FrameError);
    expect(() => decodeFrame(Buffer.from([2, 0, 0, 0, 1]))).toThrow(FrameError);
    expect(() => decodeFrame(Buffer.concat([Buffer.from([2, 0, 0, 0, 1, 0]), payload]))).toThrow(FrameError);
  });

  it('has nothing to say of a type that it does not know', () => {
    expect(decodeFrame(Buffer.from([99, 0, 0, 0, 1, 0]))).toBeUndefined();
  });

  it('carries credit as four bytes', () => {
    expect(decodeCredit(encodeCredit(262_144))).toBe(262_144);
    expect(() => decodeCredit(Buffer.alloc(3))).toThrow(FrameError);
  });
});
