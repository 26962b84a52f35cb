import type { UnknownObject } from '../../lib/protocol/calls';
import type { DesiredKind, DesiredSpecs } from '../../lib/protocol/specs/desired';
import type { HostSpec } from '../../lib/protocol/specs/host';
import type { EngineEvent } from '../engines/engine';

/**
 * How objects of one kind are brought to what is wanted: `observe` what the engine has, `plan` the difference, and let the
 * plan `report` and `apply` itself. The loop calls these; a kind never calls another.
 */
export interface Kind<K extends DesiredKind, Seen> {
  /** The wire's word for it. */
  readonly name: K;
  /** What the engine has of this host's objects, by their id. */
  observe(): Promise<ReadonlyMap<string, Seen>>;
  plan(object: ObjectToPlan<DesiredSpecs[K], Seen>): Promise<Planned>;
  /** Whether work that was begun for one spec is of no use once the other is wanted. Null is a tombstone. */
  isSuperseded(begun: DesiredSpecs[K] | null, wanted: DesiredSpecs[K] | null): boolean;
  /** Ids of the objects that must not be in the making while this one is made. */
  needs?(spec: DesiredSpecs[K]): readonly string[];
  takeEvent?(event: EngineEvent, wanted: ReadonlyMap<string, DesiredSpecs[K] | null>): void;
  /** Tells of an object that the engine has and nobody asks for; undefined for one that is about to be gone. */
  describeUnknown?(id: string, seen: Seen): UnknownObject | undefined;
  /** Forgets all but these objects. */
  retain?(ids: ReadonlySet<string>): void;
}

/** Kinds side by side: each is given only what `Wanted` holds under its own name. */
export type AnyKind = Kind<DesiredKind, unknown>;

export interface ObjectToPlan<Spec, Seen> {
  id: string;
  /** Null when the object is to go. */
  spec: Spec | null;
  /** Undefined when the engine has nothing of it. */
  seen: Seen | undefined;
  /** Null before the console has sent the host's own settings. */
  host: HostSpec | null;
}

/** The place that work holds among the work that runs at once. */
export interface Slot {
  /** Lets others have it while this work only waits. */
  without<T>(wait: () => Promise<T>): Promise<T>;
}

/** What there is to do for one object at the moment. */
export interface Planned {
  /** Tells the console how the object is, or what is about to be done. Called once, before anything else. */
  report(): void;
  /** Left out when the object is as it should be, or has to wait. The kind itself remembers a failure and when to retry. */
  apply?: ((signal: AbortSignal, slot: Slot) => Promise<void>) | undefined;
  /** Called when `apply` has to wait for the work of other objects. */
  onQueued?: (() => void) | undefined;
  /** How long until the object should be looked at again without an event. */
  lookAgainMs?: number | undefined;
}

/** What the console wants, by kind and id; null is a tombstone. */
export interface Wanted {
  of<K extends DesiredKind>(kind: K): ReadonlyMap<string, DesiredSpecs[K] | null>;
}
