import type { ImageEnvironment, StartupCommand } from '@/lib/vocabulary/image';
import { PACKAGES_MAX } from '@/lib/vocabulary/image-schemas';
import { plainPackageName } from '@/lib/vocabulary/package-names';

export type ListPackage = ImageEnvironment['packages'][number];

/** A part of a file that could not be carried over, or not whole. */
export interface LeftOut {
  /** From 1. */
  line: number;
  text: string;
  /** Why, in words. */
  reason: string;
}

/** What a file of another tool says, as far as an image can hold it. */
export interface ReadLists {
  /** Empty where the file says nothing of it. */
  baseImage: string;
  /** The name is empty where the file has none. */
  environments: ImageEnvironment[];
  startupCommands: StartupCommand[];
  leftOut: LeftOut[];
}

const TEXT_SHOWN = 200;

/** Gathers what is read of one environment and what is not; a package that is there already is left out. */
export class ListReader {
  readonly packages: ListPackage[] = [];
  readonly channels: string[] = [];
  readonly leftOut: LeftOut[] = [];
  private readonly known = new Set<string>();

  leave(line: number, text: string, reason: string): void {
    const shown = text.trim().replace(/\s+/g, ' ');
    this.leftOut.push({ line, text: shown.length > TEXT_SHOWN ? `${shown.slice(0, TEXT_SHOWN)}…` : shown, reason });
  }

  /** Takes what was read of a line, or says why nothing was. */
  take(line: number, text: string, read: ListPackage | string): void {
    if (typeof read === 'string') return this.leave(line, text, read);
    const key = `${read.manager} ${plainPackageName(read.name)}`;
    if (this.known.has(key)) return this.leave(line, text, 'The package is named before already.');
    if (this.packages.length >= PACKAGES_MAX)
      return this.leave(line, text, `An environment holds ${PACKAGES_MAX} packages.`);
    this.known.add(key);
    this.packages.push(read);
  }

  addChannel(name: string): void {
    if (!this.channels.includes(name)) this.channels.push(name);
  }

  toEnvironment(name: string): ImageEnvironment {
    const channels = this.channels.map((channel) => ({ name: channel, isUserGenerated: !isUsualChannel(channel) }));
    return { name, channels, packages: this.packages };
  }
}

/** Channels that are offered before anybody names one. */
const USUAL = new Set(['conda-forge', 'bioconda', 'pytorch', 'nvidia']);

function isUsualChannel(name: string): boolean {
  return USUAL.has(name);
}

/** Whether an environment may be called so. */
export function isEnvironmentName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name);
}
