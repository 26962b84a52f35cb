import { expect, it } from 'vitest';
import { isOffered, navItemOf, navItems } from './nav-items';

it.each([
  ['/workspaces', 'workspaces'],
  ['/workspaces/create', 'workspaces'],
  ['/image/abc', 'images'],
  ['/host/abc', 'hosts'],
  ['/users', 'users'],
  ['/profile', undefined],
])('%s lies in %s', (pathname, key) => expect(navItemOf(pathname)?.key).toBe(key));

it('offers the audit log to admins alone', () => {
  const offered = (isAdmin: boolean) => navItems.filter((item) => isOffered(item, { isAdmin })).map((item) => item.key);
  expect(offered(true)).toEqual(['workspaces', 'images', 'hosts', 'users', 'audit']);
  expect(offered(false)).toEqual(['workspaces', 'images', 'hosts', 'users']);
});
