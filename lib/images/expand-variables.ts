/** A text that names a variable in a way that is not read here. */
export class UnreadVariableError extends Error {}

const VARIABLE = /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?:(:?[-+])([^{}]*))?\})/;

/** A word of a Dockerfile with its variables filled in and its quotes taken off, as builders do. Throws UnreadVariableError. */
export function expandVariables(
  word: string,
  { variables, escape }: { variables: ReadonlyMap<string, string>; escape: string },
): string {
  let text = '';
  let quote = '';
  for (let at = 0; at < word.length; at += 1) {
    const char = word[at]!;
    if (quote === '' && (char === '"' || char === "'")) quote = char;
    else if (char === quote) quote = '';
    else if (char === escape && quote !== "'") text += word[(at += 1)] ?? '';
    else if (char === '$' && quote !== "'") {
      const match = VARIABLE.exec(word.slice(at));
      if (!match) throw new UnreadVariableError(`the variable in ${word} can't be read; write it as \${NAME}.`);
      text += valueOf(match, variables);
      at += match[0].length - 1;
    } else text += char;
  }
  return text;
}

function valueOf([, plain, braced, how, other]: RegExpExecArray, variables: ReadonlyMap<string, string>): string {
  const value = variables.get(plain ?? braced!);
  if (how === undefined || other === undefined) return value ?? '';
  const isSet = how.startsWith(':') ? (value ?? '') !== '' : value !== undefined;
  if (how.endsWith('+')) return isSet ? other : '';
  return isSet ? value! : other;
}
