import { nowMs, toWireDate } from '@/lib/clock';

const day = 86_400_000;

function startOf(date: Date, unit: 'day' | 'month' | 'year'): number {
  const month = unit === 'year' ? 0 : date.getUTCMonth();
  return Date.UTC(date.getUTCFullYear(), month, unit === 'day' ? date.getUTCDate() : 1);
}

/** The macros of filters, all in UTC. */
const macros: Record<string, (now: Date) => string | number> = {
  '@now': (now) => toWireDate(now.getTime()),
  '@second': (now) => now.getUTCSeconds(),
  '@minute': (now) => now.getUTCMinutes(),
  '@hour': (now) => now.getUTCHours(),
  '@day': (now) => now.getUTCDate(),
  '@month': (now) => now.getUTCMonth() + 1,
  '@year': (now) => now.getUTCFullYear(),
  '@weekday': (now) => now.getUTCDay(),
  '@todayStart': (now) => toWireDate(startOf(now, 'day')),
  '@todayEnd': (now) => toWireDate(startOf(now, 'day') + day - 1),
  '@monthStart': (now) => toWireDate(startOf(now, 'month')),
  '@monthEnd': (now) => toWireDate(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - 1),
  '@yearStart': (now) => toWireDate(startOf(now, 'year')),
  '@yearEnd': (now) => toWireDate(Date.UTC(now.getUTCFullYear() + 1, 0, 1) - 1),
};

export function isMacro(name: string): name is `@${string}` {
  return Object.hasOwn(macros, name);
}

/** The macro's value at this moment. */
export function macroValue(name: string): string | number {
  return macros[name]!(new Date(nowMs()));
}
