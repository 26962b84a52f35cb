import type { DeploymentStep } from '@/lib/vocabulary/workspace';

export interface StepNews {
  key: DeploymentStep['key'];
  status: DeploymentStep['status'];
  message: string;
  /** Wire date by the console's clock. */
  at: string;
}

/**
 * A deployment's timeline with one more piece of news. A key appears once: a step that is tried again starts over. The
 * first step of the host ends the wait in the queue.
 */
export function applyStep(steps: readonly DeploymentStep[], news: StepNews): DeploymentStep[] {
  const next = news.key === 'queued' ? [...steps] : steps.map((step) => endQueue(step, news.at));
  const index = next.findIndex((step) => step.key === news.key);
  const held = index < 0 ? undefined : next[index];
  const isOver = news.status !== 'running';
  const startsOver = !held || (!isOver && held.status !== 'running');
  const step: DeploymentStep = {
    key: news.key,
    status: news.status,
    message: news.message,
    startedAt: startsOver ? news.at : held.startedAt,
    endedAt: isOver ? news.at : '',
  };
  if (held) next[index] = step;
  else next.push(step);
  return next;
}

function endQueue(step: DeploymentStep, at: string): DeploymentStep {
  return step.key === 'queued' && step.status === 'running' ? { ...step, status: 'done', endedAt: at } : step;
}

/** The timeline once the deployment is over: whatever still ran ended with it. */
export function endSteps(
  steps: readonly DeploymentStep[],
  end: { status: 'done' | 'failed'; at: string },
): DeploymentStep[] {
  return steps.map((step) => (step.status === 'running' ? { ...step, status: end.status, endedAt: end.at } : step));
}
