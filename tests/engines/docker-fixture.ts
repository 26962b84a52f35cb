import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import Docker from 'dockerode';
import { expect } from 'vitest';
import { DockerEngine } from '@/agent/engines/docker/docker-engine';
import type { JobSpec } from '@/lib/protocol/specs/job';
import { makeBuildSpec } from '../agent/specs';

const BUSYBOX = '/bin/busybox';

function explainAbsence(): string {
  const ping = spawnSync('docker', ['version', '--format', '{{.Server.Version}}'], { encoding: 'utf8' });
  if (ping.status !== 0) return `no Docker daemon answers: ${(ping.stderr ?? '').trim() || String(ping.error)}`;
  return existsSync(BUSYBOX) ? '' : `${BUSYBOX} is missing (package busybox-static)`;
}

/** Empty when the engine tests can run, else why not. With CI=true their absence is a failure. */
export const dockerAbsence = explainAbsence();
if (dockerAbsence !== '') {
  if (process.env.CI === 'true') throw new Error(`The engine tests can't run: ${dockerAbsence}`);
  process.stderr.write(`\nSKIPPED: the engine tests need Docker; ${dockerAbsence}\n\n`);
}

export const docker = new Docker({ socketPath: '/var/run/docker.sock' });

type BuildSpec = Extract<JobSpec, { job: 'build' }>;

/** A build whose image holds busybox and its shell. */
export function makeBusyboxBuild(reference: string, lines: string[], overrides: Partial<BuildSpec> = {}): BuildSpec {
  const content = readFileSync(BUSYBOX).toString('base64');
  const dockerfile = ['FROM scratch', 'COPY busybox /bin/busybox', 'COPY busybox /bin/sh', ...lines, ''].join('\n');
  const files = [{ path: 'busybox', mode: 0o755, content }];
  return makeBuildSpec({ reference, dockerfile, files, ...overrides }) as BuildSpec;
}

export async function buildBusybox(hostId: string, reference: string, lines: string[]) {
  const engine = new DockerEngine({ dockerHost: '' });
  const options = { log: () => undefined, signal: new AbortController().signal };
  const image = await engine.build({ hostId, spec: makeBusyboxBuild(reference, lines), auths: [] }, options);
  expect(image.imageId).toMatch(/^sha256:/);
  return image;
}

/** Removes every container, network, volume and image that carries the host's label. */
export async function removeAll(hostId: string): Promise<void> {
  const filters = { label: [`berth.host=${hostId}`] };
  for (const { Id } of await docker.listContainers({ all: true, filters })) {
    await docker
      .getContainer(Id)
      .remove({ force: true, v: true })
      .catch(() => undefined);
  }
  for (const { Id } of await docker.listNetworks({ filters })) {
    await docker
      .getNetwork(Id)
      .remove()
      .catch(() => undefined);
  }
  for (const { Name } of (await docker.listVolumes({ filters })).Volumes ?? []) {
    await docker
      .getVolume(Name)
      .remove()
      .catch(() => undefined);
  }
  for (const { Id } of await docker.listImages({ filters: JSON.stringify(filters) })) {
    await docker
      .getImage(Id)
      .remove({ force: true })
      .catch(() => undefined);
  }
}

export async function listOurs(hostId: string) {
  return docker.listContainers({ all: true, filters: { label: [`berth.host=${hostId}`] } });
}
