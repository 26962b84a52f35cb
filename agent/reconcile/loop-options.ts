import type { ObservedWorkspace, StepEvent } from '../../lib/protocol/calls';
import type { AgentClock } from '../clock';
import type { Engine } from '../engines/engine';
import type { AgentLog } from '../log';
import type { MemoryStore } from './workspaces/memory-store';

export interface LoopOptions {
  engine: Engine;
  hostId: string;
  log: AgentLog;
  clock: AgentClock;
  memory: MemoryStore;
  onObject(object: ObservedWorkspace): void;
  onStep(step: StepEvent): void;
  /** The engine answered, or didn't: its words. */
  onEngine(state: { reachable: boolean; message: string }): void;
}
