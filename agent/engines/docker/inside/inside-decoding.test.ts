import { describe, expect, it } from 'vitest';
import { parseGpuLoads } from '../../../gpu';
import { parseEntries } from './list-inside';
import { parseListeners } from './listeners';
import { toMeasure } from './measure';
import { kindOfGoMode } from './path-stat';

describe('listeners', () => {
  const line = (address: string, state: string) =>
    `   0: ${address} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0`;

  it('are the ports that are listened on, each once', () => {
    const table = [
      '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
      line('00000000:1F90', '0A'),
      line('0100007F:22B8', '0A'),
      line('0100007F:1F90', '0A'),
      line('00000000:0050', '01'),
      line('0B00007F:9C40', '0A'),
      line('00000000000000000000000000000000:0BB8', '0A'),
      line('00000000000000000000000001000000:0BB9', '0A'),
      line('0000000000000000FFFF00000100007F:0BBA', '0A'),
      line('0000000000000000FFFF0000020011AC:0BBB', '0A'),
    ].join('\n');
    expect(parseListeners(table)).toEqual([
      { port: 3000, isLocal: false },
      { port: 3001, isLocal: true },
      { port: 3002, isLocal: true },
      { port: 3003, isLocal: false },
      { port: 8080, isLocal: false },
      { port: 8888, isLocal: true },
    ]);
  });

  it('are none in what is no table', () => {
    expect(parseListeners('')).toEqual([]);
    expect(parseListeners('a b c 0A\n: : : 0A')).toEqual([]);
  });
});

describe('entries of a folder', () => {
  const MARK = '/a1b2/ ';
  const output = Buffer.concat([
    Buffer.from(`${MARK}81a4 5 1700000000 ./new\nline\n${MARK}41ed 4096 -5 ./sub\n${MARK}81a4 1 7 ./bad`),
    Buffer.from([0xff]),
    Buffer.from(`\n${MARK}21b6 0 7 ./null\n${MARK}nonsense\n`),
  ]);

  it('may have any name', () => {
    expect(parseEntries(output, MARK, true)).toEqual([
      { name: 'new\nline', isNameWhole: true, kind: 'file', size: 5, changed: 1_700_000_000 },
      { name: 'sub', isNameWhole: true, kind: 'folder', size: 0, changed: -5 },
      { name: 'bad\uFFFD', isNameWhole: false, kind: 'file', size: 1, changed: 7 },
      { name: 'null', isNameWhole: true, kind: 'device', size: 0, changed: 7 },
    ]);
  });

  it('lack the last one of an output that was cut', () => {
    expect(parseEntries(output.subarray(0, 60), MARK, false)).toEqual([
      { name: 'new\nline', isNameWhole: true, kind: 'file', size: 5, changed: 1_700_000_000 },
    ]);
  });
});

describe('what the engine says', () => {
  it('of the kind of a path', () => {
    const modes = [
      0o644,
      2 ** 31 + 0o755,
      2 ** 27 + 0o777,
      2 ** 26 + 0o666,
      2 ** 26 + 2 ** 21 + 0o666,
      2 ** 25 + 0o644,
    ];
    expect(modes.map(kindOfGoMode)).toEqual(['file', 'folder', 'link', 'device', 'device', 'other']);
  });

  it('of what a container uses', () => {
    const stats = {
      read: '2026-01-01T00:00:00Z',
      cpu_stats: { cpu_usage: { total_usage: 1000 } },
      memory_stats: { usage: 500, limit: 2000, stats: { inactive_file: 200 } },
      networks: { eth0: { rx_bytes: 1, tx_bytes: 2 }, eth1: { rx_bytes: 10, tx_bytes: 20 } },
    };
    const atMs = Date.parse(stats.read);
    const measure = { atMs, cpuNanos: 1000, memory: 300, memoryLimit: 2000, received: 11, sent: 22 };
    expect(toMeasure(stats)).toEqual(measure);
    expect(toMeasure({ ...stats, networks: undefined })).toEqual({ ...measure, received: 0, sent: 0 });
    expect(toMeasure({ ...stats, memory_stats: {} })).toBeNull();
    expect(toMeasure({ message: 'no' })).toBeNull();
  });

  it('of the load of cards', () => {
    expect(parseGpuLoads('GPU-1, 42, 1024\nGPU-2, [N/A], 3\n')).toEqual([
      { uuid: 'GPU-1', load: 0.42, memoryBytes: 1024 ** 3 },
    ]);
  });
});
