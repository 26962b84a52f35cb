import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { type RunningAgent, startAgent } from '@/agent/agent';
import { closeDb } from '@/db/database';
import '@/lib/api/collections';
import { startAreas } from '@/lib/api/start-areas';
import { env } from '@/lib/env';
import { createEmbeddedJoinToken } from '@/lib/hosts/create-join-token';
import { hosts } from '@/lib/hosts/collection';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { handleAgentUpgrade } from '@/lib/hosts/link/upgrade';
import { createKernel } from '@/lib/http/kernel';
import { serveNode } from '@/lib/http/node-door';
import { createRouter } from '@/lib/http/router';
import { builds } from '@/lib/images/builds';
import { type ImageRow, images } from '@/lib/images/collection';
import { jobRoutes } from '@/lib/images/job-routes';
import { openBuildLog } from '@/lib/images/read-build-log';
import { requestImage } from '@/lib/images/request-image';
import { log } from '@/lib/log';
import { system } from '@/lib/policies/actor';
import { StoreReader, write } from '@/lib/records/transaction';
import { createRecord } from '@/lib/records/writer';
import { type PackageIndex, startPackageIndex, type Wheel } from '../setup/package-index';
import { ensurePythonBase, MICROMAMBA_STAND_IN, PYTHON_BASE_IMAGE } from '../setup/python-base';
import { removeAll } from './docker-fixture';

/** A console with its agent on the real engine, and an index of the test's own, for images that are made from lists. */
export interface BuiltImages {
  index: PackageIndex;
  hostId: string;
  make(body: object): Promise<ImageRow>;
  /** Builds to the end. */
  build(image: { id: string }, lockOf?: number): Promise<BuildOutcome>;
  dispose(): Promise<void>;
}

export interface BuildOutcome {
  id: string;
  number: number;
  log: string;
  status: string;
  message: string;
  tag: string;
}

export async function startBuiltImages(wheels: readonly Wheel[]): Promise<BuiltImages> {
  await ensurePythonBase();
  const index = await startPackageIndex(wheels);
  Object.assign(env(), { pypiIndexUrl: index.url, micromambaImage: MICROMAMBA_STAND_IN });
  startAreas();
  const stateDir = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-built-'));
  const kernel = createKernel(createRouter([...agentRoutes, ...jobRoutes]));
  const server = http.createServer((request, response) => void serveNode(kernel, request, response));
  server.on('upgrade', handleAgentUpgrade);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const consoleUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const joinToken = await createEmbeddedJoinToken('local');
  const agent: RunningAgent = await startAgent({
    consoleUrl,
    joinToken,
    hostName: 'local',
    stateDir,
    engine: 'docker',
    log,
  });
  const { hostId } = agent;
  await write((tx) => tx.patch(hosts, hostId, { local_images: [PYTHON_BASE_IMAGE, MICROMAMBA_STAND_IN] }));
  return {
    index,
    hostId,
    build,
    async make(body) {
      const name = `built-${randomUUID().slice(0, 8)}`;
      const input = { body: { name, build_on: hostId, baseImage: PYTHON_BASE_IMAGE, ...body } };
      return (await createRecord(images, system, input)) as ImageRow;
    },
    async dispose() {
      await agent.stop();
      await removeAll(hostId);
      server.closeAllConnections();
      server.close();
      await index.dispose();
      closeDb();
      fs.rmSync(stateDir, { recursive: true, force: true });
    },
  };
}

async function build({ id }: { id: string }, lockOf?: number): Promise<BuildOutcome> {
  const { buildNumber: number } = await requestImage(system, { imageId: id, action: 'build', lockOf });
  const { chunks } = openBuildLog(
    system,
    { imageId: id, number, after: 0, follow: true },
    AbortSignal.timeout(100_000),
  );
  let text = '';
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) text += next.value.text;
  const [row] = new StoreReader().find(builds, { image: id, number });
  const { id: buildId, status, statusMessage } = row!;
  return { id: buildId, number, log: text, status, message: statusMessage, tag: `berth/${id}:${number}` };
}

/** The same, of a build that has to go well. */
export function expectBuilt(outcome: BuildOutcome): BuildOutcome {
  expect(outcome, outcome.log).toMatchObject({ status: 'build_finished' });
  return outcome;
}
