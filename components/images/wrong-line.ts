/** A step that failed, as newer and older builders say it. */
const FAILED_RUN =
  /process "\/bin\/sh -c ([\s\S]*)" did not complete|executor failed running \[\/bin\/sh -c ([\s\S]*)\]: exit code/;

/** The line of a Dockerfile, from 1, that a refusal or a failed build is about; undefined where its words don't tell. */
export function wrongLineOf(words: string, dockerfile: string): number | undefined {
  const told = /\bline (\d+)\b/i.exec(words)?.[1];
  if (told) return Number(told);
  const said = wordsOf(FAILED_RUN.exec(words)?.slice(1).find(Boolean) ?? '');
  const image = /([^\s"]+): (?:not found|failed to (?:resolve|copy|do)|pull access denied)/i.exec(words)?.[1] ?? '';
  for (const { line, text } of instructionsOf(dockerfile)) {
    const [word = '', ...rest] = text.split(' ');
    if (said && /^run$/i.test(word) && rest.join(' ').endsWith(said)) return line;
    if (image && /^from$/i.test(word) && rest.some((part) => part !== '' && image.endsWith(part))) return line;
  }
  return undefined;
}

/** Spaces are nobody's words: the engine writes a continued line as one. */
function wordsOf(text: string): string {
  return text.replaceAll('\\"', '"').replace(/\s+/g, ' ').trim();
}

/** Each instruction with its continued lines, and the line that it begins on. */
function instructionsOf(dockerfile: string): { line: number; text: string }[] {
  const found: { line: number; text: string }[] = [];
  let open: { line: number; parts: string[] } | undefined;
  dockerfile.split(/\r?\n/).forEach((raw, index) => {
    const text = raw.trim();
    if (text === '' || text.startsWith('#')) return;
    open ??= { line: index + 1, parts: [] };
    open.parts.push(text.replace(/\\$/, ''));
    if (text.endsWith('\\')) return;
    found.push({ line: open.line, text: wordsOf(open.parts.join(' ')) });
    open = undefined;
  });
  return found;
}
