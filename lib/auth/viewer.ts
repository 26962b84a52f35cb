import 'server-only';
import { cookies } from 'next/headers';
import { cache } from 'react';
import { accountOfSession, sessionIdOf } from './sessions';

/** The signed-in person as pages show them. */
export interface Viewer {
  id: string;
  username: string;
  name: string;
  email: string;
  avatar: string;
  isAdmin: boolean;
  /** Of the interface, as a tag; empty for the browser's. */
  language: string;
}

/** Who looks at the page, by the session cookie; null when signed out. Read once per request. */
export const getViewer = cache(async (): Promise<Viewer | null> => {
  const sent = await cookies();
  const account = await accountOfSession(sessionIdOf((name) => sent.get(name)?.value));
  if (!account) return null;
  const { id, username, name, email, avatar, isAdmin, language } = account;
  return { id, username, name, email, avatar, isAdmin, language };
});
