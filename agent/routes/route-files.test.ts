import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RouteFiles } from './route-files';

describe('files of addresses', () => {
  let folder: string;
  const files = new RouteFiles('h1');
  const text = (id: string) => files.write({ http: { routers: {}, services: {}, middlewares: {} } }, id);
  beforeEach(() => void (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-routes-'))));
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));
  const list = () => fs.readdirSync(folder).toSorted();

  it('appear whole, for everyone to read, and are not written again while they are the same', async () => {
    await files.put(folder, 'w1', text('w1'));
    const file = path.join(folder, 'berth-w1.yml');
    const before = fs.statSync(file);
    expect(before.mode & 0o777).toBe(0o644);
    await files.put(folder, 'w1', text('w1'));
    expect(fs.statSync(file).ino).toBe(before.ino);
    await files.put(folder, 'w1', `${text('w1')}# more\n`);
    expect(fs.statSync(file).ino).not.toBe(before.ino);
    expect(list()).toEqual(['berth-w1.yml']);
  });

  it("of this host's unknown workspaces go, and nobody else's are touched", async () => {
    for (const id of ['w1', 'w2']) await files.put(folder, id, text(id));
    await new RouteFiles('h2').put(
      folder,
      'w3',
      new RouteFiles('h2').write({ http: { routers: {}, services: {}, middlewares: {} } }, 'w3'),
    );
    const half = 'berth-w1.yml.00000000-0000-4000-8000-000000000000.tmp';
    fs.writeFileSync(path.join(folder, half), text('w1'));
    fs.writeFileSync(path.join(folder, 'berth-mine.yml'), 'http: {}\n');
    fs.writeFileSync(path.join(folder, 'other.yml'), text('w9'));
    await files.sweep(folder, new Set(['w1']));
    expect(list()).toEqual(['berth-mine.yml', 'berth-w1.yml', 'berth-w3.yml', 'other.yml']);
    await files.remove(folder, 'w3');
    await files.remove(folder, 'mine');
    await files.remove(folder, 'gone');
    await files.remove(folder, 'w1');
    expect(list()).toEqual(['berth-mine.yml', 'berth-w3.yml', 'other.yml']);
  });

  it('that can not be written are told of in words', async () => {
    await expect(files.put(path.join(folder, 'none'), 'w1', text('w1'))).rejects.toThrow(/there is no such folder/);
    await expect(files.put('relative', 'w1', text('w1'))).rejects.toThrow(/absolute path/);
    fs.writeFileSync(path.join(folder, 'file'), '');
    await expect(files.put(path.join(folder, 'file'), 'w1', text('w1'))).rejects.toThrow(/it is not a folder/);
  });
});
