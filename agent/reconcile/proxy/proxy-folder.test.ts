import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { pathsIn, ProxyFolder } from './proxy-folder';

let home: string;
let folder: string;
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-proxy-'));
  folder = path.join(home, 'deep/traefik');
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

it('is made with a file that its owner alone reads, and nothing else', async () => {
  const proxies = new ProxyFolder([]);
  expect(await proxies.isCurrent(folder, 'a')).toBe(false);
  expect(await proxies.write(folder, 'a')).toEqual(pathsIn(folder));
  expect(fs.readdirSync(folder).toSorted()).toEqual(['dynamic', 'traefik.toml']);
  expect(fs.statSync(path.join(folder, 'traefik.toml')).mode & 0o777).toBe(0o600);
  expect(await proxies.isCurrent(folder, 'a')).toBe(true);
  expect(await proxies.isCurrent(folder, 'b')).toBe(false);
  await proxies.write(folder, 'b');
  expect(fs.readFileSync(path.join(folder, 'traefik.toml'), 'utf8')).toBe('b');
  fs.chmodSync(path.join(folder, 'traefik.toml'), 0o644);
  expect(await proxies.isCurrent(folder, 'b')).toBe(false);
});

it('loses its file and keeps what others put there', async () => {
  const proxies = new ProxyFolder([]);
  const { configFile, dynamicFolder } = await proxies.write(folder, 'a');
  fs.writeFileSync(path.join(dynamicFolder, 'app.toml'), '');
  await proxies.removeFile(path.join(dynamicFolder, 'app.toml'));
  await proxies.removeFile(configFile);
  expect(fs.readdirSync(folder)).toEqual(['dynamic']);
  expect(fs.readdirSync(dynamicFolder)).toEqual(['app.toml']);
});

it('lies nowhere in people’s folders, by its name or by a link', async () => {
  const root = path.join(home, 'volumes');
  fs.mkdirSync(root);
  const link = path.join(home, 'link');
  fs.symlinkSync(root, link);
  const proxies = new ProxyFolder([root]);
  for (const wrong of [root, path.join(root, 'x'), link]) {
    await expect(proxies.write(wrong, 'a')).rejects.toThrow("where people's volumes are");
  }
  expect(fs.existsSync(path.join(root, 'traefik.toml'))).toBe(false);
  const outer = new ProxyFolder([path.join(home, 'dynamic')]);
  await expect(outer.write(home, 'a')).rejects.toThrow("where people's volumes are");
});

it('says what is in the way', async () => {
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  fs.writeFileSync(folder, 'a file');
  await expect(new ProxyFolder([]).write(folder, 'a')).rejects.toThrow(`can't be written into ${folder}`);
  await expect(new ProxyFolder([]).isCurrent(folder, 'a')).rejects.toThrow("can't be read");
});
