import 'server-only';
import { wireNow } from '@/lib/clock';
import { AppError } from '@/lib/errors';
import { collectionNamed } from '@/lib/records/registry';
import { storedList } from '@/lib/records/secret-values';
import type { AnyRow, Collection } from '@/lib/records/collection';
import type { Field } from '@/lib/records/fields/field';
import { tryOpen } from '@/lib/secrets';
import { APP_VERSION } from '@/lib/version';
import { CARRIED, type Carried, type CarriedRecord, type Export, type Named, secretKey, type Secrets } from './format';
import { hostField, isCarried, Names, nameField } from './names';
import { sealSecrets } from './passphrase';
import { passages } from './references';

/** Fields with secret values, each a list of names with values. */
const SECRET_LISTS: readonly [Carried, string][] = [
  ['workspaces', 'environmentVariables'],
  ['images', 'buildSecrets'],
];

/** Told by another name: who made it, and what only the console that has it knows. */
const LEFT_OUT = new Set(['created_by', 'applied_recommendations', 'ignored_recommendations']);

export interface Exported {
  file: Export;
  /** What could not be put into it, in words, each with how often. */
  left: Map<string, number>;
}

interface ExportOptions {
  kinds: readonly Carried[];
  /** Secret values come along only with one. */
  passphrase?: string | undefined;
}

/** The records of these kinds, with names in the place of ids. Throws AppError `invalid` for a passphrase that is too short. */
export async function exportRecords({ kinds, passphrase }: ExportOptions): Promise<Exported> {
  const left = new Map<string, number>();
  const tell = (what: string): void => void left.set(what, (left.get(what) ?? 0) + 1);
  const names = new Names();
  const secrets: Secrets = {};
  const records = Object.fromEntries(CARRIED.map((kind) => [kind, [] as CarriedRecord[]])) as Export['records'];
  for (const kind of CARRIED.filter((each) => kinds.includes(each))) {
    const collection = collectionNamed(kind)!;
    for (const row of names.rowsOf(kind)) {
      const named = names.nameOf(kind, row);
      const about = `${kind} ${named.name}`;
      const fields = fieldsOf({ kind, collection, row, names, tell: (what) => tell(`${about}: ${what}`) });
      records[kind].push({ ...named, owner: names.userName(String(row.created_by)), fields });
      collectSecrets(kind, named, row, (key, value) => {
        if (passphrase === undefined) tell(`${about}: secret values, which need a passphrase`);
        else if (value === undefined) tell(`${about}: a secret value that can not be read`);
        else secrets[key] = value;
      });
    }
  }
  const file: Export = { format: 'berth-export', formatVersion: 1, berth: APP_VERSION, made: wireNow(), records };
  if (passphrase !== undefined) file.secrets = await sealSecrets(secrets, passphrase);
  return { file, left };
}

interface FieldsOptions {
  kind: Carried;
  collection: Collection;
  row: AnyRow;
  names: Names;
  tell: (what: string) => void;
}

function fieldsOf({ kind, collection, row, names, tell }: FieldsOptions): AnyRow {
  const fields: AnyRow = {};
  for (const [name, field] of collection.fields) {
    const isNamed = name === nameField(kind) || name === hostField(kind);
    if (isNamed || LEFT_OUT.has(name) || !field.leaves || field.options.serverWritten) continue;
    const value = row[name];
    if (field.file) {
      if (value !== '' && value !== null) tell('an uploaded file');
    } else if (field.relation) fields[name] = namesOf(field, value, names, tell);
    else fields[name] = plainValue(`${kind}.${name}`, field, value, { names, tell });
  }
  return fields;
}

function plainValue(
  path: string,
  field: Field,
  value: unknown,
  { names, tell }: Pick<FieldsOptions, 'names' | 'tell'>,
): unknown {
  const wire = field.toWire ? field.toWire(value) : value;
  return passages[path] ? passages[path].out(wire, names, tell) : wire;
}

function namesOf({ relation, multiple }: Field, value: unknown, names: Names, tell: (what: string) => void): unknown {
  const kind = relation!.collection;
  const ids = (multiple ? ((value ?? []) as string[]) : [String(value ?? '')]).filter((id) => id !== '');
  const found = ids.flatMap((id): (Named | string)[] => {
    const one = isCarried(kind) ? names.nameOfId(kind, id) : kind === 'hosts' ? names.hostName(id) : undefined;
    if (one === undefined) tell(kind);
    return one === undefined ? [] : [one];
  });
  return multiple ? found : (found[0] ?? '');
}

function collectSecrets(
  kind: Carried,
  named: Named,
  row: AnyRow,
  take: (key: string, value: string | undefined) => void,
): void {
  for (const [of, field] of SECRET_LISTS) {
    if (of !== kind) continue;
    for (const { name, value, secret } of storedList<{ name: string; value: string; secret?: boolean }>(row[field])) {
      if (secret !== false && value !== '') take(secretKey(kind, named, field, name), tryOpen(value));
    }
  }
}

/** The kinds that a list of names stands for. Throws AppError `invalid` for one that there is not. */
export function readKinds(text: string | undefined): Carried[] {
  if (text === undefined) return [...CARRIED];
  const wanted = text.split(',').map((kind) => kind.trim());
  const unknown = wanted.filter((kind) => !CARRIED.includes(kind as Carried));
  if (unknown.length === 0) return wanted as Carried[];
  throw new AppError('invalid', `There is no kind "${unknown[0]}". There are: ${CARRIED.join(', ')}.`);
}
