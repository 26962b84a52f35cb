import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type RunningAgent, startAgent } from '@/agent/agent';
import { closeDb } from '@/db/database';
import { handleAgentUpgrade } from '@/lib/hosts/link/upgrade';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import '@/lib/api/collections';
import { startAreas } from '@/lib/api/start-areas';
import { deployments } from '@/lib/workspaces/deployments';
import { hosts } from '@/lib/hosts/collection';
import { jobRoutes } from '@/lib/images/job-routes';
import type { ImageRow } from '@/lib/images/collection';
import type { WorkspaceRow } from '@/lib/workspaces/collection';
import { createEmbeddedJoinToken } from '@/lib/hosts/create-join-token';
import { openBuildLog } from '@/lib/images/read-build-log';
import { openWorkspaceLogs } from '@/lib/workspaces/read-workspace-logs';
import { requestImage } from '@/lib/images/request-image';
import { requestWorkspace } from '@/lib/workspaces/request-workspace';
import type { WorkspaceAction } from '@/lib/vocabulary/workspace-status';
import { createKernel } from '@/lib/http/kernel';
import { serveNode } from '@/lib/http/node-door';
import { createRouter } from '@/lib/http/router';
import { log } from '@/lib/log';
import { system } from '@/lib/policies/actor';
import { StoreReader } from '@/lib/records/transaction';
import { createImage, createWorkspace, readImage, readWorkspace } from '../api/factories';

const stateDir = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-agent-'));
const kernel = createKernel(createRouter([...agentRoutes, ...jobRoutes]));
const server = http.createServer((request, response) => void serveNode(kernel, request, response));
let agent: RunningAgent;
let image: ImageRow;
let workspace: WorkspaceRow;

const soon = (assertion: () => void) => vi.waitFor(assertion, { timeout: 15_000, interval: 10 });
const ask = (action: WorkspaceAction) => requestWorkspace(system, { workspaceId: workspace.id, action });
const status = () => readWorkspace(workspace.id)?.status;

beforeAll(async () => {
  startAreas();
  server.on('upgrade', handleAgentUpgrade);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const consoleUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const joinToken = await createEmbeddedJoinToken('local');
  agent = await startAgent({ consoleUrl, joinToken, hostName: 'local', stateDir, engine: 'simulated', log });
  const unbuilt = { status: '', imageId: '', buildNumber: 0 };
  image = await createImage({ build_on: agent.hostId, ...unbuilt });
  workspace = await createWorkspace({ host: agent.hostId, image: image.id, command: 'sleep 60' });
});

afterAll(async () => {
  await agent.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  closeDb();
  fs.rmSync(stateDir, { recursive: true, force: true });
});

it('brings the host online with a live link', async () => {
  await soon(() => {
    expect(new StoreReader().get(hosts, agent.hostId)).toMatchObject({ status: 'online', engine: { liveLink: true } });
  });
});

it('builds the image that a started workspace needs, and runs it', async () => {
  await ask('start');
  await soon(() => expect(status()).toBe('running'));
  expect(readImage(image.id)!.status).toBe('build_finished');
  const [deployment] = new StoreReader().find(deployments, { workspace: workspace.id });
  expect(deployment).toMatchObject({ status: 'succeeded' });
  expect(deployment!.steps!.map(({ key }) => key)).toEqual(
    expect.arrayContaining(['asked', 'queued', 'create', 'start']),
  );
});

it("passes the build's and the workspace's logs on", async () => {
  const { signal } = new AbortController();
  const build = openBuildLog(system, { imageId: image.id, number: 1, after: 0, follow: true }, signal);
  let text = '';
  for (let next = await build.chunks.next(); !next.done; next = await build.chunks.next()) text += next.value.text;
  expect(text).toMatch(/pulling ubuntu:24\.04[^]*\] FROM ubuntu:24\.04\n/);
  const request = { workspaceId: workspace.id, tail: 10, since: '', until: '', follow: false, numbered: false };
  const { events } = openWorkspaceLogs(system, { kind: 'logs', ...request }, signal);
  const read: unknown[] = [];
  for await (const batch of events) read.push(...batch);
  expect(read).toMatchObject([{ k: 'source' }, { m: expect.stringContaining(workspace.name) }]);
});

it('stops, starts, redeploys and removes it', async () => {
  await ask('stop');
  await soon(() => expect(status()).toBe('stopped'));
  await ask('start');
  await soon(() => expect(status()).toBe('running'));
  const { generation } = await ask('redeploy');
  await soon(() =>
    expect(readWorkspace(workspace.id)).toMatchObject({ status: 'running', observedGeneration: generation }),
  );
  await ask('delete');
  await soon(() => expect(status()).toBeUndefined());
  await requestImage(system, { imageId: image.id, action: 'delete' });
  expect(readImage(image.id)).toBeUndefined();
});
