import 'server-only';
import type { WriteTransaction } from '@/lib/records/transaction';
import { singleton } from '@/lib/singleton';
import type { ImageRow } from './collection';

/** How far an image's newest build has come, for whoever waits for the image. */
export interface BuildNews {
  image: ImageRow;
  state: 'queued' | 'building' | 'built' | 'cancelled' | 'failed';
  /** Why there will be no image, for people; empty while there may be one. */
  reason: string;
}
export type BuildNewsListener = (tx: WriteTransaction, news: BuildNews) => void;

const listeners = singleton('build-news-listeners', () => new Set<BuildNewsListener>());

/** Calls `listener` inside the transaction of every change; what it throws undoes that. Returns how to stop. */
export function listenToBuildNews(listener: BuildNewsListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Tells how far a build is. A build that gave no image says why in its reason. */
export function tellBuildNews(tx: WriteTransaction, image: ImageRow, state: BuildNews['state']): void {
  for (const listener of listeners) listener(tx, { image, state, reason: reasonOf(image, state) });
}

function reasonOf({ name }: ImageRow, state: BuildNews['state']): string {
  if (state === 'cancelled') return `The build of image ${name} was cancelled`;
  return state === 'failed' ? `Image ${name} failed to build` : '';
}
