import { expect, it } from 'vitest';
import { takenPortOf } from './failure-words';

it.each([
  [
    'driver failed programming external connectivity on endpoint x: Bind for 0.0.0.0:8080 failed: port is already allocated',
    8080,
  ],
  ['failed to bind host port for 0.0.0.0:80:172.17.0.2:80/tcp: address already in use', 80],
  ['listen tcp4 127.0.0.1:5432: bind: address already in use', 5432],
  ['Bind for [::]:443 failed: port is already allocated', 443],
  ['failed to bind: address already in use', 0],
  ['executable file not found in $PATH', undefined],
])('%s is about port %s', (words, port) => expect(takenPortOf(words)).toBe(port));
