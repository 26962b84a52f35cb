import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { countTraffic, type HostReading, listNetworkCards, readHost, usageBetween, usedMemory } from './host-usage';

const NET_DEV = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 5000 1 0 0 0 0 0 0 5000 1 0 0 0 0 0 0
  eth0: 700 1 0 0 0 0 0 0 90 1 0 0 0 0 0 0
enp3s0:300 1 0 0 0 0 0 0 10 1 0 0 0 0 0 0
docker0: 9999 1 0 0 0 0 0 0 9999 1 0 0 0 0 0 0
vethab12: 9999 1 0 0 0 0 0 0 9999 1 0 0 0 0 0 0
br-0f1e: 9999 1 0 0 0 0 0 0 9999 1 0 0 0 0 0 0
 bond0: 9999 1 0 0 0 0 0 0 9999 1 0 0 0 0 0 0
eth0.7: 9999 1 0 0 0 0 0 0 9999 1 0 0 0 0 0 0
 vmbr0: 9999 1 0 0 0 0 0 0 9999 1 0 0 0 0 0 0
   wg0: 9999 1 0 0 0 0 0 0 9999 1 0 0 0 0 0 0
podman0: 9999 1 0 0 0 0 0 0 9999 1 0 0 0 0 0 0
  tap0: 9999 1 0 0 0 0 0 0 9999 1 0 0 0 0 0 0
`;
/** Of a container: nothing stands behind it that it could see. */
const INNER_NET_DEV = `    lo: 5000 1 0 0 0 0 0 0 5000 1 0 0 0 0 0 0
  eth0: 40 1 0 0 0 0 0 0 2 1 0 0 0 0 0 0
  eth1: 2 1 0 0 0 0 0 0 3 1 0 0 0 0 0 0
`;

const reading = (more: Partial<HostReading> = {}): HostReading => ({
  atMs: 1_000_000,
  busyMs: 1000,
  allMs: 10_000,
  cores: 4,
  memory: 5,
  memoryAll: 10,
  load: 0.5,
  receivedBytes: 100,
  sentBytes: 100,
  ...more,
});
const more = { diskUsedBytes: 7, loads: [] };

describe('what a host uses', () => {
  it('counts the traffic of the machine’s own cards once, and of a container all that leaves it', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'berth-net-'));
    for (const card of ['eth0', 'enp3s0']) mkdirSync(path.join(folder, card, 'device'), { recursive: true });
    for (const name of ['lo', 'docker0', 'bond0', 'eth0.7', 'vmbr0', 'wg0', 'podman0', 'tap0']) {
      mkdirSync(path.join(folder, name));
    }
    writeFileSync(path.join(folder, 'bonding_masters'), 'bond0\n');
    const cards = await listNetworkCards(folder);
    rmSync(folder, { recursive: true });
    expect([...cards].sort()).toEqual(['enp3s0', 'eth0']);
    expect(countTraffic(NET_DEV, cards)).toEqual({ receivedBytes: 1000, sentBytes: 100 });
    const none = await listNetworkCards(folder);
    expect(countTraffic(INNER_NET_DEV, none)).toEqual({ receivedBytes: 42, sentBytes: 5 });
    expect(countTraffic('', none)).toEqual({ receivedBytes: 0, sentBytes: 0 });
  });

  it('takes memory that the kernel would drop for free', () => {
    expect(usedMemory('MemTotal:  1000 kB\nMemFree: 10 kB\nMemAvailable:   400 kB\n')).toBe(600 * 1024);
    expect(usedMemory('')).toBeUndefined();
  });

  it('is the difference between two moments', () => {
    const after = reading({ atMs: 1_010_000, busyMs: 11_000, allMs: 50_000, receivedBytes: 1100, sentBytes: 50 });
    expect(usageBetween(reading(), after, more)).toEqual({
      at: 1010,
      cpu: 1,
      memory: 5,
      disk: 7,
      load: 0.5,
      received: 100,
      sent: 0,
      gpu: -1,
      gpuMemory: -1,
    });
    const loads = [
      { uuid: 'a', load: 0.5, memoryBytes: 10 },
      { uuid: 'b', load: 1, memoryBytes: 20 },
    ];
    expect(usageBetween(reading(), after, { diskUsedBytes: 7, loads })).toMatchObject({ gpu: 0.75, gpuMemory: 30 });
  });

  it('is not known where the counters began anew, or no time has passed', () => {
    expect(usageBetween(reading(), reading(), more)).toBeUndefined();
    expect(usageBetween(reading(), reading({ atMs: 1_010_000, busyMs: 0, allMs: 20_000 }), more)).toBeUndefined();
  });

  it('is read off this machine', async () => {
    const before = await readHost(1000);
    expect(before.cores).toBeGreaterThan(0);
    expect(before.memory).toBeGreaterThan(0);
    expect(before.allMs).toBeGreaterThan(before.busyMs);
  });
});
