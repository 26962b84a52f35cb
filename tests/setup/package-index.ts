import http from 'node:http';
import { execFileSync } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { zipOf } from './zips';

/** A package index of the test's own, of wheels made by hand. */
export interface PackageIndex {
  /** Where builds on this machine's engine reach it. */
  url: string;
  /** Paths that were asked for. */
  asked: string[];
  add(wheel: Wheel): Promise<void>;
  remove(wheel: Wheel): void;
  /** Gives no answer for a project until the returned function is called. */
  hold(project: string): () => void;
  dispose(): Promise<void>;
}

export interface Wheel {
  /** As it is imported. */
  module: string;
  version: string;
  requires?: string[];
}

/** Serves the wheels by PEP 503, where the default bridge of the engine has its gateway. */
export async function startPackageIndex(wheels: readonly Wheel[]): Promise<PackageIndex> {
  const files = new Map<string, Buffer>();
  for (const wheel of wheels) files.set(nameOf(wheel), await makeWheel(wheel));
  const asked: string[] = [];
  const held = new Set<string>();
  const server = http.createServer((request, response) => {
    asked.push(request.url ?? '');
    if (held.has(request.url ?? '')) return;
    const file = files.get((request.url ?? '').slice('/files/'.length));
    const project = /^\/simple\/([a-z0-9-]+)\/$/.exec(request.url ?? '')?.[1];
    const names = [...files.keys()].filter((name) => name.startsWith(`${project?.replaceAll('-', '_')}-`));
    if (file) response.end(file);
    else if (names.length === 0) response.writeHead(404).end();
    else {
      const links = names.map((name) => `<a href="/files/${name}">${name}</a>`).join('\n');
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<!DOCTYPE html><html><body>${links}</body></html>`);
    }
  });
  const gateway = execFileSync('docker', ['network', 'inspect', 'bridge', '-f', '{{(index .IPAM.Config 0).Gateway}}'], {
    encoding: 'utf8',
  }).trim();
  await new Promise<void>((resolve) => server.listen(0, gateway || '172.17.0.1', resolve));
  const { address, port } = server.address() as AddressInfo;
  return {
    url: `http://${address}:${port}/simple`,
    asked,
    add: async (wheel) => void files.set(nameOf(wheel), await makeWheel(wheel)),
    hold: (project) => {
      held.add(`/simple/${project}/`);
      return () => void held.delete(`/simple/${project}/`);
    },
    remove: (wheel) => void files.delete(nameOf(wheel)),
    dispose: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function nameOf({ module, version }: Wheel): string {
  return `${module}-${version}-py3-none-any.whl`;
}

/** A wheel is a zip with the module and what is said of it. */
function makeWheel({ module, version, requires = [] }: Wheel): Promise<Buffer> {
  const info = `${module}-${version}.dist-info`;
  const metadata = ['Metadata-Version: 2.1', `Name: ${module.replaceAll('_', '-')}`, `Version: ${version}`];
  const contents = {
    [`${module}/__init__.py`]: `VERSION = '${version}'\n`,
    [`${info}/METADATA`]: [...metadata, ...requires.map((each) => `Requires-Dist: ${each}`), ''].join('\n'),
    [`${info}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
  };
  const record = [...Object.keys(contents), `${info}/RECORD`].map((file) => `${file},,\n`).join('');
  return zipOf({ ...contents, [`${info}/RECORD`]: record });
}
