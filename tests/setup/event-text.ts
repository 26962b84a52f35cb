/** An event stream as text that grows while it is read. */
export interface EventText {
  readonly status: number;
  text(): string;
  /** Resolves when the server ended it. */
  ended: Promise<void>;
  close(): void;
}

/** Opens a stream of the API with the token of whoever reads. */
export async function openEvents(url: string, token: string): Promise<EventText> {
  const abort = new AbortController();
  const response = await fetch(url, { headers: { authorization: token }, signal: abort.signal });
  let text = '';
  const ended = (async () => {
    const decoder = new TextDecoder();
    const reader = response.body?.getReader();
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      text += decoder.decode(read.value, { stream: true });
    }
  })().catch((error: unknown) => {
    if (!abort.signal.aborted) throw error;
  });
  return { status: response.status, text: () => text, ended, close: () => abort.abort() };
}
