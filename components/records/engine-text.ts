import type { HostRecord } from '@/components/data/types';

/** The engine of a host in words: its kind, and its version where it has one of its own. */
export function engineText(host: Pick<HostRecord, 'engine'>): string {
  if (!host.engine) return '–';
  const { kind, version } = host.engine;
  return kind === version ? kind : `${kind} ${version}`;
}
