import { describe, expect, it } from 'vitest';
import type { AuditRecord } from '@/components/data/types';
import { hrefOf } from './audit-words';
import { clientWords } from './client-words';

const entry = (rest: Partial<AuditRecord>) =>
  ({
    collection: 'hosts',
    record: 'h1',
    recordName: 'hopper',
    action: 'host.update',
    details: {},
    ...rest,
  }) as AuditRecord;

describe('the page of what an audit entry is about', () => {
  it.each([
    [entry({}), '/host/h1'],
    [entry({ action: 'host.delete' }), undefined],
    [entry({ record: '' }), undefined],
    [entry({ collection: 'settings' }), undefined],
    [
      entry({
        action: 'permission.delete',
        collection: 'image_permissions',
        details: { resource: { collection: 'images', id: 'i1' } },
      }),
      '/image/i1?tab=permissions',
    ],
    [entry({ collection: 'quotas', action: 'quota.update', details: { user: 'u1' } }), '/user/u1?tab=quota'],
    [entry({ collection: 'quotas', action: 'quota.delete', details: { group: 'g1' } }), '/group/g1?tab=quota'],
    [entry({ collection: 'quotas', action: 'quota.create' }), '/settings?tab=quotas'],
  ])('of %j is %s', (row, href) => expect(hrefOf(row)).toBe(href));
});

it.each([
  ['', ''],
  ['curl/8.5.0', ''],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    'Chrome 142, Linux',
  ],
])('names the browser behind "%s"', (userAgent, words) => expect(clientWords(userAgent)).toBe(words));
