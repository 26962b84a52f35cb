/**
 * The HTTP client of the agent's calls. The package makes its own dispatcher that of the built-in `fetch` unless that has
 * one, and its releases don't fit every Node: where both live in the console's process, sign-in through a provider broke.
 * Touching a global of `fetch` first gives it its own.
 */
Reflect.get(globalThis, 'Headers');

export const { Agent, ProxyAgent, request } = await import('undici');
