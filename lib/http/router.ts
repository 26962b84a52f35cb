import type { Handler, Route } from './context';

interface Node {
  fixed: Map<string, Node>;
  named: { name: string; node: Node } | undefined;
  handlers: Map<string, { handle: Handler; names: string[]; isOwn: boolean }>;
}

function createNode(): Node {
  return { fixed: new Map(), named: undefined, handlers: new Map() };
}

export interface Match {
  isOwn: boolean;
  handle: Handler;
  params: Record<string, string>;
}

export interface Router {
  /** The handler for a method and path, or undefined. Fixed parts win over named ones. */
  match(method: string, path: string): Match | undefined;
}

/** Builds a router once from all routes. Throws on two routes with one method and shape. */
export function createRouter(routes: readonly Route[]): Router {
  const root = createNode();
  for (const route of routes) addRoute(root, route);
  return {
    match(method, path) {
      const values: string[] = [];
      const found = walk(root, path.slice(1).split('/'), 0, method, values);
      if (!found) return undefined;
      const params: Record<string, string> = {};
      found.names.forEach((name, index) => (params[name] = decodePart(values[index]!)));
      return { handle: found.handle, params, isOwn: found.isOwn };
    },
  };
}

function addRoute(root: Node, { method, path, handle, isOwn = false }: Route): void {
  let node = root;
  const names: string[] = [];
  for (const part of path.slice(1).split('/')) {
    if (part.startsWith(':')) {
      names.push(part.slice(1));
      node.named ??= { name: part, node: createNode() };
      node = node.named.node;
    } else {
      if (!node.fixed.has(part)) node.fixed.set(part, createNode());
      node = node.fixed.get(part)!;
    }
  }
  if (node.handlers.has(method)) throw new Error(`Two routes for ${method} ${path}`);
  node.handlers.set(method, { handle, names, isOwn });
}

function walk(
  node: Node,
  parts: string[],
  at: number,
  method: string,
  values: string[],
): ReturnType<Node['handlers']['get']> {
  if (at === parts.length) return node.handlers.get(method);
  const part = parts[at]!;
  const fixed = node.fixed.get(part);
  const throughFixed = fixed && walk(fixed, parts, at + 1, method, values);
  if (throughFixed) return throughFixed;
  if (!node.named || part === '') return undefined;
  values.push(part);
  const throughNamed = walk(node.named.node, parts, at + 1, method, values);
  if (!throughNamed) values.pop();
  return throughNamed;
}

function decodePart(part: string): string {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
