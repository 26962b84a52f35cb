import { z } from 'zod';
import type { HostRecord } from '@/components/data/types';
import { limits } from '@/lib/vocabulary/limits';

const secondsSchema = z.number('mustBeNumber').min(0, 'mustBeNonNegative');

export const hostSchema = z.object({
  name: z.string().trim().min(1, 'required').max(limits.nameLength),
  default_runtime: z.string().trim().min(1, 'required'),
  default_gpu_runtime: z.string().trim().min(1, 'required'),
  heartbeat_interval_seconds: z.number('mustBeNumber').min(1, 'atLeastOne'),
  reconciliation_interval_seconds: z.number('mustBeNumber').min(1, 'atLeastOne'),
  pull_timeout: secondsSchema,
  push_timeout: secondsSchema,
  build_timeout: secondsSchema,
});
export type HostValues = z.infer<typeof hostSchema>;

export const TIMES = [
  'heartbeat_interval_seconds',
  'reconciliation_interval_seconds',
  'pull_timeout',
  'push_timeout',
  'build_timeout',
] as const;

export function toValues(host: HostRecord): HostValues {
  const { name, default_runtime, default_gpu_runtime } = host;
  const { heartbeat_interval_seconds, reconciliation_interval_seconds } = host;
  const { pull_timeout, push_timeout, build_timeout } = host;
  return {
    name,
    default_runtime,
    default_gpu_runtime,
    heartbeat_interval_seconds,
    reconciliation_interval_seconds,
    pull_timeout,
    push_timeout,
    build_timeout,
  };
}
