import { describe, expect, it } from 'vitest';
import { applyStep, endSteps } from './deployment-steps';

const queued = { key: 'queued', status: 'running', message: '', startedAt: '1', endedAt: '' } as const;

describe('applyStep', () => {
  it("ends the wait with the host's first step", () => {
    const steps = applyStep([queued], { key: 'image', status: 'running', message: 'Pulling', at: '2' });
    expect(steps).toMatchObject([
      { key: 'queued', status: 'done', endedAt: '2' },
      { key: 'image', status: 'running', startedAt: '2', endedAt: '' },
    ]);
  });

  it('keeps when a step began, and starts over when it is tried again', () => {
    const running = applyStep([], { key: 'create', status: 'running', message: '', at: '1' });
    const failed = applyStep(running, { key: 'create', status: 'failed', message: 'no', at: '2' });
    expect(failed).toMatchObject([{ status: 'failed', startedAt: '1', endedAt: '2' }]);
    const again = applyStep(failed, { key: 'create', status: 'running', message: '', at: '3' });
    expect(again).toMatchObject([{ status: 'running', startedAt: '3', endedAt: '' }]);
  });

  it('ends what still ran when the deployment is over', () => {
    expect(endSteps([queued], { status: 'failed', at: '5' })).toMatchObject([{ status: 'failed', endedAt: '5' }]);
  });
});
