import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { DockerEngine } from '@/agent/engines/docker/docker-engine';
import type { JobSpec } from '@/lib/protocol/specs/job';
import { docker, dockerAbsence, makeBusyboxBuild, removeAll } from './docker-fixture';

type Parameters = NonNullable<Extract<JobSpec, { job: 'build' }>['parameters']>;

describe.skipIf(dockerAbsence !== '')('what a build is given', () => {
  const hostId = `given-${randomUUID().slice(0, 8)}`;
  const reference = `berth-test/${hostId}:1`;
  const engine = new DockerEngine({ dockerHost: '' });
  const never = new AbortController().signal;

  afterAll(async () => {
    await removeAll(hostId);
    await engine.close();
  });

  async function build(lines: string[], given: Partial<Parameters>): Promise<string> {
    let log = '';
    const parameters = { pullBase: false, arguments: [], secrets: [], ...given };
    // Steps that ran in an earlier test run say nothing.
    const fresh = [`ENV TEST=${hostId}`, ...lines];
    const spec = makeBusyboxBuild(reference, fresh, { parameters, pullBase: undefined });
    await engine.build({ hostId, spec, auths: [] }, { log: (text) => (log += text), signal: never });
    return log;
  }

  const everything = async (): Promise<string> => {
    const image = docker.getImage(reference);
    const parts = [await image.inspect(), await image.history()];
    const chunks: Buffer[] = [];
    for await (const chunk of await image.get()) chunks.push(chunk as Buffer);
    return JSON.stringify(parts) + Buffer.concat(chunks).toString('latin1');
  };

  it('are arguments that a step reads as they are, whatever is in them', async () => {
    const nasty = fc.string({
      unit: fc.constantFrom(...'ab \'"`$(){}\\;&|#=\n\té', '\nRUN id\n', '$(id)', '<<EOF'),
      minLength: 1,
      maxLength: 20,
    });
    const values = [...fc.sample(nasty, { numRuns: 6, seed: 7 }), '"; RUN id', '\nFROM scratch', '$PATH', "it's"];
    const names = values.map((_, at) => `A${at}`);
    const shown = names.map((name) => `printf '%s' "$${name}" | /bin/busybox base64 | /bin/busybox tr -d '\\n'; echo`);
    const lines = [...names.map((name) => `ARG ${name}=unset`), `RUN ${shown.join('; ')}`];
    const log = await build(lines, { arguments: values.map((value, at) => ({ name: names[at]!, value })) });
    for (const value of values) expect(log, value).toContain(Buffer.from(value).toString('base64'));
    expect(log).not.toContain(Buffer.from('unset').toString('base64'));
  }, 60_000);

  it('are secrets that a step mounts, and that nothing keeps', async () => {
    const token = `tk-${randomUUID()}`;
    const key = `-----BEGIN-----\n${randomUUID()}\n-----END-----\n`;
    const log = await build(
      [
        'RUN --mount=type=secret,id=token --mount=type=secret,id=key,target=/key \\',
        '  /bin/busybox wc -c </run/secrets/token && /bin/busybox md5sum /key && /bin/busybox cat /run/secrets/token /key',
      ],
      {
        secrets: [
          { name: 'token', value: token },
          { name: 'key', value: key },
        ],
      },
    );
    expect(log).toMatch(new RegExp(`#\\d+ ${token.length}\\n`));
    expect(log).toContain('***');
    const kept = log + (await everything());
    for (const secret of [token, ...key.split('\n').filter((line) => line.length > 20)])
      expect(kept).not.toContain(secret);
  }, 60_000);

  it('are refused in the builder’s words where one is required and not given', async () => {
    const step = 'RUN --mount=type=secret,id=gone,required=true /bin/busybox true';
    await expect(build([step], { secrets: [{ name: 'other', value: 'x' }] })).rejects.toThrow(
      /secret gone.*not found|not found/,
    );
  }, 60_000);

  it('leave no session behind', async () => {
    const handles = () => process.getActiveResourcesInfo().filter((kind) => /PipeWrap|TCPSocketWrap/.test(kind)).length;
    const before = handles();
    for (const value of ['1', '2', '3']) {
      await build([`RUN --mount=type=secret,id=a /bin/busybox echo ${value}`], { secrets: [{ name: 'a', value }] });
    }
    await expect.poll(handles, { timeout: 10_000 }).toBeLessThanOrEqual(before + 1);
  }, 60_000);
});
