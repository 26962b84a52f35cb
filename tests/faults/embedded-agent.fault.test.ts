import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type ConsoleProcess, eventually, startConsole } from '../setup/console-process';
import { setUp } from '../setup/journey';

describe('an embedded agent that can not start', () => {
  let berth: ConsoleProcess | undefined;

  afterEach(() => berth?.dispose());

  it('names its damaged file, and the console serves without it', async () => {
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-console-'));
    const file = path.join(dataDir, 'local-agent', 'identity.json');
    fs.mkdirSync(path.dirname(file));
    fs.writeFileSync(file, '{"privateKey":');
    berth = await startConsole({ dataDir, env: { BERTH_LOCAL_AGENT: 'simulated' } });
    const output = berth.output.bind(berth);
    await eventually('the log names the file', () => output().includes(`${file} is damaged`));
    const pb = await setUp(berth.url);
    expect((await pb.collection('workspaces').getList()).totalItems).toBe(0);
  });
});
