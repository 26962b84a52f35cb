import { createInterface } from 'node:readline/promises';
import type { ParseArgsConfig } from 'node:util';

export type ToolValues = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

/** One command of the tool. */
export interface ToolCommand {
  /** For the list of all. */
  summary: string;
  help: string;
  options: NonNullable<ParseArgsConfig['options']>;
  /** Resolves with what the process ends with. */
  run(call: { values: ToolValues; positionals: readonly string[] }): Promise<number>;
}

/** The tool was called in a wrong way; the message says how it is meant. */
export class ToolError extends Error {}

export function textValue(values: ToolValues, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** Asks for a word to be typed. Throws a ToolError where nobody is there to type it, or something else was. */
export async function requireTyped(question: string, word: string): Promise<void> {
  if (!process.stdin.isTTY) throw new ToolError('Nobody is there to confirm this: pass --yes.');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const typed = await terminal.question(`${question}\nType ${word} to go on: `);
    if (typed.trim() !== word) throw new ToolError('Nothing was done: that is another name.');
  } finally {
    terminal.close();
  }
}
