import { describe, expect, it, vi } from 'vitest';
import type { ObservedWorkspace, ReportRequest, StepEvent } from '../../lib/protocol/calls';
import { systemClock } from '../clock';
import { createJsonLog } from '../log';
import { Reporter } from './reporter';

function observed(id: string, status: ObservedWorkspace['status'] = 'running'): ObservedWorkspace {
  const nothing = {
    message: '',
    containerId: 'c1',
    imageId: '',
    exitCode: null,
    restarts: 0,
    lastLines: [],
    madeGeneration: 1,
    retries: 0,
    ports: [],
  };
  return { kind: 'workspace', id, generation: 1, attempt: 0, status, ...nothing };
}

function step(workspaceId: string, key: StepEvent['key']): StepEvent {
  return { workspaceId, generation: 1, attempt: 0, key, status: 'done', message: '', at: 1 };
}

function createReporter(): { reporter: Reporter; sent: ReportRequest[] } {
  const sent: ReportRequest[] = [];
  const reporter = new Reporter({
    instance: 'i1',
    clock: systemClock,
    log: createJsonLog('silent', () => undefined),
    send: (report) => {
      sent.push(report);
      return Promise.resolve({ now: 0, acknowledged: report.sequence, revision: 0 });
    },
    onRevision: () => undefined,
  });
  return { reporter, sent };
}

describe('a reporter', () => {
  it('tells no object before the steps that led to it', async () => {
    const { reporter, sent } = createReporter();
    const ids = Array.from({ length: 120 }, (_, index) => `w${index}`);
    for (const key of ['image', 'create', 'start', 'stop', 'remove'] as const) {
      for (const id of ids) reporter.takeStep(step(id, key));
    }
    for (const id of ids) reporter.takeObject(observed(id));
    await vi.waitFor(() => expect(sent.flatMap(({ objects }) => objects)).toHaveLength(120));
    await vi.waitFor(() => expect(sent.flatMap(({ steps }) => steps)).toHaveLength(600));
    for (const [index, report] of sent.entries()) {
      const later = new Set(sent.slice(index + 1).flatMap(({ steps }) => steps.map(({ workspaceId }) => workspaceId)));
      expect(report.objects.filter(({ id }) => later.has(id))).toEqual([]);
    }
    await reporter.stop();
  });

  it('tells an object again after steps that left it as it was, and else once', async () => {
    const { reporter, sent } = createReporter();
    const told = () => sent.flatMap(({ objects }) => objects).length;
    reporter.takeObject(observed('w1'));
    reporter.takeObject(observed('w1'));
    await vi.waitFor(() => expect(told()).toBe(1));
    reporter.takeStep(step('w1', 'remove'));
    reporter.takeObject(observed('w1'));
    await vi.waitFor(() => expect(told()).toBe(2));
    await reporter.stop();
  });
});
