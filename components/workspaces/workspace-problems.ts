import type { FieldPath, UseFormReturn } from 'react-hook-form';
import { applyProblems } from '@/components/records/form-problems';
import type { WorkspaceValues } from './workspace-schema';

/** Puts what was refused beside its field: the record keeps the paths of volumes by their ids, the form in the volumes' rows. */
export function applyWorkspaceProblems(
  form: UseFormReturn<WorkspaceValues>,
  error: unknown,
  fallback: string,
): string[] {
  const rows = form.getValues('volumes').flatMap(({ volume }, index): [string, FieldPath<WorkspaceValues>][] => [
    [`volumePaths.${volume}.path`, `volumes.${index}.path`],
    [`volumePaths.${volume}`, `volumes.${index}.path`],
  ]);
  return applyProblems(form, error, fallback, Object.fromEntries(rows));
}
