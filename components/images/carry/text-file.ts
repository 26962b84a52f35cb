/** A file as text; undefined where it is longer than that, or no text. */
export async function readTextFile(file: File, mostBytes: number): Promise<string | undefined> {
  if (file.size > mostBytes) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    return text.includes('\u0000') ? undefined : text;
  } catch {
    // What can't be decoded is no text.
    return undefined;
  }
}
