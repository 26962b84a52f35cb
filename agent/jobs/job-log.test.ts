import { describe, expect, it, vi } from 'vitest';
import { JobLog } from './job-log';

function collect(held = 0) {
  let last = held;
  let text = '';
  let failures = 0;
  const log = new JobLog({
    send: (chunks) => {
      if (failures > 0) {
        failures -= 1;
        return Promise.reject(new Error('away'));
      }
      for (const chunk of chunks) {
        if (chunk.sequence !== last + 1) continue;
        last = chunk.sequence;
        text += chunk.text;
      }
      return Promise.resolve(last);
    },
    random: () => 0,
    onError: () => undefined,
  });
  return { log, text: () => text, fail: (times: number) => (failures = times) };
}

describe('a job log', () => {
  it('arrives whole and once, also after failures', async () => {
    const { log, text, fail } = collect();
    fail(2);
    const lines = Array.from({ length: 5000 }, (_, index) => `line ${index}\n`);
    for (const line of lines) log.append(line);
    await log.flush(10_000);
    expect(text()).toBe(lines.join(''));
  });

  it('goes on after the chunks of an earlier life', async () => {
    const { log, text } = collect(7);
    log.append('again\n');
    await log.flush(5000);
    expect(text()).toBe('again\n');
  });

  it('waits for no more words once someone waits for the rest', async () => {
    const { log, text } = collect();
    log.append('first\n');
    await new Promise((resolve) => setTimeout(resolve, 20));
    log.append('second\n');
    vi.useFakeTimers();
    try {
      await log.flush(5000);
      expect(text()).toBe('first\nsecond\n');
    } finally {
      vi.useRealTimers();
    }
  });

  it('loses its middle, with a marker, when the console is away too long', async () => {
    const { log, text, fail } = collect();
    fail(1);
    log.append('first\n');
    for (let index = 0; index < 8000; index += 1) log.append(`${String(index).padStart(999, '.')}\n`);
    await log.flush(20_000);
    expect(text()).toMatch(/^first\n/);
    expect(text()).toContain('characters left out: the console was away');
    expect(text().endsWith('7999\n')).toBe(true);
    expect(text().length).toBeLessThan(4 * 1024 * 1024);
  }, 30_000);
});
