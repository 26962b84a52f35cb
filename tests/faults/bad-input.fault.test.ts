import fs from 'node:fs';
import net from 'node:net';
import type PocketBase from 'pocketbase';
import { ClientResponseError, type RecordModel } from 'pocketbase';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startAgent, type JoinedAgent } from '../setup/joined-agent';
import { eventually, startConsole, type ConsoleProcess } from '../setup/console-process';
import { BASE_IMAGE, docker, engineIsThere, ensureBaseImage } from '../setup/docker';
import { openEvents } from '../setup/event-text';
import {
  buildImage,
  cleanHost,
  containersOf,
  isRunning,
  PASSWORD,
  reaches,
  request,
  setUp,
  signIn,
} from '../setup/journey';
import { registryIsThere, startRegistry, type PrivateRegistry } from '../setup/registry';

const HOST = 'bad-input';

/** Its container ends when it is asked to, so that no test waits out the grace. */
const STOPS_AT_ONCE = `FROM ${BASE_IMAGE}\nCMD ["sh", "-c", "trap 'exit 0' TERM; while true; do sleep 0.1; done"]\n`;

interface Refusal {
  status: number;
  message: string;
  data: Record<string, { code: string; message: string } & Record<string, never>>;
}

/** What a call was refused with; fails when it was not. */
async function refusal(call: Promise<unknown>): Promise<Refusal> {
  const error: unknown = await call.then(
    () => new Error('The call was not refused'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ClientResponseError)) throw error;
  return { status: error.status, ...(error.response as Omit<Refusal, 'status'>) };
}

/** Processes of the machine whose command line holds the text. */
function processesWith(text: string): string[] {
  return fs.readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || pid === String(process.pid)) return false;
    try {
      return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
    } catch {
      return false;
    }
  });
}

