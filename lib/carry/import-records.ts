import 'server-only';
import { AppError, type FieldProblems, isProblem } from '@/lib/errors';
import { system } from '@/lib/policies/actor';
import type { AnyRow } from '@/lib/records/collection';
import { collectionNamed } from '@/lib/records/registry';
import { createRecord } from '@/lib/records/writer';
import { storageCodeOf } from '@/lib/storage-fault';
import { buildSecretsSchema } from '@/lib/vocabulary/build-parameters';
import {
  CARRIED,
  type Carried,
  type CarriedRecord,
  type Export,
  type Named,
  namedSchema,
  secretKey,
  type Secrets,
} from './format';
import { hostField, isCarried, Names, nameField } from './names';
import { openSecrets } from './passphrase';
import { passages } from './references';

export type Outcome = 'made' | 'there' | 'left';

export interface Carriage {
  kind: Carried;
  name: string;
  host: string;
  outcome: Outcome;
  /** Why it was left out, or what of it did not come along; empty where all is well. */
  words: string;
}

interface ImportOptions {
  kinds: readonly Carried[];
  passphrase?: string | undefined;
  /** Names of hosts here, by their names in the file. */
  hostNames: ReadonlyMap<string, string>;
}

/** Something that a record names is not here. */
class MissingError extends Error {}

/**
 * Makes the records of an export, each by itself, with every check that a person's write has. What is there already stays as
 * it is. Resolves with what became of each; throws AppError `invalid` where the secret values can't be opened.
 */
export async function importRecords(file: Export, options: ImportOptions): Promise<Carriage[]> {
  const { kinds, passphrase } = options;
  const secrets = file.secrets && passphrase !== undefined ? await openSecrets(file.secrets, passphrase) : undefined;
  const done: Carriage[] = [];
  for (const kind of CARRIED.filter((each) => kinds.includes(each))) {
    for (const record of file.records[kind]) done.push(await importRecord(kind, record, { ...options, secrets }));
  }
  return done;
}

interface Passing extends ImportOptions {
  secrets: Secrets | undefined;
}

async function importRecord(kind: Carried, record: CarriedRecord, passing: Passing): Promise<Carriage> {
  const names = new Names();
  const named = here(record, passing);
  const { name, host } = named;
  const carriage = (outcome: Outcome, words = ''): Carriage => ({ kind, name, host, outcome, words });
  if (names.idOf(kind, named) !== undefined) return carriage('there');
  try {
    const { body, words } = bodyOf(kind, record, { names, passing });
    await createRecord(collectionNamed(kind)!, system, { body });
    return carriage('made', words);
  } catch (error) {
    if (error instanceof MissingError) return carriage('left', error.message);
    if (error instanceof AppError) return carriage('left', wordsOf(error));
    if (storageCodeOf(error) !== undefined) throw error;
    return carriage('left', 'The console can not take this.');
  }
}

function here({ name, host, image }: Named, { hostNames }: Pick<ImportOptions, 'hostNames'>): Named {
  return { name, host: hostNames.get(host) ?? host, ...(image && { image }) };
}

function wordsOfName({ name, image }: Named): string {
  return image ? `${name} (${image.repository}:${image.tag})` : name;
}

interface BodyOptions {
  names: Names;
  passing: Passing;
}

function bodyOf(
  kind: Carried,
  record: CarriedRecord,
  { names, passing }: BodyOptions,
): { body: AnyRow; words: string } {
  const collection = collectionNamed(kind)!;
  const named = here(record, passing);
  const find = (of: Carried, one: Named): string => {
    const wanted = here(one, passing);
    const id = names.idOf(of, wanted);
    if (id === undefined) throw new MissingError(`There is no ${of.slice(0, -1)} ${wordsOfName(wanted)} here.`);
    return id;
  };
  const body: AnyRow = { [nameField(kind)]: named.name };
  const onHost = hostField(kind);
  if (onHost) body[onHost] = requireHost(names, named.host);
  for (const [name, value] of Object.entries(record.fields)) {
    const field = collection.fields.get(name);
    // Of a newer version, or none that a person may write.
    if (!field || field.options.serverWritten || field.file || name === 'created_by') continue;
    const passage = passages[`${kind}.${name}`];
    if (passage) body[name] = passage.in(value, find);
    else if (field.relation)
      body[name] = idsOf(field.relation.collection, field.multiple, value, { names, find, passing });
    else body[name] = withSecrets(value, (secret) => passing.secrets?.[secretKey(kind, record, name, secret)]);
  }
  const owner = names.userId(record.owner);
  body.created_by = owner ?? names.adminId() ?? '';
  const isStrange = owner === undefined && record.owner !== '';
  const words = [dropEmptySecrets(body), isStrange ? `There is no ${record.owner} here: it belongs to an admin.` : ''];
  return { body, words: words.filter((each) => each !== '').join(' ') };
}

/** A build secret without a value is refused: it goes, and is told. */
function dropEmptySecrets(body: AnyRow): string {
  const given = buildSecretsSchema.safeParse(body.buildSecrets ?? []);
  const empty = (given.data ?? []).filter(({ value }) => value === '').map(({ name }) => name);
  if (empty.length === 0) return '';
  body.buildSecrets = given.data!.filter(({ value }) => value !== '');
  return `Build secrets without a value were left out: ${empty.join(', ')}.`;
}

function requireHost(names: Names, host: string): string {
  if (host === '') return '';
  const id = names.hostId(host);
  if (id === undefined) throw new MissingError(`There is no host ${host} here: name one with --host ${host}=NAME.`);
  return id;
}

interface IdsOptions extends BodyOptions {
  find: (of: Carried, one: Named) => string;
}

function idsOf(kind: string, multiple: boolean, value: unknown, { names, find, passing }: IdsOptions): unknown {
  const idOf = (one: unknown): string => {
    if (one === '') return '';
    if (kind === 'hosts') return requireHost(names, passing.hostNames.get(String(one)) ?? String(one));
    return isCarried(kind) ? find(kind, namedSchema.parse(one)) : '';
  };
  return multiple ? (value as unknown[]).map(idOf) : idOf(value);
}

/** A list of names with values gets the secret ones that came along. */
function withSecrets(value: unknown, secretOf: (name: string) => string | undefined): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((item: unknown) => {
    if (typeof item !== 'object' || item === null || !('name' in item) || !('value' in item)) return item;
    const secret = item.value === '' ? secretOf(String(item.name)) : undefined;
    return secret === undefined ? item : { ...item, value: secret };
  });
}

function wordsOf({ message, fields }: AppError): string {
  const first = firstProblem(fields);
  return first === '' ? message : first;
}

function firstProblem(fields: FieldProblems, path = ''): string {
  for (const [name, problem] of Object.entries(fields)) {
    const at = path === '' ? name : `${path}.${name}`;
    const words = isProblem(problem) ? `${at}: ${problem.message}` : firstProblem(problem, at);
    if (words !== '') return words;
  }
  return '';
}
