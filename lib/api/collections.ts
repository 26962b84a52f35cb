import { registerCollections } from '@/lib/records/registry';
import { audit } from '@/lib/audit/collection';
import { builds } from '@/lib/images/builds';
import { deployments } from '@/lib/workspaces/deployments';
import { domainPermissions } from '@/lib/domains/permissions';
import { domains } from '@/lib/domains/collection';
import { filePermissions } from '@/lib/files/permissions';
import { files } from '@/lib/files/collection';
import { hostPermissions } from '@/lib/hosts/permissions';
import { hosts } from '@/lib/hosts/collection';
import { imagePermissions } from '@/lib/images/permissions';
import { images } from '@/lib/images/collection';
import { networkPermissions } from '@/lib/networks/permissions';
import { networks } from '@/lib/networks/collection';
import { recommendations } from '@/lib/recommendations/collection';
import { settings } from '@/lib/settings/collection';
import { users } from '@/lib/accounts/collection';
import { volumePermissions } from '@/lib/volumes/permissions';
import { volumes } from '@/lib/volumes/collection';
import { workspaceLoginPermissions } from '@/lib/workspaces/login-permissions';
import { workspacePermissions } from '@/lib/workspaces/permissions';
import { workspaces } from '@/lib/workspaces/collection';

/** Every collection of the console. Importing this file makes them known to the record engine. */
export const collections = [
  users,
  hosts,
  hostPermissions,
  images,
  imagePermissions,
  builds,
  workspaces,
  workspacePermissions,
  deployments,
  volumes,
  volumePermissions,
  networks,
  networkPermissions,
  files,
  filePermissions,
  domains,
  domainPermissions,
  workspaceLoginPermissions,
  recommendations,
  settings,
  audit,
] as const;

registerCollections(collections);
