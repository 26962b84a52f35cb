import { expect } from 'vitest';
import type { AnyRow } from '@/lib/records/collection';

/** The people and records of the suite, filled in before it runs. */
export const who = {} as Record<'guest' | 'admin' | 'owner' | 'stranger' | 'modifier', { id: string }>;
export const row = {} as Record<'host' | 'other' | 'image' | 'workspace' | 'hidden', AnyRow>;

export interface Scenario {
  name: string;
  as?: keyof typeof who;
  method: string;
  url: () => string;
  body?: () => unknown;
  status: number;
  has?: unknown;
  lacks?: string;
}

export const collection = (name: string) => `/api/collections/${name}/records`;
export const oneWorkspace = () => `${collection('workspaces')}/${String(row.workspace.id)}`;
const newWorkspace = (overrides: AnyRow) => () => ({
  name: 'two',
  host: row.host.id,
  image: row.image.id,
  ...overrides,
});
export const problem = (code: string) => expect.objectContaining({ code });

/** Calls that are refused, with what they answer. None may change anything. */
export const refused: Scenario[] = [
  {
    name: 'an unknown collection',
    method: 'GET',
    url: () => collection('nope'),
    status: 404,
    has: { code: 404, message: "The requested resource wasn't found.", data: {} },
  },
  {
    name: 'a page that is no number',
    as: 'owner',
    method: 'GET',
    url: () => `${collection('hosts')}?page=x`,
    status: 400,
    has: { message: 'Something went wrong while processing your request.', data: {} },
  },
  {
    name: 'a filter on a hidden column',
    as: 'admin',
    method: 'GET',
    url: () => `${collection('users')}?filter=tokenKey~'a'`,
    status: 400,
  },
  {
    name: 'a filter with @request',
    as: 'admin',
    method: 'GET',
    url: () => `${collection('users')}?filter=${encodeURIComponent("@request.auth.id != ''")}`,
    status: 403,
    has: { message: 'Only admins can filter by @request.' },
  },
  {
    name: 'a query string that is too long',
    as: 'owner',
    method: 'GET',
    url: () => `${collection('hosts')}?filter=${'a'.repeat(2100)}`,
    status: 400,
    has: { message: 'Query string is too large.' },
  },
  { name: 'a record that may not be seen', as: 'stranger', method: 'GET', url: oneWorkspace, status: 404 },
  {
    name: 'a change by a stranger',
    as: 'stranger',
    method: 'PATCH',
    url: oneWorkspace,
    body: () => ({ name: 'x' }),
    status: 404,
  },
  { name: 'a change by a guest', method: 'PATCH', url: oneWorkspace, body: () => ({ name: 'x' }), status: 404 },
  { name: 'a delete by one who may only modify', as: 'modifier', method: 'DELETE', url: oneWorkspace, status: 404 },
  {
    name: 'a host made over the API',
    as: 'admin',
    method: 'POST',
    url: () => collection('hosts'),
    body: () => ({ name: 'x' }),
    status: 403,
    has: { message: 'Only admins can perform this action.' },
  },
  {
    name: 'a build made over the API',
    as: 'admin',
    method: 'POST',
    url: () => collection('builds'),
    body: () => ({}),
    status: 403,
  },
  {
    name: 'a user made by a non-admin',
    as: 'owner',
    method: 'POST',
    url: () => collection('users'),
    body: () => ({ username: 'newbie', password: 'Secret123!', passwordConfirm: 'Secret123!' }),
    status: 400,
    has: { message: 'Failed to create record.', data: {} },
  },
  {
    name: 'a workspace without a name',
    as: 'owner',
    method: 'POST',
    url: () => collection('workspaces'),
    body: newWorkspace({ name: '' }),
    status: 400,
    has: {
      message: 'Failed to create record.',
      data: { name: { code: 'validation_required', message: 'Missing required value.' } },
    },
  },
  {
    name: 'all wrong fields at once',
    as: 'owner',
    method: 'POST',
    url: () => collection('workspaces'),
    body: () => ({ name: '', image: 'x' }),
    status: 400,
    has: {
      data: {
        name: problem('validation_required'),
        host: problem('validation_required'),
        image: problem('validation_missing_rel_records'),
      },
    },
  },
  {
    name: 'a workspace on a host that may not be used',
    as: 'owner',
    method: 'POST',
    url: () => collection('workspaces'),
    body: () => ({ name: 'two', host: row.other.id, image: row.image.id }),
    status: 400,
    has: { data: { host: problem('validation_missing_rel_records'), image: problem('validation_wrong_host') } },
  },
  {
    name: 'a workspace with an image that may not be used',
    as: 'owner',
    method: 'POST',
    url: () => collection('workspaces'),
    body: () => ({ name: 'two', host: row.host.id, image: row.hidden.id }),
    status: 400,
    has: { data: { image: problem('validation_missing_rel_records') } },
  },
  {
    name: 'a name that is taken on the host',
    as: 'owner',
    method: 'POST',
    url: () => collection('workspaces'),
    body: newWorkspace({ name: 'one' }),
    status: 400,
    has: {
      data: {
        name: { code: 'validation_not_unique', message: 'This name is already taken on the host.' },
        host: problem('validation_not_unique'),
      },
    },
  },
  {
    name: 'a host port that is taken',
    as: 'owner',
    method: 'POST',
    url: () => collection('workspaces'),
    body: newWorkspace({ portMappings: [{ containerPort: 1, hostPort: 8081 }] }),
    status: 400,
    has: {
      data: {
        portMappings: {
          0: { hostPort: { code: 'validation_port_taken', message: 'Host port 8081 is taken on alpha by one.' } },
        },
      },
    },
  },
  {
    name: 'ranges of unequal length',
    as: 'owner',
    method: 'POST',
    url: () => collection('workspaces'),
    body: newWorkspace({ portMappings: [{ containerPort: '1-3', hostPort: '10-11' }] }),
    status: 400,
    has: { data: { portMappings: { 0: { hostPort: expect.anything() as unknown } } } },
  },
  {
    name: 'an unknown key inside a JSON field',
    as: 'owner',
    method: 'POST',
    url: () => collection('workspaces'),
    body: newWorkspace({ environmentVariables: [{ name: 'A', value: 'b', hidden: true }] }),
    status: 400,
    has: {
      data: {
        environmentVariables: {
          0: { hidden: { code: 'validation_unknown_field', message: 'Unknown field "hidden".' } },
        },
      },
    },
  },
  {
    name: 'a variable named twice',
    as: 'owner',
    method: 'POST',
    url: () => collection('workspaces'),
    body: newWorkspace({
      environmentVariables: [
        { name: 'A', value: '' },
        { name: 'A', value: '' },
      ],
    }),
    status: 400,
    has: { data: { environmentVariables: { 1: { name: problem('validation_duplicate') } } } },
  },
  {
    name: 'an id of the wrong length',
    as: 'owner',
    method: 'POST',
    url: () => collection('workspaces'),
    body: newWorkspace({ id: 'short' }),
    status: 400,
    has: { data: { id: { code: 'validation_length_invalid', message: 'The length must be exactly 15.' } } },
  },
  {
    name: 'an id that is taken',
    as: 'owner',
    method: 'POST',
    url: () => collection('workspaces'),
    body: () => ({ ...newWorkspace({})(), id: row.workspace.id }),
    status: 400,
    has: { data: { id: problem('validation_invalid_id') } },
  },
  {
    name: 'another id on update',
    as: 'owner',
    method: 'PATCH',
    url: oneWorkspace,
    body: () => ({ id: 'aaaaaaaaaaaaaaa' }),
    status: 400,
    has: { data: { id: problem('validation_in_invalid') } },
  },
  {
    name: 'an image without a parseable Dockerfile',
    as: 'owner',
    method: 'POST',
    url: () => collection('images'),
    body: () => ({
      name: 'x',
      build_on: row.host.id,
      creationType: 'writeDockerfile',
      dockerfile: 'FROM scratch\nRUM ls',
    }),
    status: 400,
    has: {
      data: { dockerfile: { code: 'validation_invalid_dockerfile', message: 'Line 2: unknown instruction RUM.' } },
    },
  },
  {
    name: 'a pulled image with a bad name',
    as: 'owner',
    method: 'POST',
    url: () => collection('images'),
    body: () => ({ name: 'x', build_on: row.host.id, creationType: 'pullAnImage', dockerImageName: 'UPPER' }),
    status: 400,
    has: { data: { dockerImageName: { code: 'validation_invalid_format', message: 'Invalid Docker image name!' } } },
  },
  {
    name: 'an image in use deleted',
    as: 'owner',
    method: 'DELETE',
    url: () => `${collection('images')}/${String(row.image.id)}`,
    status: 400,
    has: {
      message:
        'Failed to delete record. Make sure that the record is not part of a required relation reference. Used by the workspace one.',
      data: {},
    },
  },
  {
    name: 'a host in use deleted',
    as: 'admin',
    method: 'DELETE',
    url: () => `${collection('hosts')}/${String(row.host.id)}`,
    status: 400,
  },
  {
    name: 'the last admin deleted',
    as: 'admin',
    method: 'DELETE',
    url: () => `${collection('users')}/${who.admin.id}`,
    status: 400,
  },
  {
    name: 'the last admin demoted',
    as: 'admin',
    method: 'PATCH',
    url: () => `${collection('users')}/${who.admin.id}`,
    body: () => ({ isAdmin: false }),
    status: 400,
    has: { data: { isAdmin: problem('validation_last_admin') } },
  },
  {
    name: 'a promotion of oneself',
    as: 'owner',
    method: 'PATCH',
    url: () => `${collection('users')}/${who.owner.id}`,
    body: () => ({ isAdmin: true }),
    status: 400,
    has: { data: { isAdmin: problem('validation_in_invalid') } },
  },
  {
    name: 'a new password without the old one',
    as: 'owner',
    method: 'PATCH',
    url: () => `${collection('users')}/${who.owner.id}`,
    body: () => ({ password: 'Secret124!', passwordConfirm: 'Secret124!' }),
    status: 400,
    has: { data: { oldPassword: problem('validation_required') } },
  },
  {
    name: 'a weak password',
    as: 'admin',
    method: 'PATCH',
    url: () => `${collection('users')}/${who.owner.id}`,
    body: () => ({ password: 'secretsecret', passwordConfirm: 'x' }),
    status: 400,
    has: {
      data: { password: problem('validation_weak_password'), passwordConfirm: problem('validation_values_mismatch') },
    },
  },
  {
    name: 'a changed e-mail by its owner',
    as: 'owner',
    method: 'PATCH',
    url: () => `${collection('users')}/${who.owner.id}`,
    body: () => ({ email: 'new@example.com' }),
    status: 400,
    has: { data: { email: problem('validation_in_invalid') } },
  },
  {
    name: 'a taken username in another case',
    as: 'admin',
    method: 'POST',
    url: () => collection('users'),
    body: () => ({
      username: 'ROOT',
      email: 'ROOT@example.com',
      password: 'Secret123!',
      passwordConfirm: 'Secret123!',
    }),
    status: 400,
    has: { data: { username: problem('validation_invalid_username'), email: problem('validation_invalid_email') } },
  },
  {
    name: 'a permission given by a stranger',
    as: 'stranger',
    method: 'POST',
    url: () => collection('workspace_permissions'),
    body: () => ({ user: who.stranger.id, workspace: row.workspace.id, modify: true }),
    status: 400,
    has: { message: 'Failed to create record.', data: {} },
  },
  {
    name: 'a permission given twice',
    as: 'owner',
    method: 'POST',
    url: () => collection('workspace_permissions'),
    body: () => ({ user: who.modifier.id, workspace: row.workspace.id, view: true }),
    status: 400,
    has: {
      message: 'Selected user already has permission to this workspace.',
      data: { user: problem('validation_not_unique'), workspace: problem('validation_not_unique') },
    },
  },
  {
    name: 'settings read by a user',
    as: 'owner',
    method: 'POST',
    url: () => collection('settings'),
    body: () => ({ key: 'x' }),
    status: 400,
  },
];
