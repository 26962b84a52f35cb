import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { markProcess } from './process-mark';

let folder: string;
const troubles: string[] = [];
const mark = () => markProcess(folder, (words) => troubles.push(words));
const file = () => path.join(folder, 'process.json');
const read = () => JSON.parse(fs.readFileSync(file(), 'utf8')) as Record<string, unknown>;
const change = (values: Record<string, unknown>) => fs.writeFileSync(file(), JSON.stringify({ ...read(), ...values }));
/** The number of a process that has ended. */
const endedPid = () => spawnSync('true').pid;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-mark-'));
  troubles.length = 0;
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

it('names nobody at the first start, nor a predecessor that lives', async () => {
  expect((await mark()).replaces).toEqual([]);
  expect((await mark()).replaces).toEqual([]);
});

it('names predecessors that were killed here, those that never got through as well', async () => {
  const first = await mark();
  change({ pid: endedPid() });
  const second = await mark();
  expect(second.replaces).toEqual([first.instance]);
  change({ pid: endedPid() });
  expect((await mark()).replaces).toEqual([second.instance, first.instance]);
});

it.each([{ boot: 'another start' }, { namespace: 'pid:[1]' }, { boot: '' }])(
  'names nobody that it can not have looked for: %j',
  async (elsewhere) => {
    await mark();
    change({ pid: endedPid(), ...elsewhere });
    expect((await mark()).replaces).toEqual([]);
  },
);

it('begins anew where the mark is damaged, and says so', async () => {
  fs.writeFileSync(file(), '{');
  expect((await mark()).replaces).toEqual([]);
  expect(troubles[0]).toContain('process.json');
  expect(read().pid).toBe(process.pid);
});
