/** What a filter means, evaluated in memory from the contract, by other means than SQL. */

/** How a column of SQLite sees the values that it is compared with. */
type Affinity = 'text' | 'number' | 'none';

export interface Cell {
  value: null | string | number;
  affinity: Affinity;
  /** Numbers: whether SQLite holds a whole number, which reads `10` as a text and not `10.0`. */
  isWhole?: boolean;
}

export const textCell = (value: string | null): Cell => ({ value, affinity: 'text' });
export const realCell = (value: number | null): Cell => ({ value, affinity: 'number' });
export const wholeCell = (value: number, affinity: Affinity = 'number'): Cell => ({ value, affinity, isWhole: true });
export const bareCell = (value: null | string | number | boolean): Cell => ({
  value: typeof value === 'boolean' ? Number(value) : value,
  affinity: 'none',
  isWhole: typeof value === 'boolean' || Number.isInteger(value),
});

export type Op = '=' | '!=' | '>' | '>=' | '<' | '<=' | '~' | '!~';
export const OPS: readonly Op[] = ['=', '!=', '>', '>=', '<', '<=', '~', '!~'];

/** One step of a path: the records it leads to, of which those with a name are chosen once for a whole filter. */
export interface Step {
  name?: string;
  from(value: never): readonly unknown[];
}

/** One side of a comparison, as it reads and as it evaluates for a row. */
export interface ModelSide<Row> {
  text: string;
  kind: 'column' | 'json' | 'literal' | 'keyword';
  steps: readonly Step[];
  /** What stands at the end; of a path that leads nowhere, of undefined. */
  end(value: unknown): Cell;
  /** For the compiler: whose rows these are. */
  row?: Row;
}

/** Which record was chosen at each step with a name. */
type Chosen = ReadonlyMap<string, unknown>;

export interface ModelFilter<Row> {
  text: string;
  /** The choices under which it holds for the row, going on from those made. */
  solve(row: Row, chosen: Chosen): Iterable<Chosen>;
}

export function holds<Row>({ solve }: Pick<ModelFilter<Row>, 'solve'>, row: Row, chosen: Chosen = new Map()): boolean {
  for (const _ of solve(row, chosen)) return true;
  return false;
}

/** All of them with the same choices. */
export function* solveAll<Row>(
  filters: readonly Pick<ModelFilter<Row>, 'solve'>[],
  row: Row,
  chosen: Chosen,
): Iterable<Chosen> {
  const [first, ...others] = filters;
  if (!first) return void (yield chosen);
  // What can't be met whatever the others choose is seen at once.
  if (!others.every((other) => holds(other, row, chosen))) return;
  for (const next of first.solve(row, chosen)) yield* solveAll(others, row, next);
}

const isMulti = <Row>({ steps }: ModelSide<Row>): boolean => steps.some(({ name }) => name !== undefined);

/** The values of a side with the choices that lead to them. */
function* walk<Row>(side: ModelSide<Row>, row: Row, chosen: Chosen): Iterable<{ cell: Cell; chosen: Chosen }> {
  yield* step(row, 0, chosen);
  function* step(value: unknown, at: number, so: Chosen): Iterable<{ cell: Cell; chosen: Chosen }> {
    const next = side.steps[at];
    if (!next) return void (yield { cell: side.end(value), chosen: so });
    const { name } = next;
    if (name !== undefined && so.has(name)) return void (yield* step(so.get(name), at + 1, so));
    const found = value === undefined ? [] : next.from(value as never);
    for (const each of found.length > 0 ? found : [undefined]) {
      yield* step(each, at + 1, name === undefined ? so : new Map([...so, [name, each]]));
      if (name === undefined) return;
    }
  }
}

/** The values found, never none: a path that leads nowhere has NULL. */
export function cellsOf<Row>(side: ModelSide<Row>, row: Row): Cell[] {
  return [...walk(side, row, new Map())].map(({ cell }) => cell);
}

export function modelComparison<Row>(
  left: ModelSide<Row>,
  { op, isAny }: { op: Op; isAny: boolean },
  right: ModelSide<Row>,
): Omit<ModelFilter<Row>, 'text'> {
  const test = (a: Cell, b: Cell) => compareCells({ cell: a, side: left }, op, { cell: b, side: right }) === true;
  return {
    *solve(row, chosen) {
      if (isAny) {
        for (const a of walk(left, row, chosen)) {
          for (const b of walk(right, row, a.chosen)) if (test(a.cell, b.cell)) yield b.chosen;
        }
        return;
      }
      const [lefts, rights] = [cellsOf(left, row), cellsOf(right, row)];
      const hasNull = [left, right].some(
        (side, index) => isMulti(side) && [lefts, rights][index]!.some(({ value }) => value === null),
      );
      if (hasNull && op !== '=') return;
      if (lefts.every((a) => rights.every((b) => test(a, b)))) yield chosen;
    },
  };
}

