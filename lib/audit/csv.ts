/** What a spreadsheet takes for the beginning of a formula, spaces before it and full-width forms included. */
const FORMULA = /^[\s\u0000]*[=+\-@\t\r\n|%＝＋－＠]/u;

/** One line of a CSV file (RFC 4180), with cells that a spreadsheet shows instead of running. */
export function toCsvLine(cells: readonly string[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

function toCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
