import 'server-only';
import { hostPermissionsTable, hostsTable } from '@/db/schema/hosts';
import { imagePermissionsTable, imagesTable } from '@/db/schema/images';
import { AppError } from '@/lib/errors';
import { actorUserId, hasFullAccess, type Actor } from '@/lib/policies/actor';
import { findHeld } from '@/lib/records/held';
import { StoreReader } from '@/lib/records/transaction';

const ONE = { limit: 1 };
const HOSTS = { name: 'host_permissions', table: hostPermissionsTable };
const IMAGES = { name: 'image_permissions', table: imagePermissionsTable };

/** Whether someone may make an image somewhere, or change one. */
function mayMakeImages(actor: Actor): boolean {
  if (hasFullAccess(actor)) return true;
  const user = actorUserId(actor);
  const reader = new StoreReader();
  return (
    findHeld(HOSTS, { userId: user, match: { canCreateImages: true }, ...ONE }).length > 0 ||
    findHeld(IMAGES, { userId: user, match: { modify: true }, ...ONE }).length > 0 ||
    reader.find({ name: 'hosts', table: hostsTable }, { created_by: user }, ONE).length > 0 ||
    reader.find({ name: 'images', table: imagesTable }, { created_by: user }, ONE).length > 0
  );
}

/** Looking packages up costs the console and the index. Throws AppError `unauthenticated` or `forbidden`. */
export function requireImageMaker(actor: Actor): void {
  if (actor.kind === 'guest') throw new AppError('unauthenticated', 'The request requires a logged-in user.');
  if (mayMakeImages(actor)) return;
  throw new AppError('forbidden', 'Packages are looked up for people who may create or change images.');
}
