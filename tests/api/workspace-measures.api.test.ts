import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { closeDb } from '@/db/database';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import type { HostRow } from '@/lib/hosts/collection';
import { write } from '@/lib/records/transaction';
import { workspaces, type WorkspaceRow } from '@/lib/workspaces/collection';
import { workspacePermissions } from '@/lib/workspaces/permissions';
import { api } from '../setup/api';
import { createHost, createImage, createTenant, createUser, createWorkspace, type UserActor } from './factories';
import { createFileHost, type FileHost } from './file-host';
import { createCaller } from './kernel-caller';
import { type AgentLink, connectLink, startLinkServer } from './live-link';

const call = createCaller([...agentRoutes]);
const TOO_OLD = 'The agent is too old for streams of kind metrics. Update it.';
let server: Awaited<ReturnType<typeof startLinkServer>>;
let files: FileHost;
let host: HostRow;
let link: AgentLink;
let owner: UserActor;
let workspace: WorkspaceRow;
let isOld = false;

beforeAll(async () => {
  server = await startLinkServer();
  files = await createFileHost();
  const made = await createHost(call);
  host = made.host;
  link = await connectLink(made.agent, server.port, {
    answer: (stream, open) => (isOld ? stream.fail(TOO_OLD) : files.answer(stream, open)),
  });
  owner = await createTenant(host);
  const image = await createImage({ build_on: host.id, created_by: owner.id });
  workspace = await createWorkspace({ host: host.id, image: image.id, created_by: owner.id, status: 'running' });
  await files.addContainer(workspace.id);
});
afterAll(async () => {
  link.socket.terminate();
  await server.close();
  await files.close();
  closeDb();
});

const metrics = (as: { id: string } | undefined, query = '') =>
  api('GET', `/api/workspace/${workspace.id}/metrics${query}`, { ...(as && { as }) });
const ports = (as: { id: string } | undefined) =>
  api('GET', `/api/workspace/${workspace.id}/ports`, { ...(as && { as }) });

describe('how a workspace does', () => {
  it('is told by its host to whoever may see it, and to nobody else', async () => {
    const viewer = await createUser();
    const grant = { user: viewer.id, workspace: workspace.id, view: true };
    await write((tx) => tx.insert(workspacePermissions, grant));
    const before = link.opened.length;
    for (const ask of [metrics, ports]) {
      expect((await ask(undefined)).status).toBe(401);
      expect((await ask(await createUser())).status).toBe(404);
    }
    expect(link.opened.length).toBe(before);
    expect(await ports(viewer)).toMatchObject({ status: 200, json: { listeners: [{ port: 8080, isLocal: false }] } });
    const measured = async () => (await metrics(viewer)).json.at as number[];
    await vi.waitFor(async () => expect((await measured()).length).toBeGreaterThan(0), { timeout: 10_000 });
  });

  it('is told of a span that there is', async () => {
    expect((await metrics(owner, '?span=day')).json).toMatchObject({ stepSeconds: 60 });
    expect(await metrics(owner, '?span=year')).toMatchObject({ status: 400, json: { data: { span: {} } } });
  });

  it('is not asked of the host about ports while it is down', async () => {
    const before = link.opened.length;
    await write((tx) => tx.observe(workspaces, workspace.id, { status: 'stopped' }));
    expect(await ports(owner)).toMatchObject({ status: 200, json: { listeners: [] } });
    expect(link.opened.length).toBe(before);
  });

  it('is what an agent that is too old says so of', async () => {
    isOld = true;
    expect(await metrics(owner)).toMatchObject({ status: 503, json: { message: TOO_OLD } });
  });
});
