import { describe, expect, it } from 'vitest';
import { parseAgentEnv } from './config';

const url = { BERTH_CONSOLE_URL: 'https://console:3000/' };

describe('the settings of the agent', () => {
  it('has defaults for all but the console', () => {
    expect(parseAgentEnv(url)).toMatchObject({
      consoleUrl: 'https://console:3000',
      engine: 'docker',
      logLevel: 'info',
    });
    expect(() => parseAgentEnv({})).toThrow('BERTH_CONSOLE_URL');
  });

  it('takes plain http to this machine alone, unless that is said to be fine', () => {
    const plain = (host: string, more = {}) => parseAgentEnv({ BERTH_CONSOLE_URL: `http://${host}:3000`, ...more });
    for (const host of ['console', '10.0.0.5', 'localhost.example.org']) {
      expect(() => plain(host)).toThrow('BERTH_ALLOW_HTTP=1');
      expect(plain(host, { BERTH_ALLOW_HTTP: '1' }).consoleUrl).toBe(`http://${host}:3000`);
    }
    for (const host of ['localhost', 'berth.localhost', '127.0.0.1', '[::1]']) {
      expect(plain(host).consoleUrl).toBe(`http://${host}:3000`);
    }
  });

  it('refuses kubernetes with a clear sentence', () => {
    expect(() => parseAgentEnv({ ...url, BERTH_ENGINE: 'kubernetes' })).toThrow('not supported by this agent yet');
  });

  it('takes a range of addresses for networks and nothing else', () => {
    expect(parseAgentEnv({ ...url, BERTH_NETWORK_POOL: '10.7.0.0/16' }).networkPool).toBe('10.7.0.0/16');
    expect(() => parseAgentEnv({ ...url, BERTH_NETWORK_POOL: '10.7.0.0' })).toThrow('such as 172.30.0.0/16');
  });

  it('takes proxies in either spelling and splits the bind roots', () => {
    const settings = parseAgentEnv({
      ...url,
      https_proxy: 'http://p:1',
      NO_PROXY: 'a',
      BERTH_BIND_ROOTS: '/srv:/data/',
    });
    expect(settings.proxy).toEqual({ httpsProxy: 'http://p:1', httpProxy: undefined, noProxy: 'a' });
    expect(settings.bindRoots).toEqual(['/srv', '/data']);
  });
});
