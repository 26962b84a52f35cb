import { fieldError, type FieldProblem } from '@/lib/errors';
import type { HostRow } from './collection';

type Asked = Pick<HostRow, 'name' | 'enabled' | 'maintenance'>;

/** Why nothing new is begun on a host, in words; undefined where it may be. What runs there goes on, stops and is deleted. */
export function closedProblem({ name, enabled, maintenance }: Asked): FieldProblem | undefined {
  if (!enabled) return { code: 'validation_disabled', message: `Host ${name} is disabled.` };
  if (!maintenance) return undefined;
  return { code: 'validation_maintenance', message: `Host ${name} is in maintenance (${maintenance.reason}).` };
}

/** Throws AppError `invalid` at the field where nothing new is begun on the host. */
export function requireOpenHost(host: Asked, field: string): void {
  const problem = closedProblem(host);
  if (problem) throw fieldError(field, problem.code, problem.message);
}
