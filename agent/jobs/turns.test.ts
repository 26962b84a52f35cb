import { describe, expect, it } from 'vitest';
import { inTurn } from './turns';

const queue = (text: string) => text.split(' ').map((name) => ({ owner: name[0]!, name }));
const names = (items: { name: string }[]) => items.map(({ name }) => name).join(' ');

describe('turns', () => {
  it('go round, however much one person asks for', () => {
    const waiting = queue('a1 a2 a3 b1 a4 c1 b2');
    expect(names(inTurn(waiting, { running: new Map(), lastBegun: new Map() }))).toBe('a1 b1 c1 a2 b2 a3 a4');
  });

  it('begin with who has least under way, then with who waited longest', () => {
    const turns = {
      running: new Map([['a', 1]]),
      lastBegun: new Map([
        ['b', 5],
        ['c', 3],
      ]),
    };
    expect(names(inTurn(queue('a1 b1 c1'), turns))).toBe('c1 b1 a1');
  });
});
