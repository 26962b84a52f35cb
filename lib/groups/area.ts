import 'server-only';
import type { Area } from '@/lib/http/area';
import { groups } from './collection';
import { registerMemberCounts } from './count-members';
import { groupMembers } from './members';

export const groupsArea = {
  collections: [groups, groupMembers],
  start: registerMemberCounts,
} satisfies Area;
