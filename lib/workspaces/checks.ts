import { workspacesTable } from '@/db/schema/workspaces';
import type { FieldProblem, FieldProblems } from '@/lib/errors';
import { clashOf, portCount, parsePorts } from '@/lib/vocabulary/ports';
import type { PortMapping } from '@/lib/vocabulary/workspace';
import { mayAct } from '@/lib/records/can';
import type { AnyRow, CheckContext, RowOf } from '@/lib/records/collection';
import { missingRelation, notAllowed } from '@/lib/records/attached';
import { hosts } from '@/lib/hosts/collection';
import { images } from '@/lib/images/collection';
import { checkMounts } from './mount-checks';
import { portMappingsSchema } from '@/lib/vocabulary/workspace-schemas';
import { checkExternalUrls } from './url-checks';

type Workspace = RowOf<typeof workspacesTable>;

/** What is wrong with a workspace beyond its fields: rights on what it uses, how that fits, ports that are taken. */
export function checkWorkspace(context: CheckContext<Workspace>): FieldProblems {
  const { row, before, sent } = context;
  const problems: FieldProblems = {};
  const moved = !before || before.host !== row.host;
  const hostProblem = moved ? checkHost(context) : undefined;
  if (hostProblem) problems.host = hostProblem;
  const imageProblem = moved || before.image !== row.image ? checkImage(context) : undefined;
  if (imageProblem) problems.image = imageProblem;
  Object.assign(problems, checkMounts(context, { moved }));
  const urls = moved || sent.has('externalUrls') ? checkExternalUrls(context) : undefined;
  if (urls) problems.externalUrls = urls;
  if (!moved && !sent.has('portMappings')) return problems;
  const ports = hostProblem ? undefined : checkPorts(context);
  if (ports) problems.portMappings = ports;
  return problems;
}

function checkHost({ actor, tx, row, before }: CheckContext<Workspace>): FieldProblem | undefined {
  if (before && before.generation > 0) {
    return { code: 'validation_in_invalid', message: 'The host can not change once the workspace was deployed.' };
  }
  const host = tx.get(hosts, row.host) as AnyRow | undefined;
  if (!host) return undefined;
  if (!mayAct(hosts, { actor, act: 'view', row: host })) return missingRelation();
  if (!mayAct(hosts, { actor, act: 'canCreateWorkspaces', row: host })) {
    return notAllowed('You do not have permission to create workspaces on this host.');
  }
  return host.enabled ? undefined : { code: 'validation_disabled', message: 'The host is disabled.' };
}

function checkImage({ actor, tx, row }: CheckContext<Workspace>): FieldProblem | undefined {
  const image = tx.get(images, row.image);
  if (!image) return undefined;
  if (!mayAct(images, { actor, act: 'view', row: image })) return missingRelation();
  if (!mayAct(images, { actor, act: 'deploy', row: image })) {
    return notAllowed('You do not have permission to deploy this image.');
  }
  if (!image.enabled) return { code: 'validation_disabled', message: 'The image is disabled.' };
  if (image.template) return { code: 'validation_invalid_value', message: 'The image is a template.' };
  if (image.creationType === 'pullAnImage' || image.build_on === row.host) return undefined;
  return { code: 'validation_wrong_host', message: 'The image is built on another host.' };
}

/** Clashes within the record and with what other workspaces of the host publish. Templates publish nothing. */
function checkPorts({ tx, row }: CheckContext<Workspace>): FieldProblems | undefined {
  const parsed = portMappingsSchema.safeParse(row.portMappings ?? []);
  if (!parsed.success) return undefined;
  if (parsed.data.length === 0) return undefined;
  const others = row.template ? [] : publishedOn(tx, row);
  const hostName = String((tx.get(hosts, row.host) as AnyRow | undefined)?.name ?? '');
  const problems: FieldProblems = {};
  parsed.data.forEach((mapping, index) => {
    const earlier = parsed.data.slice(0, index);
    const problem = checkDuplicate(mapping, earlier) ?? checkTaken(mapping, { others, hostName });
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
  workspace: string;
  mapping: PortMapping;
}

function publishedOn(tx: CheckContext<Workspace>['tx'], { host, id: ownId }: Workspace): Published[] {
  const workspaces = { name: 'workspaces', table: workspacesTable };
  return tx
    .findParts(workspaces, ['id', 'name', 'portMappings'], { host, template: false })
    .filter(({ id }) => id !== ownId)
    .flatMap(({ name, portMappings }) => (portMappings ?? []).map((mapping) => ({ workspace: name, mapping })));
}

function checkTaken(
  mapping: PortMapping,
  { others, hostName }: { others: readonly Published[]; hostName: string },
): FieldProblems | undefined {
  for (const other of others) {
    const port = clashOf(mapping, other.mapping);
    if (port === undefined) continue;
    const message = `Host port ${port} is taken on ${hostName} by ${other.workspace}.`;
    return { hostPort: { code: 'validation_port_taken', message } };
  }
  return undefined;
}
