export interface DotEnvEntry {
  name: string;
  value: string;
}

/** Reads a .env text: `NAME=value` a line, `export` and quotes allowed, `#` begins a comment. Undefined when a line is none of these. */
export function parseDotEnv(text: string): DotEnvEntry[] | undefined {
  const entries: DotEnvEntry[] = [];
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const match = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/.exec(line);
    if (!match) return undefined;
    entries.push({ name: match[1] ?? '', value: unquote(match[2] ?? '') });
  }
  return entries;
}

function unquote(value: string): string {
  const quoted = /^(["'])([\s\S]*)\1\s*(?:#.*)?$/.exec(value);
  if (!quoted) return value.replace(/\s+#.*$/, '');
  const inner = quoted[2] ?? '';
  return quoted[1] === '"' ? inner.replaceAll('\\n', '\n').replaceAll('\\"', '"') : inner;
}
