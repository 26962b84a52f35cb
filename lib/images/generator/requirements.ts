import type { ImageEnvironment } from '@/lib/vocabulary/image';
import { condaSpecifier, pypiSpecifier } from '@/lib/vocabulary/package-versions';

type Package = ImageEnvironment['packages'][number];

/** The texts that an environment is made from where every version of it is known. */
export interface ExactTexts {
  /** What micromamba reads; empty without conda. */
  conda: string;
  /** What pip reads. */
  requirements: string;
  /** What the environment has to say of itself in the end. */
  lock: string;
}

/** An environment as it is made: from its lists, or exactly. */
export interface RecipeEnvironment extends ImageEnvironment {
  exact?: ExactTexts;
}

/** Asked where no channel is named. */
export const USUAL_CHANNEL = 'conda-forge';

/** Whether conda makes an environment; the others are virtual environments of the base's own Python. */
export function isConda({ packages, exact }: RecipeEnvironment): boolean {
  return exact ? exact.conda !== '' : packages.some(({ manager }) => manager === 'conda');
}

const ofManager = ({ packages }: ImageEnvironment, manager: Package['manager']): Package[] =>
  packages.filter((each) => each.manager === manager);

/** The list that pip reads; empty where it has nothing to do. */
export function toRequirements(environment: RecipeEnvironment): string {
  if (environment.exact) return environment.exact.requirements;
  return ofManager(environment, 'pypi')
    .map(({ name, version }) => `${name}${pypiSpecifier(version)}\n`)
    .join('');
}

/** The channels that an environment asks, in their order: its own, then those of the image. */
export function listChannels({ channels }: ImageEnvironment, ofImage: readonly string[]): string[] {
  const names = [...new Set([...channels.map(({ name }) => name), ...ofImage])];
  return names.length > 0 ? names : [USUAL_CHANNEL];
}

/** The file that micromamba reads. JSON texts are YAML texts. */
export function toEnvironmentFile(environment: ImageEnvironment, ofImage: readonly string[]): string {
  const packages = ofManager(environment, 'conda');
  const specs = packages.map(({ channel, name, version }) => {
    const named = `${channel ? `${channel}::` : ''}${name}`;
    return [named, condaSpecifier(version)].filter(Boolean).join(' ');
  });
  // What pip is to install into has to have it.
  const needed = ofManager(environment, 'pypi').length > 0 ? ['python', 'pip'] : [];
  const names = new Set(packages.map(({ name }) => name.toLowerCase()));
  const toItems = (texts: readonly string[]) => texts.map((text) => `  - ${JSON.stringify(text)}\n`).join('');
  const dependencies = [...specs, ...needed.filter((name) => !names.has(name))];
  return `channels:\n${toItems(listChannels(environment, ofImage))}dependencies:\n${toItems(dependencies)}`;
}
