import { afterAll, expect, it } from 'vitest';
import { closeDb, getDb } from '@/db/database';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { requestWorkspace } from '@/lib/workspaces/request-workspace';
import { createHost, createImage, createUser, createWorkspace, readWorkspace } from '../api/factories';
import { createCaller } from '../api/kernel-caller';
import { makeObserved } from '../api/scripted-agent';

const call = createCaller(agentRoutes);

afterAll(() => closeDb());

it('takes a report without the one piece of news that it fails at', async () => {
  const { agent, host } = await createHost(call);
  const owner = await createUser({ isAdmin: true });
  const image = await createImage({ build_on: host.id, created_by: owner.id });
  const create = () => createWorkspace({ host: host.id, image: image.id, created_by: owner.id });
  const [bad, good] = [await create(), await create()];
  for (const { id } of [bad, good]) await requestWorkspace(owner, { workspaceId: id, action: 'start' });
  getDb().sqlite.exec(`CREATE TRIGGER refuse BEFORE UPDATE OF status ON workspaces WHEN OLD.id = '${bad.id}'
    BEGIN SELECT RAISE(ABORT, 'refused for the test'); END`);
  const report = await agent.report({ objects: [bad, good].map(({ id }) => makeObserved({ id })) });
  expect(report).toMatchObject({ status: 200, json: { acknowledged: 1 } });
  expect([bad, good].map(({ id }) => readWorkspace(id)?.status)).toEqual(['deployment_pending', 'running']);
});
