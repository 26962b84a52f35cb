import 'server-only';
import { registerAfterAnyWrite } from '@/lib/records/hooks';
import { singleton } from '@/lib/singleton';
import { auditWrite } from './audit-writes';
import { registerImageDeletes } from './delete-image';
import { registerWorkspaceDeletes } from './delete-workspace';
import { registerHostHooks } from './host-hooks';
import { registerStanding } from './standing';

/**
 * Has the record API's writes do what they mean for hosts and accounts, and all of it be in the audit log. Once per
 * process, however often it is called.
 */
export function registerCommands(): void {
  singleton('commands-registered', () => {
    registerHostHooks();
    registerWorkspaceDeletes();
    registerImageDeletes();
    registerStanding();
    registerAfterAnyWrite(auditWrite);
    return true;
  });
}
