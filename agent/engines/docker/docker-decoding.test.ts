import { describe, expect, it } from 'vitest';
import { registryOf } from '../../../lib/protocol/image-names';
import { listBases } from './docker-build';
import { toEngineError } from './docker-errors';
import { parseEvent } from './docker-events';
import { splitReference } from './docker-images';
import { LogDecoder, toEngineTime } from './docker-logs';
import { LayerProgress } from './layer-progress';
import { findAuth } from './registry-auth';
import { TraceLog } from './trace-log';

function frame(source: 1 | 2, text: string): Buffer {
  const header = Buffer.from([source, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([header, Buffer.from(text)]);
}

describe('decoding logs', () => {
  const at = (nanos: number) => `2026-01-01T00:00:00.${String(nanos).padStart(9, '0')}Z`;

  it('puts lines together whatever the size of the chunks', () => {
    const bytes = Buffer.concat([
      frame(1, `${at(1)} long `),
      frame(2, `${at(2)} oops\r\n`),
      frame(1, `${at(3)} line ü\n`),
      frame(1, `${at(4)} \n`),
    ]);
    for (const size of [1, 7, 1000]) {
      const decoder = new LogDecoder('');
      const lines = [];
      for (let from = 0; from < bytes.length; from += size)
        lines.push(...decoder.push(bytes.subarray(from, from + size)));
      expect(lines).toEqual([
        { t: at(2), s: 'err', m: 'oops' },
        { t: at(1), s: 'out', m: 'long line ü' },
        { t: at(4), s: 'out', m: '' },
      ]);
    }
  });

  it('leaves out the line that the reader holds and gives up one without an end', () => {
    const decoder = new LogDecoder(at(1));
    expect([...decoder.push(Buffer.concat([frame(1, `${at(1)} a\n`), frame(1, `${at(2)} b`)]))]).toEqual([]);
    expect([...decoder.finish()]).toEqual([{ t: at(2), s: 'out', m: 'b' }]);
  });

  it("writes times as the engine's since takes them", () => {
    expect(toEngineTime('2026-01-01T00:00:00.000000001Z')).toBe('1767225600.000000001');
    expect(toEngineTime('2026-01-01T00:00:00Z')).toBe('1767225600.000000000');
  });
});

describe("BuildKit's progress", () => {
  it('prints steps, output, outcome and errors once', () => {
    let text = '';
    const log = new TraceLog((part) => (text += part));
    const run = { digest: 'a', name: '[1/2] RUN x', cached: false, startedMs: 1000, completedMs: null, error: '' };
    const output = (part: string) => [{ vertex: 'a', text: Buffer.from(part) }];
    log.take({ vertexes: [run], statuses: [], logs: output('hel') });
    log.take({ vertexes: [run], statuses: [], logs: output('lo\nbye') });
    log.take({ vertexes: [{ ...run, completedMs: 2500 }], statuses: [], logs: [] });
    log.take({ vertexes: [{ ...run, digest: 'b', name: 'B', cached: true, completedMs: 1 }], statuses: [], logs: [] });
    log.take({ vertexes: [{ ...run, digest: 'c', name: 'C', error: 'broke' }], statuses: [], logs: [] });
    expect(text).toBe('#1 [1/2] RUN x\n#1 hello\n#1 bye\n#1 DONE 1.5s\n\n#2 B\n#2 CACHED\n\n#3 C\n#3 ERROR: broke\n\n');
  });
});

describe('pull progress', () => {
  it('prints a few lines, not one for each report', () => {
    let text = '';
    const progress = new LayerProgress((part) => (text += part));
    for (let current = 0; current <= 1000; current += 1) {
      progress.take({ id: 'layer', status: 'Downloading', progressDetail: { current, total: 1000 } });
    }
    progress.take({ id: 'layer', status: 'Pull complete' });
    expect(text.split('\n').length).toBeLessThan(15);
    expect(text).toContain('layer: Pull complete');
  });
});

describe('names', () => {
  it('splits references', () => {
    expect(splitReference('a/b')).toEqual({ repository: 'a/b', tag: 'latest' });
    expect(splitReference('host:5000/a:2')).toEqual({ repository: 'host:5000/a', tag: '2' });
    expect(splitReference('a@sha256:0')).toEqual({ repository: 'a', tag: 'sha256:0' });
  });

  it('finds the sign-in of a registry', () => {
    const hub = { serveraddress: 'https://index.docker.io/v1/', username: 'u', password: 'p' };
    const own = { ...hub, serveraddress: 'https://reg.example:5000/v2' };
    expect([registryOf('ubuntu'), registryOf('localhost/a'), registryOf('a/b')]).toEqual([
      'docker.io',
      'localhost',
      'docker.io',
    ]);
    expect(findAuth('ubuntu:24.04', [own, hub])).toBe(hub);
    expect(findAuth('reg.example:5000/a', [hub, own])).toBe(own);
    expect(findAuth('other.example/a', [hub, own])).toBeUndefined();
  });

  it('lists the images that a Dockerfile starts from', () => {
    const text = 'FROM --platform=linux/amd64 a:1 AS base\nfrom base\nFROM scratch\nFROM ${X}\nFROM b/c as d';
    expect(listBases(text)).toEqual(['a:1', 'b/c']);
  });
});

describe('errors and events', () => {
  it('keeps the words, adds what to do and tells what may pass', () => {
    const taken = toEngineError({
      statusCode: 500,
      json: { message: 'Bind for 0.0.0.0:80 failed: port is already allocated' },
    });
    expect(taken.message).toBe(
      'Bind for 0.0.0.0:80 failed: port is already allocated. Choose another host port, or stop what uses this one.',
    );
    expect([taken.kind, taken.isTransient]).toEqual(['conflict', false]);
    expect(toEngineError(Object.assign(new Error('connect ENOENT'), { code: 'ENOENT' }))).toMatchObject({
      kind: 'unreachable',
      isTransient: true,
    });
    expect(toEngineError({ statusCode: 404, json: null })).toMatchObject({ kind: 'not-found' });
  });

  it('reads events', () => {
    const event = { Action: 'kill', Actor: { ID: 'c', Attributes: { signal: '15', 'berth.id': 'w' } } };
    expect(parseEvent(JSON.stringify(event))).toEqual({
      type: 'kill',
      containerId: 'c',
      workspaceId: 'w',
      exitCode: null,
      signal: 15,
    });
    const proxy = { 'berth.id': 'h', 'berth.kind': 'proxy' };
    expect(parseEvent(JSON.stringify({ Action: 'die', Actor: { ID: 'c', Attributes: proxy } }))).toMatchObject({
      type: 'die',
      workspaceId: '',
    });
    const reader = { 'berth.id': '', 'berth.kind': 'reader' };
    expect(parseEvent(JSON.stringify({ Action: 'die', Actor: { ID: 'c', Attributes: reader } }))).toBeUndefined();
    const health = { Action: 'health_status: healthy', Actor: { ID: 'c' } };
    expect(parseEvent(JSON.stringify(health))?.type).toBe('health');
  });
});
