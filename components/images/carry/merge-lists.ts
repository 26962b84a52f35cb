import type { ImageEnvironment, StartupCommand } from '@/lib/vocabulary/image';
import { plainPackageName } from '@/lib/vocabulary/package-names';

/** The lists of an image that a file of another tool may speak of. */
export interface Lists {
  baseImage: string;
  environments: ImageEnvironment[];
  startupCommands: StartupCommand[];
}

interface MergeOptions {
  /** For an environment that the file gives no name. */
  name: string;
  /** Whether the environments of the image go; else what it has of the same name is bound anew, and the rest stays. */
  isReplaced: boolean;
}

/** The lists of an image with those of a file. */
export function mergeLists(present: Lists, read: Lists, { name, isReplaced }: MergeOptions): Lists {
  const named = read.environments.map((each) => ({ ...each, name: each.name || name }));
  const { startupCommands: commands } = read;
  return {
    baseImage: read.baseImage || present.baseImage,
    environments: isReplaced ? named : named.reduce(addEnvironment, present.environments),
    startupCommands:
      commands.length > 0 && isReplaced ? commands : [...present.startupCommands, ...commands.filter(isNotIn(present))],
  };
}

function isNotIn({ startupCommands }: Lists) {
  return ({ command }: StartupCommand) => !startupCommands.some((each) => each.command === command);
}

function addEnvironment(present: ImageEnvironment[], added: ImageEnvironment): ImageEnvironment[] {
  const known = present.find(({ name }) => name === added.name);
  if (!known) return [...present, added];
  return present.map((each) => (each === known ? joinEnvironments(known, added) : each));
}

function joinEnvironments(present: ImageEnvironment, added: ImageEnvironment): ImageEnvironment {
  const keyOf = ({ manager, name }: ImageEnvironment['packages'][number]) => `${manager} ${plainPackageName(name)}`;
  const bound = new Map(added.packages.map((each) => [keyOf(each), each]));
  const kept = present.packages.map((each) => {
    const anew = bound.get(keyOf(each));
    bound.delete(keyOf(each));
    return anew ?? each;
  });
  const names = new Set(present.channels.map(({ name }) => name));
  const channels = [...present.channels, ...added.channels.filter(({ name }) => !names.has(name))];
  return { name: present.name, channels, packages: [...kept, ...bound.values()] };
}
