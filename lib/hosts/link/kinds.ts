import 'server-only';
import type { z } from 'zod';
import type { DesiredKind, DesiredSpecs, UnsupportedObject } from '@/lib/protocol/specs/desired';
import type { WriteTransaction } from '@/lib/records/transaction';
import { singleton } from '@/lib/singleton';

/** Whose report a piece of news is from, and when. */
export interface ReportSource {
  hostId: string;
  /** By the agent's clock. */
  sentAt: number;
  /** By the console's clock. */
  receivedMs: number;
}

/** Takes a piece of news, or answers what is wrong with its shape. */
type TakeNews = (tx: WriteTransaction, raw: unknown, from: ReportSource) => z.ZodError | undefined;

interface KindLink<K extends DesiredKind, Stored> {
  /** The spec as the agent reads it: secrets opened. Throws an UnsealError that names what can't be read. */
  open(stored: Stored): DesiredSpecs[K];
  /** How an object of this kind is on the host. */
  observed?: TakeNews;
  /** A step of what the host does about it. */
  step?: TakeNews;
  job?: TakeNews;
  /** The agent can't read what was last asked of it: shows so on the record. */
  unsupported?(tx: WriteTransaction, object: UnsupportedObject, from: ReportSource): void;
  /** The console can't open what it stored: shows so on the record. Called at each try. */
  unreadable?(tx: WriteTransaction, about: { hostId: string; id: string; message: string }): void;
  /** Whether the host owes no word that an object is gone: its tombstone is dropped once the agent has applied it. */
  isGoneOnceApplied?: boolean;
}

/** One kind of object on the host link. `Stored` is its spec as the console keeps it, with secrets sealed. */
export interface Kind<K extends DesiredKind, Stored> extends KindLink<K, Stored> {
  readonly name: K;
}
export type AnyKind = Kind<DesiredKind, unknown>;

const kinds = singleton('host-link-kinds', () => new Map<string, AnyKind>());

/** Adds a kind to the host link; the handle is what its objects are put and read by. */
export function defineKind<K extends DesiredKind, Stored>(name: K, link: KindLink<K, Stored>): Kind<K, Stored> {
  const kind = { name, ...link };
  kinds.set(name, kind as AnyKind);
  return kind;
}

/** News of one shape for `defineKind`: `take` is only called with what the schema takes. */
export function news<T>(
  schema: z.ZodType<T>,
  take: (tx: WriteTransaction, news: T, from: ReportSource) => void,
): TakeNews {
  return (tx, raw, from) => {
    const parsed = schema.safeParse(raw);
    if (!parsed.success) return parsed.error;
    take(tx, parsed.data, from);
    return undefined;
  };
}

export function kindOf(name: string): AnyKind | undefined {
  return kinds.get(name);
}

export function listKinds(): AnyKind[] {
  return [...kinds.values()];
}
