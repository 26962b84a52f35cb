import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LogStore, openQuery } from './log-store';

let store: LogStore;
const flush = () => vi.advanceTimersByTime(250);
const texts = () => store.getView().lines.map((line) => line.plain);
const hits = () => store.getView().hits.map((at) => store.getView().lines[at]?.plain);

beforeEach(() => {
  vi.useFakeTimers();
  store = new LogStore();
});
afterEach(() => vi.useRealTimers());

describe('a log', () => {
  it('shows lines together, a moment after the first of them', () => {
    const listener = vi.fn();
    store.subscribe(listener);
    store.push('one');
    store.push('two');
    expect(texts()).toEqual([]);
    flush();
    expect(texts()).toEqual(['one', 'two']);
    expect(listener).toHaveBeenCalledOnce();
  });

  it('keeps the last state of a line that was drawn anew, without its colours', () => {
    store.push('10 %\r50 %\r\u001b[32mdone\u001b[0m\r\n');
    flush();
    expect(texts()).toEqual(['done']);
    expect(store.getView().lines[0]?.text).toContain('\u001b[32m');
  });

  it('marks what the search finds, or all else', () => {
    for (const line of ['GET /a', 'POST /a', 'GET /b']) store.push(line);
    flush();
    store.setQuery({ ...openQuery, pattern: 'get' });
    expect(hits()).toEqual(['GET /a', 'GET /b']);
    store.setQuery({ ...openQuery, pattern: 'get', isCaseSensitive: true });
    expect(hits()).toEqual([]);
    store.setQuery({ ...openQuery, pattern: 'get', isInverted: true });
    expect(hits()).toEqual(['POST /a']);
    expect(store.getView().marker).toBeNull();
    store.push('PUT /a');
    flush();
    expect(hits()).toEqual(['POST /a', 'PUT /a']);
  });

  it('takes the pattern as it is unless it is a regular expression, and says when that is none', () => {
    for (const line of ['a.c', 'abc']) store.push(line);
    flush();
    store.setQuery({ ...openQuery, pattern: 'a.c' });
    expect(hits()).toEqual(['a.c']);
    store.setQuery({ ...openQuery, pattern: 'a.c', isRegex: true });
    expect(hits()).toEqual(['a.c', 'abc']);
    store.setQuery({ ...openQuery, pattern: '(', isRegex: true });
    expect(store.getView()).toMatchObject({ isPatternWrong: true, hits: [] });
  });

  it('counts every level and shows one of them alone', () => {
    for (const line of ['ERROR no disk', 'warning: slow', 'info ready', 'nothing said']) store.push(line);
    flush();
    store.setQuery({ ...openQuery, level: 'warn' });
    expect(texts()).toEqual(['warning: slow']);
    expect(store.getView().counts).toEqual({ error: 1, warn: 1, info: 1, debug: 0 });
  });

  it('drops the oldest beyond 100,000 and says how many', () => {
    for (let index = 1; index <= 100_001; index += 1) store.push(`line ${index}`);
    flush();
    expect(store.getView()).toMatchObject({ dropped: 5_001, received: 100_001 });
    expect(texts()[0]).toBe('line 5002');
  });

  it('begins anew when it is cleared, with the lines that wait', () => {
    store.push('shown');
    flush();
    store.push('waiting');
    store.clear();
    flush();
    expect(store.getView()).toMatchObject({ lines: [], received: 0 });
  });
});
