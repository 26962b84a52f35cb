import type { ImageEnvironment } from '@/lib/vocabulary/image';
import { condaSpecifier, pypiSpecifier } from '@/lib/vocabulary/package-versions';
import { isConda, listChannels } from '../generator/requirements';
import type { ListPackage } from './read-list';

/** What pip reads of an environment; what conda has to install is told in comments. */
export function toRequirementsTxt({ packages }: ImageEnvironment): string {
  const lines = packages.map((each) => (each.manager === 'pypi' ? toRequirement(each) : `# conda: ${toMatch(each)}`));
  return lines.map((line) => `${line}\n`).join('');
}

/** What conda makes the environment of, with the channels that it is asked of here. JSON texts are YAML texts. */
export function toEnvironmentYml(environment: ImageEnvironment, ofImage: readonly string[]): string {
  const { name, packages } = environment;
  const items = (texts: readonly string[], indent = '') =>
    texts.map((text) => `${indent}  - ${JSON.stringify(text)}\n`).join('');
  const conda = packages.filter(({ manager }) => manager === 'conda');
  const pypi = packages.filter(({ manager }) => manager === 'pypi');
  // What pip installs needs it; without any package of conda, the environment has Python all the same.
  const needed = [...(isConda(environment) ? [] : ['python']), ...(pypi.length > 0 ? ['pip'] : [])];
  const names = new Set(conda.map((each) => each.name.toLowerCase()));
  const dependencies = [...conda.map(toMatch), ...needed.filter((each) => !names.has(each))];
  const pip = pypi.length > 0 ? `  - pip:\n${items(pypi.map(toRequirement), '    ')}` : '';
  const channels = `channels:\n${items(listChannels(environment, ofImage))}`;
  return `name: ${JSON.stringify(name)}\n${channels}dependencies:\n${items(dependencies)}${pip}`;
}

function toRequirement({ name, version }: ListPackage): string {
  return `${name}${pypiSpecifier(version)}`;
}

function toMatch({ channel, name, version }: ListPackage): string {
  return [`${channel ? `${channel}::` : ''}${name}`, condaSpecifier(version)].filter(Boolean).join(' ');
}
