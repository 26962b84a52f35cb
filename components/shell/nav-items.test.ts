import { expect, it } from 'vitest';
import { isOffered, navItemOf, navItems } from './nav-items';

it.each([
  ['/workspaces', 'workspaces'],
  ['/workspaces/create', 'workspaces'],
  ['/workspaces/templates', 'templates'],
  ['/workspaces/templates/create', 'templates'],
  ['/images/templates', 'templates'],
  ['/templates', 'templates'],
  ['/images/create', 'images'],
  ['/image/abc', 'images'],
  ['/host/abc', 'hosts'],
  ['/volumes/create', 'volumes'],
  ['/network/abc', 'networks'],
  ['/domains/create', 'domains'],
  ['/file/abc', 'files'],
  ['/users', 'users'],
  ['/groups/create', 'groups'],
  ['/group/abc', 'groups'],
  ['/api-reference', 'reference'],
  ['/profile', undefined],
])('%s lies in %s', (pathname, key) => expect(navItemOf(pathname)?.key).toBe(key));

it('offers the audit log to admins alone', () => {
  const offered = (isAdmin: boolean) => navItems.filter((item) => isOffered(item, { isAdmin })).map((item) => item.key);
  expect(offered(true)).toEqual([
    'workspaces',
    'images',
    'templates',
    'files',
    'hosts',
    'volumes',
    'networks',
    'domains',
    'users',
    'groups',
    'audit',
    'reference',
  ]);
  expect(offered(false)).toEqual([
    'workspaces',
    'images',
    'templates',
    'files',
    'hosts',
    'volumes',
    'networks',
    'domains',
    'users',
    'reference',
  ]);
});
