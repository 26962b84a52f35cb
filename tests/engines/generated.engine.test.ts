import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningAgent, startAgent } from '@/agent/agent';
import { closeDb } from '@/db/database';
import '@/lib/api/collections';
import { startAreas } from '@/lib/api/start-areas';
import { env } from '@/lib/env';
import { files } from '@/lib/files/collection';
import { createEmbeddedJoinToken } from '@/lib/hosts/create-join-token';
import { hosts } from '@/lib/hosts/collection';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { handleAgentUpgrade } from '@/lib/hosts/link/upgrade';
import { createKernel } from '@/lib/http/kernel';
import { serveNode } from '@/lib/http/node-door';
import { createRouter } from '@/lib/http/router';
import { type ImageRow, images } from '@/lib/images/collection';
import { jobRoutes } from '@/lib/images/job-routes';
import { previewImage, previewSchema } from '@/lib/images/preview-image';
import { openBuildLog } from '@/lib/images/read-build-log';
import { requestImage } from '@/lib/images/request-image';
import { log } from '@/lib/log';
import { system } from '@/lib/policies/actor';
import { StoreReader, write } from '@/lib/records/transaction';
import { createRecord, updateRecord } from '@/lib/records/writer';
import { workspaces } from '@/lib/workspaces/collection';
import { requestWorkspace } from '@/lib/workspaces/request-workspace';
import { docker } from '../setup/docker';
import { type PackageIndex, startPackageIndex } from '../setup/package-index';
import { ensurePythonBase, MICROMAMBA_STAND_IN, PYTHON_BASE_IMAGE, pythonBaseObstacle } from '../setup/python-base';
import { dockerAbsence, removeAll } from './docker-fixture';

const obstacle = dockerAbsence || pythonBaseObstacle();
if (obstacle !== '' && process.env.CI === 'true') throw new Error(`Generated images can't be built: ${obstacle}`);

const stateDir = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-generated-'));
const server = http.createServer((request, response) => void serveNode(kernel, request, response));
const kernel = createKernel(createRouter([...agentRoutes, ...jobRoutes]));
const elsewhere = http.createServer((request, response) => {
  if (request.url === '/inside') response.writeHead(302, { location: `${index.url}/demo/` }).end();
  else if (request.url === '/moved') response.writeHead(301, { location: '/data.bin' }).end();
  else response.end(`data of ${request.url}`);
});
let agent: RunningAgent;
let index: PackageIndex;
let web: string;
let twoLists: ImageRow & { environments: { name: string; packages: object[] }[] };

const listen = (each: http.Server) =>
  new Promise<number>((resolve) => each.listen(0, '127.0.0.1', () => resolve((each.address() as AddressInfo).port)));

async function make(body: object): Promise<typeof twoLists> {
  const name = `generated-${randomUUID().slice(0, 8)}`;
  const input = { body: { name, build_on: agent.hostId, baseImage: PYTHON_BASE_IMAGE, ...body } };
  return (await createRecord(images, system, input)) as typeof twoLists;
}

async function upload(bytes: string | Buffer): Promise<string> {
  const uploads = { file: [{ name: 'x', bytes: Buffer.from(bytes) }] };
  const made = await createRecord(files, system, { body: { name: randomUUID(), type: 'upload' }, uploads });
  return (made as { id: string }).id;
}

async function external(url: string): Promise<string> {
  const made = await createRecord(files, system, { body: { name: randomUUID(), type: 'external', url } });
  return (made as { id: string }).id;
}

/** Builds to the end; what it printed. */
async function build({ id }: { id: string }): Promise<{ log: string; status: string; message: string; tag: string }> {
  const { buildNumber } = await requestImage(system, { imageId: id, action: 'build' });
  const request = { imageId: id, number: buildNumber, after: 0, follow: true };
  const { chunks } = openBuildLog(system, request, AbortSignal.timeout(100_000));
  let text = '';
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) text += next.value.text;
  const { status, statusMessage } = new StoreReader().get(images, id)!;
  return { log: text, status, message: statusMessage, tag: `berth/${id}:${buildNumber}` };
}

async function built(image: { id: string }): Promise<{ log: string; tag: string }> {
  const outcome = await build(image);
  expect(outcome, outcome.log).toMatchObject({ status: 'build_finished' });
  return outcome;
}

