import type { TerminalAsk } from './terminal-link';

let asks = 0;
const keys = new WeakMap<TerminalAsk, number>();

/** Another wish is another terminal. */
export function askKey(ask: TerminalAsk): number {
  const key = keys.get(ask) ?? (asks += 1);
  keys.set(ask, key);
  return key;
}
