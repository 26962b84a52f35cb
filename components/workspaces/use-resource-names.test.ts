import { expect, it } from 'vitest';
import { idsIn } from './use-resource-names';

const mount = (volumeId: string) => ({ volumeId, path: '/data', readOnly: false });

it('finds the ids of volumes and networks, each once, and nothing else', () => {
  const changes = [
    { field: 'volumes', from: [mount('aaaaaaaaaaaaaaa')], to: [mount('aaaaaaaaaaaaaaa'), mount('bbbbbbbbbbbbbbb')] },
    { field: 'networks', from: null, to: ['ccccccccccccccc', "x' || id != '"] },
    { field: 'name', from: 'ddddddddddddddd', to: 'x' },
  ];
  expect(idsIn(changes, 'volumes')).toEqual(['aaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbb']);
  expect(idsIn(changes, 'networks')).toEqual(['ccccccccccccccc']);
});
