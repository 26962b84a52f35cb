/** What a client subscribed to. */
export interface Topic {
  /** Exactly as it was sent: the client listens under this name. */
  readonly name: string;
  /** Without options: `hosts/*`, `hosts/ID`, `hosts`. */
  readonly base: string;
  /** One record goes by the view rule, all of them by the list rule. */
  readonly rule: 'list' | 'view';
  readonly expand: string;
  readonly fields: string;
  readonly filter: string;
}

/** Reads `TOPIC?options={"query":{…}}`. Options that can't be read count as none. */
export function parseTopic(name: string): Topic {
  const mark = name.indexOf('?');
  const base = mark < 0 ? name : name.slice(0, mark);
  const query = mark < 0 ? {} : readQuery(name.slice(mark + 1));
  const rule = base.includes('/') && !base.endsWith('/*') ? 'view' : 'list';
  return { name, base, rule, expand: textOf(query.expand), fields: textOf(query.fields), filter: textOf(query.filter) };
}

function readQuery(search: string): Record<string, unknown> {
  try {
    const options: unknown = JSON.parse(new URLSearchParams(search).get('options') ?? '{}');
    const query = (options as { query?: unknown } | null)?.query;
    return typeof query === 'object' && query !== null ? (query as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The topic bases under which a record's changes are heard. */
export function basesOf(collection: { id: string; name: string }, recordId: string): string[] {
  const { id, name } = collection;
  return [`${name}/*`, `${id}/*`, `${name}/${recordId}`, `${id}/${recordId}`, name, id];
}
