import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { connect as connectTls, type PeerCertificate } from 'node:tls';
import WebSocket from 'ws';
import { z } from 'zod';
import { AGENT_REFUSALS } from '../../lib/protocol/calls';
import { parseJson } from '../../lib/protocol/parse-json';
import { isPlainHttp } from '../config';
import { ConsoleRefusalError } from '../console/console-client';
import { toMessage } from '../engines/engine-error';
import { chooseProxy } from '../outbound-proxy';
import { request } from '../undici';
import { type Check, failed, type Found, ok, skipped, warning } from './check';
import type { Patient } from './patient';

const DAY_MS = 24 * 60 * 60 * 1000;
const EXPIRES_SOON_DAYS = 14;
/** The agent makes up for what is below; certificates and logs don't. */
const CLOCK_WARNING_MS = 5000;
const TRUST = 'Give the agent the certificate of its issuer: NODE_EXTRA_CA_CERTS=/path/to/ca.pem.';
const REACH = 'Check the address in BERTH_CONSOLE_URL, that the console runs, and that no firewall is in between.';
const SOCKETS =
  'Have the proxy pass on WebSockets. nginx: proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; ' +
  'proxy_set_header Connection "upgrade". Apache: ProxyPass … upgrade=websocket.';

/** The way from this host to its console, step by step: the first that fails is the one to mend. */
export function consoleChecks(patient: Patient): Check[] {
  // Asked once, for both that look at the answer.
  let health: ReturnType<typeof askHealth> | undefined;
  const ask = (signal: AbortSignal) => (health ??= askHealth(patient, signal));
  return [
    { name: 'Proxy', look: async () => lookAtProxy(patient) },
    { name: 'DNS', look: () => lookAtName(patient) },
    { name: 'TLS', look: (signal) => lookAtCertificate(patient, signal) },
    { name: 'Console', look: (signal) => lookAtConsole(patient, ask(signal)) },
    { name: 'Clock', look: (signal) => lookAtClock(ask(signal)) },
    { name: 'WebSocket', look: (signal) => lookAtWebSocket(patient, signal) },
    { name: 'Host key', look: (signal) => lookAtHostKey(patient, signal) },
  ];
}

function lookAtProxy({ consoleUrl, proxy }: Patient): Found {
  const chosen = chooseProxy(consoleUrl, proxy);
  // Its user and password are nobody's business.
  return ok(chosen ? `The console is reached through ${new URL(chosen).host}.` : 'The console is dialled directly.');
}

/** The machine that is dialled: the proxy where there is one. */
function dialled({ consoleUrl, proxy }: Patient): URL {
  return new URL(chooseProxy(consoleUrl, proxy) ?? consoleUrl);
}

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

async function lookAtName(patient: Patient): Promise<Found> {
  const name = bare(dialled(patient).hostname);
  if (isIP(name)) return ok(`${name} is an address and needs no look-up.`);
  try {
    const addresses = await lookup(name, { all: true });
    return ok(`${name} is ${addresses.map(({ address }) => address).join(', ')}.`);
  } catch (error) {
    return failed(
      `${name} has no address: ${toMessage(error)}`,
      'Check the name, and which DNS servers this machine asks (/etc/resolv.conf).',
    );
  }
}

function lookAtCertificate(patient: Patient, signal: AbortSignal): Promise<Found> {
  const url = new URL(patient.consoleUrl);
  if (url.protocol === 'http:') return Promise.resolve(lookAtPlain(patient.consoleUrl));
  if (chooseProxy(patient.consoleUrl, patient.proxy)) {
    return Promise.resolve(skipped('The proxy is in between; the check of the console tells whether it holds.'));
  }
  const host = bare(url.hostname);
  const socket = connectTls({
    host,
    port: Number(url.port || 443),
    ...(isIP(host) ? {} : { servername: host }),
    // Looked at below: a certificate that is not trusted is the very thing to tell.
    rejectUnauthorized: false,
  });
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
  return new Promise((resolve) => {
    socket.once('error', (error) => resolve(failed(`No TLS with ${url.host}: ${error.message}`, REACH)));
    socket.once('secureConnect', () => {
      resolve(judgeCertificate(socket.getPeerCertificate(), String(socket.authorizationError ?? '')));
      socket.destroy();
    });
  });
}

function lookAtPlain(consoleUrl: string): Found {
  if (!isPlainHttp(consoleUrl)) return ok('Plain http, which does not leave this machine.');
  const found = 'Plain http: whoever is in between reads the join token, secrets and logs.';
  return warning(found, 'Put the console behind https, and name that address in BERTH_CONSOLE_URL.');
}

