import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentClock } from '../clock';
import type { AgentLog } from '../log';
import { openHostSampler } from './host-sampler';

let stateDir: string;
beforeEach(() => void (stateDir = mkdtempSync(path.join(os.tmpdir(), 'berth-sampler-'))));
afterEach(() => rmSync(stateDir, { recursive: true }));

const REST = { cpu: 1, memory: 1, disk: 1, load: 1, received: 1, sent: 1 };

/** What is read of a day in which the cards said this each five minutes; -1 is no answer. */
async function readDay(gpu: number[]) {
  const day = gpu.map((load, index) => ({ ...REST, at: index * 300, gpu: load, gpuMemory: load < 0 ? -1 : 10 }));
  writeFileSync(path.join(stateDir, 'host-usage.json'), JSON.stringify({ day, month: [] }));
  const sampler = await openHostSampler({
    stateDir,
    clock: { now: () => gpu.length * 300_000 } as AgentClock,
    hasGpus: () => true,
    readDisk: () => Promise.resolve({ diskBytes: 0, diskFreeBytes: 0 }),
    log: {} as AgentLog,
  });
  return sampler.read('day');
}

describe('the sampler of a host', () => {
  it('tells of cards also where they did not answer at times', async () => {
    expect(await readDay([0.5, -1, 0.25])).toMatchObject({ gpu: [0.5, -1, 0.25], gpuMemory: [10, -1, 10] });
  });

  it('tells nothing of cards that never answered', async () => {
    expect(await readDay([-1, -1])).toMatchObject({ at: [0, 300], gpu: [], gpuMemory: [] });
  });
});
