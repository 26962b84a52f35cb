import type { UnknownObject } from '../../lib/protocol/calls';
import type { AgentClock } from '../clock';
import type { Engine, EngineEvent } from '../engines/engine';
import type { AgentLog } from '../log';
import type { AnyKind } from './kind';

export interface LoopOptions {
  engine: Engine;
  hostId: string;
  log: AgentLog;
  clock: AgentClock;
  /** In the order in which they are made: a kind comes after those that its objects use. They are removed from the end. */
  kinds: readonly AnyKind[];
  /** The engine answered, or didn't: its words. */
  onEngine(state: { reachable: boolean; message: string }): void;
  /** Something happened to one of this host's containers. */
  onEvent?(event: EngineEvent): void;
  /** What the engine holds of this host that the console does not ask for, after each look. */
  onUnknown(objects: UnknownObject[]): void;
}
