/**
 * Splits a command into words as a POSIX shell would, without expanding anything: blanks separate, single quotes keep all,
 * double quotes keep all but \\" \\\\ \\$ \\` and a backslash takes the next character as it is. Undefined when a quote is
 * left open or the command ends in a backslash.
 */
export function splitShellWords(command: string): string[] | undefined {
  const words: string[] = [];
  const pattern = /\s+|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)/gy;
  let word: string | undefined;
  while (pattern.lastIndex < command.length) {
    const match = pattern.exec(command);
    if (!match) return undefined;
    const [, single, double, escaped, plain] = match;
    const part = single ?? double?.replace(/\\([\\"$`])/g, '$1') ?? escaped ?? plain;
    if (part !== undefined) word = (word ?? '') + part;
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  if (word !== undefined) words.push(word);
  return words;
}
