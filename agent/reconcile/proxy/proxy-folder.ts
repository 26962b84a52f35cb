import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../../../lib/protocol/folders';
import { EngineError, toMessage } from '../../engines/engine-error';

const FILE = 'traefik.toml';
const MODE = 0o600;

/** What the proxy's container is given of a folder. */
export interface ProxyPaths {
  configFile: string;
  dynamicFolder: string;
}

export function pathsIn(folder: string): ProxyPaths {
  return { configFile: path.join(folder, FILE), dynamicFolder: path.join(folder, 'dynamic') };
}

/** The folder of the host that holds the proxy's configuration. Throws an EngineError with why it can't. */
export class ProxyFolder {
  /** `bindRoots` are the folders that people's volumes lie in. */
  constructor(private readonly bindRoots: readonly string[]) {}

  /** Whether everything is there and says what is wanted. */
  async isCurrent(folder: string, config: string): Promise<boolean> {
    await this.requireOutside(folder);
    const { configFile, dynamicFolder } = pathsIn(folder);
    try {
      const held = await readFile(configFile, 'utf8');
      return held === config && ((await stat(configFile)).mode & 0o777) === MODE && (await isFolder(dynamicFolder));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw new EngineError('failed', `${configFile} can't be read: ${toMessage(error)}`);
    }
  }

  /** A reader sees the file as it was or as it is to be, never a part. */
  async write(folder: string, config: string): Promise<ProxyPaths> {
    await this.requireOutside(folder);
    const paths = pathsIn(folder);
    const fresh = path.join(folder, `.${FILE}-${randomUUID()}`);
    try {
      await mkdir(paths.dynamicFolder, { recursive: true, mode: 0o755 });
      await this.requireOutside(folder);
      const file = await open(fresh, 'wx', MODE);
      try {
        await file.writeFile(config);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(fresh, paths.configFile);
    } catch (error) {
      await rm(fresh, { force: true }).catch(() => undefined);
      if (error instanceof EngineError) throw error;
      throw new EngineError('failed', `The configuration can't be written into ${folder}: ${toMessage(error)}`);
    }
    return paths;
  }

  /** Removes a file that `write` made; what else lies there stays. Fine when it is gone. */
  async removeFile(configFile: string): Promise<void> {
    if (path.basename(configFile) !== FILE) return;
    await rm(configFile, { force: true }).catch(() => undefined);
  }

  /** Whoever may write there could have the proxy do anything, with the engine's socket in its hands. */
  private async requireOutside(folder: string): Promise<void> {
    const places = [folder, await realpath(folder).catch(() => folder)].flatMap((place) => [
      place,
      path.join(place, 'dynamic'),
    ]);
    for (const root of this.bindRoots) {
      const roots = [root, await realpath(root).catch(() => root)];
      if (!roots.some((each) => places.some((place) => isInside(each, place)))) continue;
      const words = `${folder} lies in ${root}, where people's volumes are. Use a folder of its own.`;
      throw new EngineError('invalid', words);
    }
  }
}

async function isFolder(place: string): Promise<boolean> {
  return (await stat(place)).isDirectory();
}
