import { lookup as lookUp } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { type AllowedSources } from '../../lib/protocol/allowed-sources';
import { hostOf } from '../../lib/protocol/public-address';
import { EngineError, toMessage } from '../engines/engine-error';
import { chooseProxy, type ProxySettings } from '../outbound-proxy';
import { Agent, ProxyAgent, request } from '../undici';

const REDIRECTS = 5;
const SILENCE_MS = 60_000;

export interface FetchOptions {
  sources: AllowedSources;
  proxy: ProxySettings;
  signal: AbortSignal;
}

/**
 * Opens what lies at a web address, redirects followed, each looked at anew: nothing of the own network but what an admin
 * allows. Throws an EngineError in words. The caller reads the whole stream, or destroys it.
 */
export async function openWeb(url: string, options: FetchOptions): Promise<Readable> {
  let at = url;
  for (let hop = 0; hop <= REDIRECTS; hop += 1) {
    const { answer, dispatcher } = await ask(at, options);
    const { statusCode, headers, body } = answer;
    body.once('close', () => void dispatcher.destroy());
    if (statusCode === 200) return body;
    body.on('error', () => undefined).destroy();
    const next = headers.location;
    const isRedirect = statusCode >= 300 && statusCode < 400 && typeof next === 'string';
    if (!isRedirect) throw new EngineError('failed', `${at} answered ${statusCode}`);
    if (!URL.canParse(next, at)) throw new EngineError('failed', `${at} leads to an address that is none`);
    at = new URL(next, at).href;
  }
  throw new EngineError('failed', `${url} leads on and on`);
}

async function ask(
  url: string,
  options: FetchOptions,
): Promise<{ answer: Dispatcher.ResponseData; dispatcher: Dispatcher }> {
  const problem = options.sources.describe(url);
  if (problem !== '') throw refusal(url, problem);
  const dispatcher = await dial(url, options);
  try {
    const { signal } = options;
    const times = { headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS };
    return { answer: await request(url, { method: 'GET', dispatcher, signal, ...times }), dispatcher };
  } catch (error) {
    void dispatcher.destroy();
    if (options.signal.aborted || error instanceof EngineError) throw error;
    throw new EngineError('failed', `${url} could not be fetched: ${toMessage(error)}`, { cause: error });
  }
}

/** Dials the very addresses that were looked at. A proxy looks names up itself. */
async function dial(url: string, { sources, proxy }: FetchOptions): Promise<Dispatcher> {
  const host = hostOf(url);
  const proxyUrl = chooseProxy(url, proxy);
  const found = await lookUp(host, { all: true }).catch((error: unknown) => {
    if (proxyUrl) return [];
    throw new EngineError('failed', `${url} could not be fetched: ${toMessage(error)}`, { cause: error });
  });
  const inside = found.find(({ address }) => !sources.allows(host, address));
  if (inside) throw refusal(url, `${host} is ${inside.address}, which is no address of the internet.`);
  if (proxyUrl) return new ProxyAgent({ uri: proxyUrl, proxyTunnel: true });
  const lookup: LookupFunction = (_name, { all }, answer) => {
    const [first] = found;
    if (!first) answer(new Error(`${host} has no address`), '');
    else if (all) answer(null, found);
    else answer(null, first.address, first.family);
  };
  return new Agent({ connect: { lookup, timeout: 10_000 } });
}

function refusal(url: string, problem: string): EngineError {
  const advice = 'An admin may allow it in BERTH_ALLOWED_SOURCES of the agent.';
  return new EngineError('invalid', `The file ${url} is not fetched: ${problem} ${advice}`);
}
