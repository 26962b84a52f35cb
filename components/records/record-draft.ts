/** What a form works on: values by the name of their field. */
export type Values = Record<string, unknown>;

export interface Merged<Form extends Values> {
  /** Untouched fields that have a new value. */
  taken: Partial<Form>;
  /** Of each field that both have changed, what is stored. */
  theirs: Partial<Form>;
}

/** Same in what they say: lists and plain objects by their parts, all else (a picked file) by identity. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  }
  if (!isPlain(a) || !isPlain(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => isSame(a[key], b[key]));
}

function isPlain(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** The fields of a form that are not as they were. */
export function changedFields<Form extends Values>(base: Form, mine: Form): (keyof Form & string)[] {
  return Object.keys(base).filter((name) => !isSame(base[name], mine[name]));
}

export function pickFields<Form extends Values>(values: Form, names: readonly string[]): Partial<Form> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name))) as Partial<Form>;
}

/** Weighs what is stored now against what the form began with (`base`) and what it says (`mine`), field by field. */
export function mergeStored<Form extends Values>(forms: { base: Form; mine: Form; stored: Form }): Merged<Form> {
  const { base, mine, stored } = forms;
  const news = changedFields(base, stored);
  const touched = changedFields(base, mine);
  const isBoth = (name: string) => touched.includes(name) && !isSame(mine[name], stored[name]);
  return {
    taken: pickFields(
      stored,
      news.filter((name) => !touched.includes(name)),
    ),
    theirs: pickFields(stored, news.filter(isBoth)),
  };
}

interface DraftState<Form extends Values> {
  /** What is stored, as far as the form has heard. */
  base: Form;
  /** What others have stored in fields that were touched here, until one of the two is chosen. */
  theirs: Partial<Form>;
}

/** Follows a record while a form about it is open, and keeps apart what others stored and what was typed here. */
export class RecordDraft<Form extends Values> {
  private state: DraftState<Form>;
  private version: string;
  private readonly listeners = new Set<() => void>();

  constructor(stored: Form, version: string) {
    this.state = { base: stored, theirs: {} };
    this.version = version;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly getState = (): DraftState<Form> => this.state;

  /** Takes in what is stored and returns what the form has to show anew. What is older than what it knows is left out. */
  follow({ stored, version, mine }: { stored: Form; version: string; mine: Form }): Partial<Form> {
    if (version < this.version) return {};
    this.version = version;
    if (isSame(stored, this.state.base)) return {};
    const { taken, theirs } = mergeStored({ base: this.state.base, mine, stored });
    const news = changedFields(this.state.base, stored);
    const open = Object.entries(this.state.theirs).filter(([name]) => !news.includes(name));
    this.set({ base: stored, theirs: { ...(Object.fromEntries(open) as Partial<Form>), ...theirs } });
    return taken;
  }

  /** The fields that wait for a choice: what both say by now is settled. */
  openFields(mine: Form): (keyof Form & string)[] {
    return Object.keys(this.state.theirs).filter((name) => !isSame(this.state.theirs[name], mine[name]));
  }

  /** A choice was made for a field. */
  settle(field: string): void {
    const { [field]: _settled, ...theirs } = this.state.theirs;
    this.set({ ...this.state, theirs: theirs as Partial<Form> });
  }

  /** What was sent is stored: it no longer counts as touched. */
  accept(sent: Partial<Form>): void {
    this.set({ base: { ...this.state.base, ...sent }, theirs: this.state.theirs });
  }

  /** Forgets what was typed; the form has to show what is returned. */
  discard(): Form {
    this.set({ ...this.state, theirs: {} });
    return this.state.base;
  }

  private set(state: DraftState<Form>): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}
