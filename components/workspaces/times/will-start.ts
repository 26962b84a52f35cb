import type { WorkspaceRecord } from '@/components/data/types';

type Timed = Pick<WorkspaceRecord, 'enabled' | 'desired' | 'status' | 'nextStartAt'>;

/** Whether its schedule will start it as things are: also what was to run and failed, or ended by itself. */
export function willStart({ enabled, desired, status, nextStartAt }: Timed): boolean {
  const isDown = desired !== 'running' || status === 'stopped' || status === 'error';
  return enabled && nextStartAt !== '' && isDown;
}
