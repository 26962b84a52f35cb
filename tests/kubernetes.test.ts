import fs from 'node:fs';
import path from 'node:path';
import * as client from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { parseEnv } from '@/lib/env';

const file = path.resolve(import.meta.dirname, '../deploy/kubernetes/console.yaml');

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
  [part: string]: unknown;
}

const documents = parseAllDocuments(fs.readFileSync(file, 'utf8'), { uniqueKeys: true, strict: true });
const manifests = documents.map((document) => document.toJS() as Manifest);
const of = <T>(kind: string): T => manifests.find((each) => each.kind === kind) as T;

interface Model {
  getAttributeTypeMap(): { name: string; baseName: string; type: string }[];
}
const models = client as unknown as Record<string, Model | undefined>;

/** What of a manifest the API does not know, by the published models of it. */
function strangers(value: unknown, type: string, at: string): string[] {
  const list = /^Array<(.+)>$/.exec(type)?.[1];
  if (list) {
    return Array.isArray(value) ? value.flatMap((each, index) => strangers(each, list, `${at}[${index}]`)) : [at];
  }
  const model = models[type];
  if (!model) return type === 'string' && typeof value !== 'string' ? [`${at} is no text`] : [];
  if (typeof value !== 'object' || value === null) return [at];
  const known = new Map(model.getAttributeTypeMap().map((each) => [each.baseName, each.type]));
  return Object.entries(value).flatMap(([key, each]) => {
    const its = known.get(key);
    return its === undefined ? [`${at}.${key}`] : strangers(each, its, `${at}.${key}`);
  });
}

describe('the manifests for Kubernetes', () => {
  it('are YAML that says nothing twice, with nothing that the API does not know', () => {
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
    expect(manifests.map(({ kind }) => kind).sort()).toEqual(
      ['ConfigMap', 'Deployment', 'Ingress', 'Namespace', 'PersistentVolumeClaim', 'Secret', 'Service'].sort(),
    );
    for (const manifest of manifests) {
      expect(models[`V1${manifest.kind}`], manifest.kind).toBeDefined();
      expect(strangers(manifest, `V1${manifest.kind}`, manifest.kind)).toEqual([]);
      if (manifest.kind !== 'Namespace') expect(manifest.metadata.namespace).toBe('berth');
    }
    expect(strangers({ spec: { replica: 1 } }, 'V1Deployment', 'x')).toEqual(['x.spec.replica']);
  });

  it('name one another by what they are called', () => {
    const { spec } = of<client.V1Deployment>('Deployment');
    const pod = spec!.template;
    const [container] = pod.spec!.containers;
    expect(pod.metadata!.labels).toMatchObject(spec!.selector.matchLabels!);
    expect(of<client.V1Service>('Service').spec!.selector).toEqual(spec!.selector.matchLabels);
    const ports = container!.ports!.map(({ name }) => name);
    for (const { targetPort } of of<client.V1Service>('Service').spec!.ports!) expect(ports).toContain(targetPort);
    const [rule] = of<client.V1Ingress>('Ingress').spec!.rules!;
    expect(rule!.http!.paths[0]!.backend.service).toMatchObject({ name: of<Manifest>('Service').metadata.name });
    const volumes = pod.spec!.volumes!;
    expect(container!.volumeMounts!.map(({ name }) => name).sort()).toEqual(volumes.map(({ name }) => name).sort());
    expect(volumes[0]!.persistentVolumeClaim!.claimName).toBe(of<Manifest>('PersistentVolumeClaim').metadata.name);
    for (const source of container!.envFrom!) expect((source.configMapRef ?? source.secretRef)!.name).toBe('berth');
  });

  it('run one console at a time, as nobody special, with settings that it takes', () => {
    const { spec } = of<client.V1Deployment>('Deployment');
    expect(spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
    const pod = spec!.template.spec!;
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 });
    expect(pod.containers[0]!.securityContext).toMatchObject({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
    });
    const { data } = of<client.V1ConfigMap>('ConfigMap');
    const { stringData } = of<client.V1Secret>('Secret');
    const source = fs.readFileSync(path.resolve(import.meta.dirname, '../lib/env.ts'), 'utf8');
    for (const name of [...Object.keys(data!), ...Object.keys(stringData!)]) expect(source).toContain(`  ${name}:`);
    const parsed = parseEnv({ ...data, ...stringData });
    const [host] = of<client.V1Ingress>('Ingress').spec!.tls![0]!.hosts!;
    expect(new URL(parsed.publicUrl).hostname).toBe(host);
    // Nobody runs it with a secret that everybody can read here.
    expect(Object.values(stringData!).every((value) => value === '')).toBe(true);
  });
});
