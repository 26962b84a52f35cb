import { z } from 'zod';
import { type OpenTraefik, ROUTERS_MAX, type TraefikReport } from '../../lib/protocol/proxy-streams';
import { isContained } from '../contained';
import type { Engine } from '../engines/engine';
import { toMessage } from '../engines/engine-error';
import type { ContainerAddress } from '../engines/engine-proxies';
import { Agent, request } from '../undici';
import { RefusedQuestion } from './answers';

/** For all questions together. */
const PATIENCE_MS = 5000;
const CONNECT_MS = 2000;
/** Less than the console reads of an answer. */
const ANSWER_MAX_BYTES = 3 * 1024 * 1024;
const ERRORS_MAX = 10;

const text = (max: number) => z.string().overwrite((words) => words.slice(0, max));
const list = <T extends z.ZodType>(item: T, max: number) =>
  z
    .array(item)
    .nullish()
    .transform((items) => (items ?? []).slice(0, max));

const versionSchema = z.object({ Version: text(100), startDate: text(100).default('') });
const entryPointsSchema = list(z.object({ name: text(200), address: text(200) }), 100);
const overviewSchema = z.object({ http: z.object({ routers: z.object({ total: z.int().min(0) }) }) });
const routersSchema = list(
  z
    .object({
      name: text(500),
      provider: text(100).default(''),
      rule: text(2000).default(''),
      service: text(500).default(''),
      status: text(50).default(''),
      error: list(text(1000), ERRORS_MAX),
      entryPoints: list(text(200), 20),
    })
    .transform(({ error: errors, ...router }) => ({ ...router, errors })),
  ROUTERS_MAX,
);

/** What a Traefik on this host says of itself, within seconds. Throws a RefusedQuestion in words. */
export async function askTraefik(open: OpenTraefik, { proxies }: Pick<Engine, 'proxies'>): Promise<TraefikReport> {
  const { containerName, apiPort, search = '' } = open;
  if (!proxies) throw new RefusedQuestion('invalid', 'The engine of this host knows no Traefik.');
  const found = await proxies.findAddress(containerName);
  if (!found) throw new RefusedQuestion('missing', `The host has no container ${containerName}.`);
  if (!found.isRunning) throw new RefusedQuestion('container', `The container ${containerName} does not run.`);
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const dispatcher = new Agent({ connect: { timeout: CONNECT_MS } });
  try {
    const base = `http://${await pickHost(found, containerName)}:${apiPort}/api`;
    const ask = <T>(path: string, schema: z.ZodType<T>): Promise<T> =>
      readJson(`${base}${path}`, { schema, signal, dispatcher });
    const version = await ask('/version', versionSchema);
    const [entryPoints, overview, routers] = await Promise.all([
      ask('/entrypoints', entryPointsSchema),
      ask('/overview', overviewSchema),
      ask(`/http/routers?per_page=${ROUTERS_MAX}&search=${encodeURIComponent(search)}`, routersSchema),
    ]);
    const { Version, startDate } = version;
    return { version: Version, startedAt: startDate, entryPoints, routers, routersTotal: overview.http.routers.total };
  } catch (error) {
    if (error instanceof RefusedQuestion) throw error;
    throw new RefusedQuestion('failed', explain(error, open, signal.aborted));
  } finally {
    await dispatcher.destroy();
  }
}

async function pickHost({ isOnHost, addresses }: ContainerAddress, containerName: string): Promise<string> {
  if (isOnHost && !(await isContained())) return '127.0.0.1';
  const [address] = Object.values(addresses);
  if (address) return address.includes(':') ? `[${address}]` : address;
  const words = isOnHost ? "listens on the machine's own network, which this agent does not see" : 'is on no network';
  throw new RefusedQuestion('container', `The container ${containerName} ${words}: its API can't be asked.`);
}

interface Reading<T> {
  schema: z.ZodType<T>;
  signal: AbortSignal;
  dispatcher: InstanceType<typeof Agent>;
}

/** What answers is something else, or has its API off. */
class OtherAnswer extends Error {}

async function readJson<T>(url: string, { schema, signal, dispatcher }: Reading<T>): Promise<T> {
  const { statusCode, body } = await request(url, { dispatcher, signal });
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > ANSWER_MAX_BYTES) throw new Error('its answer is too long');
    parts.push(part);
  }
  if (statusCode !== 200) throw new OtherAnswer(`it answered ${statusCode}`);
  let answer: unknown;
  try {
    answer = JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    throw new OtherAnswer('its answer is no JSON');
  }
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw new OtherAnswer("its answer is not that of Traefik's API");
  return parsed.data;
}

function explain(error: unknown, { containerName, apiPort }: OpenTraefik, isLate: boolean): string {
  const start = `The API of ${containerName} can't be asked at port ${apiPort}`;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'ECONNREFUSED' || error instanceof OtherAnswer) {
    const why = error instanceof OtherAnswer ? error.message : 'nothing listens there';
    return `${start}: ${why}. Turn it on in Traefik's static configuration: [api] with insecure = true.`;
  }
  if (isLate || code === 'UND_ERR_CONNECT_TIMEOUT') {
    return `${start}: no answer. An agent that runs in a container has to be on one of its networks.`;
  }
  return `${start}: ${toMessage(error)}`;
}