/** Steps that were really run, by the log. */
function stepsRun(text: string): string[] {
  const names = new Map([...text.matchAll(/^#(\d+) (\[.*\] RUN .*)$/gm)].map(([, number, name]) => [number!, name!]));
  const cached = new Set([...text.matchAll(/^#(\d+) CACHED$/gm)].map(([, number]) => number!));
  return [...names].filter(([number]) => !cached.has(number)).map(([, name]) => name);
}

async function run(tag: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return docker('run', '--rm', tag, ...args).then(
    (out) => ({ code: 0, out, err: '' }),
    (error: { code: number; stdout: string; stderr: string }) => {
      return { code: error.code, out: error.stdout.trim(), err: error.stderr.trim() };
    },
  );
}

const pypi = (name: string, constraint = 'unconstrained', specifier = '') => {
  return { manager: 'pypi', name, version: { constraint, specifier } };
};
const SAY = "python -c 'import demo; print(demo.VERSION)'";

describe.skipIf(obstacle !== '')('a generated image on Docker', () => {
  beforeAll(async () => {
    await ensurePythonBase();
    index = await startPackageIndex([
      { module: 'demo', version: '1.0' },
      { module: 'demo', version: '1.4.2' },
      { module: 'demo', version: '2.0', requires: ['demo-part>=1'] },
      { module: 'demo_part', version: '1.1' },
    ]);
    Object.assign(env(), { pypiIndexUrl: index.url, micromambaImage: MICROMAMBA_STAND_IN });
    startAreas();
    server.on('upgrade', handleAgentUpgrade);
    const consoleUrl = `http://127.0.0.1:${await listen(server)}`;
    web = `http://127.0.0.1:${await listen(elsewhere)}`;
    const joinToken = await createEmbeddedJoinToken('local');
    const start = { consoleUrl, joinToken, hostName: 'local', stateDir, engine: 'docker' as const, log };
    agent = await startAgent({ ...start, allowedSources: ['127.0.0.1'] });
    const local_images = [PYTHON_BASE_IMAGE, MICROMAMBA_STAND_IN];
    await write((tx) => tx.patch(hosts, agent.hostId, { local_images }));
  }, 120_000);

  afterAll(async () => {
    await agent?.stop();
    if (agent) await removeAll(agent.hostId);
    for (const each of [server, elsewhere]) {
      each.closeAllConnections();
      each.close();
    }
    await index?.dispose();
    closeDb();
    fs.rmSync(stateDir, { recursive: true, force: true });
  }, 60_000);

  it('has what its lists ask for, each in its environment, and runs its commands there', async () => {
    twoLists = await make({
      environments: [
        { name: 'old', packages: [pypi('demo', 'compatible', '1.0')] },
        { name: 'new', packages: [pypi('Demo', 'minimum', '1.4')] },
      ],
      startupCommands: [
        { command: `${SAY} && sleep 1 && exit 7`, environment: 'new' },
        { command: `echo "it's $(${SAY})"; exec sleep 60`, environment: 'old' },
        { command: 'echo "none: ${VIRTUAL_ENV-} $PATH"', environment: null },
      ],
    });
    const { tag } = await built(twoLists);
    expect(await run(tag, 'sh', '-c', SAY)).toMatchObject({ code: 0, out: '1.4.2' });
    const imported = ['-c', 'import demo, demo_part; print(demo.VERSION, demo_part.VERSION)'];
    expect(await run(tag, '/opt/berth/environments/new/bin/python', ...imported)).toMatchObject({ out: '2.0 1.1' });
    const body = { name: randomUUID().slice(0, 8), host: agent.hostId, image: twoLists.id, command: 'sleep 60' };
    const { id } = (await createRecord(workspaces, system, { body })) as { id: string };
    await requestWorkspace(system, { workspaceId: id, action: 'start' });
    await expect.poll(() => new StoreReader().get(workspaces, id)?.status, { timeout: 30_000 }).toBe('running');
    const [container = ''] = (await docker('ps', '-q', '-f', `label=berth.id=${id}`)).split('\n');
    expect(await docker('exec', container, 'sh', '-c', SAY)).toBe('1.4.2');
    const { code, out, err } = await run(tag);
    expect(out.split('\n').sort()).toEqual([
      '2.0',
      "it's 1.4.2",
      'none:  /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    ]);
    expect([code, err]).toEqual([
      7,
      expect.stringMatching(/^berth: startup command 1 ended with exit code 7: python -c/),
    ]);
  }, 120_000);

  it('ends its commands when it is stopped, and what they started with them', async () => {
    const script = 'trap "echo ended; exit 0" TERM; echo up; while :; do sleep 0.1; done';
    const commands = [1, 2].map(() => ({ command: `sh -c '${script}' && true`, environment: null }));
    const { tag } = await built(await make({ startupCommands: commands }));
    const container = await docker('run', '-d', tag);
    await expect.poll(() => docker('logs', container), { timeout: 10_000 }).toBe('up\nup');
    const before = Date.now();
    await docker('stop', '-t', '20', container);
    expect(Date.now() - before).toBeLessThan(10_000);
    expect(await docker('logs', container)).toBe('up\nup\nended\nended');
    expect(await docker('inspect', '-f', '{{.State.ExitCode}}', container)).toBe('143');
    await docker('rm', container);
  }, 60_000);

  it('builds one layer anew when a package is added to a list', async () => {
    const [old, ...others] = twoLists.environments;
    const more = { ...old!, packages: [...old!.packages, pypi('demo-part')] };
    await updateRecord(images, system, { id: twoLists.id, body: { environments: [more, ...others] } });
    const again = await built(twoLists);
    const ran = stepsRun(again.log);
    expect(ran, again.log).toHaveLength(1);
    expect(ran[0]).toContain('-m pip install');
    await updateRecord(images, system, { id: twoLists.id, body: { startupCommands: [{ command: 'false' }] } });
    expect(stepsRun((await built(twoLists)).log)).toEqual([]);
  }, 120_000);

  it('runs as a user whose uid the base has already', async () => {
    const script = await upload('x');
    const image = await make({
      environments: [
        { name: 'main', packages: [pypi('demo', 'exactly', '1.0')] },
        { name: 'other', packages: [] },
      ],
      userConfiguration: { isAdded: true, uid: 1000, name: 'mara', gid: 2000, group: 'crew' },
      files: [script],
      filePaths: { [script]: '/home/mara/deep/er/x' },
      startupCommands: [{ command: 'id -un; touch /opt/berth/environments/main/lib/mine && echo fine' }],
    });
    const { tag } = await built(image);
    expect((await run(tag)).out).toBe('mara\nfine');
    const facts =
      'id; echo ~; cat ~/kept; stat -c %U:%G:%a ~ ~/kept ~/deep ~/deep/er/x; cat /etc/passwd /etc/group /etc/shadow';
    const asRoot = await docker('run', '--rm', '--user', '0', tag, 'sh', '-c', facts.replaceAll('~', '/home/mara'));
    expect(asRoot.split('\n')).toEqual([
      'uid=0(root) gid=0(root) groups=0(root)',
      '/home/mara',
      'kept',
      'mara:crew:755',
      'mara:crew:644',
      'mara:crew:755',
      'mara:crew:644',
      'root:x:0:0:root:/root:/bin/bash',
      'mara:x:1000:2000::/home/mara:/bin/bash',
      'root:x:0:',
      'adm:x:4:syslog,mara',
      'sudo:x:27:mara',
      'ubuntu:x:1000:',
      'crew:x:2000:',
      'root:*:1:0:99999:7:::',
      'mara:!:1:0:99999:7:::',
    ]);
    const pip = ['pip', 'install', '--no-deps', 'demo==2.0'];
    expect(await run(tag, ...pip)).toMatchObject({ code: 0 });
  }, 120_000);

  it.each([
    ['a new one', { uid: 1234, name: 'eve' }, 'uid=1234(eve) gid=1234(eve) groups=1234(eve) /home/eve'],
    [
      'a group of the base',
      { uid: 1234, name: 'eve', gid: 4, group: 'other' },
      'uid=1234(eve) gid=4(adm) groups=4(adm) /home/eve',
    ],
    ['what the base calls it', {}, 'uid=1000(ubuntu) gid=1000(ubuntu) groups=1000(ubuntu) /home/ubuntu'],
    ['root', { uid: 0, name: 'admin' }, 'uid=0(root) gid=0(root) groups=0(root) /root'],
  ])(
    'takes the user that is asked for: %s',
    async (_, user, expected) => {
      const { tag } = await built(await make({ userConfiguration: { isAdded: true, ...user } }));
      expect((await run(tag, 'sh', '-c', 'echo "$(id) $HOME"')).out).toBe(expected);
    },
    60_000,
  );

  it('says in words that the base has the name already', async () => {
    const image = await make({ userConfiguration: { isAdded: true, uid: 1234, name: 'ubuntu' } });
    const { status, log: text } = await build(image);
    expect(status).toBe('error');
    expect(text).toContain(
      'berth: the base image has a user ubuntu of its own, with the id 1000. Choose another name, or that id.',
    );
  }, 60_000);

  it('has its files where they are asked for, as they are', async () => {
    // An archive whose entries lead out of it is a file like any other: nothing unpacks it.
    const archive = Buffer.from(fs.readFileSync('/bin/busybox').subarray(0, 300_000));
    const [script, blob] = [await upload("#!/bin/sh\necho 'hi $(id)'\n"), await upload(archive)];
    const far = await external(`${web}/moved`);
    const filePaths = { [script]: "/srv/it's $(id)/run me.sh", [blob]: '/etc/blob.tar', [far]: '/srv/far' };
    const { tag, log: text } = await built(await make({ files: [script, blob, far], filePaths }));
    expect(text).toContain(`Fetching ${web}/moved\n`);
    const show = 'cat "/srv/it\'s \\$(id)/run me.sh" /srv/far; sha256sum </etc/blob.tar; stat -c %u:%a /srv/far';
    expect((await run(tag, 'sh', '-c', show)).out.split('\n')).toEqual([
      '#!/bin/sh',
      "echo 'hi $(id)'",
      `data of /data.bin${createHash('sha256').update(archive).digest('hex')}  -`,
      '0:644',
    ]);
    expect(fs.existsSync(path.join(stateDir, 'builds')) ? fs.readdirSync(path.join(stateDir, 'builds')) : []).toEqual(
      [],
    );
  }, 60_000);

  it("are in a written Dockerfile's context, too", async () => {
    const [one, two] = [await upload('one'), await upload('two')];
    const { name } = new StoreReader().get(files, two)!;
    const dockerfile = `FROM ${PYTHON_BASE_IMAGE}\nCOPY conf/one /one\nCOPY ${name} /two\n`;
    const written = {
      creationType: 'writeDockerfile',
      dockerfile,
      files: [one, two],
      filePaths: { [one]: '/conf/one' },
    };
    const { tag } = await built(await make(written));
    expect((await run(tag, 'cat', '/one', '/two')).out).toBe('onetwo');
  }, 60_000);

  it('gets nothing of the own network but what is allowed', async () => {
    for (const [url, words] of [
      [`${web.replace('127.0.0.1', 'localhost')}/x`, /localhost, which is no address of the internet/],
      [`${web}/inside`, /which is no address of the internet/],
    ] as const) {
      const id = await external(url);
      const { status, message } = await build(await make({ files: [id], filePaths: { [id]: '/x' } }));
      expect([status, message], url).toEqual(['error', expect.stringMatching(words)]);
      expect(message).toContain('BERTH_ALLOWED_SOURCES');
    }
  }, 60_000);

  it('by a stand-in for micromamba: conda first, then pip into the same environment, activated for its command', async () => {
    const image = await make({
      channels: ['site'],
      environments: [
        {
          name: 'science',
          channels: [{ name: 'bioconda' }, { name: 'conda-forge' }],
          packages: [
            {
              manager: 'conda',
              name: 'samtools',
              channel: 'bioconda',
              version: { constraint: 'compatible', specifier: '1.4' },
            },
            pypi('demo', 'exclude', '2.0'),
          ],
        },
      ],
      userConfiguration: { isAdded: true },
      startupCommands: [{ command: `${SAY}; echo "$FROM_ACTIVATION $CONDA_PREFIX"`, environment: 'science' }],
    });
    const { tag } = await built(image);
    expect((await run(tag)).out).toBe('1.4.2\nscience /opt/berth/environments/science');
    expect((await run(tag, 'cat', '/opt/berth/environments/science/environment.yml')).out.split('\n')).toEqual([
      'channels:',
      '  - "bioconda"',
      '  - "conda-forge"',
      '  - "site"',
      'dependencies:',
      '  - "bioconda::samtools >=1.4,1.*"',
      '  - "python"',
      '  - "pip"',
    ]);
  }, 120_000);

  it('comes out the same from the Dockerfile that stands alone', async () => {
    const body = {
      baseImage: PYTHON_BASE_IMAGE,
      environments: [{ name: 'a', packages: [pypi('demo', 'custom', '>=1,!=1.0,<2')] }],
      startupCommands: [{ command: `# it's "x" \\ <<EOF\n${SAY}`, environment: 'a' }],
      userConfiguration: { isAdded: true, name: 'mara' },
    };
    const script = await upload('x');
    const parsed = previewSchema.parse({ ...body, filePaths: ['/srv/x'], standalone: true });
    const { dockerfile } = previewImage(parsed);
    const written = { creationType: 'writeDockerfile', dockerfile, files: [script], filePaths: { [script]: '/srv/x' } };
    const { tag } = await built(await make(written));
    expect((await run(tag)).out).toBe('1.4.2');
    expect((await run(tag, 'sh', '-c', 'id -un; cat /srv/x')).out).toBe('mara\nx');
  }, 120_000);
});
