import { singleton } from '@/lib/singleton';

/** What a list page asks for. */
export interface ListAsked {
  collection: string;
  /** 1-based. */
  page: number;
  perPage: number;
  sort: string;
  filter: string;
  expand: string;
}

/** The answer of the record API to a list of this account, with `can` flags. Rejects as the API refuses. */
export type ReadListFor = (userId: string, asked: ListAsked) => Promise<unknown>;

const lane = () => singleton('api-lane', () => ({ readList: undefined as ReadListFor | undefined }));

/**
 * From now on the server itself answers /api: Next's door does not know the caller's address, and closes. Pages get their
 * first list from the server's own reader.
 */
export function takeApiLane(readList: ReadListFor): void {
  lane().readList = readList;
}

export function isApiLaneTaken(): boolean {
  return lane().readList !== undefined;
}

/** Undefined where Next itself answers /api. */
export function listReader(): ReadListFor | undefined {
  return lane().readList;
}
