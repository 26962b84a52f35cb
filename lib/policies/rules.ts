/** Who may act, as data: read once as a yes or no for a record, and once as a SQL condition for lists. */
export type Rule =
  | { readonly kind: 'admin' }
  | { readonly kind: 'signedIn' }
  | { readonly kind: 'nobody' }
  | { readonly kind: 'owner' }
  | { readonly kind: 'self'; readonly field: string }
  | { readonly kind: 'member'; readonly field: string }
  | { readonly kind: 'grant'; readonly resource: GrantedResource; readonly flags: readonly string[] }
  | { readonly kind: 'through'; readonly field: string; readonly collection: string; readonly rule: Rule }
  | { readonly kind: 'anyOf'; readonly rules: readonly Rule[] }
  | { readonly kind: 'allOf'; readonly rules: readonly Rule[] };

/** Where it is kept who is in which group: a row each. */
export const memberships = { collection: 'group_members', user: 'user', group: 'group' } as const;

/** Where the flags that users and groups were given on a resource are kept. */
export const grantTables = {
  hosts: {
    collection: 'host_permissions',
    field: 'host',
    flags: [
      'view',
      'canCreateImages',
      'canCreateWorkspaces',
      'canCreateBindMounts',
      'canCreateNetworks',
      'canCreateVolumeMounts',
    ],
  },
  images: {
    collection: 'image_permissions',
    field: 'image',
    flags: ['view', 'deploy', 'build', 'modify', 'delete'],
  },
  workspaces: {
    collection: 'workspace_permissions',
    field: 'workspace',
    flags: ['view', 'deploy', 'attach', 'modify', 'delete'],
  },
  volumes: { collection: 'volume_permissions', field: 'volume', flags: ['attach', 'modify', 'delete'] },
  networks: { collection: 'network_permissions', field: 'network', flags: ['attach', 'modify', 'delete'] },
  files: { collection: 'file_permissions', field: 'file', flags: ['view', 'modify', 'delete'] },
  domains: { collection: 'domain_permissions', field: 'domain', flags: ['deploy', 'modify', 'delete'] },
} as const;

export type GrantedResource = keyof typeof grantTables;
export type GrantFlag<R extends GrantedResource> = (typeof grantTables)[R]['flags'][number];

/** Users with isAdmin, the administration token and the console itself. */
export const admin: Rule = { kind: 'admin' };
/** Whoever has signed in. */
export const signedIn: Rule = { kind: 'signedIn' };
/** Closed over the API, to admins too: the console writes these itself. */
export const nobody: Rule = { kind: 'nobody' };
/** Whoever created the record. */
export const owner: Rule = { kind: 'owner' };

/** The user whose id the field holds. */
export function self(field: string): Rule {
  return { kind: 'self', field };
}

/** The members of the group whose id the field holds. */
export function member(field: string): Rule {
  return { kind: 'member', field };
}

/** Users who hold at least one of the flags on the record, themselves or through a group. */
export function grant<R extends GrantedResource>(resource: R, ...flags: GrantFlag<R>[]): Rule {
  return { kind: 'grant', resource, flags };
}

/** Users who hold any flag on the record: whoever may do something with it may see it. */
export function anyGrant(resource: GrantedResource): Rule {
  return { kind: 'grant', resource, flags: grantTables[resource].flags };
}

/** What the rule says of the record that a relation field points to. */
export function through(field: string, collection: string, rule: Rule): Rule {
  return { kind: 'through', field, collection, rule };
}

export function anyOf(...rules: Rule[]): Rule {
  return { kind: 'anyOf', rules };
}

/**
 * All of the rules hold.
 * @public The vocabulary is whole, whichever words the present policies use.
 */
export function allOf(...rules: Rule[]): Rule {
  return { kind: 'allOf', rules };
}

/** The rules of one collection. `can` names the acts that pages ask about, beside the record calls. */
export interface Policy<Act extends string = string> {
  readonly list: Rule;
  readonly view: Rule;
  readonly create: Rule;
  readonly update: Rule;
  readonly delete: Rule;
  readonly can: Readonly<Record<Act, Rule>>;
}
