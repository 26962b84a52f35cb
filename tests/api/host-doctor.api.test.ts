import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeDb } from '@/db/database';
import type { HostRow } from '@/lib/hosts/collection';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { api } from '../setup/api';
import { createHost, createTenant, createUser } from './factories';
import { createFileHost, type FileHost } from './file-host';
import { createCaller } from './kernel-caller';
import { type AgentLink, connectLink, startLinkServer } from './live-link';

const call = createCaller([...agentRoutes]);
const TOO_OLD = 'The agent is too old for streams of kind doctor. Update it.';
let server: Awaited<ReturnType<typeof startLinkServer>>;
let files: FileHost;
let host: HostRow;
let link: AgentLink;
let isOld = false;

beforeAll(async () => {
  server = await startLinkServer();
  files = await createFileHost();
  const made = await createHost(call);
  host = made.host;
  link = await connectLink(made.agent, server.port, {
    answer: (stream, open) => (isOld ? stream.fail(TOO_OLD) : files.answer(stream, open)),
  });
});
afterAll(async () => {
  link.socket.terminate();
  await server.close();
  await files.close();
  closeDb();
});

const ask = (as?: { id: string }) => api('GET', `/api/host/${host.id}/doctor`, { ...(as && { as }) });

it('is asked of the agent for whoever may change the host, and for nobody else', async () => {
  const before = link.opened.length;
  expect((await ask()).status).toBe(401);
  expect((await ask(await createUser())).status).toBe(404);
  // Someone who may run things there.
  expect((await ask(await createTenant(host))).status).toBe(403);
  expect(link.opened.length).toBe(before);
  const { status, json } = await ask(await createUser({ isAdmin: true }));
  expect(status).toBe(200);
  expect((json.findings as { check: string; state: string }[])[0]).toMatchObject({ check: 'Engine', state: 'ok' });
});

it('says so where the agent is too old, or has no link', async () => {
  const admin = await createUser({ isAdmin: true });
  isOld = true;
  expect(await ask(admin)).toMatchObject({ status: 503, json: { message: TOO_OLD } });
  const { host: away } = await createHost(call);
  const answer = await api('GET', `/api/host/${away.id}/doctor`, { as: admin });
  expect(answer).toMatchObject({ status: 503, json: { message: expect.stringContaining('no live link') as string } });
});
