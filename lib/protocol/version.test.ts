import { describe, expect, it } from 'vitest';
import { describeMisfit, PROTOCOL_VERSION, spokenHere } from './version';

describe('a pair of versions', () => {
  const older = { protocol: PROTOCOL_VERSION - 1, protocolMin: PROTOCOL_VERSION - 1 };
  const newer = { protocol: PROTOCOL_VERSION + 1, protocolMin: PROTOCOL_VERSION };

  it('fits when they are one step apart', () => {
    for (const other of [spokenHere, older, newer]) {
      expect(describeMisfit(other, spokenHere)).toBe('');
      expect(describeMisfit(spokenHere, other)).toBe('');
    }
  });

  it('says which side to upgrade when they have no version in common', () => {
    const far = { protocol: 9, protocolMin: 8 };
    expect(describeMisfit(far, { protocol: 2, protocolMin: 1 })).toBe(
      'The agent speaks protocol 8 to 9, the console 1 to 2. Upgrade the console.',
    );
    expect(describeMisfit({ protocol: 2, protocolMin: 2 }, far)).toBe(
      'The agent speaks protocol 2, the console 8 to 9. Upgrade the agent.',
    );
  });
});
