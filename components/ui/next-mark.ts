/** The mark moved by a step: from the text, which is -1, into the list and out of it again. */
export function nextMark(at: number, step: number, count: number): number {
  return ((at + 1 + step + count + 1) % (count + 1)) - 1;
}
