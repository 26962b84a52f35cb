import 'server-only';
import dns from 'node:dns';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { pipeline, type Readable, Transform } from 'node:stream';
import zlib from 'node:zlib';
import type { AllowedSources } from '@/lib/protocol/allowed-sources';
import { hostOf } from '@/lib/protocol/public-address';

const REDIRECTS = 5;
/** How long an index may say nothing, before its answer and within. */
const SILENCE_MS = 10_000;
const CHUNK_BYTES = 64 * 1024;

/** Why nothing came of asking an index, in words that may be shown. */
export class IndexError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'IndexError';
  }
}

export interface IndexQuestion {
  url: string;
  accept: string;
  /** Of what is known already: the index then says whether there is anything newer. */
  etag?: string;
  /** Whether an admin named the place: its own origin may then lie in the own network. */
  isTrusted: boolean;
  sources: AllowedSources;
  /** Of the answer once it is unpacked. What is longer is cut off with an IndexError. */
  maxBytes: number;
  signal: AbortSignal;
}

export interface IndexAnswer {
  status: 200 | 304 | 404;
  etag: string;
  contentType: string;
  /** Unpacked; whoever asked reads it or destroys it. Empty unless the status is 200. */
  body: Readable;
}

/** Asks an index. Redirects are followed, each looked at anew. Throws IndexError. */
export async function askIndex(question: IndexQuestion): Promise<IndexAnswer> {
  let url = new URL(question.url);
  const { origin } = url;
  try {
    for (let hop = 0; hop <= REDIRECTS; hop += 1) {
      const isOwn = question.isTrusted && url.origin === origin;
      const message = await get(url, question, isOwn ? undefined : guardedLookup(url, question.sources));
      const { statusCode = 0, headers } = message;
      if (statusCode === 200) return answerOf(200, message, question);
      message.resume().destroy();
      if (statusCode === 304 && question.etag) return answerOf(304, message, question);
      if (statusCode === 404 || statusCode === 410) return answerOf(404, message, question);
      if (statusCode < 300 || statusCode >= 400 || !headers.location) {
        throw new IndexError(`${question.url} answers with status ${statusCode}.`);
      }
      if (!URL.canParse(headers.location, url))
        throw new IndexError(`${question.url} leads to an address that is none.`);
      url = new URL(headers.location, url);
    }
  } catch (error) {
    throw toIndexError(error, question.url);
  }
  throw new IndexError(`${question.url} leads from address to address.`);
}

function answerOf(status: IndexAnswer['status'], message: IncomingMessage, question: IndexQuestion): IndexAnswer {
  const body = status === 200 ? unpack(message, question) : message;
  return { status, etag: message.headers.etag ?? '', contentType: message.headers['content-type'] ?? '', body };
}

/** Not `fetch`: that one can't be told how to look names up. */
function get(url: URL, question: IndexQuestion, lookup: LookupFunction | undefined): Promise<IncomingMessage> {
  const { accept, etag, signal } = question;
  const headers = { accept, 'accept-encoding': 'gzip', 'user-agent': 'berth', ...(etag && { 'if-none-match': etag }) };
  return new Promise((resolve, reject) => {
    const client = url.protocol === 'https:' ? https : http;
    const request = client.get(url, { agent: false, headers, lookup, signal }, resolve);
    request.setTimeout(SILENCE_MS, () => request.destroy(new IndexError(silence(question.url))));
    request.once('error', reject);
  });
}

const silence = (url: string): string => `${url} did not answer within ${SILENCE_MS / 1000} seconds.`;

/** Refuses what lies in the own network, and dials the very address that was looked at. Throws IndexError. */
function guardedLookup(url: URL, sources: AllowedSources): LookupFunction {
  const problem = sources.describe(url.href);
  if (problem !== '') throw refusal(url.href, problem);
  const host = hostOf(url.href);
  return (hostname, options, done) => {
    dns.lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '', 0);
      const inside = found.find(({ address }) => !sources.allows(host, address));
      if (inside)
        return done(refusal(url.href, `${host} is ${inside.address}, which is no address of the internet.`), '', 0);
      if (options.all) return done(null, found);
      done(null, found[0]!.address, found[0]!.family);
    });
  };
}

function refusal(url: string, problem: string): IndexError {
  return new IndexError(`${url} is not asked: ${problem} An admin may allow it in BERTH_ALLOWED_SOURCES.`);
}

/** The answer as it was before it was packed, no longer than it may be. */
function unpack(message: IncomingMessage, { url, maxBytes }: IndexQuestion): Readable {
  const encoding = (message.headers['content-encoding'] ?? '').trim().toLowerCase();
  let size = 0;
  const counter = new Transform({
    readableHighWaterMark: CHUNK_BYTES,
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size <= maxBytes) return done(null, chunk);
      done(new IndexError(`${url} answers with more than ${Math.round(maxBytes / 1e6)} MB, which is cut off.`));
    },
  });
  const settle = () => undefined;
  if (encoding === '' || encoding === 'identity') return pipeline(message, counter, settle);
  if (/^(x-)?gzip$/.test(encoding)) {
    return pipeline(message, zlib.createGunzip({ chunkSize: CHUNK_BYTES }), counter, settle);
  }
  message.destroy();
  throw new IndexError(`${url} answers in the encoding “${encoding.slice(0, 40)}”, which nobody asked for.`);
}

const BY_CODE: Record<string, string> = {
  ECONNREFUSED: 'it refuses connections',
  ENOTFOUND: 'nobody knows its name',
  EAI_AGAIN: 'its name can not be looked up now',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ECONNRESET: 'it broke off',
  EPIPE: 'it broke off',
  Z_DATA_ERROR: 'its answer is damaged',
  Z_BUF_ERROR: 'its answer ends too early',
};

/** Any failure of asking, or of reading what came, in words. */
export function toIndexError(error: unknown, url: string): IndexError {
  if (error instanceof IndexError) return error;
  const name = error instanceof Error ? error.name : '';
  if (name === 'TimeoutError' || name === 'AbortError') return new IndexError(`${url} takes too long to answer.`);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const why = BY_CODE[code] ?? (/CERT|TLS|SSL|SELF_SIGNED/.test(code) ? 'its certificate is not trusted' : 'it failed');
  return new IndexError(`${url} can not be reached: ${why}${code ? ` (${code})` : ''}.`, { cause: error });
}
