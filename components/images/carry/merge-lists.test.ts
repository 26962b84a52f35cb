import { expect, it } from 'vitest';
import { environmentsSchema } from '@/lib/vocabulary/image-schemas';
import { mergeLists, type Lists } from './merge-lists';

const lists = (environments: object[], rest: Partial<Lists> = {}): Lists => ({
  baseImage: '',
  startupCommands: [],
  ...rest,
  environments: environmentsSchema.parse(environments),
});
const pypi = (name: string, specifier = '') => {
  return { manager: 'pypi', name, version: { constraint: specifier ? 'exactly' : 'unconstrained', specifier } };
};
const shape = ({ environments }: Lists) =>
  environments.map(({ name, channels, packages }) => [
    name,
    channels.map((channel) => channel.name),
    packages.map((each) => `${each.name} ${each.version.specifier}`.trim()),
  ]);
const present = lists([{ name: 'main', channels: [{ name: 'a' }], packages: [pypi('NumPy', '1'), pypi('rich')] }], {
  baseImage: 'debian:12',
  startupCommands: [{ command: 'x', environment: 'main' }],
});
const unnamed = {
  name: '',
  channels: [
    { name: 'a', isUserGenerated: true },
    { name: 'b', isUserGenerated: true },
  ],
};
const [read] = [{ ...lists([{ name: 'x', packages: [pypi('flask'), pypi('numpy', '2')] }]) }];
const file: Lists = { ...read!, environments: [{ ...read!.environments[0]!, ...unnamed }] };

it('binds what is there anew and adds the rest', () => {
  const merged = mergeLists(present, file, { name: 'main', isReplaced: false });
  expect(shape(merged)).toEqual([['main', ['a', 'b'], ['numpy 2', 'rich', 'flask']]]);
  expect(merged).toMatchObject({ baseImage: 'debian:12', startupCommands: [{ command: 'x' }] });
});

it('adds an environment of another name', () => {
  expect(shape(mergeLists(present, file, { name: 'web', isReplaced: false })).map(([name]) => name)).toEqual([
    'main',
    'web',
  ]);
});

it('replaces the environments, and what the file says beside them', () => {
  expect(shape(mergeLists(present, file, { name: 'main', isReplaced: true }))).toEqual([
    ['main', ['a', 'b'], ['flask', 'numpy 2']],
  ]);
  const more = { ...file, baseImage: 'python:3.12', startupCommands: [{ command: 'y', environment: null }] };
  expect(mergeLists(present, more, { name: 'main', isReplaced: true })).toMatchObject({
    baseImage: 'python:3.12',
    startupCommands: [{ command: 'y' }],
  });
  expect(mergeLists(present, more, { name: 'main', isReplaced: false }).startupCommands).toHaveLength(2);
});
