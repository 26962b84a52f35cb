import { z } from 'zod';
import type { HostRecord } from '@/components/data/types';
import type { HostIsolation } from '@/lib/vocabulary/host';
import { isHostAddress } from '@/lib/vocabulary/host-address';
import { isolationOf } from '@/lib/vocabulary/host-isolation';
import { tagsSchema } from '@/components/records/tags/tags-schema';
import { limits } from '@/lib/vocabulary/limits';
import { parsePortList, UNPRIVILEGED_PORTS } from '@/lib/vocabulary/ports';

const GIB = 1024 ** 3;

/** A number as it is typed; empty for none. */
function numberSchema(message: string, isIn: (value: number) => boolean) {
  return z
    .string()
    .trim()
    .superRefine((text, context) => {
      if (text === '') return;
      const problem = !/^\d+(?:\.\d+)?$/.test(text) ? 'mustBeNumber' : isIn(Number(text)) ? undefined : message;
      if (problem) context.addIssue({ code: 'custom', message: problem });
    });
}

const isolationSchema = z.object({
  runtimes: z.string().trim(),
  hostPorts: z
    .string()
    .trim()
    .refine((text) => text === '' || parsePortList(text) !== undefined, 'invalidPortList'),
  cpuLimit: numberSchema('cpuLimitRange', (cores) => cores === 0 || (cores >= 0.01 && cores <= 4096)),
  memoryLimit: numberSchema('amountMustBePositive', (size) => size >= 0),
  pidsLimit: numberSchema('pidsLimitRange', (count) => Number.isInteger(count) && count <= 4_194_304),
  allowNewPrivileges: z.boolean(),
  keepNetRaw: z.boolean(),
  sharedBindFolders: z.boolean(),
});

export const hostSchema = z.object({
  name: z.string().trim().min(1, 'required').max(limits.nameLength),
  tags: tagsSchema,
  address: z
    .string()
    .trim()
    .refine((text) => text === '' || isHostAddress(text), 'invalidHostAddress'),
  default_runtime: z.string().trim().min(1, 'required'),
  default_gpu_runtime: z.string().trim().min(1, 'required'),
  isolation: isolationSchema,
});
export type HostValues = z.infer<typeof hostSchema>;

export function toValues(host: HostRecord): HostValues {
  const { name, tags, address, default_runtime, default_gpu_runtime } = host;
  return { name, tags, address, default_runtime, default_gpu_runtime, isolation: toIsolationValues(isolationOf(host)) };
}

function toIsolationValues(isolation: HostIsolation): HostValues['isolation'] {
  const { runtimes, cpuLimit, memoryLimit, pidsLimit, ...same } = isolation;
  return {
    ...same,
    runtimes: runtimes.join(', '),
    cpuLimit: toText(cpuLimit),
    memoryLimit: toText(memoryLimit / GIB),
    pidsLimit: toText(pidsLimit),
  };
}

function toText(amount: number): string {
  return amount === 0 ? '' : String(amount);
}

/** As the record keeps it. */
export function toBody({ isolation, ...values }: HostValues): Record<string, unknown> {
  const { runtimes, hostPorts, cpuLimit, memoryLimit, pidsLimit, ...same } = isolation;
  return {
    ...values,
    isolation: {
      ...same,
      runtimes: runtimes.split(/[\s,]+/).filter(Boolean),
      hostPorts: hostPorts || UNPRIVILEGED_PORTS,
      cpuLimit: Number(cpuLimit),
      memoryLimit: Math.round(Number(memoryLimit) * GIB),
      pidsLimit: Number(pidsLimit),
    } satisfies HostIsolation,
  };
}
