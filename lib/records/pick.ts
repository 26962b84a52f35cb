import { AppError, GENERIC_MESSAGE } from '@/lib/errors';
import { excerpt } from './excerpt';

/** What a `fields` parameter keeps of one level of a JSON answer. */
interface PickNode {
  children: Map<string, PickNode>;
  /** Named itself, so all below stays. */
  isWhole: boolean;
  modify?: (value: string) => string;
}

export type Picker = (value: unknown) => unknown;

const MAX_PATHS = 200;

/** Compiles a `fields` parameter; undefined when it keeps everything. Throws AppError on unknown modifiers. */
export function parseFields(source: string): Picker | undefined {
  if (source.trim() === '') return undefined;
  const root: PickNode = { children: new Map(), isWhole: false };
  for (const path of splitPaths(source).slice(0, MAX_PATHS)) addPath(root, path.trim());
  return (value) => pick(value, root);
}

/** Splits at commas outside parentheses. */
function splitPaths(source: string): string[] {
  return source.match(/(?:[^,(]|\([^)]*\)?)+/g) ?? [];
}

function addPath(root: PickNode, path: string): void {
  const colon = path.indexOf(':');
  const modifier = colon < 0 ? undefined : parseModifier(path.slice(colon + 1));
  const names = (colon < 0 ? path : path.slice(0, colon)).split('.');
  let node = root;
  for (const name of names) {
    let next = node.children.get(name);
    if (!next) node.children.set(name, (next = { children: new Map(), isWhole: false }));
    node = next;
  }
  node.isWhole = true;
  node.modify ??= modifier;
}

function parseModifier(text: string): (value: string) => string {
  const match = /^excerpt\(\s*(\d+)\s*(?:,\s*(\w+)\s*)?\)$/.exec(text);
  const max = Number(match?.[1]);
  if (!match || !(max > 0)) throw new AppError('invalid', GENERIC_MESSAGE);
  const withDots = match[2] !== undefined && ['1', 't', 'T', 'TRUE', 'true', 'True'].includes(match[2]);
  return (value) => excerpt(value, { max, withDots });
}

function pick(value: unknown, node: PickNode): unknown {
  if (Array.isArray(value)) return value.map((item) => pick(item, node));
  if (typeof value !== 'object' || value === null) return value;
  const picked: Record<string, unknown> = {};
  const rest = node.children.get('*');
  for (const [key, item] of Object.entries(value)) {
    const child = node.children.get(key) ?? rest;
    if (!child) continue;
    if (child.isWhole && child.children.size === 0) {
      picked[key] = child.modify && typeof item === 'string' ? child.modify(item) : item;
    } else {
      picked[key] = child.isWhole ? item : pick(item, child);
    }
  }
  return picked;
}
