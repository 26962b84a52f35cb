/** The network on which a host's reverse proxy reaches an owner's workspaces. */
export function nameProxyNetwork({ hostId, ownerId }: { hostId: string; ownerId: string }): string {
  return `${PREFIX}${hostId}-${ownerId}`;
}

export function isProxyNetwork(name: string): boolean {
  return name.startsWith(PREFIX);
}

const PREFIX = 'berth-proxy-';
