const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** Amounts that the form shows in a unit of its own: how much of the stored one it is. */
export const AMOUNT_UNITS = { cpuLimit: 1, memoryLimit: GIB, shmSize: MIB } as const;
export const AMOUNTS = Object.keys(AMOUNT_UNITS) as (keyof typeof AMOUNT_UNITS)[];

/** Whether a field counts bytes. */
export function isBytes(field: string): boolean {
  return AMOUNTS.some((amount) => amount === field && AMOUNT_UNITS[amount] > 1);
}
