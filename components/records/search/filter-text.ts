/** Words of the record API's filter language, made of texts that people typed: none of them can end its literal. */

/** A text in its quotes. One that ends in a backslash can't be said in this language. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "\\'")}'`;
}

/** What fails for every record: none has an empty id. */
const NONE = "id = ''";
const ALL = "id != ''";

/** Whether the field is this, byte by byte, or is not. */
export function fieldIs(field: string, value: string | boolean, isNot = false): string {
  if (typeof value === 'boolean') return `${field} ${isNot ? '!=' : '='} ${value}`;
  if (value.endsWith('\\')) return isNot ? ALL : NONE;
  return `${field} ${isNot ? '!=' : '='} ${quoted(value)}`;
}

/** Whether the text is in the field, or is not; a `%` stands for anything. */
export function fieldHas(field: string, text: string, isNot = false): string {
  return `${field} ${isNot ? '!~' : '~'} ${quoted(patternOf(text))}`;
}

/** As it is typed, unless the filter would read that otherwise, or refuse to. */
function patternOf(text: string): string {
  if (!/\\|@request\.|@collection\./.test(text)) return text;
  const escaped = text.replace(/[\\%_]/g, '\\$&').replace(/(@request|@collection)\./g, '$1_');
  return `%${escaped}%`;
}

/** What one of the parts at least says, in brackets. */
export function anyOf(parts: readonly string[]): string {
  return parts.length === 1 ? parts[0]! : `(${parts.join(' || ')})`;
}

/** What the parts of a filter say together; the empty ones say nothing. */
export function allOf(...parts: (string | undefined)[]): string {
  return parts
    .filter(Boolean)
    .map((part) => (part?.includes('||') ? `(${part})` : part))
    .join(' && ');
}

/** What the server is asked for while the text is typed. */
export function searchFilter(fields: string[], text: string): string {
  if (text === '') return '';
  return fields.map((field) => fieldHas(field, text)).join(' || ');
}
