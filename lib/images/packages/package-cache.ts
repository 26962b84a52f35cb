import 'server-only';
import { beforeClose } from '@/db/database';
import { log } from '@/lib/log';
import { cacheSetting } from '@/lib/settings/cache-setting';
import { singleton } from '@/lib/singleton';
import { CacheFolder } from './cache-folder';
import { Lists } from './lists';
import { Projects } from './projects';

/** All that is kept of package indexes, in the folder that the settings name. */
class PackageCache {
  private directory = '';
  private folder = new CacheFolder('');
  private parts: { lists: Lists; projects: Projects } | undefined;

  /** Of the folder as it is set now; one that was set before is emptied. */
  open(): { lists: Lists; projects: Projects } {
    const { directory } = cacheSetting();
    if (this.parts && directory !== this.directory) {
      this.forget().catch((error: unknown) => log.warn({ err: error }, 'the cache of before could not be emptied'));
    }
    if (!this.parts) {
      this.directory = directory;
      this.folder = new CacheFolder(directory);
      const { folder } = this;
      this.parts = { lists: new Lists(folder, cacheSetting), projects: new Projects(folder, cacheSetting) };
      beforeClose().add(() => this.close());
    }
    return this.parts;
  }

  close(): void {
    this.parts?.lists.close();
    this.parts?.projects.close();
    this.parts = undefined;
  }

  async empty(): Promise<void> {
    this.open();
    await this.forget();
  }

  private async forget(): Promise<void> {
    const { folder } = this;
    this.close();
    await folder.empty();
  }

  sizeBytes(): Promise<number> {
    this.open();
    return this.folder.sizeBytes();
  }
}

export function packageCache(): PackageCache {
  return singleton('package-cache', () => new PackageCache());
}
