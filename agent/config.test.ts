import { describe, expect, it } from 'vitest';
import { parseAgentEnv } from './config';

const url = { BERTH_CONSOLE_URL: 'http://console:3000/' };

describe('the settings of the agent', () => {
  it('has defaults for all but the console', () => {
    expect(parseAgentEnv(url)).toMatchObject({ consoleUrl: 'http://console:3000', engine: 'docker', logLevel: 'info' });
    expect(() => parseAgentEnv({})).toThrow('BERTH_CONSOLE_URL');
  });

  it('refuses kubernetes with a clear sentence', () => {
    expect(() => parseAgentEnv({ ...url, BERTH_ENGINE: 'kubernetes' })).toThrow('not supported by this agent yet');
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
