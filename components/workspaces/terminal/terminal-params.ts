import type { TerminalParams } from './workspace-terminal';

export type TerminalSearch = Record<string, string | string[] | undefined>;

/** What an address says of a terminal; of repeated names the first counts. */
export function readTerminalParams(search: TerminalSearch): TerminalParams {
  const read = (name: string): string | undefined => [search[name]].flat()[0];
  return { command: read('command'), user: read('user'), workdir: read('workdir'), session: read('session') };
}
