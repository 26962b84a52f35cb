import { afterAll, expect, it } from 'vitest';
import { closeDb } from '@/db/database';
import { write, StoreReader } from '@/lib/records/transaction';
import { openDeployment } from '@/lib/workspaces/deployment-log';
import { deployments } from '@/lib/workspaces/deployments';

afterAll(() => closeDb());

it('keeps the last hundred deployments of a workspace, and those of every other', async () => {
  const asked = { hostId: 'h1', askedBy: '', action: 'stop', generation: 1, attempt: 0, waitsFor: '' } as const;
  const open = (workspaceId: string) => write((tx) => openDeployment(tx, { ...asked, workspaceId }));
  await open('other');
  for (let count = 0; count < 103; count += 1) await open('busy');
  const numbers = new StoreReader().find(deployments, { workspace: 'busy' }, { orderBy: 'number' });
  expect(numbers.map(({ number }) => number)).toEqual(Array.from({ length: 100 }, (_, index) => index + 4));
  expect(new StoreReader().find(deployments, { workspace: 'other' })).toHaveLength(1);
});
