import { FRAME_PAYLOAD_MAX } from './streams';

/** Binary frames of the live link: type (1 byte), stream id (4, big endian), flags (1), payload of at most 64 KiB. */

export const frameTypes = { open: 1, data: 2, credit: 3, resize: 4, end: 5, error: 6, wake: 7 } as const;
export type FrameType = keyof typeof frameTypes;

export const FRAME_HEADER_BYTES = 6;
export const STREAM_ID_MAX = 0xffff_ffff;
/** On an `end` frame: the sender gave the stream up, rather than having come to its end. */
export const FLAG_CANCELLED = 1;
/** On a `data` frame without bytes: the sender has no more of them, and goes on reading. */
export const FLAG_FINISHED = 2;

export interface Frame {
  type: FrameType;
  /** 0 for frames of the link itself. */
  streamId: number;
  flags: number;
  payload: Buffer;
}

/** The peer sent bytes that are no frame, or broke the rules of a stream. The link has to be closed. */
export class FrameError extends Error {
  override name = 'FrameError';
}

const typeByCode = new Map<number, FrameType>(
  Object.entries(frameTypes).map(([name, code]) => [code, name as FrameType]),
);

/** Throws a FrameError when the payload is longer than a frame may be. */
export function encodeFrame({ type, streamId, flags, payload }: Frame): Buffer {
  if (payload.length > FRAME_PAYLOAD_MAX) throw new FrameError(`A frame carries at most ${FRAME_PAYLOAD_MAX} bytes`);
  const bytes = Buffer.allocUnsafe(FRAME_HEADER_BYTES + payload.length);
  bytes.writeUInt8(frameTypes[type], 0);
  bytes.writeUInt32BE(streamId, 1);
  bytes.writeUInt8(flags, 5);
  payload.copy(bytes, FRAME_HEADER_BYTES);
  return bytes;
}

/**
 * The payload shares memory with `bytes`. Undefined for a type that only a newer peer knows. Throws a FrameError for
 * anything that is no frame.
 */
export function decodeFrame(bytes: Buffer): Frame | undefined {
  if (bytes.length < FRAME_HEADER_BYTES) throw new FrameError(`A frame has at least ${FRAME_HEADER_BYTES} bytes`);
  const payload = bytes.subarray(FRAME_HEADER_BYTES);
  if (payload.length > FRAME_PAYLOAD_MAX) throw new FrameError(`A frame carries at most ${FRAME_PAYLOAD_MAX} bytes`);
  const type = typeByCode.get(bytes.readUInt8(0));
  if (type === undefined) return undefined;
  return { type, streamId: bytes.readUInt32BE(1), flags: bytes.readUInt8(5), payload };
}

/** Bytes of credit as a frame's payload. */
export function encodeCredit(bytes: number): Buffer {
  const payload = Buffer.allocUnsafe(4);
  payload.writeUInt32BE(bytes);
  return payload;
}

/** Throws a FrameError when the payload is no credit. */
export function decodeCredit(payload: Buffer): number {
  if (payload.length !== 4) throw new FrameError('A credit frame carries 4 bytes');
  return payload.readUInt32BE();
}
