import { describe, expect, it } from 'vitest';
import { targetOf } from './local-link';
import { isAnswer } from './terminal-link';

const addresses = [{ port: 8888, url: 'http://berth.example:32770' }];

describe('a link of a terminal', () => {
  it.each([
    ['http://localhost:8888/lab?token=a#b', { kind: 'open', url: 'http://berth.example:32770/lab?token=a#b' }],
    ['https://127.0.0.1:8888/', { kind: 'open', url: 'https://berth.example:32770/' }],
    ['http://0.0.0.0:5173', { kind: 'unpublished', port: 5173 }],
    ['http://localhost', { kind: 'unpublished', port: 80 }],
    ['https://example.org/x', { kind: 'open', url: 'https://example.org/x' }],
    ['javascript:alert(1)', { kind: 'none' }],
    ['file:///etc/passwd', { kind: 'none' }],
    ['no address', { kind: 'none' }],
  ])('%s', (text, target) => expect(targetOf(text, addresses)).toEqual(target));
});

describe('what a terminal says by itself', () => {
  it('is told from keys', () => {
    for (const text of [
      '\u001b[24;80R',
      '\u001b[?1;2c',
      '\u001b[>0;276;0c',
      '\u001b]11;rgb:0b/0e/0f\u001b\\',
      '\u001b[I',
      '\u001bP1$r0m\u001b\\',
    ]) {
      expect(isAnswer(text)).toBe(true);
    }
    for (const text of [
      'a',
      '\r',
      '\u001b[A',
      '\u001b',
      '\u001b[200~paste\u001b[201~',
      '\u001b[<0;3;4M',
      '\u001b[15~',
      'c',
    ]) {
      expect(isAnswer(text)).toBe(false);
    }
  });
});
