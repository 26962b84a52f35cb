import { describe, expect, it } from 'vitest';
import { bringCommand, consoleAddress, isLoopback, isPulled, joinCommand } from './join-command';

describe('the command that joins a host', () => {
  const join = { consoleUrl: 'https://berth.example.org', hostName: 'hopper', token: 'secret-1', consoleKey: 'key-1' };
  const agentImage = 'registry.example.org/berth:1';

  it.each(['docker', 'compose', 'npm'] as const)('hands over address, name and token with %s', (way) => {
    const command = joinCommand(way, { ...join, agentImage });
    for (const value of Object.values(join)) expect(command).toContain(value);
  });

  it('says that plain http is fine where the console has nothing better', () => {
    for (const way of ['docker', 'compose', 'npm'] as const) {
      expect(joinCommand(way, { ...join, agentImage })).not.toContain('BERTH_ALLOW_HTTP');
      const plain = joinCommand(way, { ...join, agentImage, consoleUrl: 'http://10.0.0.5:3000' });
      expect(plain).toMatch(way === 'compose' ? /BERTH_ALLOW_HTTP: '1'/ : /BERTH_ALLOW_HTTP='1'/);
    }
  });

  it('continues every line but the last on a command line', () => {
    for (const way of ['docker', 'npm'] as const) {
      const lines = joinCommand(way, { ...join, agentImage }).split('\n');
      expect(lines.map((line) => line.endsWith('\\'))).toEqual(lines.map((_, index) => index < lines.length - 1));
    }
  });

  it('names the agent’s image where one is run', () => {
    for (const way of ['docker', 'compose'] as const)
      expect(joinCommand(way, { ...join, agentImage })).toContain(agentImage);
    expect(joinCommand('npm', { ...join, agentImage })).not.toContain(agentImage);
  });
});

it.each([
  ['http://localhost:3000', true],
  ['http://127.0.0.1:3000', true],
  ['http://[::1]:3000', true],
  ['http://berth.localhost', true],
  ['http://10.0.0.5:3000', false],
  ['https://localhost.example.org', false],
])('%s leads to the machine it is used on: %s', (url, is) => expect(isLoopback(url)).toBe(is));

it('another machine gets the address that is set up, unless that is loopback and the viewer’s is not', () => {
  expect(consoleAddress('https://berth.example.org', 'http://localhost:3000')).toBe('https://berth.example.org');
  expect(consoleAddress('https://berth.example.org', 'http://10.0.0.5')).toBe('https://berth.example.org');
  expect(consoleAddress('http://localhost:3000', 'http://10.0.0.5')).toBe('http://10.0.0.5');
  expect(consoleAddress('http://localhost:3000', 'http://127.0.0.1:3000')).toBe('http://localhost:3000');
});

it('an image without a registry is brought to the host', () => {
  expect([isPulled('berth:latest'), isPulled('registry:5000/berth'), isPulled('team/berth:2')]).toEqual([
    false,
    true,
    true,
  ]);
  expect(bringCommand('berth:latest', 'hopper')).toBe('docker save berth:latest | ssh root@hopper docker load');
});
