import type PocketBase from 'pocketbase';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { localHost, setUp } from '../setup/journey';

let berth: ConsoleProcess;
let pb: PocketBase;

beforeAll(async () => {
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'simulated' } });
  pb = await setUp(berth.url);
});
afterAll(() => berth.dispose());

it('has host local again after the start that follows its deletion', async () => {
  const before = await localHost(pb);
  await pb.collection('hosts').delete(before.id);
  await berth.kill('SIGTERM');
  berth = await berth.restart();
  const after = await localHost(pb);
  expect(after.id).not.toBe(before.id);
}, 60_000);
