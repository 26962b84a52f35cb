import 'server-only';
import { cookies } from 'next/headers';
import { cache } from 'react';
import { accountOfSession, SESSION_COOKIE } from './sessions';

/** The signed-in person as pages show them. */
export interface Viewer {
  id: string;
  username: string;
  name: string;
  email: string;
  avatar: string;
  isAdmin: boolean;
}

/** Who looks at the page, by the session cookie; null when signed out. Read once per request. */
export const getViewer = cache(async (): Promise<Viewer | null> => {
  const sessionId = (await cookies()).get(SESSION_COOKIE)?.value ?? null;
  const account = await accountOfSession(sessionId);
  if (!account) return null;
  const { id, username, name, email, avatar, isAdmin } = account;
  return { id, username, name, email, avatar, isAdmin };
});
