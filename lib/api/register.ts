import 'server-only';
import { registerAfterAnyWrite } from '@/lib/records/hooks';
import { singleton } from '@/lib/singleton';
import { auditWrite } from '@/lib/audit/writes';
import { registerImageDeletes } from '@/lib/images/delete-image';
import { registerWorkspaceDeletes } from '@/lib/workspaces/delete-workspace';
import { registerWaitForImage } from '@/lib/workspaces/wait-for-image';
import { registerHostHooks } from '@/lib/hosts/host-hooks';
import { registerStanding } from '@/lib/accounts/standing';

/**
 * Has the record API's writes do what they mean for hosts and accounts, all of it be in the audit log, and workspaces
 * follow the builds that they wait for. Once per process, however often it is called.
 */
export function registerCommands(): void {
  singleton('commands-registered', () => {
    registerHostHooks();
    registerWorkspaceDeletes();
    registerImageDeletes();
    registerWaitForImage();
    registerStanding();
    registerAfterAnyWrite(auditWrite);
    return true;
  });
}
