import 'server-only';
import { accountsArea } from '@/lib/accounts/area';
import { auditArea } from '@/lib/audit/area';
import { backupsArea } from '@/lib/backups/area';
import { domainsArea } from '@/lib/domains/area';
import { filesArea } from '@/lib/files/area';
import { forwardAuthArea } from '@/lib/forward-auth/area';
import { groupsArea } from '@/lib/groups/area';
import { hostsArea } from '@/lib/hosts/area';
import { imagesArea } from '@/lib/images/area';
import { noticesArea } from '@/lib/notices/area';
import { networksArea } from '@/lib/networks/area';
import { quotasArea } from '@/lib/quotas/area';
import { recommendationsArea } from '@/lib/recommendations/area';
import { settingsArea } from '@/lib/settings/area';
import { volumesArea } from '@/lib/volumes/area';
import { workspacesArea } from '@/lib/workspaces/area';

/** Every area of the console, from the ground up: a new one is one line here. What an earlier one starts is called first. */
export const areas = [
  auditArea,
  settingsArea,
  groupsArea,
  accountsArea,
  quotasArea,
  noticesArea,
  hostsArea,
  filesArea,
  volumesArea,
  networksArea,
  domainsArea,
  imagesArea,
  workspacesArea,
  forwardAuthArea,
  recommendationsArea,
  backupsArea,
] as const;
