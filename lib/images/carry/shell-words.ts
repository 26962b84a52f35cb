/** Commands of a shell that `&&` and `;` stand between, as words; undefined for what only a shell could tell. */
export function readCommands(text: string): string[][] | undefined {
  const commands: string[][] = [[]];
  let word: string | undefined;
  const endWord = (): void => {
    if (word !== undefined) commands.at(-1)!.push(word);
    word = undefined;
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]!;
    if (char === "'" || char === '"') {
      const end = text.indexOf(char, at + 1);
      const inside = end < 0 ? '$' : text.slice(at + 1, end);
      if (end < 0 || (char === '"' && /[$`\\]/.test(inside))) return undefined;
      word = (word ?? '') + inside;
      at = end;
    } else if (char === ';' || (char === '&' && text[at + 1] === '&')) {
      endWord();
      commands.push([]);
      if (char === '&') at += 1;
    } else if (/\s/.test(char)) {
      endWord();
    } else if (/[$`|<>&()\\*?{}#]/.test(char)) {
      return undefined;
    } else {
      word = (word ?? '') + char;
    }
  }
  endWord();
  return commands.filter((command) => command.length > 0);
}

/** Words as one line that a shell reads as the same words. */
export function joinWords(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}
