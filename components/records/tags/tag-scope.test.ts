import { describe, expect, it } from 'vitest';
import { NO_TEMPLATE, ONLY_TEMPLATES } from '@/components/data/templates';
import { tagScopeOf } from './tag-scope';

describe('the records whose tags a list asks for', () => {
  it.each([
    ['workspaces', NO_TEMPLATE, { kind: 'workspaces', template: false }],
    ['images', ONLY_TEMPLATES, { kind: 'images', template: true }],
    ['hosts', '', { kind: 'hosts' }],
    ['users', NO_TEMPLATE, {}],
  ] as const)('%s with %j are %j', (collection, baseFilter, scope) => {
    expect(tagScopeOf({ collection, baseFilter })).toEqual(scope);
  });
});
