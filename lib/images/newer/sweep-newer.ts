import 'server-only';
import { nowMs, toWireDate, wireNow } from '@/lib/clock';
import { AppError } from '@/lib/errors';
import { log } from '@/lib/log';
import { prepare } from '@/lib/records/statements';
import { StoreReader, write } from '@/lib/records/transaction';
import { images } from '../collection';
import { askNewerAlone } from './ask-newer';

/** A registry is asked about each image this often: public ones count the calls. */
const EVERY_MS = 12 * 60 * 60_000;
/** So many at a time, one after another, so that no host and no registry is asked in bursts. */
const AT_ONCE = 20;

const DUE = `SELECT images.id FROM images JOIN hosts ON hosts.id = images.build_on
  WHERE images.creation_type = 'pullAnImage' AND images.template = 0 AND images.enabled = 1 AND hosts.status = 'online'
    AND images.status = 'build_finished' AND images.newer_checked < ?
  ORDER BY images.newer_checked LIMIT ${AT_ONCE}`;

let isUnderWay = false;

/** Asks the registries about the pulled images that nobody asked about for long. Does nothing while one goes on. */
export async function sweepNewer(): Promise<void> {
  if (isUnderWay) return;
  isUnderWay = true;
  try {
    const due = prepare(DUE)
      .pluck()
      .all(toWireDate(nowMs() - EVERY_MS)) as string[];
    for (const id of due) await askOne(id);
  } finally {
    isUnderWay = false;
  }
}

async function askOne(id: string): Promise<void> {
  const image = new StoreReader().get(images, id);
  if (!image) return;
  try {
    await askNewerAlone(image, AbortSignal.timeout(60_000));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.info({ image: id, reason: error.message }, 'whether there is a newer image is not known');
    // Its turn comes again, after the others'.
    await write((tx) => void tx.patch(images, id, { newerChecked: wireNow() }));
  }
}
