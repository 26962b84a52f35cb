import { registerCollections } from '@/lib/records/registry';
import { builds } from './builds';
import { deployments } from './deployments';
import { hostPermissions } from './host-permissions';
import { hosts } from './hosts';
import { imagePermissions } from './image-permissions';
import { images } from './images';
import { settings } from './settings';
import { users } from './users';
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
  settings,
] as const;

registerCollections(collections);
