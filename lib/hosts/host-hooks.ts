import 'server-only';
import type { HostRow } from './collection';
import { revokeHost } from './host-removal';
import { writeHostObject } from './host-spec';
import { registerAfterWrite } from '@/lib/records/hooks';

/** A host's settings reach its agent; a removed host loses its key. */
export function registerHostHooks(): void {
  registerAfterWrite('hosts', ({ action, tx, row }) => {
    if (action === 'delete') revokeHost(tx, String(row.id));
    else writeHostObject(tx, row as unknown as HostRow);
  });
}
