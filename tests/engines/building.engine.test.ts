import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DockerEngine } from '@/agent/engines/docker/docker-engine';
import { createFixture, type Fixture } from '../agent/agent-fixture';
import { makeHostSpec } from '../agent/specs';
import { type PrivateEngine, startPrivateEngine } from '../setup/private-engine';
import { dockerAbsence, makeBusyboxBuild } from './docker-fixture';

describe.skipIf(dockerAbsence !== '')('a build', () => {
  let engine: PrivateEngine;
  let fixture: Fixture;

  beforeAll(async () => {
    engine = await startPrivateEngine({ diskMb: 96 });
    fixture = await createFixture(new DockerEngine({ dockerHost: engine.address }));
    fixture.console.want('host1', { kind: 'host', spec: makeHostSpec({ buildWidth: 3 }) });
  }, 60_000);
  afterAll(async () => {
    await fixture?.close();
    await engine?.dispose();
  }, 60_000);

  function build(id: string, lines: string[], timeoutMs = 60_000): void {
    const spec = makeBusyboxBuild(`berth-test/${id}:1`, lines, { timeoutMs });
    fixture.console.want(id, { kind: 'job', spec });
  }

  it('that filled the disk says so', async () => {
    build('full', ['RUN ["/bin/busybox", "dd", "if=/dev/zero", "of=/big", "bs=1M", "count=200"]']);
    const failed = await fixture.console.untilJob('full', 'error', 60_000);
    expect(failed.message).toMatch(/exit code: 1\. The disk of the host is full; remove images or files\.$/);
  }, 90_000);

  it('waits for an engine that is away, with a word, until its deadline', async () => {
    await engine.stop();
    build('patient', []);
    build('late', [], 3000);
    const waiting = (id: string) => fixture.console.jobEvents.find((event) => event.id === id && event.message !== '');
    const told = await fixture.console.until(() => waiting('patient'));
    expect(told).toMatchObject({ status: 'running' });
    expect(told.message).toMatch(/can't be reached: .*\. The build waits for it\.$/);
    const late = await fixture.console.untilJob('late', 'error');
    expect(late.message).toMatch(/The build waits for it\. It gave up after 3 s\.$/);
    expect(fixture.console.jobEvents.filter(({ id, status }) => id === 'patient' && status === 'error')).toEqual([]);
    await engine.start();
    await fixture.console.untilJob('patient', 'done', 60_000);
  }, 120_000);
});
