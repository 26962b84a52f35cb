import { workspacesTable } from '@/db/schema/workspaces';
import type { FieldProblem, FieldProblems } from '@/lib/errors';
import { clashOf, portCount, parsePorts } from '@/lib/vocabulary/ports';
import type { PortMapping } from '@/lib/vocabulary/workspace';
import type { AnyRow, CheckContext, RowOf } from '@/lib/records/collection';
import { checkUse } from '@/lib/records/attached';
import { hosts } from '@/lib/hosts/collection';
import { closedProblem } from '@/lib/hosts/takes-new';
import { images } from '@/lib/images/collection';
import { hostUse, imageUse } from './deploy-rights';
import { allows } from '@/lib/policies/evaluate';
import { StoredFacts } from '@/lib/records/facts';
import { pickedMappings } from './picked-ports';
import { gpuProblem, hostPortProblem, runtimeProblem } from './host-rules';
import { checkSource } from './copied-from';
import { checkMounts } from './mount-checks';
import { checkQuota } from './quota-checks';
import { workspacesPolicy } from './policy';
import { gpusSchema, portMappingsSchema } from '@/lib/vocabulary/workspace-schemas';
import { findOpenings } from './address-checks';
import { checkShares } from './share-checks';
import { checkTimes } from './times/bounds';
import { isAtRest } from './times/plan';
import { checkExternalUrls, urlsOf } from './url-checks';

type Workspace = RowOf<typeof workspacesTable>;

/** What is wrong with a workspace beyond its fields: rights on what it uses, how that fits, ports that are taken. */
export function checkWorkspace(context: CheckContext<Workspace>): FieldProblems {
  const { row, before, sent } = context;
  const problems: FieldProblems = {};
  const template = checkTemplate(context);
  if (template) problems.template = template;
  const copied = before ? undefined : checkSource(context);
  if (copied) problems.copiedFrom = copied;
  const moved = !before || before.host !== row.host;
  const isReal = !row.template && before?.template === true;
  const hostProblem = moved ? checkHost(context) : isReal ? checkOpen(context) : undefined;
  if (hostProblem) problems.host = hostProblem;
  const imageProblem = moved || before.image !== row.image ? checkImage(context) : undefined;
  if (imageProblem) problems.image = imageProblem;
  Object.assign(problems, checkMounts(context, { moved }), checkTimes(context));
  const asksUrls = moved || sent.has('externalUrls');
  const urls = asksUrls ? checkExternalUrls(context) : undefined;
  if (urls) problems.externalUrls = urls;
  else Object.assign(problems, checkOpenings(context));
  const shares = sent.has('portShares') ? checkShares(context) : undefined;
  if (shares) problems.portShares = shares;
  const asksRuntime = moved || row.runtime !== before?.runtime;
  const runtime = asksRuntime && !hostProblem ? checkRuntime(context) : undefined;
  if (runtime) problems.runtime = runtime;
  const asksGpus = moved || sent.has('gpus');
  const gpus = asksGpus && !hostProblem ? checkGpus(context) : undefined;
  if (gpus) problems.gpus = gpus;
  for (const [field, problem] of Object.entries(checkQuota(context))) problems[field] ??= problem;
  if (!moved && !isReal && !sent.has('portMappings')) return problems;
  const ports = hostProblem ? undefined : checkPorts(context);
  if (ports) problems.portMappings = ports;
  return problems;
}

/** What runs is counted, and goes by the clock: a template does neither, so it becomes one, or none any more, at rest. */
function checkTemplate({ row, before }: CheckContext<Workspace>): FieldProblem | undefined {
  if (!before || before.template === row.template || isAtRest(before)) return undefined;
  return { code: 'validation_not_stopped', message: 'Stop the workspace first.' };
}

function checkHost({ actor, tx, row, before }: CheckContext<Workspace>): FieldProblem | undefined {
  if (before && before.generation > 0) {
    return { code: 'validation_in_invalid', message: 'The host can not change once the workspace was deployed.' };
  }
  const host = tx.get(hosts, row.host);
  if (!host) return undefined;
  const refused = checkUse(hosts, { ...hostUse, actor, tx, ids: [host.id] });
  if (refused) return refused;
  return closedProblem(host);
}

/** A template that becomes a workspace is a new one on its host. */
function checkOpen({ tx, row }: CheckContext<Workspace>): FieldProblem | undefined {
  const host = tx.get(hosts, row.host);
  return host && closedProblem(host);
}

function checkRuntime({ tx, row }: CheckContext<Workspace>): FieldProblem | undefined {
  const host = tx.get(hosts, row.host);
  return host ? runtimeProblem(host, row.runtime) : undefined;
}

function checkGpus({ tx, row, before }: CheckContext<Workspace>): FieldProblem | undefined {
  const host = tx.get(hosts, row.host);
  const parsed = gpusSchema.safeParse(row.gpus);
  const isSame = before?.host === row.host && JSON.stringify(before.gpus) === JSON.stringify(row.gpus);
  return host && parsed.success && !isSame ? gpuProblem(host, parsed.data) : undefined;
}

