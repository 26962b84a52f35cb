import { expect, it } from 'vitest';
import type { WorkspaceRecord } from '@/components/data/types';
import { valuesFrom } from './workspace-source';

const record = {
  name: 'lab',
  template: true,
  can: { view: true, deploy: true },
  portMappings: [{ containerPort: 80, protocol: 'tcp', hostPort: 8080, hostIp: '' }],
  environmentVariables: [
    { name: 'KEY', value: '', secret: true },
    { name: 'MODE', value: 'x', secret: false },
  ],
} as unknown as WorkspaceRecord;
const from = (changes: Partial<WorkspaceRecord>, isTemplate = false) =>
  valuesFrom({ record: { ...record, ...changes }, icon: undefined, logins: [], name: 'lab-2' }, isTemplate);
const secretOf = (changes: Partial<WorkspaceRecord>) => from(changes).environmentVariables[0];

it('keeps the host ports of a template, and leaves those of a workspace open', () => {
  expect(from({}).portMappings[0]?.hostPort).toBe('8080');
  expect(from({ template: false }).portMappings[0]?.hostPort).toBe('');
});

it('takes the addresses of a template over, and those of a workspace into a template alone', () => {
  const users = [{ username: 'ada', password: '' }];
  const url = { scheme: 'https', subdomain: 'a', domain: 'd', port: 80, authentication: 'basic', users } as const;
  const externalUrls = [{ ...url, users: [...users] }];
  expect(from({ externalUrls }).externalUrls).toMatchObject([
    { port: '80', users: [{ username: 'ada', isKept: true }] },
  ]);
  expect(from({ externalUrls, can: { view: true } }).externalUrls[0]?.users[0]?.isKept).toBe(false);
  expect(from({ externalUrls, template: false }).externalUrls).toEqual([]);
  expect(from({ externalUrls, template: false }, true).externalUrls).toHaveLength(1);
});

it('takes secrets over where the console gives them', () => {
  expect(secretOf({})).toMatchObject({ secret: true, isKept: true });
  expect(secretOf({ can: { view: true } })).toMatchObject({ secret: true, isKept: false });
  expect(secretOf({ template: false })).toMatchObject({ isKept: false });
  expect(secretOf({ template: false, can: { modify: true } })).toMatchObject({ isKept: true });
  expect(from({}).environmentVariables[1]).toMatchObject({ secret: false, isKept: false });
});
