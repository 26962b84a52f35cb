import type { Area } from '@/lib/http/area';
import { domains } from './collection';
import { domainPermissions } from './permissions';

export const domainsArea = {
  collections: [domains, domainPermissions],
} satisfies Area;
