/** Reads an answer of one JSON value a line, each as it comes. Throws with the server's words when it is refused or breaks off. */
export async function readRows(url: string, signal: AbortSignal, onRow: (row: unknown) => void): Promise<void> {
  const answer = await fetch(url, { signal });
  if (!answer.ok || !answer.body) {
    const body = (await answer.json().catch(() => ({}))) as { message?: string };
    throw new Error(body.message ?? answer.statusText);
  }
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onRow(checked(JSON.parse(line)));
  }
}

function checked(row: unknown): unknown {
  const { k, message } = row as { k?: string; message?: string };
  if (k === 'failed') throw new Error(message);
  return row;
}
