import { crc32, deflateSync } from 'node:zlib';

/** Pictures that promise more than they hold, and files that are not what they say. All are small. */

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(data.length);
  const end = Buffer.alloc(4);
  end.writeUInt32BE(crc32(body));
  return Buffer.concat([head, body, end]);
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4));
  return bytes;
}

/** A black one-bit PNG. `isWhole` false leaves its pixels out. */
export function makePng(
  width: number,
  height: number,
  { isWhole = true, frames = 0 }: { isWhole?: boolean; frames?: number } = {},
): Buffer {
  const pixels = isWhole ? deflateSync(Buffer.alloc(height * (1 + Math.ceil(width / 8)))) : Buffer.alloc(0);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', Buffer.concat([numbers(width, height), Buffer.from([1, 0, 0, 0, 0])])),
    ...(frames > 0 ? [chunk('acTL', numbers(frames, 0))] : []),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A GIF whose frames are one pixel each. */
export function makeGif(width: number, height: number, frames: number): Buffer {
  const head = Buffer.from('47494638396100000000' + '800000' + '000000ffffff', 'hex');
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  const frame = Buffer.from('21f9040001000000' + '2c000000000100010000' + '0202440100', 'hex');
  return Buffer.concat([head, ...Array.from({ length: frames }, () => frame), Buffer.from(';')]);
}

/** The head of a lossless WebP of the largest size there is. */
export function makeWebp(): Buffer {
  return Buffer.concat([
    Buffer.from('524946461a000000574542505650384c0d0000002f', 'hex'),
    Buffer.from('ffffff0f', 'hex'),
    Buffer.alloc(9),
  ]);
}

export const entitySvg = Buffer.from(
  `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a0 "ha">${Array.from(
    { length: 9 },
    (_, level) => `<!ENTITY a${level + 1} "${`&a${level};`.repeat(10)}">`,
  ).join('')}]><svg xmlns="http://www.w3.org/2000/svg"><text>&a9;</text></svg>`,
);
