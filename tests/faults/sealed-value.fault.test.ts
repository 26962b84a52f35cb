import { afterAll, expect, it, vi } from 'vitest';
import { closeDb } from '@/db/database';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { hosts } from '@/lib/hosts/collection';
import { writeHostObject } from '@/lib/hosts/host-spec';
import type { DesiredAnswer } from '@/lib/protocol/calls';
import { StoreReader, write } from '@/lib/records/transaction';
import { seal } from '@/lib/secrets';
import { deployments } from '@/lib/workspaces/deployments';
import { requestWorkspace } from '@/lib/workspaces/request-workspace';
import { createHost, createImage, createUser, createWorkspace, readWorkspace } from '../api/factories';
import { createCaller } from '../api/kernel-caller';

const call = createCaller(agentRoutes);

afterAll(() => closeDb());

it('names a value that can not be read on its record, and costs nothing else of the host', async () => {
  const { agent, host } = await createHost(call);
  const owner = await createUser({ isAdmin: true });
  const image = await createImage({ build_on: host.id, created_by: owner.id });
  const damaged = `${seal('hush').slice(0, -6)}AAAAAA`;
  const create = (value: string) =>
    createWorkspace({
      host: host.id,
      image: image.id,
      created_by: owner.id,
      environmentVariables: [{ name: 'TOKEN', value, secret: true }],
    });
  const [bad, good] = [await create(damaged), await create(seal('hush'))];
  for (const { id } of [bad, good]) await requestWorkspace(owner, { workspaceId: id, action: 'start' });
  const registry = { serveraddress: 'registry.test', username: 'ada', password: damaged };
  await write((tx) => {
    writeHostObject(tx, tx.patch(hosts, host.id, { registry_auths: [registry] })!);
  });

  const answer = await agent.desired();
  expect(answer.status).toBe(200);
  const { objects } = answer.json as DesiredAnswer;
  expect(objects.map(({ id }) => id).sort()).toEqual([good.id, host.id].sort());
  expect(objects.find(({ id }) => id === host.id)?.spec).toMatchObject({ registryAuths: [] });
  const words = expect.stringMatching(/^The secret value of TOKEN can't be read/) as string;
  await vi.waitFor(() => {
    expect(readWorkspace(bad.id)).toMatchObject({ status: 'error', statusMessage: words });
    const [deployment] = new StoreReader().find(deployments, { workspace: bad.id });
    expect(deployment).toMatchObject({ status: 'failed', statusMessage: words });
  });
  expect(readWorkspace(good.id)?.status).toBe('deployment_pending');
  await agent.heartbeat();
  const { statusMessage } = new StoreReader().get(hosts, host.id)!;
  expect(statusMessage).toMatch(/^The password of ada at registry\.test can't be read/);
});
