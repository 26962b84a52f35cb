import 'server-only';
import type { Area } from '@/lib/http/area';
import { registerResource } from '@/lib/hosts/resource-link';
import { hostNetwork } from './at-host';
import { networks } from './collection';
import { networkPermissions } from './permissions';

export const networksArea = {
  collections: [networks, networkPermissions],
  start: () => registerResource(hostNetwork),
} satisfies Area;
