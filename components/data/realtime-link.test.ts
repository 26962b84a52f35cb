import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openRealtimeLink, type LinkState, type RecordChange } from './realtime-link';

const send = vi.fn(() => Promise.resolve());
vi.mock('./client', () => ({ ready: () => Promise.resolve({ send }) }));

type Listener = (event: { data: string; lastEventId: string }) => void;

/** A connection whose server is the test. */
class FakeSource {
  static opened: FakeSource[] = [];
  onerror: (() => void) | undefined;
  isClosed = false;
  private readonly listeners = new Map<string, Listener>();
  constructor(readonly url: string) {
    FakeSource.opened.push(this);
  }
  addEventListener(name: string, listener: Listener): void {
    this.listeners.set(name, listener);
  }
  say(name: string, data = '', lastEventId = ''): void {
    this.listeners.get(name)?.({ data, lastEventId });
  }
  close(): void {
    this.isClosed = true;
  }
}

const states: LinkState['kind'][] = [];
const changes: RecordChange[] = [];
const onConnect = vi.fn();
const open = () =>
  openRealtimeLink(['hosts/*'], {
    onState: (state) => states.push(state.kind),
    onChange: (change) => changes.push(change),
    onConnect,
  });
const last = () => FakeSource.opened.at(-1)!;
const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', FakeSource);
  FakeSource.opened = [];
  states.length = 0;
  changes.length = 0;
  onConnect.mockClear();
  send.mockReset().mockResolvedValue();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the realtime link', () => {
  it('subscribes with the id it is given and is live once that was answered', async () => {
    open();
    last().say('PB_CONNECT', '', 'client-1');
    await settle();
    expect(send).toHaveBeenCalledWith('/api/realtime', {
      method: 'POST',
      body: { clientId: 'client-1', subscriptions: ['hosts/*'] },
    });
    expect(states).toEqual(['connecting', 'live']);
    expect(onConnect).toHaveBeenCalledOnce();
  });

  it('passes on changes and leaves out what can not be read', () => {
    open();
    last().say('hosts/*', '{"action":"update","record":{"id":"a","collectionName":"hosts"}}');
    last().say('hosts/*', '{"action":');
    expect(changes).toEqual([{ action: 'update', record: { id: 'a', collectionName: 'hosts' } }]);
  });

  it('waits longer after each failure, and short again once it was live', async () => {
    open();
    for (const delayMs of [200, 300, 500]) {
      last().onerror?.();
      const before = FakeSource.opened.length;
      await vi.advanceTimersByTimeAsync(delayMs - 1);
      expect(FakeSource.opened).toHaveLength(before);
      await vi.advanceTimersByTimeAsync(1);
      expect(FakeSource.opened).toHaveLength(before + 1);
    }
    last().say('PB_CONNECT', '', 'client-2');
    await settle();
    last().onerror?.();
    await vi.advanceTimersByTimeAsync(200);
    expect(FakeSource.opened).toHaveLength(5);
  });

  it('tries again when the subscription is refused or never comes', async () => {
    send.mockRejectedValueOnce(new Error('refused'));
    open();
    last().say('PB_CONNECT', '', 'client-1');
    await settle();
    expect(states.at(-1)).toBe('waiting');
    await vi.advanceTimersByTimeAsync(200);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(states.at(-1)).toBe('waiting');
    expect(FakeSource.opened[1]!.isClosed).toBe(true);
  });

  it('stays closed once it was closed', async () => {
    const close = open();
    close();
    last().onerror?.();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(FakeSource.opened).toHaveLength(1);
    expect(last().isClosed).toBe(true);
  });
});
