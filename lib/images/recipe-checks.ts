import type { FieldProblem, FieldProblems } from '@/lib/errors';
import type { ImageEnvironment, StartupCommand } from '@/lib/vocabulary/image';
import { CHANNEL_IN_USE } from '@/lib/vocabulary/image-schemas';

/** The parts of an image that speak of one another; each by itself has passed its schema. */
export interface RecipeParts {
  channels: readonly string[];
  environments: readonly ImageEnvironment[];
  startupCommands: readonly StartupCommand[];
}

/** What of a recipe names a part that is not there. `before` is what it was, for who takes a part away. */
export function checkRecipe(parts: RecipeParts, before?: RecipeParts): FieldProblems {
  const [environments, startupCommands] = [checkChannels(parts, before), checkStartup(parts)];
  return { ...(environments && { environments }), ...(startupCommands && { startupCommands }) };
}

function checkStartup({ environments, startupCommands }: RecipeParts): FieldProblems | undefined {
  const names = new Set(environments.map(({ name }) => name));
  const problems: FieldProblems = {};
  startupCommands.forEach(({ environment }, index) => {
    if (!environment || names.has(environment)) return;
    problems[index] = { environment: invalid(`There is no environment ${environment}.`) };
  });
  return noneIfEmpty(problems);
}

function checkChannels(parts: RecipeParts, before: RecipeParts | undefined): FieldProblems | undefined {
  const problems: FieldProblems = {};
  parts.environments.forEach((environment, index) => {
    const known = channelsOf(parts, environment);
    const former = before?.environments.find(({ name }) => name === environment.name);
    const were = before && former ? channelsOf(before, former) : new Set<string>();
    const missing = missingChannels(environment, known);
    if (missing.some(({ channel }) => were.has(channel))) {
      problems[index] = { channels: { code: 'validation_in_use', message: CHANNEL_IN_USE } };
    } else if (missing.length > 0) {
      const packages = missing.map(({ at, channel }) => [
        at,
        { channel: invalid(`The environment has no channel ${channel}.`) },
      ]);
      problems[index] = { packages: Object.fromEntries(packages) as FieldProblems };
    }
  });
  return noneIfEmpty(problems);
}

function missingChannels(
  { packages }: ImageEnvironment,
  known: ReadonlySet<string>,
): { at: number; channel: string }[] {
  return packages.flatMap(({ manager, channel }, at) =>
    manager === 'conda' && channel !== '' && !known.has(channel) ? [{ at, channel }] : [],
  );
}

function channelsOf({ channels }: RecipeParts, environment: ImageEnvironment): Set<string> {
  return new Set([...channels, ...environment.channels.map(({ name }) => name)]);
}

function invalid(message: string): FieldProblem {
  return { code: 'validation_invalid_value', message };
}

function noneIfEmpty(problems: FieldProblems): FieldProblems | undefined {
  return Object.keys(problems).length > 0 ? problems : undefined;
}
