import { describe, expect, it } from 'vitest';
import { parseRange } from '../../../lib/protocol/ipv4-range';
import { listFreeSubnets } from './free-subnet';

describe('subnets of the pool', () => {
  it('are those that nothing overlaps, larger or smaller', () => {
    expect(listFreeSubnets('10.9.0.0/22', ['10.9.1.128/25', '10.9.2.7/24', 'fe80::1/64'])).toEqual([
      '10.9.0.0/24',
      '10.9.3.0/24',
    ]);
    expect(listFreeSubnets('172.30.0.0/16', ['172.16.0.0/12'])).toEqual([]);
    expect(listFreeSubnets('172.30.0.0/16', ['172.31.0.0/16'])).toHaveLength(256);
    expect(listFreeSubnets('255.255.255.0/24', [])).toEqual(['255.255.255.0/24']);
  });

  it('are none where the pool is no range', () => {
    for (const pool of ['', '10.0.0.0', '10.0.0.256/24', '10.0.0.0/33', '::/0']) expect(parseRange(pool)).toBeNull();
    expect(listFreeSubnets('none', [])).toEqual([]);
  });
});
