export const JOIN_WAYS = ['docker', 'compose', 'npm'] as const;
export type JoinWay = (typeof JOIN_WAYS)[number];

interface Join {
  consoleUrl: string;
  hostName: string;
  token: string;
}

/** What is run on the new host, as root because of the engine's socket. The agent dials out; no port has to be opened there. */
export function joinCommand(way: JoinWay, { consoleUrl, hostName, token }: Join): string {
  const settings = [
    ['BERTH_CONSOLE_URL', consoleUrl],
    ['BERTH_HOST_NAME', hostName],
    ['BERTH_JOIN_TOKEN', token],
  ] as const;
  if (way === 'npm') return [...settings.map(([name, value]) => `${name}=${value} \\`), 'npm run agent'].join('\n');
  if (way === 'compose') {
    return [
      'services:',
      '  agent:',
      '    image: berth:latest',
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
    '  berth:latest node --enable-source-maps dist/agent.mjs',
  ].join('\n');
}
