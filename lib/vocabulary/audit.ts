/** Every act that the audit log knows, by group. */
export const AUDIT_GROUPS = {
  signIn: [
    'signIn.password',
    'signIn.admin',
    'signIn.provider',
    'signIn.passkey',
    'signIn.secondFactor',
    'session.start',
    'session.end',
    'session.endAll',
  ],
  account: [
    'setup.finish',
    'account.create',
    'account.update',
    'account.delete',
    'account.enable',
    'account.disable',
    'account.promote',
    'account.demote',
    'account.verify',
    'email.change',
    'password.change',
    'password.reset',
    'provider.unlink',
    'apiToken.create',
    'apiToken.update',
    'apiToken.delete',
    'passkey.create',
    'passkey.update',
    'passkey.delete',
    'secondFactor.enable',
    'secondFactor.disable',
    'recoveryCodes.create',
  ],
  permission: [
    'permission.create',
    'permission.update',
    'permission.delete',
    'group.create',
    'group.update',
    'group.delete',
    'group.addMember',
    'group.removeMember',
  ],
  workspace: [
    'workspace.create',
    'workspace.update',
    'workspace.delete',
    'workspace.start',
    'workspace.stop',
    'workspace.redeploy',
    'workspace.exec',
    'workspace.attach',
    'workspace.leaveTerminal',
    'workspace.downloadFile',
    'workspace.uploadFile',
    'workspace.enable',
    'workspace.disable',
  ],
  image: [
    'image.create',
    'image.update',
    'image.delete',
    'image.build',
    'image.cancelBuild',
    'image.useTemplate',
    'image.enable',
    'image.disable',
  ],
  host: ['host.create', 'host.update', 'host.delete', 'host.join', 'host.prune', 'joinToken.create'],
  resource: [
    'volume.create',
    'volume.update',
    'volume.delete',
    'network.create',
    'network.update',
    'network.delete',
    'domain.create',
    'domain.update',
    'domain.delete',
    'file.create',
    'file.update',
    'file.delete',
    'recommendation.create',
    'recommendation.update',
    'recommendation.delete',
  ],
  console: ['settings.update', 'backup.create', 'backup.upload', 'backup.restore', 'backup.delete', 'audit.export'],
} as const;

export type AuditGroup = keyof typeof AUDIT_GROUPS;
export type AuditAction = (typeof AUDIT_GROUPS)[AuditGroup][number];

export const AUDIT_ACTIONS: readonly AuditAction[] = Object.values(AUDIT_GROUPS).flat();

/** How whoever acted was known; `console` where the console itself did. */
export const AUDIT_WAYS = [
  'password',
  'passkey',
  'provider',
  'mail',
  'joinToken',
  'session',
  'token',
  'apiToken',
  'admin',
  'console',
] as const;
export type AuditWay = (typeof AUDIT_WAYS)[number];

export const AUDIT_OUTCOMES = ['success', 'failure'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];
