import 'server-only';
import type { imagesTable } from '@/db/schema/images';
import type { FieldProblem, FieldProblems } from '@/lib/errors';
import { readFlags, readMount } from '@/lib/protocol/dockerfile-flags';
import type { Instruction } from '@/lib/protocol/dockerfile';
import type { CheckContext, RowOf } from '@/lib/records/collection';
import { sealOrKeep, storedList } from '@/lib/records/secret-values';
import {
  type BuildArgument,
  buildArgumentsSchema,
  type BuildSecret,
  buildSecretsSchema,
} from '@/lib/vocabulary/build-parameters';
import { readDockerfile } from './dockerfile';

type Context = CheckContext<RowOf<typeof imagesTable>>;

const WRITTEN_ONLY = 'Only a written Dockerfile takes them.';

/** Build arguments by name; none while what was sent are no such, which is told by their field. */
export function readBuildArguments(stored: unknown): Record<string, string> {
  const read = buildArgumentsSchema.safeParse(stored ?? []);
  return Object.fromEntries((read.data ?? []).map(({ name, value }) => [name, value]));
}

export function sealBuildSecrets(value: unknown, stored: unknown): BuildSecret[] {
  const known = storedList<BuildSecret>(stored);
  return storedList<BuildSecret>(value).map(({ name, value: typed }) => {
    return { name, value: sealOrKeep(typed, known.find((each) => each.name === name)?.value) };
  });
}

export function hideBuildSecrets(stored: unknown): BuildSecret[] {
  return storedList<BuildSecret>(stored).map(({ name }) => ({ name, value: '' }));
}

/** What is wrong with what a build is given: nothing is kept that no step of the Dockerfile takes. */
export function checkBuildParameters(context: Context): FieldProblems {
  const { row, before, sent } = context;
  const fields = ['buildArguments', 'buildSecrets', 'dockerfile', 'creationType', 'template'];
  if (before && !fields.some((field) => sent.has(field))) return {};
  const given = buildArgumentsSchema.safeParse(row.buildArguments ?? []);
  const secrets = buildSecretsSchema.safeParse(row.buildSecrets ?? []);
  // What is wrong with one by itself is told by its field.
  if (!given.success || !secrets.success || given.data.length + secrets.data.length === 0) return {};
  if (row.creationType !== 'writeDockerfile') {
    return {
      ...(given.data.length > 0 && { buildArguments: problem(WRITTEN_ONLY) }),
      ...(secrets.data.length > 0 && { buildSecrets: problem(WRITTEN_ONLY) }),
    };
  }
  const instructions = readDockerfile(row.dockerfile);
  if (!Array.isArray(instructions)) return {};
  return { ...checkArguments(given.data, instructions), ...checkSecrets(secrets.data, { context, instructions }) };
}

function checkArguments(given: readonly BuildArgument[], instructions: readonly Instruction[]): FieldProblems {
  const declared = new Set(instructions.flatMap(({ word, rest }) => (word === 'ARG' ? namesOf(rest) : [])));
  return atNames(given, 'buildArguments', ({ name }) =>
    declared.has(name) ? '' : `The Dockerfile has no ARG ${name}.`,
  );
}

function checkSecrets(
  secrets: readonly BuildSecret[],
  { context, instructions }: { context: Context; instructions: readonly Instruction[] },
): FieldProblems {
  const { row, before } = context;
  if (secrets.length > 0 && row.template) return { buildSecrets: problem('A template keeps no secrets.') };
  const mounted = new Set(instructions.flatMap(({ word, rest }) => (word === 'RUN' ? secretsOf(rest) : [])));
  const known = new Set(storedList<BuildSecret>(before?.buildSecrets).map(({ name }) => name));
  const unmounted = atNames(secrets, 'buildSecrets', ({ name }) =>
    mounted.has(name) ? '' : `No step of the Dockerfile mounts it: RUN --mount=type=secret,id=${name}`,
  );
  if (Object.keys(unmounted).length > 0) return unmounted;
  const empty = secrets.map(({ name, value }) => value === '' && !known.has(name));
  if (!empty.includes(true)) return {};
  const parts = empty.flatMap((isEmpty, at) => (isEmpty ? [[at, { value: problem('Cannot be blank.') }]] : []));
  return { buildSecrets: Object.fromEntries(parts) as FieldProblems };
}

function atNames<T>(items: readonly T[], field: string, describe: (item: T) => string): FieldProblems {
  const parts = items.flatMap((item, at) => {
    const words = describe(item);
    return words === '' ? [] : [[at, { name: problem(words) }]];
  });
  return parts.length > 0 ? { [field]: Object.fromEntries(parts) as FieldProblems } : {};
}

/** The names that an ARG declares, one after another. */
function namesOf(rest: string): string[] {
  return [...rest.matchAll(/([A-Za-z_]\w*)(?:=(?:"[^"]*"|'[^']*'|\S)*)?/g)].map(([, name]) => name!);
}

/** The ids of the secrets that a step mounts; without one, it is the last part of where it is mounted. */
function secretsOf(rest: string): string[] {
  const mounts = (readFlags(rest)?.flags ?? []).filter(({ name }) => name === 'mount');
  return mounts.flatMap(({ value = '' }) => {
    const parts = new Map(readMount(value).map((part) => [part.name, part.value ?? '']));
    if (parts.get('type') !== 'secret') return [];
    const target = parts.get('target') ?? parts.get('dst') ?? parts.get('destination') ?? '';
    return [parts.get('id') ?? target.slice(target.lastIndexOf('/') + 1)];
  });
}

function problem(message: string): FieldProblem {
  return { code: 'validation_invalid_value', message };
}
