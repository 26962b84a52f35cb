import { beforeAll, expect, it } from 'vitest';
import { workspaces } from '@/lib/workspaces/collection';
import { hosts } from '@/lib/hosts/collection';
import { StoreReader, write } from '@/lib/records/transaction';
import { api } from '../setup/api';
import { openPrivateDatabase } from '../setup/database';
import { createHost, createImage, createUser, createWorkspace, type UserActor } from './factories';
import { createCaller } from './kernel-caller';
import { apiRoutes } from '@/lib/api/kernel';

/** What stands in the way of a new workspace is told before it is made, and nothing else is. */
openPrivateDatabase();

let ada: UserActor;
let bob: UserActor;
let hostId: string;
let imageId: string;

const port = (hostPort: number | string) => ({ containerPort: 80, protocol: 'tcp', hostPort, hostIp: '' });
const check = (body: object, as?: UserActor) => {
  const sent = { name: 'lab', host: hostId, image: imageId, portMappings: [], ...body };
  return api('POST', '/api/workspaces/check', { body: sent, ...(as && { as }) });
};
const problemsOf = async (body: object, as = ada) => {
  const { problems } = (await check(body, as)).json as { problems: { field: string; code: string }[] };
  return problems.map(({ field, code }) => `${field} ${code}`);
};
const count = () => new StoreReader().find(workspaces, {}).length;

beforeAll(async () => {
  [ada, bob] = [await createUser(), await createUser()];
  const { host } = await createHost(createCaller(apiRoutes));
  hostId = host.id;
  await write((tx) => tx.patch(hosts, hostId, { created_by: ada.id }));
  imageId = (await createImage({ build_on: hostId, created_by: ada.id })).id;
  const taken = { name: 'taken', portMappings: [port(8080)] } as object;
  await createWorkspace({ host: hostId, image: imageId, created_by: ada.id, ...taken });
});

it('finds nothing wrong with what can be made, and makes nothing', async () => {
  const before = count();
  expect(await problemsOf({ portMappings: [port('')] })).toEqual([]);
  expect(count()).toBe(before);
});

it('tells a taken name, a taken port and what is missing', async () => {
  expect(await problemsOf({ name: 'taken' })).toEqual(['name validation_not_unique', 'host validation_not_unique']);
  expect(await problemsOf({ portMappings: [port(8080)] })).toEqual(['portMappings.0.hostPort validation_port_taken']);
  expect(await problemsOf({ name: '', image: '' })).toEqual(['name validation_required', 'image validation_required']);
});

it('tells no more than a create to those without rights, and nothing to guests', async () => {
  expect(await problemsOf({ name: 'taken' }, bob)).toEqual([
    'host validation_missing_rel_records',
    'image validation_missing_rel_records',
  ]);
  expect((await check({})).status).toBe(401);
});
