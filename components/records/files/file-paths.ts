/** The path of what is named in a folder. */
export function joinPath(folder: string, name: string): string {
  return folder === '/' ? `/${name}` : `${folder}/${name}`;
}

/** A path from an address: from the root on, without `..`, empty parts and a slash at the end. */
export function cleanPath(text: string): string {
  const parts: string[] = [];
  for (const part of text.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** The folders on the way to a path, the root first, the path itself last. */
export function waysTo(path: string): { name: string; path: string }[] {
  const parts = path.split('/').filter(Boolean);
  return [
    { name: '/', path: '/' },
    ...parts.map((name, index) => ({ name, path: `/${parts.slice(0, index + 1).join('/')}` })),
  ];
}

/** A name on one line: what can't be seen is shown as a sign. */
export function shownName(name: string): string {
  return name
    .replace(/[\u0000-\u001f]/g, (each) => String.fromCharCode(0x2400 + each.charCodeAt(0)))
    .replace(/\u007f/g, '␡');
}

const names = new Intl.Collator('en', { numeric: true });

/** Folders first, by name. */
export function sortEntries<T extends { name: string; kind: string }>(entries: readonly T[]): T[] {
  const rank = ({ kind }: T): number => (kind === 'folder' ? 0 : 1);
  return entries.toSorted((a, b) => rank(a) - rank(b) || names.compare(a.name, b.name));
}
