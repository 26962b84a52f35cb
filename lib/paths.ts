/** Every address of the console, so that no link is put together by hand. */
export const paths = {
  home: '/',
  login: (redirect?: string) => (redirect ? `/login?redirect=${encodeURIComponent(redirect)}` : '/login'),
  firstSteps: '/first-steps',
  workspaces: '/workspaces',
  workspaceCreate: '/workspaces/create',
  workspace: (id: string, tab?: string) => (tab ? `/workspace/${id}?tab=${tab}` : `/workspace/${id}`),
  workspaceLogs: (id: string) => `/workspace/${id}/logs`,
  images: '/images',
  imageCreate: '/images/create',
  imagePull: '/images/create?tab=pull',
  image: (id: string, tab?: string) => (tab ? `/image/${id}?tab=${tab}` : `/image/${id}`),
  hosts: '/hosts',
  hostAdd: '/hosts?add=1',
  host: (id: string, tab?: string) => (tab ? `/host/${id}?tab=${tab}` : `/host/${id}`),
  users: '/users',
  userCreate: '/users/create',
} as const;
