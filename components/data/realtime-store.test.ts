import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LinkState, RecordChange } from './realtime-link';
import { RealtimeStore } from './realtime-store';

interface Events {
  onState: (state: LinkState) => void;
  onChange: (change: RecordChange) => void;
  onConnect: () => void;
}
const links: { events: Events; close: ReturnType<typeof vi.fn> }[] = [];
vi.mock('./realtime-link', () => ({
  openRealtimeLink: (_topics: string[], events: Events) => {
    const close = vi.fn();
    links.push({ events, close });
    return close;
  },
}));

/** Tabs of one browser: a message reaches every other one, and one of them holds the lock. */
class FakeChannel {
  static all: FakeChannel[] = [];
  onmessage: ((event: { data: unknown }) => void) | undefined;
  constructor() {
    FakeChannel.all.push(this);
  }
  postMessage(data: unknown): void {
    for (const other of FakeChannel.all) if (other !== this) other.onmessage?.({ data });
  }
  close(): void {
    FakeChannel.all = FakeChannel.all.filter((each) => each !== this);
  }
}

let queue: (() => Promise<void>)[] = [];
let isHeld = false;
async function next(): Promise<void> {
  const turn = queue.shift();
  if (!turn || isHeld) return;
  isHeld = true;
  await turn();
  isHeld = false;
  await next();
}
const locks = {
  request: (_name: string, _options: object, hold: () => Promise<void>) => {
    queue.push(hold);
    if (!isHeld) void next();
    return Promise.resolve();
  },
};

const change = { action: 'update', record: { id: 'a', collectionName: 'hosts' } } as const;
const tab = () => {
  const listener = { onChange: vi.fn(), onConnect: vi.fn() };
  const store = new RealtimeStore('me', listener);
  store.start();
  return { store, listener };
};

beforeEach(() => {
  vi.stubGlobal('BroadcastChannel', FakeChannel);
  vi.stubGlobal('navigator', { locks });
  FakeChannel.all = [];
  links.length = 0;
  queue = [];
  isHeld = false;
});
afterEach(() => vi.unstubAllGlobals());

describe('realtime of several tabs', () => {
  it('is one connection, and every tab hears what comes over it', () => {
    const [first, second] = [tab(), tab()];
    expect(links).toHaveLength(1);
    links[0]!.events.onState({ kind: 'live' });
    links[0]!.events.onChange(change);
    for (const { store, listener } of [first, second]) {
      expect(store.getState()).toEqual({ kind: 'live' });
      expect(listener.onChange).toHaveBeenCalledWith(change);
    }
  });

  it('tells a tab that opens later how things stand', () => {
    tab();
    links[0]!.events.onState({ kind: 'live' });
    expect(tab().store.getState()).toEqual({ kind: 'live' });
  });

  it('is taken over by the next tab when the first one closes', async () => {
    const [first] = [tab(), tab()];
    first.store.close();
    await vi.waitFor(() => expect(links).toHaveLength(2));
    expect(links[0]!.close).toHaveBeenCalled();
  });

  it('tells of every connect, and which one is the first', () => {
    const { listener } = tab();
    links[0]!.events.onConnect();
    links[0]!.events.onConnect();
    expect(listener.onConnect.mock.calls).toEqual([[{ isFirst: true }], [{ isFirst: false }]]);
  });

  it('is held back and resumed from any tab', () => {
    const [first, second] = [tab(), tab()];
    second.store.setPaused(true);
    expect(links[0]!.close).toHaveBeenCalled();
    expect([first.store.getState(), second.store.getState()]).toEqual([{ kind: 'paused' }, { kind: 'paused' }]);
    first.store.setPaused(false);
    expect(links).toHaveLength(2);
  });

  it('connects by itself where the browser has no locks', () => {
    vi.stubGlobal('navigator', {});
    tab();
    tab();
    expect(links).toHaveLength(2);
  });
});
