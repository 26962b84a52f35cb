import 'server-only';
import type { AuditWay } from '@/lib/vocabulary/audit';
import type { RequestContext } from '@/lib/http/context';
import type { AuditOrigin } from '@/lib/records/audit';

/** Where a call came from, for the audit log of acts whose caller is not known by a token. */
export function originOf(context: RequestContext, via: AuditWay): AuditOrigin {
  return { address: context.address, userAgent: context.header('user-agent'), via };
}
