import 'server-only';
import dns from 'node:dns';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from '@/lib/protocol/public-address';
import { limits } from '@/lib/vocabulary/limits';

const TIMEOUT_MS = 5000;
const MAX_REDIRECTS = 3;

/** Looks a name up and refuses it when any of its addresses is an inner one, so that no answer can change in between. */
const lookUpOuter: LookupFunction = (hostname, options, done) => {
  dns.lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return done(error, '', 0);
    const [first] = found;
    if (!first || found.some(({ address }) => !isPublicAddress(address)))
      return done(new Error('an inner address'), '', 0);
    if (options.all) return done(null, found);
    done(null, first.address, first.family);
  });
};

/**
 * Downloads a picture that a profile names: by https from outside, or from the provider's own origin. Throws when it is
 * elsewhere, too large, too slow or not there; whether it is a picture is for the file's own rules.
 */
export async function downloadPicture(address: string, providerUrl: string): Promise<Buffer> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let url = new URL(address);
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const isOwn = url.origin === new URL(providerUrl).origin;
    if (!isOwn) refuseInner(url);
    const response = await get(url, { signal, lookup: isOwn ? undefined : lookUpOuter });
    const { statusCode = 0 } = response;
    if (statusCode >= 300 && statusCode < 400 && response.headers.location) {
      response.destroy();
      url = new URL(response.headers.location, url);
      continue;
    }
    if (statusCode === 200) return readLimited(response);
    response.destroy();
    throw new Error(`The picture's address answered ${statusCode}`);
  }
  throw new Error('The picture leads from address to address');
}

/** Not `fetch`: that one can't be told how to look names up. */
function get(url: URL, options: { signal: AbortSignal; lookup: LookupFunction | undefined }): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const client = url.protocol === 'https:' ? https : http;
    client.get(url, { ...options, agent: false, headers: { accept: 'image/*' } }, resolve).once('error', reject);
  });
}

function refuseInner({ protocol, hostname }: URL): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol !== 'https:' || (isIP(host) !== 0 && !isPublicAddress(host)))
    throw new Error('The picture is not on the web');
}

async function readLimited(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limits.uploadBytes) throw new Error('The picture is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