/** What to say of a certificate; `problem` is OpenSSL's word for why it is not trusted, or empty. */
export function judgeCertificate(certificate: PeerCertificate, problem: string, nowMs = Date.now()): Found {
  const { issuer, valid_to: until } = certificate;
  const by = [issuer?.O ?? issuer?.CN ?? 'an unnamed issuer'].flat().join(', ');
  const leftDays = Math.floor((Date.parse(until) - nowMs) / DAY_MS);
  if (problem === 'CERT_HAS_EXPIRED') return failed(`The certificate ended on ${until}.`, 'Renew it on the console.');
  if (problem === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const cure = 'Use the name that it is for in BERTH_CONSOLE_URL, or get one for this name.';
    return failed(
      `The certificate is for another name: ${certificate.subjectaltname ?? certificate.subject?.CN}.`,
      cure,
    );
  }
  if (problem !== '') return failed(`The certificate, by ${by}, is not trusted here: ${problem}.`, TRUST);
  if (leftDays < EXPIRES_SOON_DAYS) {
    return warning(`The certificate, by ${by}, ends in ${leftDays} days.`, 'Renew it on the console.');
  }
  return ok(`The certificate, by ${by}, is trusted and good for ${leftDays} days.`);
}

const healthSchema = z.object({ code: z.number(), message: z.string() });

async function askHealth({ consoleUrl, dispatcher }: Patient, signal: AbortSignal) {
  const sentMs = Date.now();
  const { statusCode, headers, body } = await request(`${consoleUrl}/api/health`, { dispatcher, signal });
  const text = await body.text();
  return { statusCode, text, date: String(headers.date ?? ''), sentMs, gotMs: Date.now() };
}

async function lookAtConsole(patient: Patient, health: ReturnType<typeof askHealth>): Promise<Found> {
  let answer;
  try {
    answer = await health;
  } catch (error) {
    const words = toMessage(error);
    return failed(`The console does not answer at ${patient.consoleUrl}: ${words}`, cureFor(words));
  }
  const said = healthSchema.safeParse(parseJson(answer.text)).data;
  const took = answer.gotMs - answer.sentMs;
  if (!said) {
    const cure = 'Something else answers there: check the address in BERTH_CONSOLE_URL, and the proxies in between.';
    return failed(`What answers at ${patient.consoleUrl} is no Berth console (HTTP ${answer.statusCode}).`, cure);
  }
  if (answer.statusCode === 200) return ok(`The console answers in ${took} ms.`);
  return failed(`The console is not well: ${said.message}`, 'Look at the log of the console.');
}

function cureFor(words: string): string {
  return /certificate|self.signed/i.test(words) ? TRUST : REACH;
}

async function lookAtClock(health: ReturnType<typeof askHealth>): Promise<Found> {
  const { date, sentMs, gotMs } = await health;
  const theirsMs = Date.parse(date);
  if (Number.isNaN(theirsMs)) return skipped('The console did not say what time it has.');
  // The header has whole seconds: half a second more is the middle of what it may mean.
  const offMs = (sentMs + gotMs) / 2 - (theirsMs + 500);
  const off = `${Math.abs(offMs / 1000).toFixed(1)} s ${offMs > 0 ? 'ahead of' : 'behind'} the console's`;
  if (Math.abs(offMs) < CLOCK_WARNING_MS) return ok("This machine's clock agrees with the console's.");
  const cure = 'Set the clock of whichever is wrong: timedatectl set-ntp true.';
  return warning(`This machine's clock is ${off}. The agent makes up for that, certificates and logs do not.`, cure);
}

/** The console refuses a link without a proof in words of its own; what else comes is by somebody in between. */
function lookAtWebSocket({ consoleUrl, linkAgent }: Patient, signal: AbortSignal): Promise<Found> {
  const socket = new WebSocket(`${consoleUrl.replace(/^http/, 'ws')}/api/agent/link`, {
    ...(linkAgent ? { agent: linkAgent } : {}),
  });
  signal.addEventListener('abort', () => socket.terminate(), { once: true });
  return new Promise((resolve) => {
    socket.on('error', (error) =>
      resolve(failed(`A WebSocket can not be opened: ${error.message}`, cureFor(error.message))),
    );
    socket.on('open', () => {
      resolve(failed('Something else than the console opened the WebSocket.', REACH));
      socket.terminate();
    });
    socket.on('unexpected-response', (_, response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.length < 16 && chunks.push(chunk));
      response.on('end', () => {
        const isConsole = response.statusCode === 401 && Buffer.concat(chunks).includes(AGENT_REFUSALS.badProof);
        const status = `HTTP ${response.statusCode}`;
        resolve(
          isConsole ? ok('WebSockets come through.') : failed(`WebSockets do not come through: ${status}.`, SOCKETS),
        );
        socket.terminate();
      });
    });
  });
}

async function lookAtHostKey({ client }: Patient, signal: AbortSignal): Promise<Found> {
  if (!client) {
    return skipped('This host has not joined yet: start the agent with a token of the Hosts page.');
  }
  try {
    await client.desired(0, signal);
    return ok('The console knows this host by its key.');
  } catch (error) {
    if (!(error instanceof ConsoleRefusalError)) return skipped(toMessage(error));
    const cure =
      error.code === AGENT_REFUSALS.unknownHost
        ? 'Give the agent a new token and an empty state folder, or put the host back from a backup.'
        : 'Upgrade the older of the two, and look again.';
    return failed(`The console refuses this host: ${error.message}`, cure);
  }
}
