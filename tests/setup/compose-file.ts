import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const root = path.resolve(import.meta.dirname, '../..');

export interface ComposeService {
  image: string;
  build?: unknown;
  profiles?: string[];
  restart: string;
  command?: string[];
  user?: string;
  depends_on?: unknown;
  healthcheck?: { disable: boolean };
  ports?: string[];
  environment?: Record<string, string>;
  volumes: string[];
  networks?: { default: { ipv4_address: string } };
}

export interface ComposeFile {
  services: Record<string, ComposeService>;
  networks: { default: { ipam: { config: [{ subnet: string; ip_range: string }] } } };
  volumes: Record<string, null>;
}

/** Variables that the file reads, with what stands for them where they are not set. */
export function composeVariables(): Map<string, string> {
  const found = new Map<string, string>();
  replaceVariables(read('compose.yaml'), (name, usual) => {
    found.set(name, usual);
    return usual;
  });
  return found;
}

/** One without another in it: those come first. */
const VARIABLE = /\$\{([A-Z_]+)(?::-([^{}]*))?\}/g;

function replaceVariables(text: string, valueOf: (name: string, usual: string) => string): string {
  const replaced = text.replace(VARIABLE, (_all, name: string, usual = '') => valueOf(name, usual));
  return replaced === text ? text : replaceVariables(replaced, valueOf);
}

const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');

/** `compose.yaml` as Compose reads it with these variables: it puts them into the texts of what it has parsed. */
export function readComposeFile(variables: Readonly<Record<string, string>> = {}): ComposeFile {
  const fill = (_: string, value: unknown): unknown =>
    typeof value === 'string' ? replaceVariables(value, (name, usual) => variables[name] || usual) : value;
  return JSON.parse(JSON.stringify(parse(read('compose.yaml')), fill)) as ComposeFile;
}

/** What `.env.example` sets, and what it names in comments with an example. */
export function readEnvExample(): { set: Record<string, string>; named: string[] } {
  const lines = [...read('.env.example').matchAll(/^(# )?([A-Z_]+)=(.*)$/gm)];
  const set = lines.filter(([, comment]) => !comment).map(([, , name, value]) => [name!, value!]);
  return { set: Object.fromEntries(set) as Record<string, string>, named: lines.map(([, , name]) => name!) };
}

const KNOWN = new Set(
  'image build profiles restart command user depends_on healthcheck ports environment volumes networks'.split(' '),
);

/** What `docker run` is told for a service; volumes and network belong to `project`. Throws for what it does not know to say. */
export function runArguments(
  service: ComposeService,
  { project, alias }: { project: string; alias: string },
): string[] {
  const strange = Object.keys(service).filter((key) => !KNOWN.has(key));
  if (strange.length > 0) throw new Error(`compose.yaml says what is not tested: ${strange.join(', ')}`);
  const { networks, healthcheck, user, ports = [], environment = {}, volumes, image, command = [] } = service;
  const address = networks?.default.ipv4_address;
  return [
    ...['--network', project, '--network-alias', alias],
    ...(address ? ['--ip', address] : []),
    ...(user ? ['--user', user] : []),
    ...(healthcheck?.disable ? ['--no-healthcheck'] : []),
    ...ports.flatMap((port) => ['-p', port]),
    ...Object.entries(environment).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
    ...volumes.flatMap((volume) => ['-v', volume.replace(/^\.\//, `${root}/`).replace(/^(?=[a-z])/, `${project}-`)]),
    image,
    ...command,
  ];
}
