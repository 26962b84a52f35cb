import type { Collection } from '@/lib/records/collection';
import type { Route } from './context';

/** What a room gives to the console. */
export interface Area {
  /** Records that it keeps. */
  readonly collections: readonly Collection[];
  /** Calls beside those of its records. */
  readonly routes?: readonly Route[];
  /** Has its writes do what they mean beyond the record: called once per process. */
  readonly start?: () => void;
}
