import { describe, expect, it } from 'vitest';
import { joinCommand } from './join-command';

describe('the command that joins a host', () => {
  const join = { consoleUrl: 'https://berth.example.org', hostName: 'hopper', token: 'secret-1' };

  it.each(['docker', 'compose', 'npm'] as const)('hands over address, name and token with %s', (way) => {
    const command = joinCommand(way, join);
    for (const value of Object.values(join)) expect(command).toContain(value);
  });

  it('continues every line but the last on a command line', () => {
    for (const way of ['docker', 'npm'] as const) {
      const lines = joinCommand(way, join).split('\n');
      expect(lines.map((line) => line.endsWith('\\'))).toEqual(lines.map((_, index) => index < lines.length - 1));
    }
  });
});
