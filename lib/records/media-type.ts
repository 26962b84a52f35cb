import fs from 'node:fs/promises';
import { fileTypeFromBuffer, fileTypeFromFile } from 'file-type';

export interface MediaType {
  /** Without parameters. */
  mime: string;
  /** With its dot; empty where the content tells nothing. */
  extension: string;
  /** As a file of that content is served. */
  contentType: string;
}

/** What is looked at of a text. */
const HEAD_BYTES = 3072;
const BINARY: MediaType = {
  mime: 'application/octet-stream',
  extension: '',
  contentType: 'application/octet-stream',
};
/** Tags that a page begins with, after blanks. */
const PAGE =
  /^\s*<(?:!--|(?:!doctype\s+html|html|head|body|title|script|style|iframe|h1|div|font|table|a|b|br|p)(?=[\s>]))/i;
const JSON_TOKEN = /(?:\s+|[{}[\],:]|"(?:[^"\\\n]|\\.)*"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null)*/iy;
/** The begin of a token that the end of what was read cut off. */
const CUT_TOKEN = /^(?:"(?:[^"\\\n]|\\.)*\\?|-?[\d.e+-]*|[a-z]{1,4})$/i;

/** The type of a file, read from its bytes: nobody's word is taken for it. */
export async function mediaTypeOf(bytes: Buffer): Promise<MediaType> {
  const sniffed = await fileTypeFromBuffer(bytes);
  return sniffed ? namedType(sniffed) : textType(bytes.subarray(0, HEAD_BYTES), bytes.length);
}

/** The same of a file on the disk, of which only the begin is read. */
export async function mediaTypeOfFile(file: string): Promise<MediaType> {
  const sniffed = await fileTypeFromFile(file).catch(() => undefined);
  if (sniffed) return namedType(sniffed);
  const handle = await fs.open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return textType(buffer.subarray(0, bytesRead), (await handle.stat()).size);
  } finally {
    await handle.close();
  }
}

function namedType({ mime, ext }: { mime: string; ext: string }): MediaType {
  if (mime === 'application/xml') return textOf('text/xml', '.xml');
  return { mime, extension: `.${ext}`, contentType: mime };
}

function textType(head: Buffer, size: number): MediaType {
  const isBinary = head.some(
    (byte) => byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d && byte !== 0x0b) && byte !== 0x1b,
  );
  if (isBinary) return BINARY;
  const text = head.toString('utf8').replace(/^\ufeff/, '');
  if (/^\s*(?:<!--[^>]*-->\s*|<!doctype\s+svg[^>]*>\s*)*<svg[\s>]/i.test(text)) {
    return { mime: 'image/svg+xml', extension: '.svg', contentType: 'image/svg+xml' };
  }
  if (PAGE.test(text)) return textOf('text/html', '.html');
  if (isJson(text, size > head.length)) {
    return { mime: 'application/json', extension: '.json', contentType: 'application/json' };
  }
  return textOf('text/plain', '.txt');
}

function textOf(mime: string, extension: string): MediaType {
  return { mime, extension, contentType: `${mime}; charset=utf-8` };
}

/** Whether a text is a JSON object or list; of one that was cut off, whether it could be. */
function isJson(text: string, isCut: boolean): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  if (isCut) {
    JSON_TOKEN.lastIndex = 0;
    return CUT_TOKEN.test(text.slice(JSON_TOKEN.exec(text)![0].length).replace(/\ufffd$/, ''));
  }
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
