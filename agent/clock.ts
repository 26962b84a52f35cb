/** Time and chance, as the agent sees them. Tests set them. */
export interface AgentClock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** At least 0, less than 1. */
  random(): number;
}

export const systemClock: AgentClock = { now: () => Date.now(), random: () => Math.random() };
