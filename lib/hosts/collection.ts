import { hostsTable } from '@/db/schema/hosts';
import { imagesTable } from '@/db/schema/images';
import { networksTable } from '@/db/schema/networks';
import { volumesTable } from '@/db/schema/volumes';
import { workspacesTable } from '@/db/schema/workspaces';
import {
  HOST_ENVIRONMENTS,
  HOST_STATUSES,
  type HostEngine,
  type HostMaintenance,
  type HostResources,
  type RegistryAuth,
} from '@/lib/vocabulary/host';
import { type HostAlarms, hostThresholdsSchema, USUAL_THRESHOLDS } from '@/lib/vocabulary/host-thresholds';
import type { TraefikState } from '@/lib/vocabulary/proxy-state';
import { USUAL_ISOLATION } from '@/lib/vocabulary/host-isolation';
import { checkHost, isSameAccount } from './checks';
import { hostsPolicy } from './policy';
import { defineCollection, type RowOf } from '@/lib/records/collection';
import { searched, shown } from '@/lib/records/fields/access';
import { bool } from '@/lib/records/fields/bool';
import { date } from '@/lib/records/fields/date';
import { json, writtenJson } from '@/lib/records/fields/json';
import { number } from '@/lib/records/fields/number';
import { select } from '@/lib/records/fields/select';
import { tags } from '@/lib/records/fields/tags';
import { text } from '@/lib/records/fields/text';
import { refuseUsed } from '@/lib/records/refuse-used';
import { createdByField, nameField } from '@/lib/records/references';
import {
  hostIsolationSchema,
  localImagesSchema,
  nvidiaDriverSchema,
  registryAuthsSchema,
  reverseProxySchema,
  traefikSchema,
} from '@/lib/vocabulary/host-schemas';
import { sealOrKeep, storedList } from '@/lib/records/secret-values';

const intervalSeconds = () => number({ required: true, min: 1, max: 86_400, noDecimal: true });
const timeoutSeconds = () => number({ min: 1, max: 604_800 });

export const hosts = defineCollection({
  id: 'berthhosts00001',
  name: 'hosts',
  table: hostsTable,
  fields: {
    name: searched(nameField()),
    enabled: searched(bool()),
    created_by: searched(createdByField()),
    tags: searched(tags()),
    maintenance: searched(writtenJson<HostMaintenance | null>()),
    /** Where people reach what its workspaces publish; the console's own name where it is empty. */
    address: searched(text({ max: 253 })),
    environment: searched(select({ values: HOST_ENVIRONMENTS, required: true, serverWritten: true })),
    default_runtime: searched(text({ required: true, max: 100 })),
    default_gpu_runtime: searched(text({ required: true, max: 100 })),
    registry_auths: shown(
      json({
        schema: registryAuthsSchema,
        unset: [],
        toStored: sealRegistryAuths,
        toWire: hidePasswords,
      }),
    ),
    reverse_proxy: searched(json({ schema: reverseProxySchema })),
    nvidia_driver: searched(json({ schema: nvidiaDriverSchema })),
    traefik: searched(json({ schema: traefikSchema })),
    traefikState: searched(writtenJson<TraefikState | null>()),
    isolation: searched(json({ schema: hostIsolationSchema, unset: USUAL_ISOLATION })),
    heartbeat_interval_seconds: searched(intervalSeconds()),
    reconciliation_interval_seconds: searched(intervalSeconds()),
    pull_timeout: searched(timeoutSeconds()),
    push_timeout: searched(timeoutSeconds()),
    build_timeout: searched(timeoutSeconds()),
    local_images: searched(json({ schema: localImagesSchema, unset: [] })),
    queued_builds_per_person: searched(number({ min: 1, max: 1000, noDecimal: true })),
    thresholds: searched(json({ schema: hostThresholdsSchema, unset: USUAL_THRESHOLDS })),
    alarms: searched(writtenJson<HostAlarms>({ unset: {} })),
    os: searched(text({ serverWritten: true })),
    platform: searched(text({ serverWritten: true })),
    resources: searched(writtenJson<HostResources | null>()),
    engine: searched(writtenJson<HostEngine | null>()),
    agentVersion: searched(text({ serverWritten: true })),
    status: searched(select({ values: HOST_STATUSES, serverWritten: true })),
    statusMessage: searched(text({ serverWritten: true })),
    lastHeartbeat: searched(date({ serverWritten: true })),
  },
  unique: [{ fields: ['name'], sentence: 'This name is already taken by another host.' }],
  policy: hostsPolicy,
  check: checkHost,
  hooks: {
    beforeDelete({ tx, actor, row: { id } }) {
      const asked = { tx, actor };
      refuseUsed(asked, 'workspaces', tx.find({ name: 'workspaces', table: workspacesTable }, { host: id }));
      refuseUsed(asked, 'images', tx.find({ name: 'images', table: imagesTable }, { build_on: id }));
      refuseUsed(asked, 'volumes', tx.find({ name: 'volumes', table: volumesTable }, { host: id }));
      refuseUsed(asked, 'networks', tx.find({ name: 'networks', table: networksTable }, { host: id }));
    },
  },
});

export type HostRow = RowOf<typeof hosts.table>;

function sealRegistryAuths(value: unknown, stored: unknown): RegistryAuth[] {
  const known = storedList<RegistryAuth>(stored);
  return storedList<RegistryAuth>(value).map((auth) => {
    const same = known.find((each) => isSameAccount(each, auth));
    return { ...auth, password: sealOrKeep(auth.password, same?.password) };
  });
}

function hidePasswords(stored: unknown): RegistryAuth[] {
  return storedList<Partial<RegistryAuth>>(stored).map((auth) => ({
    serveraddress: auth.serveraddress ?? '',
    username: auth.username ?? '',
    password: '',
    pullRepositories: auth.pullRepositories ?? [],
    pullUsers: auth.pullUsers ?? [],
    pushRepositories: auth.pushRepositories ?? [],
    pushUsers: auth.pushUsers ?? [],
  }));
}
