import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeDb } from '@/db/database';
import type { HostRow } from '@/lib/hosts/collection';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import type { OpenStream } from '@/lib/protocol/streams';
import { api } from '../setup/api';
import { createHost, createTenant, createUser, type UserActor } from './factories';
import { createCaller } from './kernel-caller';
import { type AgentLink, connectLink, startLinkServer } from './live-link';

const call = createCaller([...agentRoutes]);
const account = { serveraddress: 'registry.example.org', username: 'ci' };
let server: Awaited<ReturnType<typeof startLinkServer>>;
let host: HostRow;
let link: AgentLink;
let admin: UserActor;
let asked: OpenStream[] = [];

beforeAll(async () => {
  server = await startLinkServer();
  const made = await createHost(call);
  host = made.host;
  admin = await createUser({ isAdmin: true });
  const auths = [{ ...account, password: 'stored-secret', pullRepositories: ['*'] }];
  await api('PATCH', `/api/collections/hosts/records/${host.id}`, { as: admin, body: { registry_auths: auths } });
  link = await connectLink(made.agent, server.port, {
    answer: (stream, open) => {
      asked.push(open);
      const isSignedIn = open.kind === 'signIn' && open.password === 'stored-secret';
      const answer = { isSignedIn, message: isSignedIn ? '' : 'unauthorized: incorrect username or password' };
      void stream.write(Buffer.from(JSON.stringify(answer))).then(() => stream.end());
    },
  });
});
afterAll(async () => {
  link.socket.terminate();
  await server.close();
  closeDb();
});

const test = (as: { id: string } | undefined, body: Record<string, unknown>) =>
  api('POST', `/api/host/${host.id}/test-registry`, { ...(as && { as }), body });

it('has the host sign in with what is typed, or with what is stored, which it does not tell', async () => {
  asked = [];
  const stored = await test(admin, account);
  expect(stored).toMatchObject({ status: 200, json: { isSignedIn: true, message: '' } });
  expect(JSON.stringify(stored.json)).not.toContain('stored-secret');
  const typed = await test(admin, { ...account, password: 'wrong' });
  expect(typed.json).toEqual({ isSignedIn: false, message: 'unauthorized: incorrect username or password' });
  expect(asked).toMatchObject([
    { kind: 'signIn', ...account, password: 'stored-secret' },
    { kind: 'signIn', ...account, password: 'wrong' },
  ]);
});

it('sends a stored password to no other registry, and to none for another user', async () => {
  asked = [];
  for (const other of [{ serveraddress: 'evil.example.org' }, { username: 'else' }]) {
    expect(await test(admin, { ...account, ...other })).toMatchObject({
      status: 400,
      json: { data: { password: { code: 'validation_required' } } },
    });
  }
  expect(asked).toEqual([]);
});

it('is for whoever may change the host', async () => {
  asked = [];
  expect((await test(undefined, account)).status).toBe(401);
  expect((await test(await createUser(), account)).status).toBe(404);
  expect((await test(await createTenant(host), account)).status).toBe(403);
  expect((await test(admin, { username: 'ci' })).json.data).toHaveProperty('serveraddress');
  expect(asked).toEqual([]);
});
