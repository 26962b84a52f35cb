import 'server-only';
import { fieldError } from '@/lib/errors';
import { refuseWhileUsed } from '@/lib/hosts/on-host';
import { refuseWhileHeld } from '@/lib/hosts/resource-link';
import { getDesired, putDesired } from '@/lib/hosts/link/desired';
import { system, type Actor } from '@/lib/policies/actor';
import { requireAct } from '@/lib/records/acts';
import { recordAudit } from '@/lib/records/audit';
import { removeInside } from '@/lib/records/remover';
import { write } from '@/lib/records/transaction';
import { hostVolume, volumeKind } from './at-host';
import { volumes } from './collection';

export interface RemoveVolume {
  volumeId: string;
  /** Whether the host's volume goes too, with all that is in it. A folder of the host always stays. */
  removeData: boolean;
  /** The volume's name as somebody typed it, which data has to be confirmed by. */
  name: string;
}

/**
 * Removes a volume's record. Throws `not_found` and `forbidden` by its rights, `invalid` while a workspace uses it, and at `name`
 * when data is to go and the name is another.
 */
export function removeVolume(actor: Actor, { volumeId, removeData, name }: RemoveVolume): Promise<void> {
  return write((tx) => {
    const row = requireAct(actor, { collection: volumes, id: volumeId, act: 'delete', reader: tx });
    if (removeData && name !== row.name) {
      throw fieldError('name', 'validation_mismatch', 'Type the name of the volume as it is.');
    }
    // Asked here too: below, the console deletes, who sees every workspace.
    refuseWhileUsed({ tx, actor }, 'volumes', row.id);
    refuseWhileHeld({ tx, actor }, hostVolume, row);
    const spec = getDesired(volumeKind, row.host, row.id)?.spec;
    if (removeData && row.path_on_host === '' && spec) {
      putDesired(tx, volumeKind, { hostId: row.host, objectId: row.id, spec: { ...spec, state: 'removed' } });
    }
    removeInside(volumes, { actor: system, tx, row });
    const on = { collection: volumes.name, record: row.id, name: row.name };
    recordAudit(tx, { action: 'volume.delete', actor, on, details: { removeData } });
  });
}