function checkImage({ actor, tx, row }: CheckContext<Workspace>): FieldProblem | undefined {
  const image = tx.get(images, row.image);
  if (!image) return undefined;
  const refused = checkUse(images, { ...imageUse, actor, tx, ids: [image.id] });
  if (refused) return refused;
  if (!image.enabled) return { code: 'validation_disabled', message: 'The image is disabled.' };
  if (image.template) return { code: 'validation_invalid_value', message: 'The image is a template.' };
  if (image.creationType === 'pullAnImage' || image.build_on === row.host) return undefined;
  return { code: 'validation_wrong_host', message: 'The image is built on another host.' };
}

/** A port that asks who comes at its address is not published beside it; told at what was sent. */
function checkOpenings(context: CheckContext<Workspace>): FieldProblems {
  const { row, sent } = context;
  const at = sent.has('externalUrls') ? 'externalUrls' : sent.has('portMappings') ? 'portMappings' : undefined;
  const externalUrls = urlsOf(context);
  const mappings = portMappingsSchema.safeParse(row.portMappings ?? []);
  if (!at || !externalUrls || !mappings.success) return {};
  const found = findOpenings({ externalUrls, portMappings: mappings.data }, at);
  return Object.keys(found).length > 0 ? { [at]: found } : {};
}

/** Clashes within the record and with what other workspaces of the host publish. Templates publish nothing. */
function checkPorts({ actor, tx, row }: CheckContext<Workspace>): FieldProblems | undefined {
  const parsed = portMappingsSchema.safeParse(row.portMappings ?? []);
  if (!parsed.success) return undefined;
  if (parsed.data.length === 0) return undefined;
  const others = row.template ? [] : publishedOn({ tx, row });
  const mayName = (other: AnyRow) => allows(workspacesPolicy.can.view, actor, other, new StoredFacts());
  const host = tx.get(hosts, row.host);
  const hostName = host?.name ?? '';
  const problems: FieldProblems = {};
  parsed.data.forEach((mapping, index) => {
    const earlier = parsed.data.slice(0, index);
    const refused = host && hostPortProblem(host, mapping);
    const problem = refused ?? checkDuplicate(mapping, earlier) ?? checkTaken(mapping, { others, hostName, mayName });
    if (problem) problems[index] = problem;
  });
  return Object.keys(problems).length > 0 ? problems : undefined;
}

function checkDuplicate(mapping: PortMapping, earlier: readonly PortMapping[]): FieldProblems | undefined {
  for (const other of earlier) {
    const port = clashOf(mapping, other);
    if (port !== undefined) {
      return { hostPort: { code: 'validation_duplicate', message: `Host port ${port} is mapped twice.` } };
    }
    if (isSameOpenPort(mapping, other)) {
      return { containerPort: { code: 'validation_duplicate', message: 'The container port is mapped twice.' } };
    }
  }
  return undefined;
}

/** The same container ports without a host port, twice, say nothing new. */
function isSameOpenPort(one: PortMapping, other: PortMapping): boolean {
  const [a, b] = [parsePorts(one.containerPort), parsePorts(other.containerPort)];
  if (!a || !b || one.protocol !== other.protocol || one.hostIp !== other.hostIp) return false;
  if (String(one.hostPort) !== String(other.hostPort)) return false;
  return a.first === b.first && portCount(a) === portCount(b);
}

interface Published {
  workspace: { id: string; name: string; created_by: string };
  mapping: PortMapping;
}

function publishedOn({ tx, row }: Pick<CheckContext<Workspace>, 'tx' | 'row'>): Published[] {
  const { host, id: ownId } = row;
  const workspaces = { name: 'workspaces', table: workspacesTable };
  return tx
    .findParts(workspaces, ['id', 'name', 'created_by', 'portMappings', 'observedPorts'], { host, template: false })
    .filter(({ id }) => id !== ownId)
    .flatMap(({ portMappings, observedPorts, ...workspace }) => {
      const mappings = portMappings ?? [];
      const all = [...mappings, ...pickedMappings(mappings, observedPorts ?? [])];
      return all.map((mapping) => ({ workspace, mapping }));
    });
}

function checkTaken(
  mapping: PortMapping,
  { others, hostName, mayName }: { others: readonly Published[]; hostName: string; mayName: (row: AnyRow) => boolean },
): FieldProblems | undefined {
  for (const other of others) {
    const port = clashOf(mapping, other.mapping);
    if (port === undefined) continue;
    const holder = mayName(other.workspace) ? other.workspace.name : 'another workspace';
    const message = `Host port ${port} is taken on ${hostName} by ${holder}.`;
    return { hostPort: { code: 'validation_port_taken', message } };
  }
  return undefined;
}
