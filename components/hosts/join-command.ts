export const JOIN_WAYS = ['docker', 'compose', 'npm'] as const;
export type JoinWay = (typeof JOIN_WAYS)[number];

/** What a console tells of itself to those who add hosts. */
export interface JoinOffer {
  /** Where hosts reach it, as it is set up. */
  publicUrl: string;
  /** The image that holds the agent. */
  agentImage: string;
  /** What it signs its answers to agents with: the public half. */
  consoleKey: string;
}

interface Join {
  consoleKey: string;
  consoleUrl: string;
  agentImage: string;
  hostName: string;
  token: string;
}

/** Whether an address means the machine that it is used on. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\./.test(hostname);
}

/** Whether what a host and the console say to each other crosses a network unencrypted. */
export function isPlain(url: string): boolean {
  return url.startsWith('http:') && !isLoopback(url);
}

/** The console's address for another machine: the one that is set up, else the one that the viewer came by. */
export function consoleAddress(publicUrl: string, here: string): string {
  return isLoopback(publicUrl) && !isLoopback(here) ? here : publicUrl;
}

/** Whether the name says a registry or an account in one, so that a host can pull it. */
export function isPulled(image: string): boolean {
  return image.includes('/');
}

/** What is run where the image lies, to bring it to a host that can't pull it. */
export function bringCommand(image: string, hostName: string): string {
  return `docker save ${image} | ssh root@${hostName} docker load`;
}

/** What is run on the new host, as root because of the engine's socket. The agent dials out; no port has to be opened there. */
export function joinCommand(way: JoinWay, { consoleUrl, consoleKey, agentImage, hostName, token }: Join): string {
  const settings = [
    ['BERTH_CONSOLE_URL', consoleUrl],
    ['BERTH_CONSOLE_KEY', consoleKey],
    ...(isPlain(consoleUrl) ? ([['BERTH_ALLOW_HTTP', "'1'"]] as const) : []),
    ['BERTH_HOST_NAME', hostName],
    ['BERTH_JOIN_TOKEN', token],
  ] as const;
  if (way === 'npm') return [...settings.map(([name, value]) => `${name}=${value} \\`), 'npm run agent'].join('\n');
  if (way === 'compose') {
    return [
      'services:',
      '  agent:',
      `    image: ${agentImage}`,
      '    command: ["node", "--enable-source-maps", "dist/agent.mjs"]',
      '    user: "0"',
      '    restart: unless-stopped',
      '    healthcheck: { disable: true }',
      '    environment:',
      ...settings.map(([name, value]) => `      ${name}: ${value}`),
      '    volumes:',
      '      - /var/run/docker.sock:/var/run/docker.sock',
      '      - berth-agent:/state',
      'volumes:',
      '  berth-agent:',
    ].join('\n');
  }
  return [
    'docker run -d --name berth-agent \\',
    '  --restart unless-stopped --user 0 --no-healthcheck \\',
    '  -v /var/run/docker.sock:/var/run/docker.sock \\',
    '  -v berth-agent:/state \\',
    ...settings.map(([name, value]) => `  -e ${name}=${value} \\`),
    `  ${agentImage} node --enable-source-maps dist/agent.mjs`,
  ].join('\n');
}
