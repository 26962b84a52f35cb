import 'server-only';
import type { Area } from '@/lib/http/area';
import { users } from './collection';
import { accountRoutes } from './routes';
import { apiTokenRoutes } from './security/api-token-routes';
import { passkeyRoutes } from './security/passkey-routes';
import { secondFactorRoutes } from './security/second-factor-routes';
import { sessionRoutes } from './security/session-routes';
import { adminRoutes } from './sign-in/admin-routes';
import { authRoutes } from './sign-in/auth-routes';
import { oauthRoutes } from './sign-in/oauth-routes';
import { setupRoutes } from './sign-in/setup-routes';
import { registerStanding } from './standing';

export const accountsArea = {
  collections: [users],
  routes: [
    ...accountRoutes,
    ...apiTokenRoutes,
    ...passkeyRoutes,
    ...secondFactorRoutes,
    ...sessionRoutes,
    ...adminRoutes,
    ...authRoutes,
    ...oauthRoutes,
    ...setupRoutes,
  ],
  start: registerStanding,
} satisfies Area;
