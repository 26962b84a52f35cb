import type { WireRecord } from '@/lib/records/wire';
import type { DeclaredCollection } from './collections';

export type { HostMetrics, HostMetricSpan } from '@/lib/protocol/measure-streams';

/**
 * Every record as the API answers it, by collection: what a collection declares is what pages can read. Types alone, so
 * that the browser may know this file.
 */
export type WireRecords = { [C in DeclaredCollection as C['name']]: WireRecord<C, WireRecords> };
