import { registerCollections } from '@/lib/records/registry';
import { audit } from './audit';
import { builds } from './builds';
import { deployments } from './deployments';
import { domainPermissions } from './domain-permissions';
import { domains } from './domains';
import { filePermissions } from './file-permissions';
import { files } from './files';
import { hostPermissions } from './host-permissions';
import { hosts } from './hosts';
import { imagePermissions } from './image-permissions';
import { images } from './images';
import { networkPermissions } from './network-permissions';
import { networks } from './networks';
import { recommendations } from './recommendations';
import { settings } from './settings';
import { users } from './users';
import { volumePermissions } from './volume-permissions';
import { volumes } from './volumes';
import { workspaceLoginPermissions } from './workspace-login-permissions';
import { workspacePermissions } from './workspace-permissions';
import { workspaces } from './workspaces';

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
