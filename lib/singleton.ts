/**
 * One instance of a thing per process. Next.js evaluates a module once per bundle (pages, routes, middleware), so module
 * state is not single; whatever must be (database, realtime hub, host links) is kept on `globalThis` under its name.
 */
export function singleton<T>(name: string, create: () => T): T {
  const key = Symbol.for(`berth.${name}`);
  const store = globalThis as { [key: symbol]: unknown };
  if (!(key in store)) store[key] = create();
  return store[key] as T;
}

/** Whether there is an instance of it. */
export function hasSingleton(name: string): boolean {
  return Symbol.for(`berth.${name}`) in globalThis;
}

/** Forgets an instance, so that the next use makes a new one. For shutting down and for tests. */
export function dropSingleton(name: string): void {
  delete (globalThis as { [key: symbol]: unknown })[Symbol.for(`berth.${name}`)];
}