describe.skipIf(!engineIsThere())('whatever is wrong is said in its place, and leaves nothing behind', () => {
  let berth: ConsoleProcess;
  let agent: JoinedAgent;
  let pb: PocketBase;
  let host: RecordModel;
  let image: RecordModel;
  let made: RecordModel[] = [];

  beforeAll(async () => {
    await ensureBaseImage();
    berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'off', LOG_LEVEL: 'trace' } });
    pb = await setUp(berth.url);
    agent = await startAgent(berth.url, { pb, name: HOST });
    host = await eventually('the host is online', async () => {
      const found = await pb.collection('hosts').getFirstListItem(`name = "${HOST}"`);
      return found.status === 'online' && found.engine.reachable ? found : undefined;
    });
    host = await pb.collection('hosts').update(host.id, { heartbeat_interval_seconds: 1 });
    image = await buildImage(pb, host.id, { name: 'bad-input-base', dockerfile: STOPS_AT_ONCE });
  });

  /** Each test's workspaces go, and the engine holds no container of this host afterwards. */
  afterEach(async () => {
    for (const { id } of made) await request(pb, 'workspace', id, 'delete').catch(() => undefined);
    made = [];
    await eventually('no container is left', async () => (await containersOfHost()).length === 0, 30_000);
  });

  afterAll(async () => {
    await agent?.dispose();
    await berth?.dispose();
    if (host) await cleanHost(host.id);
  });

  async function containersOfHost(): Promise<string[]> {
    const ids = await docker('ps', '-aq', '--filter', `label=berth.host=${host.id}`);
    return ids.split('\n').filter(Boolean);
  }

  async function imagesOf(imageId: string): Promise<string[]> {
    const ids = await docker('images', '-aq', '--filter', `label=berth.id=${imageId}`);
    return ids.split('\n').filter(Boolean);
  }

  async function createWorkspace(name: string, extra: object = {}): Promise<RecordModel> {
    const values = { name, host: host.id, image: image.id, ...extra };
    const workspace = await pb.collection('workspaces').create(values);
    made.push(workspace);
    return workspace;
  }

  async function run(workspace: RecordModel): Promise<RecordModel> {
    await request(pb, 'workspace', workspace.id, 'start');
    return reaches(pb, { collection: 'workspaces', id: workspace.id, status: 'running' });
  }

  function createImage(name: string, extra: object): Promise<RecordModel> {
    return pb.collection('images').create({ name, build_on: host.id, creationType: 'writeDockerfile', ...extra });
  }

  async function buildLog(imageId: string): Promise<string> {
    const log = await openEvents(`${berth.url}/api/image/${imageId}/build-log?follow=0`, pb.authStore.token);
    await log.ended;
    return log.text();
  }

  async function person(username: string): Promise<{ pb: PocketBase; id: string }> {
    const password = { password: PASSWORD, passwordConfirm: PASSWORD };
    const { id } = await pb.collection('users').create({ username, name: username, ...password });
    return { pb: await signIn(berth.url, username), id };
  }

  it('names the field of a workspace that can not be', async () => {
    await createWorkspace('taken', { portMappings: [{ containerPort: 80, hostPort: 48_111 }] });
    const again = await refusal(createWorkspace('taken'));
    expect([again.status, again.data.name?.code]).toEqual([400, 'validation_not_unique']);
    const unknown = await refusal(createWorkspace('other', { image: 'nosuchimage0000' }));
    expect(unknown.data.image?.code).toBe('validation_missing_rel_records');
    const port = await refusal(
      createWorkspace('other', {
        portMappings: [{ containerPort: 90 }, { containerPort: '80-82', hostPort: '48110-48112' }],
      }),
    );
    expect(port.data.portMappings).toMatchObject({
      1: { hostPort: { code: 'validation_port_taken', message: expect.stringMatching(/48111.*by taken/) as string } },
    });
    const variables = ['1BAD', 'TWICE', 'TWICE'].map((name) => ({ name, value: 'x' }));
    const names = await refusal(createWorkspace('other', { environmentVariables: variables }));
    expect(names.data.environmentVariables).toMatchObject({
      0: { name: { message: 'Invalid environment variable name.' } },
    });
    const twice = await refusal(createWorkspace('other', { environmentVariables: variables.slice(1) }));
    expect(twice.data.environmentVariables).toMatchObject({ 1: { name: { code: 'validation_duplicate' } } });
    expect(await pb.collection('workspaces').getFullList({ filter: 'name = "other"' })).toEqual([]);
  });

  it('keeps the old container when a redeploy finds its port taken by a process of the host', async () => {
    const workspace = await createWorkspace('port-process');
    await run(workspace);
    const [before] = await containersOf(workspace.id);
    const squatter = net.createServer().listen(0, '0.0.0.0');
    await new Promise((resolve) => squatter.once('listening', resolve));
    const { port } = squatter.address() as net.AddressInfo;
    try {
      await pb.collection('workspaces').update(workspace.id, { portMappings: [{ containerPort: 80, hostPort: port }] });
      await request(pb, 'workspace', workspace.id, 'redeploy');
      const failed = await reaches(pb, { collection: 'workspaces', id: workspace.id, status: 'error' });
      expect(failed.statusMessage).toMatch(/address already in use|port is already allocated/);
      expect(failed.statusMessage).toContain(String(port));
      expect(failed.statusMessage).toContain('Choose another host port, or stop what uses this one');
      expect(await containersOf(workspace.id)).toEqual([before]);
      expect(await isRunning(before!)).toBe(true);
    } finally {
      await new Promise((resolve) => squatter.close(resolve));
    }
    await request(pb, 'workspace', workspace.id, 'redeploy');
    await reaches(pb, { collection: 'workspaces', id: workspace.id, status: 'running' });
    expect(await containersOf(workspace.id)).not.toContain(before);
  });

  it('leaves no container when the first start finds its port taken by a container of somebody else', async () => {
    const name = `berth-test-squatter-${process.pid}`;
    await docker('run', '-d', '--name', name, '-p', '48222:80', BASE_IMAGE, 'sleep', '600');
    try {
      const workspace = await createWorkspace('port-container', {
        portMappings: [{ containerPort: 80, hostPort: 48_222 }],
      });
      await request(pb, 'workspace', workspace.id, 'start');
      const failed = await reaches(pb, { collection: 'workspaces', id: workspace.id, status: 'error' });
      expect(failed.statusMessage).toMatch(/48222.*port is already allocated.*Choose another host port/);
      expect(await containersOf(workspace.id)).toEqual([]);
      expect(await isRunning(name)).toBe(true);
      const [deployment] = await pb.collection('deployments').getFullList({ filter: `workspace = "${workspace.id}"` });
      expect(deployment).toMatchObject({ status: 'failed', statusMessage: failed.statusMessage });
    } finally {
      await docker('rm', '-f', name);
    }
  });

  it('says on which line a Dockerfile can not be read', async () => {
    const refused = await refusal(createImage('unreadable', { dockerfile: `FROM ${BASE_IMAGE}\nRUN true\nRUM ls\n` }));
    expect(refused.data.dockerfile).toEqual({
      code: 'validation_invalid_dockerfile',
      message: 'Line 3: unknown instruction RUM.',
    });
  });

  it('keeps the words and the log of a build that fails', async () => {
    const broken = await createImage('broken', {
      dockerfile: `FROM ${BASE_IMAGE}\nRUN echo half-way-there && exit 7\n`,
    });
    await request(pb, 'image', broken.id, 'build');
    const failed = await reaches(pb, { collection: 'images', id: broken.id, status: 'error' });
    expect(failed.statusMessage).toMatch(/exit code: 7|non-zero code: 7/);
    const log = await buildLog(broken.id);
    expect(log).toContain('half-way-there');
    expect(log).toContain('"status":"error"');
    expect(await imagesOf(broken.id)).toEqual([]);
    const workspace = await createWorkspace('of-broken', { image: broken.id });
    const start = await refusal(request(pb, 'workspace', workspace.id, 'start'));
    expect(start.data.image?.code).toBe('validation_image_not_built');
  });

  it('stops a running build for good, and a waiting one before it began', async () => {
    const token = `98${process.pid}`;
    const dockerfile = `FROM ${BASE_IMAGE}\nRUN echo begun && sleep ${token}\n`;
    const [running, waiting] = [
      await createImage('cancel-running', { dockerfile }),
      await createImage('cancel-waiting', { dockerfile: `FROM ${BASE_IMAGE}\nRUN echo never\n` }),
    ];
    await request(pb, 'image', running.id, 'build');
    await eventually('the build sleeps', () => processesWith(`sleep\0${token}`).length > 0, 30_000);
    await request(pb, 'image', waiting.id, 'build');
    await eventually('the other waits', async () => {
      const [build] = await pb.collection('builds').getFullList({ filter: `image = "${waiting.id}"` });
      return build?.queuePlace === 1;
    });
    await request(pb, 'image', waiting.id, 'cancelBuild');
    await reaches(pb, { collection: 'images', id: waiting.id, status: 'build_cancelled' });
    expect((await pb.collection('images').getOne(running.id)).status).toBe('building');
    await request(pb, 'image', running.id, 'cancelBuild');
    await reaches(pb, { collection: 'images', id: running.id, status: 'build_cancelled' });
    expect(processesWith(`sleep\0${token}`)).toEqual([]);
    expect(await buildLog(waiting.id)).not.toContain('never');
    expect([...(await imagesOf(running.id)), ...(await imagesOf(waiting.id))]).toEqual([]);
  });

  it('lists what is possible when an action is not', async () => {
    const workspace = await createWorkspace('illegal');
    const stop = await refusal(request(pb, 'workspace', workspace.id, 'stop'));
    expect([stop.status, stop.data.action]).toEqual([
      400,
      {
        code: 'validation_illegal_action',
        message: "Can't stop a workspace that is stopped. Possible now: start, redeploy, disable, delete.",
      },
    ]);
    const cancel = await refusal(request(pb, 'image', image.id, 'cancelBuild'));
    expect(cancel.data.action?.message).toContain('Possible now: build, disable, delete');
    const unknown = await refusal(request(pb, 'workspace', workspace.id, 'explode'));
    expect([unknown.status, Object.keys(unknown.data)]).toEqual([400, ['action']]);
    const used = await refusal(pb.collection('images').delete(image.id));
    expect([used.status, used.message]).toEqual([400, expect.stringContaining('illegal')]);
    expect(await imagesOf(image.id)).not.toEqual([]);
  });

  it('starts nothing that is disabled', async () => {
    const workspace = await createWorkspace('disabled');
    const start = () => refusal(request(pb, 'workspace', workspace.id, 'start'));
    await request(pb, 'workspace', workspace.id, 'disable');
    expect((await start()).message).toContain('that is disabled. Possible now: enable, delete');
    await request(pb, 'workspace', workspace.id, 'enable');
    await request(pb, 'image', image.id, 'disable');
    expect((await start()).data.image?.code).toBe('validation_disabled');
    expect((await refusal(createWorkspace('on-disabled'))).data.image?.code).toBe('validation_disabled');
    await request(pb, 'image', image.id, 'enable');
    await pb.collection('hosts').update(host.id, { enabled: false });
    try {
      expect((await start()).data.host?.code).toBe('validation_disabled');
      expect((await refusal(createWorkspace('on-disabled'))).data.host?.code).toBe('validation_disabled');
      expect((await refusal(request(pb, 'image', image.id, 'build'))).data.build_on?.code).toBe('validation_disabled');
      expect(await containersOf(workspace.id)).toEqual([]);
    } finally {
      await pb.collection('hosts').update(host.id, { enabled: true });
    }
  });

  it('answers bodies that are none or too long, and lives on', async () => {
    const post = async (path: string, body: string) => {
      const headers = { 'content-type': 'application/json', authorization: pb.authStore.token };
      const response = await fetch(`${berth.url}${path}`, { method: 'POST', headers, body });
      const json = (await response.json()) as { code: number; message: string };
      expect(json.code).toBe(response.status);
      return [response.status, json.message];
    };
    const records = '/api/collections/workspaces/records';
    const signInPath = '/api/collections/users/auth-with-password';
    const call = `/api/workspace/${image.id}/request`;
    expect(await post(records, '{"name":')).toEqual([
      400,
      'Failed to load the submitted data due to invalid formatting.',
    ]);
    const secret = 'password-in-bad-json';
    expect((await post(signInPath, `{"identity":"mara","password":${secret}}`))[0]).toBe(400);
    expect((await post(call, '{"action"'))[0]).toBe(400);
    const large = (bytes: number) => JSON.stringify({ action: 'x'.repeat(bytes) });
    expect(await post(call, large(1024 * 1024))).toEqual([413, 'The body is larger than 65536 bytes.']);
    expect((await post(signInPath, large(1024 * 1024)))[0]).toBe(413);
    expect((await post(records, large(33 * 1024 * 1024)))[0]).toBe(413);
    expect((await fetch(`${berth.url}/api/health`)).status).toBe(200);
    expect(berth.output()).not.toContain('password-in');
  });

  it('says nothing of a secret value to anyone but the container', async () => {
    const secret = `hidden-${process.pid}-value`;
    const messages: unknown[] = [];
    await pb.collection('workspaces').subscribe('*', (message) => messages.push(message));
    await pb.collection('deployments').subscribe('*', (message) => messages.push(message));
    const variables = [{ name: 'TOKEN', value: secret, secret: true }];
    const workspace = await createWorkspace('secretive', { environmentVariables: variables });
    const answers: unknown[] = [workspace, await run(workspace)];
    answers.push(await pb.collection('workspaces').update(workspace.id, { description: 'changed' }));
    answers.push(await pb.collection('workspaces').getFullList({ expand: 'host,image,deployments_via_workspace' }));
    const other = [{ ...variables[0], value: `${secret}-2` }];
    answers.push(await pb.collection('workspaces').update(workspace.id, { environmentVariables: other }));
    const changes = await pb.send<{ changed: unknown[] }>(`/api/workspace/${workspace.id}/changes`, {});
    expect(changes.changed).toHaveLength(1);
    const filter = `environmentVariables ~ "${secret}"`;
    expect((await refusal(pb.collection('workspaces').getList(1, 1, { filter }))).status).toBe(400);
    await eventually('messages came', () => messages.length > 3);
    await pb.realtime.unsubscribe();
    const said = JSON.stringify([answers, changes, messages]) + berth.output() + agent.output();
    expect(said).not.toContain(secret);
    const [container] = await containersOf(workspace.id);
    expect(await docker('inspect', '-f', '{{.Config.Env}}', container!)).toContain(`TOKEN=${secret}`);
    expect(fs.readFileSync(`${berth.dataDir}/berth.db`).includes(secret)).toBe(false);
  });

  it('shows a stranger nothing, and someone who loses a permission nothing more', async () => {
    const reader = await person('reader');
    const workspace = await createWorkspace('private', {
      command: `sh -c "trap 'exit 0' TERM; while true; do echo tick; sleep 0.2; done"`,
    });
    await run(workspace);
    const theirs = reader.pb.collection('workspaces');
    expect(await theirs.getFullList()).toEqual([]);
    expect((await refusal(theirs.getOne(workspace.id))).status).toBe(404);
    expect((await refusal(theirs.update(workspace.id, { name: 'mine' }))).status).toBe(404);
    expect((await refusal(theirs.delete(workspace.id))).status).toBe(404);
    expect((await refusal(request(reader.pb, 'workspace', workspace.id, 'stop'))).status).toBe(404);
    const values = { name: 'sneaky', host: host.id, image: image.id };
    const sneaky = await refusal(theirs.create(values));
    expect([sneaky.status, Object.keys(sneaky.data).sort()]).toEqual([400, ['host', 'image']]);

    const grants = pb.collection('workspace_permissions');
    const grant = await grants.create({ user: reader.id, workspace: workspace.id, view: true });
    const heard: string[] = [];
    await theirs.subscribe('*', ({ record }) => heard.push(String(record.description)));
    const logs = await openEvents(`${berth.url}/api/workspace/${workspace.id}/logs`, reader.pb.authStore.token);
    await eventually('lines come', () => logs.text().includes('tick'));
    await pb.collection('workspaces').update(workspace.id, { description: 'seen' });
    await eventually('they hear of it', () => heard.includes('seen'));
    expect((await refusal(request(reader.pb, 'workspace', workspace.id, 'stop'))).status).toBe(403);
    await grants.delete(grant.id);
    await logs.ended;
    expect(logs.text()).toContain('"reason":"revoked"');
    await pb.collection('workspaces').update(workspace.id, { description: 'unseen' });
    expect((await refusal(theirs.getOne(workspace.id))).status).toBe(404);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(heard).not.toContain('unseen');
    await reader.pb.realtime.unsubscribe();
  });

  it('removes the container of a workspace that is deleted, then the record', async () => {
    const workspace = await createWorkspace('deleted');
    await run(workspace);
    await pb.collection('workspaces').delete(workspace.id);
    await eventually('the record is gone', async () => {
      const gone = await pb.collection('workspaces').getFullList({ filter: `id = "${workspace.id}"` });
      return gone.length === 0;
    });
    expect(await containersOf(workspace.id)).toEqual([]);
  });

  it('keeps what is asked of a host that is away until it comes back', async () => {
    const workspace = await createWorkspace('patient');
    await agent.stop();
    await eventually(
      'the host counts as offline',
      async () => (await pb.collection('hosts').getOne(host.id)).status === 'offline',
      45_000,
    );
    await request(pb, 'workspace', workspace.id, 'start');
    const waiting = await pb.collection('workspaces').getOne(workspace.id);
    expect(waiting.status).toBe('deployment_pending');
    expect(waiting.statusMessage).toMatch(/^Waiting for host bad-input, last seen \d{4}-/);
    expect(await containersOf(workspace.id)).toEqual([]);
    agent.start();
    await reaches(pb, { collection: 'workspaces', id: workspace.id, status: 'running' });
    expect(await containersOf(workspace.id)).toHaveLength(1);
  }, 90_000);

  describe.skipIf(!registryIsThere())('images of a registry with a password', () => {
    let registry: PrivateRegistry;
    let name: string;

    beforeAll(async () => {
      registry = await startRegistry();
      name = await registry.push(BASE_IMAGE, 'team/private:1');
    });
    afterAll(async () => {
      await docker('rmi', name).catch(() => undefined);
      await registry.dispose();
    });

    async function pull(title: string, dockerImageName: string, status: string): Promise<RecordModel> {
      const pulled = await createImage(title, { creationType: 'pullAnImage', dockerImageName });
      await request(pb, 'image', pulled.id, 'build');
      const end = await reaches(pb, { collection: 'images', id: pulled.id, status });
      await pb.collection('images').delete(pulled.id);
      return end;
    }

    it('say why they can not be pulled, and are pulled with the right one', async () => {
      const { address: serveraddress, username, password } = registry;
      const signInAs = (secret: string) =>
        pb.collection('hosts').update(host.id, { registry_auths: [{ serveraddress, username, password: secret }] });
      const advice = "Check the image name and the host's registry log-in";
      expect((await pull('no-sign-in', name, 'error')).statusMessage).toContain(advice);
      await signInAs('Wrong!pass1');
      const wrong = await pull('wrong-sign-in', name, 'error');
      expect(wrong.statusMessage).toMatch(/unauthorized|no basic auth/);
      expect(wrong.statusMessage).toContain(advice);
      const changed = await signInAs(password);
      expect(JSON.stringify(changed)).not.toContain(password);
      const missing = await pull('no-such-tag', `${serveraddress}/team/private:2`, 'error');
      expect(missing.statusMessage).toMatch(/manifest unknown|not found/);
      expect(missing.statusMessage).toContain('Check the image name and tag');
      expect(await docker('images', '-q', name)).toBe('');
      await pull('right-sign-in', name, 'build_finished');
      const nobody = await pull('no-registry', '127.0.0.1:1/none:1', 'error');
      expect(nobody.statusMessage).toContain('connection refused');
      expect(berth.output() + agent.output()).not.toContain(password);
    });
  });
});
