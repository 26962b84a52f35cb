import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { setUp, signIn } from '../setup/journey';

vi.setConfig({ testTimeout: 60_000 });

const env = { BERTH_LOCAL_AGENT: 'off' };
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-key-'));
let berth: ConsoleProcess;

beforeAll(async () => {
  berth = await startConsole({ env, dataDir: path.join(root, 'data') });
  await setUp(berth.url);
  await berth.kill('SIGTERM');
});
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

const key = () => path.join(berth.dataDir, 'secret.key');

/** What a start says that does not get going; fails when it does. */
async function refusal(): Promise<string> {
  return berth.restart().then(
    async (running) => {
      await running.kill('SIGKILL');
      return 'it started';
    },
    (error: Error) => error.message,
  );
}

describe('a console whose secret.key is not the one of its data does not start, and says what to restore', () => {
  it.each([
    [
      'another',
      'x'.repeat(64),
      /exit 1[^]*secret\.key in .* is not the secret that this data was made with\. Put back/,
    ],
    ['empty', '', /exit 1[^]*secret\.key is empty\. Put back/],
    ['gone', undefined, /exit 1[^]*There is no secret\.key in .*\. Put back/],
  ])('%s', async (_, text, words) => {
    const own = fs.readFileSync(key(), 'utf8');
    if (text === undefined) fs.rmSync(key());
    else fs.writeFileSync(key(), text);
    expect(await refusal()).toMatch(words);
    expect(fs.existsSync(key())).toBe(text !== undefined);
    fs.writeFileSync(key(), own, { mode: 0o600 });
  });

  it('unless it is told that the one before is lost', async () => {
    fs.writeFileSync(key(), 'y'.repeat(64));
    const running = await berth.restart({ BERTH_NEW_SECRET: 'accept' });
    await signIn(running.url, 'mara');
    await running.kill('SIGTERM');
    const again = await berth.restart();
    await again.kill('SIGTERM');
  });
});
