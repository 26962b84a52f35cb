import { describe, expect, it } from 'vitest';
import { PlainInput, PlainOutput } from './docker-attach';
import { readMark } from '../../terminal-mark';

function frame(text: string, source = 1): Buffer {
  const head = Buffer.from([source, 0, 0, 0, 0, 0, 0, 0]);
  head.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([head, Buffer.from(text)]);
}

describe('a process without a terminal', () => {
  it('prints lines as a terminal wants them, however its frames are cut', () => {
    const bytes = Buffer.concat([frame('eins\nzwei\r\n'), frame('drei\r', 2), frame('\n\nvier')]);
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const decoder = new PlainOutput();
      let text = '';
      for (let at = 0; at < bytes.length; at += cut) text += decoder.push(bytes.subarray(at, at + cut)).toString();
      expect(text).toBe('eins\r\nzwei\r\ndrei\r\n\r\nvier');
    }
  });

  it('gets whole lines, which are shown as they are typed and can be mended', () => {
    const input = new PlainInput();
    const { echo, send } = input.type(Buffer.from('grü\u007f\u007fut\r'));
    expect(send.toString()).toBe('gut\n');
    expect(echo.toString()).toBe('grü\b \b\b \but\r\n');
    expect(input.type(Buffer.from('\u007fx\u0003')).send).toHaveLength(0);
  });
});

describe('the mark of a shell', () => {
  const stat = `S 0 41 41 34816 41 4194560 ${Array.from({ length: 12 }, () => '0').join(' ')} 777 0 0`;
  it('is taken off what the terminal prints, whole or not at all', () => {
    const bytes = Buffer.from(`\u001b]7700;41;bash;${stat}\u0007hello`);
    expect(readMark(bytes)).toEqual({ found: { program: 'bash', mark: '41 777' }, rest: Buffer.from('hello') });
    expect(readMark(bytes.subarray(0, 20))).toBeUndefined();
    expect(readMark(Buffer.from('OCI runtime exec failed'))?.found).toBeUndefined();
  });
});
