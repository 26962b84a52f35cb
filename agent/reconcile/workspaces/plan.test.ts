import { describe, expect, it } from 'vitest';
import { emptyMemory } from './memory';
import { describeOperation } from './operations';
import { type PlanInput, planWorkspace } from './plan';
import { makeContainer, makeSpec } from './plan-fixture';

function plan(overrides: Partial<PlanInput> = {}) {
  const input = {
    workspaceId: 'w1',
    spec: makeSpec(),
    containers: [],
    wantedImageId: '',
    memory: emptyMemory,
    isWaiting: false,
  };
  const { operations, onFailure, state } = planWorkspace({ ...input, ...overrides });
  return {
    operations: operations.map(describeOperation),
    onFailure: onFailure.map(describeOperation),
    status: state.status,
    message: state.message,
  };
}

const old = makeContainer({ containerId: 'old', specHash: 'old' });
const failure = { generation: 1, attempt: 0, message: 'broken', isFinal: true, retries: 0, retryAtMs: 0 };

describe('planWorkspace', () => {
  it('makes a container where there is none', () => {
    expect(plan()).toEqual({
      operations: ['Find the image a/b:1', 'Create the container berth-my-workspace-w1-1', 'Start the new container'],
      onFailure: ['Remove the new container'],
      status: 'deploying',
      message: '',
    });
  });

  it('does nothing for the right container that runs', () => {
    expect(plan({ containers: [makeContainer()] })).toMatchObject({ operations: [], status: 'running' });
  });

  it('sets new limits on the right container that runs', () => {
    const limits = { cpuLimit: 2, memoryLimitBytes: 9_000_000, autoStart: true };
    const memory = emptyMemory;
    const about = { workspaceId: 'w1', spec: makeSpec(limits), wantedImageId: '', memory, isWaiting: false };
    const { operations } = planWorkspace({ ...about, containers: [makeContainer()] });
    expect(operations).toEqual([expect.objectContaining({ type: 'update', limits })]);
  });

  it('starts the right container that is down', () => {
    const containers = [makeContainer({ state: 'exited' })];
    expect(plan({ containers })).toMatchObject({
      operations: ['Start the container c1'],
      onFailure: [],
      status: 'starting',
    });
  });

  it('keeps the old container until the new one is up', () => {
    expect(plan({ containers: [old] }).operations.slice(2)).toEqual([
      'Start the new container',
      'Wait until the new container is up',
      'Remove the container old',
    ]);
  });

  it('stops the old container first where both want one host port, and puts it back on failure', () => {
    const ports = [{ containerPort: 80, protocol: 'tcp' as const, hostPort: 8080, hostIp: '' }];
    const planned = plan({ spec: makeSpec({ ports }), containers: [{ ...old, ports }] });
    expect(planned.operations[2]).toBe('Stop the container old');
    expect(planned.onFailure).toEqual(['Remove the new container', 'Put the container old back']);
  });

  it('stops the old container first where that is asked, once the new one is made, and puts it back on failure', () => {
    const planned = plan({ spec: makeSpec({ order: 'stop-first' }), containers: [old] });
    expect(planned.operations).toEqual([
      'Find the image a/b:1',
      'Create the container berth-my-workspace-w1-1-2',
      'Stop the container old',
      'Start the new container',
      'Wait until the new container is up',
      'Remove the container old',
    ]);
    expect(planned.onFailure).toEqual(['Remove the new container', 'Put the container old back']);
  });

  it('gives the new container a name that is free', () => {
    const containers = [{ ...old, name: 'berth-my-workspace-w1-1' }];
    expect(plan({ containers }).operations[1]).toBe('Create the container berth-my-workspace-w1-1-2');
  });

  it('removes duplicates once the right one is up', () => {
    const containers = [makeContainer(), { ...old, state: 'exited' as const }];
    expect(plan({ containers })).toMatchObject({ operations: ['Remove the container old'], status: 'running' });
  });

  it('waits for a container that is being removed', () => {
    expect(plan({ containers: [{ ...old, state: 'removing' }] })).toMatchObject({
      operations: [],
      status: 'deploying',
    });
  });

  it('leaves alone what ended by itself', () => {
    const exit = { containerId: 'c1', generation: 1, attempt: 0, exitCode: 137, outOfMemory: true, lastLines: [] };
    const containers = [makeContainer({ state: 'exited' })];
    const planned = plan({ containers, memory: { ...emptyMemory, exit } });
    expect(planned).toMatchObject({ operations: [], status: 'error' });
    expect(planned.message).toBe('Exited with code 137. It ran out of memory; raise its memory limit.');
  });

  it('does nothing after a final failure, nor before a retry is due', () => {
    expect(plan({ memory: { ...emptyMemory, failure } })).toMatchObject({
      operations: [],
      status: 'error',
      message: 'broken',
    });
    const memory = { ...emptyMemory, failure: { ...failure, isFinal: false } };
    expect(plan({ memory, isWaiting: true })).toMatchObject({ operations: [], status: 'deploying', message: 'broken' });
    expect(plan({ memory }).operations).not.toEqual([]);
  });

  it('stops what runs and keeps one container', () => {
    const containers = [makeContainer(), { ...old, state: 'exited' as const }];
    const stopped = plan({ spec: makeSpec({ state: 'stopped' }), containers });
    expect(stopped).toMatchObject({
      operations: ['Stop the container c1', 'Remove the container old'],
      status: 'stopping',
    });
    expect(plan({ spec: makeSpec({ state: 'stopped' }) })).toMatchObject({ operations: [], status: 'stopped' });
  });

  it('removes everything for a tombstone, then says absent', () => {
    expect(plan({ spec: null, containers: [makeContainer(), old] }).operations).toHaveLength(2);
    expect(plan({ spec: null })).toMatchObject({ operations: [], status: 'absent' });
  });

  it('starts a container that an earlier life of the agent made and did not start', () => {
    const containers = [old, makeContainer({ state: 'created', createdAt: '2026-02-01' })];
    expect(plan({ containers })).toMatchObject({
      operations: ['Start the container c1', 'Wait until the container c1 is up', 'Remove the container old'],
      onFailure: ['Remove the container c1'],
    });
  });

  it('is not up before its health check says so', () => {
    expect(plan({ containers: [makeContainer({ health: 'starting' })] })).toMatchObject({ status: 'starting' });
    const sick = [makeContainer({ health: 'unhealthy', healthMessage: 'no answer' })];
    expect(plan({ containers: sick }).message).toBe('The container runs, but its health check fails: no answer');
  });
});
