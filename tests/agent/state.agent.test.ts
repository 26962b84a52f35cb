import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startAgent } from '@/agent/agent';
import { Identity } from '@/agent/console/identity';
import { SimulatedEngine } from '@/agent/engines/simulated/simulated-engine';
import { createFixture, type Fixture, quietLog } from './agent-fixture';
import { makeBuildSpec, makeWorkspaceSpec } from './specs';

it('says which state folder it can not write, and what to do', async () => {
  const stateDir = await mkdtemp(path.join(tmpdir(), 'berth-state-'));
  await mkdir(path.join(stateDir, 'identity.json.new'));
  await expect(Identity.load(stateDir)).rejects.toThrow(/can't write its state folder .*BERTH_AGENT_STATE_DIR/);
  await rm(stateDir, { recursive: true });
});

describe('the state folder of an agent', () => {
  let engine: SimulatedEngine;
  let fixture: Fixture;

  beforeEach(async () => {
    engine = new SimulatedEngine({ images: ['berth/test:1'] });
    fixture = await createFixture(engine);
  });
  afterEach(() => fixture.close());

  it('may lose what is only remembered: the file is set aside, and the agent runs', async () => {
    await fixture.agent.stop();
    for (const name of ['workspaces.json', 'jobs.json']) await writeFile(path.join(fixture.stateDir, name), '{"w1": {');
    await fixture.restartAgent(engine);
    fixture.console.want('w1', { kind: 'workspace', spec: makeWorkspaceSpec() });
    await fixture.console.untilStatus('w1', 'running');
    const kept = path.join(fixture.stateDir, 'workspaces.json.damaged');
    expect(await readFile(kept, 'utf8')).toBe('{"w1": {');
    expect(await readdir(fixture.stateDir)).toContain('jobs.json.damaged');
  });

  it.each(['', '{"privateKey":"no key","hostId":"host1"}'])(
    'names its key file when that is damaged: %j',
    async (text) => {
      await fixture.agent.stop();
      const file = path.join(fixture.stateDir, 'identity.json');
      await writeFile(file, text);
      const { url: consoleUrl, stateDir } = fixture;
      const again = startAgent({ consoleUrl, joinToken: 'token', hostName: 'test', stateDir, engine, log: quietLog });
      await expect(again).rejects.toThrow(`The agent's file ${file} is damaged. Put it back from a backup.`);
    },
  );

  it.skipIf(process.getuid?.() !== 0)(
    'that is full fails a build with a word, and builds again once there is room',
    async () => {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', fixture.stateDir]);
      try {
        const filler = path.join(fixture.stateDir, 'filler');
        execFileSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k', 'count=16'], { stdio: 'ignore' });
        fixture.console.want('j1', { kind: 'job', spec: makeBuildSpec() });
        const failed = await fixture.console.untilJob('j1', 'error');
        expect(failed.message).toMatch(/can't write its state folder: ENOSPC.*Free space/);
        await rm(filler);
        fixture.console.want('j2', { kind: 'job', spec: makeBuildSpec() });
        await fixture.console.untilJob('j2', 'done');
      } finally {
        execFileSync('umount', ['-l', fixture.stateDir]);
      }
    },
  );
});
