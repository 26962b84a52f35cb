/** What put somebody into a group: an admin, or what the single sign-on says of them at each log-in. */
export const MEMBER_SOURCES = ['manual', 'single sign-on'] as const;
