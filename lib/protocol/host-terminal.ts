import { z } from 'zod';

/** What an agent says of a shell on its host. */
export const hostTerminalSchema = z.object({
  /** Whether whoever runs the agent has switched it on. */
  isOn: z.boolean(),
  /** Whether it follows the window's size. */
  canResize: z.boolean(),
  /** Whether the agent runs in a container, so that the shell does. */
  isContained: z.boolean(),
  /** Why there is none though it is on; empty when there is. */
  problem: z.string().overwrite((text) => text.slice(0, 500)),
});
export type HostTerminal = z.infer<typeof hostTerminalSchema>;
