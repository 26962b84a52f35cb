import { describe, expect, test } from 'vitest';
import { readDevice } from './device-words';

describe('a User-Agent header', () => {
  test.each([
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
      { browser: 'Chrome', system: 'Linux', isHandheld: false },
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1',
      { browser: 'Safari', system: 'iOS', isHandheld: true },
    ],
    ['curl/8.5.0', { browser: 'curl', system: '', isHandheld: false }],
    ['', { browser: '', system: '', isHandheld: false }],
    [`${'x'.repeat(300)} y`, { browser: 'x'.repeat(40), system: '', isHandheld: false }],
  ])('%j names the browser and its system', (userAgent, device) => {
    expect(readDevice(userAgent)).toEqual(device);
  });
});
