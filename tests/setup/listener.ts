import { expect } from 'vitest';
import { api, sendApi } from './api';

/** Who listens to record changes over the event stream. */
export interface Listener {
  clientId: string;
  /** Names of the records that were heard of since the last look. */
  names(): Promise<string[]>;
  close(): void;
}

/** Opens an event stream and subscribes with the token. */
export async function listen(token: string, subscriptions: string[]): Promise<Listener> {
  const abort = new AbortController();
  const response = await sendApi('GET', '/api/realtime', { signal: abort.signal });
  let text = '';
  const reader = response.body!.getReader();
  void (async () => {
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      if (done) return;
      text += Buffer.from(value as Uint8Array).toString();
    }
  })();
  await expect.poll(() => text).toContain('\n\n');
  const clientId = /^id:(\w{40})\n/.exec(text)![1]!;
  const headers = { authorization: token };
  const subscribed = await api('POST', '/api/realtime', { headers, body: { clientId, subscriptions } });
  expect(subscribed.status).toBe(204);
  return {
    clientId,
    async names() {
      await new Promise((resolve) => setTimeout(resolve, 20));
      const heard = [...text.matchAll(/"name":"([^"]*)"/g)].map(([, name]) => name!);
      text = '';
      return heard;
    },
    close: () => abort.abort(),
  };
}
