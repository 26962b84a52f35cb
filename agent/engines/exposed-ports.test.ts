import { expect, it } from 'vitest';
import { readExposedPorts } from './exposed-ports';

it('reads what an image says that it listens on, smallest first', () => {
  expect(readExposedPorts(['8888/tcp', '53/UDP', '80', '9000-9010', '$PORT', '70000', '0/tcp'])).toEqual([
    { containerPort: 53, protocol: 'udp' },
    { containerPort: 80, protocol: 'tcp' },
    { containerPort: 8888, protocol: 'tcp' },
  ]);
});
