import 'server-only';
import type { HostRow } from './collection';
import { revokeHost } from './host-removal';
import { writeHostObject } from './host-spec';
import { writeProxyObject } from './proxy/put-proxy';
import { registerAfterWrite } from '@/lib/records/hooks';

/** A host's settings reach its agent; a removed host loses its key. */
export function registerHostHooks(): void {
  registerAfterWrite('hosts', ({ action, tx, row, actor }) => {
    if (action === 'delete') return revokeHost(tx, String(row.id));
    const host = row as unknown as HostRow;
    writeHostObject(tx, host);
    writeProxyObject(tx, host, actor);
  });
}