interface Operand<Row> {
  cell: Cell;
  side: ModelSide<Row>;
}

/** True, false, or null where NULL makes it neither. */
function compareCells<Row>(left: Operand<Row>, op: Op, right: Operand<Row>): boolean | null {
  if (op === '=' || op === '!=') return equals(left, right) === (op === '=');
  if (op === '~' || op === '!~') {
    const found = like(left.cell, right);
    return found === null ? null : found === (op === '~');
  }
  if (left.cell.value === null || right.cell.value === null) return null;
  const order = orderOf(left.cell, right.cell);
  return { '>': order > 0, '>=': order >= 0, '<': order < 0, '<=': order <= 0 }[op];
}

const isEmptySide = <Row>({ cell, side }: Operand<Row>): boolean =>
  (side.kind === 'literal' || side.kind === 'keyword') && (cell.value === '' || cell.value === null);
const isFixed = <Row>({ side }: Operand<Row>): boolean => side.kind === 'literal' || side.kind === 'keyword';

function equals<Row>(left: Operand<Row>, right: Operand<Row>): boolean {
  const isNothing = ({ value }: Cell): boolean => value === null || value === '';
  if (left.side.kind === 'json' || right.side.kind === 'json') return isSame(left.cell, right.cell);
  if (isEmptySide(left) || isEmptySide(right)) return isNothing(left.cell) && isNothing(right.cell);
  if (isFixed(left) || isFixed(right)) return isSame(left.cell, right.cell);
  const folded = ({ value, isWhole }: Cell): Cell => ({ value: value ?? '', affinity: 'none', isWhole });
  return isSame(folded(left.cell), folded(right.cell));
}

function isSame(a: Cell, b: Cell): boolean {
  if (a.value === null || b.value === null) return a.value === b.value;
  return orderOf(a, b) === 0;
}

/** Numbers before texts, texts by bytes, after the columns had their say about what is a number. */
function orderOf(a: Cell, b: Cell): number {
  const [left, right] = seenBy(a, b);
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'number') return -1;
  if (typeof right === 'number') return 1;
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

function seenBy(a: Cell, b: Cell): [string | number, string | number] {
  if (a.affinity === 'number' && b.affinity !== 'number') return [a.value!, asNumber(b.value!)];
  if (b.affinity === 'number' && a.affinity !== 'number') return [asNumber(a.value!), b.value!];
  if (a.affinity === 'text' && b.affinity === 'none') return [a.value!, asText(b)];
  if (b.affinity === 'text' && a.affinity === 'none') return [asText(a), b.value!];
  return [a.value!, b.value!];
}

function asNumber(value: string | number): string | number {
  return typeof value === 'string' && /^\s*[+-]?\d+(\.\d*)?\s*$/.test(value) ? Number(value) : value;
}

function asText({ value, isWhole }: Cell): string {
  return typeof value === 'number' && !isWhole && Number.isInteger(value) ? `${value}.0` : String(value);
}

function like<Row>(left: Cell, { cell, side }: Operand<Row>): boolean | null {
  if (left.value === null || cell.value === null) return null;
  const pattern = side.kind === 'literal' ? literalPattern(String(cell.value)) : `%${asRead(cell)}%`;
  return matches(asRead(left), pattern);
}

/** As people read it: a whole number of a column has no decimals. */
function asRead(cell: Cell): string {
  return cell.affinity === 'number' ? String(cell.value) : asText(cell);
}

/** The contract's table: a text with an unescaped `%` is a pattern, any other is looked for as it is. */
function literalPattern(text: string): string {
  const unescaped = text.replace(/\\[\\%_]/g, '');
  if (unescaped.includes('%')) return text;
  return `%${text.replace(/\\[\\%_]|[\\%_]/g, (found) => (found.length === 2 ? found : `\\${found}`))}%`;
}

/** LIKE with `\` as its escape, by a regular expression; ASCII letters in either case. */
function matches(text: string, pattern: string): boolean {
  let source = '';
  const chars = [...pattern];
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at]!;
    if (char === '%') source += '[^]*';
    else if (char === '_') source += '[^]';
    else if (char === '\\') {
      at += 1;
      if (at === chars.length) return false;
      source += literally(chars[at]!);
    } else source += literally(char);
  }
  return new RegExp(`^${source}$`, 'u').test(text);
}

function literally(char: string): string {
  if (/^[A-Za-z]$/.test(char)) return `[${char.toLowerCase()}${char.toUpperCase()}]`;
  return `\\u{${char.codePointAt(0)!.toString(16)}}`;
}

/** The order of a sort's values: NULL, numbers, texts by bytes. */
export function sortOrder(a: Cell, b: Cell): number {
  if (a.value === null || b.value === null) return Number(b.value === null) - Number(a.value === null);
  return orderOf({ ...a, affinity: 'none' }, { ...b, affinity: 'none' });
}
