import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeDb } from '@/db/database';
import { filesTable } from '@/db/schema/files';
import { files } from '@/lib/files/collection';
import { hosts, type HostRow } from '@/lib/hosts/collection';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { write } from '@/lib/records/transaction';
import { api } from '../setup/api';
import { createHost, createImage, createUser, createWorkspace, type UserActor } from './factories';
import { createCaller } from './kernel-caller';

/** Who may delete a thing learns what it is used by, and not what others call what they keep to themselves. */
const call = createCaller(agentRoutes);
let host: HostRow;
let owner: UserActor;
let other: UserActor;
let imageId: string;

beforeAll(async () => {
  ({ host } = await createHost(call));
  [owner, other] = [await createUser(), await createUser()];
  await write((tx) => tx.patch(hosts, host.id, { created_by: owner.id }));
  imageId = (await createImage({ build_on: host.id, created_by: owner.id, name: 'shared-base' })).id;
  await createWorkspace({ host: host.id, image: imageId, created_by: other.id, name: 'secret-project' });
});
afterAll(() => closeDb());

const remove = async (collection: string, id: string, as: UserActor) => {
  const { status, json } = await api('DELETE', `/api/collections/${collection}/records/${id}`, { as });
  return [status, String(json.message).replace(/^.*reference\. /, '')];
};

it('of a host and of an image count the workspaces of others', async () => {
  expect(await remove('images', imageId, owner)).toEqual([400, "Used by 1 workspace that you can't see."]);
  expect(await remove('hosts', host.id, owner)).toEqual([400, "Used by 1 workspace that you can't see."]);
  await createWorkspace({ host: host.id, image: imageId, created_by: owner.id, name: 'mine' });
  const both = "Used by the workspace mine and 1 other that you can't see.";
  expect(await remove('images', imageId, owner)).toEqual([400, both]);
  const admin = await createUser({ isAdmin: true });
  const [, words] = await remove('images', imageId, admin);
  expect(words).toMatch(/^Used by the workspaces (mine, secret-project|secret-project, mine)\.$/);
});

it('of a file count the images of others', async () => {
  const values = { name: 'script', type: 'external', url: 'https://example.org/a.sh', created_by: owner.id } as const;
  const file = await write((tx) => tx.insert({ name: 'files', table: filesTable }, values as never));
  await createImage({ build_on: host.id, created_by: other.id, name: 'hidden-image', files: [file.id] });
  expect(await remove(files.name, file.id, owner)).toEqual([400, "Used by 1 image that you can't see."]);
});
