import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Agent } from 'undici';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { systemClock } from '@/agent/clock';
import { ConsoleClient } from '@/agent/console/console-client';
import { Identity } from '@/agent/console/identity';
import { closeDb } from '@/db/database';
import '@/lib/api/collections';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { consolePublicKey } from '@/lib/hosts/link/console-key';
import { createJoinToken } from '@/lib/hosts/create-join-token';
import { createKernel } from '@/lib/http/kernel';
import { serveNode } from '@/lib/http/node-door';
import { createRouter } from '@/lib/http/router';
import { newId } from '@/lib/ids';
import { spokenHere } from '@/lib/protocol/version';

/** Somebody sits between an agent and its console, and wants the host to do their bidding. */
const kernel = createKernel(createRouter([...agentRoutes]));
const berth = http.createServer((request, response) => void serveNode(kernel, request, response));
type Answer = { status: number; headers: Record<string, string>; body: string };
let meddle: (answer: Answer) => Answer;
const between = http.createServer((request, response) => void passOn(request, response));
const never = new AbortController().signal;
const addressOf = (server: http.Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function passOn(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = { authorization: request.headers.authorization ?? '', 'content-type': 'application/json' };
  const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined;
  const got = await fetch(`${addressOf(berth)}${request.url}`, {
    method: request.method ?? 'GET',
    headers,
    ...(body && { body }),
  });
  const kept = ['x-berth-signature', 'x-berth-console-key'].map((name) => [name, got.headers.get(name) ?? '']);
  const {
    status,
    headers: sent,
    body: text,
  } = meddle({
    status: got.status,
    headers: Object.fromEntries(kept) as Record<string, string>,
    body: await got.text(),
  });
  response.writeHead(status, sent).end(text);
}

let identity: Identity;
let client: ConsoleClient;
let stateDir: string;

beforeAll(async () => {
  for (const server of [berth, between]) await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
});
afterAll(() => {
  for (const server of [berth, between]) {
    server.closeAllConnections();
    server.close();
  }
  closeDb();
});
beforeEach(async () => {
  meddle = (answer) => answer;
  stateDir = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-signed-'));
  identity = await Identity.load(stateDir);
  client = clientOf(identity);
});

function clientOf(who: Identity): ConsoleClient {
  return new ConsoleClient({
    consoleUrl: addressOf(between),
    identity: who,
    clock: systemClock,
    dispatcher: new Agent(),
  });
}

async function join(): Promise<void> {
  const name = `host-${newId()}`;
  const { token } = await createJoinToken({ kind: 'system' }, { name });
  const versions = { agent: '1', ...spokenHere, engine: '', engineApi: '' };
  const body = {
    token,
    publicKey: identity.publicKey,
    name,
    environment: 'docker',
    engine: 'simulated',
    versions,
  } as const;
  const { hostId } = await client.join(body, never);
  await identity.setHostId(hostId);
}

const MEDDLING: [string, (answer: Answer) => Answer][] = [
  ['another body', (answer) => ({ ...answer, body: answer.body.replace('"full":true', '"full":false') })],
  ['another status', (answer) => ({ ...answer, status: 204, body: '' })],
  ['no signature', ({ status, body }) => ({ status, headers: {}, body })],
  [
    'a key of its own',
    (answer) => ({ ...answer, headers: { ...answer.headers, 'x-berth-console-key': 'A'.repeat(43) }, body: '{}' }),
  ],
  [
    'a refusal of its own',
    () => ({ status: 403, headers: {}, body: '{"data":{"agent":{"code":"agent_unknown_host","message":"gone"}}}' }),
  ],
];

it.each(MEDDLING)('an agent that knows its console takes no answer with %s', async (_, how) => {
  await join();
  expect((await client.desired(0, never))?.full).toBe(true);
  meddle = how;
  await expect(client.desired(0, never)).rejects.toThrow('not signed by the console that this host knows');
  meddle = (answer) => answer;
  expect((await client.desired(0, never))?.full).toBe(true);
});

it('an earlier answer does not fit a later request', async () => {
  await join();
  let first: Answer | undefined;
  meddle = (answer) => (first ??= answer);
  await client.desired(0, never);
  await expect(client.desired(0, never)).rejects.toThrow('not signed');
});

it('the key is kept with the identity, and a key that was handed over counts before the first answer', async () => {
  await join();
  expect([identity.consoleKey, (await Identity.load(stateDir)).consoleKey]).toEqual([
    consolePublicKey(),
    consolePublicKey(),
  ]);
  const careful = await Identity.load(fs.mkdtempSync(path.join(os.tmpdir(), 'berth-signed-')));
  await careful.setConsoleKey('A'.repeat(43));
  [identity, client] = [careful, clientOf(careful)];
  await expect(join()).rejects.toThrow('not signed');
});

it('an agent that joined before takes the key on first use, and goes on with a console that signs nothing', async () => {
  await join();
  await identity.setConsoleKey('');
  meddle = ({ status, body }) => ({ status, headers: {}, body });
  expect((await client.desired(0, never))?.full).toBe(true);
  expect(identity.consoleKey).toBe('');
  meddle = (answer) => answer;
  await client.desired(0, never);
  expect(identity.consoleKey).toBe(consolePublicKey());
});
