import { afterAll, beforeAll, expect, test } from 'vitest';
import { ZodType } from 'zod';
import { apiRoutes } from '@/lib/api/kernel';
import type { Route } from '@/lib/http/context';
import type { AnyRow } from '@/lib/records/collection';
import { api, sendApi } from '../setup/api';
import { openPrivateDatabase } from '../setup/database';
import { startOidcServer } from '../setup/oidc-server';
import { createHost, createImage, createWorkspace } from './factories';
import { createFileHost, type FileHost } from './file-host';
import { createCaller } from './kernel-caller';
import { connectLink, startLinkServer, type AgentLink } from './live-link';
import { preparations, prepareCall, type World } from './prepared-calls';

/** Each call that the API describes, made as described: it answers what the description says. */
openPrivateDatabase();

const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const SETUP = ['GET /api/setup', 'POST /api/setup'];
/** Move the console over to other data, which is as it was at the start of each: nothing else can follow. */
const LAST = ['POST /api/console/backups/:key/restore', 'POST /api/backups/:key/restore'];
const described = apiRoutes.filter(({ about }) => about).map((route) => [nameOf(route), route] as const);
const named = new Map(described);

let world: World;
let server: Awaited<ReturnType<typeof startLinkServer>>;
let link: AgentLink;
let files: FileHost;

beforeAll(async () => {
  for (const name of SETUP) await makeCall(name, {});
  const { json } = await api('POST', '/api/collections/users/auth-with-password', {
    body: named.get('POST /api/collections/:collection/auth-with-password')!.about!.example,
  });
  const ada = { id: String((json.record as AnyRow).id) };
  server = await startLinkServer();
  const { agent, host } = await createHost(createCaller(apiRoutes));
  files = await createFileHost();
  link = await connectLink(agent, server.port, { answer: files.answer });
  const image = await createImage({ build_on: host.id, created_by: ada.id });
  const workspace = await createWorkspace({ host: host.id, image: image.id, created_by: ada.id });
  await files.addContainer(workspace.id);
  world = { ada, oidc: await startOidcServer(), workspaceId: workspace.id, imageId: image.id };
});

afterAll(async () => {
  link.socket.terminate();
  await server.close();
  await files.close();
  await world.oidc.close();
});

/** Makes the call by its example, and looks at the answer by its description. */
async function makeCall(name: string, prepared: Awaited<ReturnType<typeof prepareCall>>): Promise<void> {
  const { method, path, about } = named.get(name)!;
  const { params = {}, query = '', ...rest } = prepared;
  const target = path.replace(/:(\w+)/g, (_, part: string) => params[part] ?? (part === 'collection' ? 'users' : part));
  const abort = new AbortController();
  const body = method === 'GET' ? undefined : (rest.body ?? about!.example ?? {});
  const response = await sendApi(method, `${target}?${query}`, { ...rest, body, signal: abort.signal });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  const text = isStream || (about!.answer && !(about!.answer instanceof ZodType)) ? '' : await response.text();
  abort.abort();
  expect({ status: response.status, ...(response.status !== about!.status && { text }) }).toEqual({
    status: about!.status,
  });
  expectAnswer(about!, { text, type: response.headers.get('content-type') ?? '' });
}

function expectAnswer({ answer, status }: NonNullable<Route['about']>, { text, type }: { text: string; type: string }) {
  if (answer instanceof ZodType) expect(answer.safeParse(JSON.parse(text)).error?.issues).toBeUndefined();
  else if (answer) expect(answer.some((each) => each === '*/*' || type.startsWith(each))).toBe(true);
  else if (status < 400) expect(text).toBe('');
}

test('prepares calls that there are', () => {
  expect(Object.keys(preparations).filter((name) => !named.has(name))).toEqual([]);
});

test.each([...named.keys()].filter((name) => !LAST.includes(name) && !SETUP.includes(name)))('%s', async (name) => {
  await makeCall(name, await prepareCall(world, name, named.get(name)!.about!.example ?? {}));
});

test.each(LAST)('%s', async (name) => {
  await makeCall(name, await prepareCall(world, name, {}));
  await expect
    .poll(async () => (await api('GET', '/api/health')).json, { timeout: 10_000 })
    .toMatchObject({
      data: { canBackup: true },
    });
});
