import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openQuery } from './log-query';
import { LogStore } from './log-store';

let store: LogStore;
const flush = () => vi.advanceTimersByTime(250);
const texts = () => store.getView().lines.map((line) => line.plain);
const hits = () => {
  const { lines, hits } = store.getView();
  return hits.map((seq) => lines.find((line) => line.seq === seq)?.plain);
};
const numbers = () => store.getView().lines.map(({ seq }) => seq + (store.getView().base ?? NaN));
const raw = (...texts: string[]) => texts.map((text) => ({ text }));

beforeEach(() => {
  vi.useFakeTimers();
  store = new LogStore();
});
afterEach(() => vi.useRealTimers());

describe('a log', () => {
  it('shows at once what has come, where no more is to come', () => {
    store.push('one');
    store.flush();
    expect(texts()).toEqual(['one']);
  });

  it('keeps no more lines than it is told', () => {
    const small = new LogStore({ kept: 100 });
    for (let index = 1; index <= 250; index += 1) {
      small.push(String(index));
      small.flush();
      expect(small.getView().lines.length).toBeLessThanOrEqual(100);
    }
    expect(small.getView().lines.at(-1)?.plain).toBe('250');
    expect(small.getView().dropped + small.getView().lines.length).toBe(250);
  });

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
    expect(texts()).toEqual(['POST /a']);
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

  it('shows what the search finds alone when asked to', () => {
    for (const line of ['GET /a', 'POST /a', 'GET /b']) store.push(line);
    flush();
    store.setQuery({ ...openQuery, pattern: 'get', isFiltering: true });
    expect(texts()).toEqual(['GET /a', 'GET /b']);
    store.setQuery({ ...openQuery, pattern: '', isFiltering: true, isInverted: true });
    expect(texts()).toHaveLength(3);
  });

  it('counts every level and shows some of them alone', () => {
    for (const line of ['ERROR no disk', 'warning: slow', 'info ready', 'nothing said']) store.push(line);
    flush();
    store.setQuery({ ...openQuery, levels: ['warn'] });
    expect(texts()).toEqual(['warning: slow']);
    store.setQuery({ ...openQuery, levels: ['error', 'info'] });
    expect(texts()).toEqual(['ERROR no disk', 'info ready']);
    expect(store.getView().counts).toEqual({ error: 1, warn: 1, info: 1, debug: 0 });
  });

  it('drops the oldest beyond 100,000 and says how many', () => {
    for (let index = 1; index <= 100_001; index += 1) store.push(`line ${index}`);
    flush();
    expect(store.getView()).toMatchObject({ dropped: 5_001, received: 100_001 });
    expect(texts()[0]).toBe('line 5002');
  });

  it('drops by characters too', () => {
    for (let index = 1; index <= 70; index += 1) store.push(`${index} `.padEnd(1024 * 1024, 'x'));
    flush();
    expect(store.getView().lines.length).toBeLessThanOrEqual(64);
    expect(store.getView().lines.at(-1)?.plain).toMatch(/^70 /);
  });

  it('numbers its lines once it knows what lies before them, and takes older ones before them', () => {
    for (const line of ['eight', 'nine']) store.push(line);
    flush();
    expect(store.getView().base).toBeUndefined();
    store.setNumber(1, 7);
    expect(numbers()).toEqual([8, 9]);
    store.prepend(raw('six', 'seven'));
    expect([numbers(), texts()]).toEqual([
      [6, 7, 8, 9],
      ['six', 'seven', 'eight', 'nine'],
    ]);
    store.push('ten');
    flush();
    expect(numbers().at(-1)).toBe(10);
    expect(store.getView()).toMatchObject({ isDetached: false, first: { plain: 'six' } });
  });

  it('holds 100,134 lines that were loaded from the end to the beginning', () => {
    for (let index = 90_135; index <= 100_134; index += 1) store.push(String(index));
    flush();
    store.setNumber(1, 90_134);
    store.prepend(Array.from({ length: 90_134 }, (_, index) => ({ text: String(index + 1) })));
    const { lines, isDetached } = store.getView();
    expect([lines.length, lines[0]?.plain, lines.at(-1)?.plain, isDetached]).toEqual([100_134, '1', '100134', false]);
  });

  it('shows a stretch from elsewhere, which new lines do not lengthen', () => {
    store.push('last');
    flush();
    store.setNumber(1, 999);
    store.replace([{ text: 'five', number: 5 }]);
    store.push('newer');
    flush();
    expect([texts(), numbers()]).toEqual([['five'], [5]]);
    expect(store.getView()).toMatchObject({ isDetached: true, received: 2 });
  });

  it('knows hits where nothing is loaded, and shows them only among what is left out of', () => {
    for (const line of ['error late', 'quiet']) store.push(line);
    flush();
    store.setNumber(1, 99);
    store.setQuery({ ...openQuery, pattern: 'error' });
    store.setOutside([{ text: 'error early', number: 3 }]);
    expect(store.getView().hits).toEqual([3 - 99, 1]);
    expect(texts()).toEqual(['error late', 'quiet']);
    store.setQuery({ ...openQuery, pattern: 'error', isFiltering: true });
    expect([texts(), numbers()]).toEqual([
      ['error early', 'error late'],
      [3, 100],
    ]);
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
