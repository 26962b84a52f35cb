import { ready } from './client';

export type LinkState =
  | { kind: 'live' }
  | { kind: 'connecting' }
  | { kind: 'waiting'; retryAtMs: number }
  | { kind: 'paused' };

export interface RecordChange {
  action: 'create' | 'update' | 'delete';
  record: { id: string; collectionName: string; [field: string]: unknown };
}

interface LinkEvents {
  onState: (state: LinkState) => void;
  onChange: (change: RecordChange) => void;
  /** After every connect: what was sent in between is lost. */
  onConnect: () => void;
}

const RETRY_DELAYS_MS = [200, 300, 500, 1000, 1200, 1500, 2000];
const CONNECT_TIMEOUT_MS = 15_000;

/** The one realtime connection of a browser: opens it, subscribes, and opens it again for ever. Returns its end. */
export function openRealtimeLink(topics: string[], events: LinkEvents): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempt = 0;
  let isClosed = false;

  function connect() {
    if (isClosed) return;
    events.onState({ kind: 'connecting' });
    const current = new EventSource('/api/realtime');
    source = current;
    timer = setTimeout(retry, CONNECT_TIMEOUT_MS);
    current.onerror = retry;
    current.addEventListener('PB_CONNECT', (event) => void subscribe(current, event.lastEventId));
    for (const topic of topics) current.addEventListener(topic, onMessage);
  }

  async function subscribe(current: EventSource, clientId: string) {
    clearTimeout(timer);
    try {
      // A log-in that is being renewed is waited for: its token is the one to listen with.
      const client = await ready();
      await client.send('/api/realtime', { method: 'POST', body: { clientId, subscriptions: topics } });
    } catch {
      // The next attempt comes with a new client id; a 401 was already told by the client itself.
      if (source === current) retry();
      return;
    }
    if (source !== current) return;
    attempt = 0;
    events.onState({ kind: 'live' });
    events.onConnect();
  }

  function onMessage(event: MessageEvent<string>) {
    const change = parseChange(event.data);
    if (change) events.onChange(change);
  }

  function retry() {
    close();
    if (isClosed) return;
    const delayMs = RETRY_DELAYS_MS[Math.min(attempt, RETRY_DELAYS_MS.length - 1)] ?? 2000;
    attempt += 1;
    events.onState({ kind: 'waiting', retryAtMs: Date.now() + delayMs });
    timer = setTimeout(connect, delayMs);
  }

  function close() {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  }

  connect();
  return () => {
    isClosed = true;
    close();
  };
}

function parseChange(text: string): RecordChange | undefined {
  try {
    return JSON.parse(text) as RecordChange;
  } catch {
    return undefined;
  }
}
