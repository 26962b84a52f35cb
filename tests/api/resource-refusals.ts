import { expect } from 'vitest';
import type { AnyRow } from '@/lib/records/collection';

/** The people and records of the suite, filled in before it runs. */
export const who = {} as Record<'guest' | 'admin' | 'owner' | 'stranger' | 'user', { id: string }>;
export const row = {} as Record<string, AnyRow>;
export const url = (name: string, id?: unknown) => `/api/collections/${name}/records${id ? `/${String(id)}` : ''}`;

export const problem = (code: string, message?: string) =>
  expect.objectContaining({ code, ...(message && { message }) });
const missing = problem('validation_missing_rel_records');

interface Refusal {
  name: string;
  as?: keyof typeof who;
  collection: string;
  id?: () => unknown;
  method?: string;
  body?: () => AnyRow;
  status?: number;
  data?: () => AnyRow;
}

export const workspace = (values: AnyRow) => ({ name: 'w', host: row.host!.id, image: row.image!.id, ...values });
export const onHost = (values: AnyRow) => ({ name: 'v', host: row.host!.id, ...values });
export const id = (name: string) => String(row[name]!.id);

export const refusals: Refusal[] = [
  {
    name: 'a guest lists nothing to write',
    collection: 'volumes',
    body: () => onHost({}),
    data: () => ({}),
  },
  {
    name: 'a volume on a host that is not seen',
    as: 'stranger',
    collection: 'volumes',
    body: () => onHost({}),
    data: () => ({ host: missing }),
  },
  {
    name: 'a volume without canCreateVolumeMounts',
    as: 'user',
    collection: 'volumes',
    body: () => onHost({}),
    data: () => ({ host: problem('validation_not_allowed') }),
  },
  {
    name: 'a bind mount without canCreateBindMounts',
    as: 'user',
    collection: 'volumes',
    body: () => onHost({ path_on_host: '/srv' }),
    data: () => ({ host: problem('validation_not_allowed') }),
  },
  {
    name: 'a bind mount of a relative path',
    as: 'owner',
    collection: 'volumes',
    body: () => onHost({ path_on_host: '../etc' }),
    data: () => ({ path_on_host: problem('validation_invalid_path') }),
  },
  {
    name: 'a volume on a host that is off',
    as: 'owner',
    collection: 'volumes',
    body: () => onHost({ host: row.off!.id }),
    data: () => ({ host: problem('validation_disabled') }),
  },
  {
    name: 'a volume name twice on a host',
    as: 'owner',
    collection: 'volumes',
    body: () => onHost({ name: 'data' }),
    data: () => ({ name: problem('validation_not_unique'), host: problem('validation_not_unique') }),
  },
  {
    name: 'a volume without name and host',
    as: 'owner',
    collection: 'volumes',
    body: () => ({}),
    data: () => ({ name: problem('validation_required'), host: problem('validation_required') }),
  },
  {
    name: 'a volume moved to another host',
    as: 'owner',
    collection: 'volumes',
    method: 'PATCH',
    id: () => row.volume!.id,
    body: () => ({ host: row.far!.id }),
    data: () => ({ host: problem('validation_in_invalid') }),
  },
  {
    name: 'a volume changed by a stranger',
    as: 'stranger',
    collection: 'volumes',
    method: 'PATCH',
    id: () => row.volume!.id,
    status: 404,
  },
  {
    name: 'a volume removed by one who may modify',
    as: 'user',
    collection: 'volumes',
    method: 'DELETE',
    id: () => row.second!.id,
    status: 404,
  },
  {
    name: 'a network without canCreateNetworks',
    as: 'user',
    collection: 'networks',
    body: () => onHost({}),
    data: () => ({ host: problem('validation_not_allowed') }),
  },
  {
    name: 'a network name twice on a host',
    as: 'owner',
    collection: 'networks',
    body: () => onHost({ name: 'net' }),
    data: () => ({ name: problem('validation_not_unique'), host: problem('validation_not_unique') }),
  },
  {
    name: 'a domain by a user',
    as: 'owner',
    collection: 'domains',
    body: () => ({ url: 'new.example.org' }),
    data: () => ({}),
  },
  {
    name: 'a domain that is an address',
    as: 'admin',
    collection: 'domains',
    body: () => ({ url: 'https://example.org/' }),
    data: () => ({ url: problem('validation_invalid_domain') }),
  },
  {
    name: 'a domain twice, in other letters',
    as: 'admin',
    collection: 'domains',
    body: () => ({ url: 'EXAMPLE.org' }),
    data: () => ({ url: problem('validation_not_unique') }),
  },
  {
    name: 'an external file without an address',
    as: 'user',
    collection: 'files',
    body: () => ({ name: 'x', type: 'external' }),
    data: () => ({ url: problem('validation_required') }),
  },
  {
    name: 'an external file that is no web address',
    as: 'user',
    collection: 'files',
    body: () => ({ name: 'x', type: 'external', url: 'file:///etc/passwd' }),
    data: () => ({ url: problem('validation_invalid_url') }),
  },
  {
    name: 'an upload without a file',
    as: 'user',
    collection: 'files',
    body: () => ({ name: 'x', type: 'upload' }),
    data: () => ({ file: problem('validation_required', 'Please upload a file.') }),
  },
  {
    name: 'a file name twice',
    as: 'user',
    collection: 'files',
    body: () => ({ name: 'notes', type: 'external', url: 'https://example.org/b' }),
    data: () => ({ name: problem('validation_not_unique') }),
  },
  {
    name: 'a recommendation by a user',
    as: 'user',
    collection: 'recommendations',
    body: () => ({ name: 'x', kind: 'image' }),
    data: () => ({}),
  },
  {
    name: 'a recommendation of an unknown kind',
    as: 'admin',
    collection: 'recommendations',
    body: () => ({ name: 'x', kind: 'host' }),
    data: () => ({ kind: problem('validation_invalid_value') }),
  },
  {
    name: 'a grant by one who owns nothing',
    as: 'stranger',
    collection: 'volume_permissions',
    body: () => ({ user: who.stranger.id, volume: id('volume'), attach: true }),
    data: () => ({}),
  },
  {
    name: 'a grant twice',
    as: 'owner',
    collection: 'volume_permissions',
    body: () => ({ user: who.user.id, volume: id('second'), attach: true }),
    data: () => ({ user: problem('validation_not_unique'), volume: problem('validation_not_unique') }),
  },
  {
    name: 'a volume that may not be attached, one that is not seen, one without a path',
    as: 'user',
    collection: 'workspaces',
    body: () => workspace({ volumes: [id('second')] }),
    data: () => ({
      volumes: problem('validation_not_allowed'),
      volumePaths: { [id('second')]: { path: problem('validation_required') } },
    }),
  },
  {
    name: 'a volume and a network that are not seen',
    as: 'user',
    collection: 'workspaces',
    body: () =>
      workspace({
        volumes: [id('volume')],
        networks: [id('network')],
        volumePaths: { [id('volume')]: { path: '/data' } },
      }),
    data: () => ({ volumes: missing, networks: missing }),
  },
  {
    name: 'a domain that may not be used',
    as: 'user',
    collection: 'workspaces',
    body: () => workspace({ externalUrls: [{ scheme: 'https', subdomain: 'a', domain: id('domain'), port: 80 }] }),
    data: () => ({ externalUrls: { 0: { domain: problem('validation_not_allowed') } } }),
  },
  {
    name: 'two volumes at one path',
    as: 'owner',
    collection: 'workspaces',
    body: () =>
      workspace({
        volumes: [id('volume'), id('second')],
        volumePaths: { [id('volume')]: { path: '/data' }, [id('second')]: { path: '/data/' } },
      }),
    data: () => ({
      volumePaths: { [id('second')]: { path: problem('validation_duplicate', 'Duplicate path on workspace.') } },
    }),
  },
  {
    name: 'a volume and a domain of another host',
    as: 'owner',
    collection: 'workspaces',
    body: () =>
      workspace({
        volumes: [id('farVolume')],
        volumePaths: { [id('farVolume')]: { path: '/data' } },
        externalUrls: [{ scheme: 'https', domain: id('farDomain'), port: 80 }],
      }),
    data: () => ({
      volumes: problem('validation_wrong_host'),
      externalUrls: { 0: { domain: problem('validation_wrong_host') } },
    }),
  },
  {
    name: 'paths of volumes that are not there, relative ones, unknown keys',
    as: 'owner',
    collection: 'workspaces',
    body: () => workspace({ volumePaths: { abc: { path: 'data', mode: 'rw' } } }),
    data: () => ({
      volumePaths: { abc: { path: problem('validation_invalid_value'), mode: problem('validation_unknown_field') } },
    }),
  },
  {
    name: 'a port that is none',
    as: 'owner',
    collection: 'workspaces',
    body: () => workspace({ externalUrls: [{ scheme: 'https', domain: id('domain'), port: 0 }] }),
    data: () => ({
      externalUrls: { 0: { port: problem('validation_invalid_value', 'Port must be between 1 and 65535.') } },
    }),
  },
  {
    name: 'an address without scheme, domain and port',
    as: 'owner',
    collection: 'workspaces',
    body: () => workspace({ externalUrls: [{}] }),
    data: () => ({
      externalUrls: {
        0: {
          scheme: problem('validation_invalid_value'),
          domain: problem('validation_invalid_value'),
          port: problem('validation_invalid_value'),
        },
      },
    }),
  },
  {
    name: 'an address twice, and one with nobody to let in',
    as: 'owner',
    collection: 'workspaces',
    body: () =>
      workspace({
        externalUrls: [
          { scheme: 'https', subdomain: 'a', domain: id('domain'), port: 80 },
          { scheme: 'https', subdomain: 'a', domain: id('domain'), port: 81 },
          { scheme: 'https', subdomain: 'b', domain: id('domain'), port: 80, authentication: 'basic' },
        ],
      }),
    data: () => ({
      externalUrls: { 1: { subdomain: problem('validation_duplicate') }, 2: { users: problem('validation_required') } },
    }),
  },
  {
    name: 'a recommendation that does not exist',
    as: 'owner',
    collection: 'workspaces',
    body: () => workspace({ applied_recommendations: ['aaaaaaaaaaaaaaa'] }),
    data: () => ({ applied_recommendations: missing }),
  },
  {
    name: 'an image with a file that is not seen',
    as: 'user',
    collection: 'images',
    body: () => ({ name: 'i', build_on: row.host!.id, baseImage: 'ubuntu:24.04', files: [id('file')] }),
    data: () => ({ files: missing }),
  },
  {
    name: 'an image with more than 99 files',
    as: 'owner',
    collection: 'images',
    body: () => ({
      name: 'i',
      build_on: row.host!.id,
      baseImage: 'ubuntu:24.04',
      files: Array.from({ length: 100 }, (_, index) => String(index).padStart(15, 'f')),
    }),
    data: () => ({ files: problem('validation_too_many_values') }),
  },
  {
    name: 'paths of files that the image has not',
    as: 'owner',
    collection: 'images',
    body: () => ({ name: 'i', build_on: row.host!.id, baseImage: 'ubuntu:24.04', filePaths: { abc: '/a' } }),
    data: () => ({ filePaths: { abc: problem('validation_invalid_value') } }),
  },
];
