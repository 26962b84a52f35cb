import { ZodType } from 'zod';
import { expect } from 'vitest';
import { apiRoutes } from '@/lib/api/kernel';
import { createRouter } from '@/lib/http/router';

const router = createRouter(apiRoutes);
const routeOf = new Map(apiRoutes.map((route) => [route.handle, route]));

/** Fails unless a good answer is what the description of its call says; those cut by `fields` are not looked at. */
export function expectDescribed(
  method: string,
  url: string,
  { status, json }: { status: number; json: unknown },
): void {
  const { pathname, searchParams } = new URL(url, 'http://berth.test');
  const match = router.match(method, pathname);
  const about = match && routeOf.get(match.handle)?.about;
  if (!about || status >= 300 || searchParams.get('fields')) return;
  expect(`${status} ${method} ${pathname}`).toBe(`${about.status} ${method} ${pathname}`);
  if (about.answer instanceof ZodType) {
    expect({ pathname, problems: about.answer.safeParse(json).error?.issues }).toEqual({ pathname });
  }
}
