'use client';

import { useRecordCount } from '@/components/data/records';
import { NO_TEMPLATE } from '@/components/data/templates';

/** How many workspaces that the viewer may see lie on a host. */
export function WorkspaceCount({ hostId }: { hostId: string }) {
  return useRecordCount('workspaces', `host = '${hostId}' && ${NO_TEMPLATE}`) ?? '…';
}
