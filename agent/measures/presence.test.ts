import { describe, expect, it } from 'vitest';
import { Presence } from './presence';

const quiet = [{ id: 'lab', seconds: 3600 }];

describe('who is in a workspace', () => {
  it('counts as use while somebody is there, and from when they went', () => {
    let now = 1_000_000;
    const presence = new Presence({ now: () => now } as never);
    expect(presence.limit(quiet)).toEqual(quiet);
    const terminal = { isClosed: false };
    const tunnel = { isClosed: false };
    presence.note('lab', terminal);
    presence.note('lab', tunnel);
    expect(presence.limit(quiet)).toEqual([{ id: 'lab', seconds: 0 }]);
    terminal.isClosed = true;
    now += 60_000;
    expect(presence.limit(quiet)).toEqual([{ id: 'lab', seconds: 0 }]);
    tunnel.isClosed = true;
    expect(presence.limit(quiet)).toEqual([{ id: 'lab', seconds: 0 }]);
    now += 120_000;
    expect(presence.limit(quiet)).toEqual([{ id: 'lab', seconds: 120 }]);
    expect(presence.limit([{ id: 'lab', seconds: 30 }])).toEqual([{ id: 'lab', seconds: 30 }]);
  });
});
